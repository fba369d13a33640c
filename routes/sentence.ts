/**
 * POST /api/pwgen/sentence
 *
 * @module
 */
import { sentenceEntropy, sentencePassword } from "../generators/sentence.ts";
import { passwordEndpoint, PHRASE_FIELDS } from "./password.ts";
import type { Handler } from "./types.ts";

/** Answers with an adjective, a noun, a verb and an adverb. */
export const sentence: Handler = passwordEndpoint({
  type: "sentence",
  fields: PHRASE_FIELDS,
  generate: sentencePassword,
  entropy: sentenceEntropy,
});
