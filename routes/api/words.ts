/**
 * POST /api/pwgen/words
 *
 * @module
 */
import { wordPasswords } from "../../generators/words.ts";
import { integer } from "./fields.ts";
import {
  type Endpoint,
  orTooShort,
  PASSPHRASE_FIELDS,
  passwordEndpoint,
} from "./password.ts";

// wordCount is the second field in the documents.
const { language, ...style } = PASSPHRASE_FIELDS;

/** The endpoint: a password of random words. */
export const words: Endpoint = passwordEndpoint({
  type: "words",
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
  passwords: (values) => ({
    of: (wordCount) => orTooShort(wordPasswords({ ...values, wordCount })),
  }),
});
