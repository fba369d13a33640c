/**
 * Prints what typical requests are worth, and the randomness that they use.
 * Usage: deno task entropy
 *
 * @module
 */
// deno-lint-ignore-file no-console
import {
  characterEntropy,
  characterPassword,
} from "../generators/characters.ts";
import { sentenceEntropy, sentencePassword } from "../generators/sentence.ts";
import { wordEntropy, wordPassword } from "../generators/words.ts";
import { CHARACTER_FIELDS } from "../routes/characters.ts";
import type { Fields, Values } from "../routes/fields.ts";
import { PHRASE_FIELDS, showBits } from "../routes/password.ts";
import { WORD_FIELDS } from "../routes/words.ts";

const PASSWORDS = 200_000;

let bytes = 0;
const { getRandomValues } = crypto;
crypto.getRandomValues = (array) => {
  if (array !== null) bytes += array.byteLength;
  return getRandomValues.call(crypto, array) as typeof array;
};

console.log("| endpoint | request | bits | bytes of randomness |");
console.log("| --- | --- | --- | --- |");

/** Prints a row for each request: its fields where they are not the defaults. */
function rows<F extends Fields>(
  endpoint: string,
  fields: F,
  password: (options: Values<F>) => string,
  entropy: (options: Values<F>) => number,
  requests: Partial<Values<F>>[],
): void {
  const defaults = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.default]),
  );
  for (const request of requests) {
    const options = { ...defaults, ...request } as Values<F>;
    // Randomness comes in blocks: the mean of many passwords tells.
    bytes = 0;
    for (let i = 0; i < PASSWORDS; i++) password(options);
    const shown = JSON.stringify(request);
    console.log(
      `| ${endpoint} | \`${shown}\` | ${showBits(entropy(options))} | ${
        Math.round(bytes / PASSWORDS)
      } |`,
    );
  }
}

const noSpecials = { specialCharacters: false };
rows("characters", CHARACTER_FIELDS, characterPassword, characterEntropy, [
  {},
  { length: 12 },
  { length: 16, ...noSpecials },
  { length: 20, ...noSpecials, uppercase: false, numbers: false },
  { length: 6, ...noSpecials, lowercase: false, uppercase: false },
  { length: 128, swedishCharacters: true },
]);
rows("words", WORD_FIELDS, wordPassword, wordEntropy, [
  {},
  { wordCount: 5 },
  { wordCount: 6, numberLength: 0 },
  { wordCount: 10, numberPosition: "all", numberLength: 12 },
]);
rows("sentence", PHRASE_FIELDS, sentencePassword, sentenceEntropy, [
  {},
  { numberLength: 0 },
  { numberPosition: "all", numberLength: 3 },
]);
