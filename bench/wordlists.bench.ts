import { parseLists } from "../wordlists/lists.ts";
import { LANGUAGES, WORDLISTS } from "../wordlists/mod.ts";

const texts = LANGUAGES.map((language) => {
  const text = (list: readonly string[]) => list.join("\n") + "\n";
  const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
  return {
    words: text(words),
    adjectives: text(adjectives),
    nouns: text(nouns),
    verbs: text(verbs),
    adverbs: text(adverbs),
  };
});

Deno.bench(
  "parseLists(), one access to each list of each language",
  () => {
    for (const text of texts) Object.values(parseLists(text));
  },
);
