/**
 * POST /api/pwgen/sentence
 *
 * @module
 */
import { sentenceGenerator } from "../../generators/sentence.ts";
import { type Endpoint, passwordEndpoint } from "./endpoint.ts";
import { judgeLengths, PASSPHRASE_FIELDS } from "./words.ts";

const { numberPosition } = PASSPHRASE_FIELDS;

/** The endpoint: an adjective, a noun, a verb and an adverb. */
export const sentence: Endpoint = passwordEndpoint({
  type: "sentence",
  fields: {
    ...PASSPHRASE_FIELDS,
    numberPosition: {
      ...numberPosition,
      noEffect: {
        ...numberPosition.noEffect!,
        // minimumEntropy can give digits to a sentence that has none.
        if: { numberLength: 0, minimumEntropy: 0 },
      },
    },
  },
  sizeField: "numberLength",
  judge: ({ values }) => ({
    errors: judgeLengths(values),
    generator: sentenceGenerator,
  }),
});
