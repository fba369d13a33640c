/**
 * POST /api/pwgen/sentence
 *
 * @module
 */
import {
  sentenceEntropy,
  sentencePassword,
} from "../../generators/sentence.ts";
import { type Endpoint, passwordEndpoint, PHRASE_FIELDS } from "./password.ts";

/** The endpoint: an adjective, a noun, a verb and an adverb. */
export const sentence: Endpoint = passwordEndpoint({
  type: "sentence",
  schema: "SentencePasswordRequest",
  summary: "A password that reads like a sentence",
  description:
    "An adjective, a noun, a verb and an adverb, in this order and in grammatical forms. Casing, replacements, digits and separator work as for `/api/pwgen/words`. Digits may always stand `between` the words.",
  fields: PHRASE_FIELDS,
  sizeField: "numberLength",
  generate: sentencePassword,
  entropy: sentenceEntropy,
  valid: {
    defaults: {
      summary: "All settings have their defaults",
      request: {},
      password: "67GrönrutigaTofflorGnäggarGlatt",
    },
    english: {
      summary: "English, only the first letter in upper case",
      request: { language: "en", casing: "first" },
      password: "76Cultivatedtrusteeshibernatewistfully",
    },
  },
  invalid: {
    notAnInteger: {
      summary: "A number with a fraction",
      request: { numberLength: 2.5 },
    },
  },
});
