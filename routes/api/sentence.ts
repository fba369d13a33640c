/**
 * POST /api/pwgen/sentence
 *
 * @module
 */
import {
  sentenceEntropy,
  sentencePassword,
} from "../../generators/sentence.ts";
import {
  type Endpoint,
  PASSPHRASE_FIELDS,
  passwordEndpoint,
} from "./password.ts";

/** The endpoint: an adjective, a noun, a verb and an adverb. */
export const sentence: Endpoint = passwordEndpoint({
  type: "sentence",
  fields: PASSPHRASE_FIELDS,
  sizeField: "numberLength",
  generate: sentencePassword,
  entropy: sentenceEntropy,
});
