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
  fields: PHRASE_FIELDS,
  sizeField: "numberLength",
  generate: sentencePassword,
  entropy: sentenceEntropy,
});
