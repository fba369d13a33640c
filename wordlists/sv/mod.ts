/**
 * The Swedish word lists.
 *
 * @module
 */
import { parseLists, type WordLists } from "../lists.ts";
import adjectives from "./adjectives.txt" with { type: "text" };
import adverbs from "./adverbs.txt" with { type: "text" };
import nouns from "./nouns.txt" with { type: "text" };
import verbs from "./verbs.txt" with { type: "text" };
import words from "./words.txt" with { type: "text" };

/** The Swedish word lists. */
const sv: WordLists = /* @__PURE__ */ parseLists({
  words,
  adjectives,
  nouns,
  verbs,
  adverbs,
});
export default sv;
