/**
 * POST /api/pwgen/words
 *
 * @module
 */
import { wordEntropy, wordPassword } from "../../generators/words.ts";
import { integer } from "./fields.ts";
import { type Endpoint, passwordEndpoint, PHRASE_FIELDS } from "./password.ts";

// wordCount is the second field in the documents.
const { language, ...style } = PHRASE_FIELDS;

/** The endpoint: a password of random words. */
export const words: Endpoint = passwordEndpoint({
  type: "words",
  schema: "WordPasswordRequest",
  summary: "A password of random words",
  description:
    "Each word is drawn independently from one list. A digit sequence may begin with zeros. The steps are in this order: draw the words, apply the casing, replace Swedish letters, replace letters with special characters (with both replacements å becomes @), insert the digits, insert the `separator` between any two parts (words and digit sequences). The separator does not change the entropy. With one word `numberPosition` cannot be `between` or `all`, whatever `numberLength` is.",
  fields: {
    language,
    wordCount: integer(1, 10, 4, "Number of words"),
    ...style,
  },
  sizeField: "wordCount",
  // This also holds when numberLength is 0.
  rule: ({ wordCount, numberPosition }) =>
    wordCount === 1 &&
      (numberPosition === "between" || numberPosition === "all")
      ? {
        numberPosition: [
          'Must be "before" or "after" when wordCount is 1: one word has nothing between.',
        ],
      }
      : undefined,
  generate: wordPassword,
  entropy: wordEntropy,
  valid: {
    defaults: {
      summary: "All settings have their defaults",
      request: {},
      password: "41MidnattMejramSymmetriUtmärkt",
    },
    fiveEnglishWords: {
      summary: "Five English words, then digits",
      request: { language: "en", wordCount: 5, numberPosition: "after" },
      password: "ZincAmplifierOriginalStoreroomSnip65",
    },
    separated: {
      summary: "Hyphens between the words, and at least 75 bits",
      request: {
        language: "en",
        casing: "lower",
        numberLength: 0,
        separator: "-",
        minimumEntropy: 75,
      },
      password: "zinc-amplifier-original-storeroom-snip-garden",
    },
  },
  invalid: {
    oneWord: {
      summary: "Digits between words, but only one word",
      request: { wordCount: 1, numberPosition: "between" },
    },
    notListed: {
      summary: "A string that is not in the list",
      request: { language: "SV" },
    },
    unreachable: {
      summary: "More bits than ten words have",
      request: { numberLength: 0, minimumEntropy: 500 },
    },
  },
});
