/**
 * POST /api/pwgen/sentence
 *
 * @module
 */
import { sentenceSizes } from "../../generators/sentence.ts";
import { WORDLISTS } from "../../wordlists/mod.ts";
import { type Endpoint, passwordEndpoint } from "./endpoint.ts";
import { PASSPHRASE_FIELDS, validateStyle } from "./words.ts";

const { numberPosition } = PASSPHRASE_FIELDS;

/** The endpoint: an adjective, a noun, a verb and an adverb. */
export const sentence: Endpoint = passwordEndpoint({
  type: "sentence",
  about: {
    summary: "A sentence",
    description:
      "A password that reads like a sentence: an adjective, a noun, a verb and an adverb, in grammatical forms. Casing, replacements, digits and separator work as for `/api/pwgen/words`.",
    examples: {
      defaults: {
        summary: "All settings have their defaults",
        value: {},
        passwords: ["67GrönrutigaTofflorGnäggarGlatt"],
      },
      english: {
        summary: "English, only the first letter in upper case",
        value: { language: "en", casing: "first" },
        passwords: ["76Celebratedtrusteeswhisperwistfully"],
      },
    },
    invalid: {
      summary: "A number with a fraction",
      value: { numberLength: 2.5 },
    },
  },
  fields: {
    ...PASSPHRASE_FIELDS,
    numberPosition: {
      ...numberPosition,
      ignoredIf: {
        // minimumEntropy can give digits to a sentence that has none.
        values: { numberLength: 0, minimumEntropy: 0 },
      },
    },
  },
  validateTogether: ({ values }) => ({
    errors: validateStyle(values),
    sizes: sentenceSizes(WORDLISTS[values.language], values),
  }),
});
