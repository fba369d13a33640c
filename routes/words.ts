/**
 * POST /api/pwgen/words
 *
 * @module
 */
import { wordEntropy, wordPassword } from "../generators/words.ts";
import { integer } from "./fields.ts";
import { passwordEndpoint, PHRASE_FIELDS } from "./password.ts";
import type { Handler } from "./types.ts";

const { language, ...style } = PHRASE_FIELDS;

/** The fields of WordPasswordRequest. */
export const WORD_FIELDS = {
  language,
  wordCount: integer(1, 10, 4, "Number of words"),
  ...style,
};

/** Answers with a password of random words. */
export const words: Handler = passwordEndpoint({
  type: "words",
  fields: WORD_FIELDS,
  // Also when numberLength is 0.
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
});
