/**
 * POST /api/pwgen/sentence
 *
 * @module
 */
import { passphraseRefusals } from "../../generators/passphrase.ts";
import { sentenceSizes } from "../../generators/sentence.ts";
import { WORDLISTS } from "../../wordlists/mod.ts";
import { type Endpoint, passwordEndpoint } from "./endpoint.ts";
import { PASSPHRASE_FIELDS } from "./words.ts";

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
      // minimumEntropy can give digits to a sentence that has none.
      ignoredIf: { ...numberPosition.ignoredIf, minimumEntropy: 0 },
    },
  },
  validateTogether: ({ values }) => ({
    refusals: passphraseRefusals(values),
    sizes: sentenceSizes(WORDLISTS[values.language], values),
  }),
});
