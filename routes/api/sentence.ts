/**
 * POST /api/pwgen/sentence
 *
 * @module
 */
import { sentencePasswords } from "../../generators/sentence.ts";
import {
  type Endpoint,
  orTooShort,
  PASSPHRASE_FIELDS,
  passwordEndpoint,
} from "./password.ts";

/** The endpoint: an adjective, a noun, a verb and an adverb. */
export const sentence: Endpoint = passwordEndpoint({
  type: "sentence",
  fields: PASSPHRASE_FIELDS,
  sizeField: "numberLength",
  passwords: (values) => ({
    of: (numberLength) =>
      orTooShort(sentencePasswords({ ...values, numberLength })),
  }),
});
