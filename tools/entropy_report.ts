/**
 * Prints the entropy of typical requests, and the random bytes that they use.
 * Usage: deno task entropy
 *
 * @module
 */
// deno-lint-ignore-file no-console
import {
  characterEntropy,
  type CharacterOptions,
  characterPassword,
} from "../generators/characters.ts";
import {
  sentenceEntropy,
  type SentenceOptions,
  sentencePassword,
} from "../generators/sentence.ts";
import {
  wordEntropy,
  type WordOptions,
  wordPassword,
} from "../generators/words.ts";
import { characters } from "../routes/api/characters.ts";
import { type Endpoint, formatBits } from "../routes/api/password.ts";
import { sentence } from "../routes/api/sentence.ts";
import { words } from "../routes/api/words.ts";

const PASSWORDS = 200_000;

let bytes = 0;
const { getRandomValues } = crypto;
crypto.getRandomValues = (array) => {
  if (array !== null) bytes += array.byteLength;
  return getRandomValues.call(crypto, array) as typeof array;
};

console.log("| endpoint | request | bits | bytes of randomness |");
console.log("| --- | --- | --- | --- |");

/** Prints a row for each request. */
function rows<T>(
  { type, validate }: Endpoint,
  password: (options: T) => string,
  entropy: (options: T) => number,
  requests: Partial<T>[],
): void {
  for (const request of requests) {
    const options = validate(request) as T;
    // The generators draw random bytes in blocks, so only a mean is exact.
    bytes = 0;
    for (let i = 0; i < PASSWORDS; i++) password(options);
    const json = JSON.stringify(request);
    console.log(
      `| ${type} | \`${json}\` | ${formatBits(entropy(options))} | ${
        Math.round(bytes / PASSWORDS)
      } |`,
    );
  }
}

const noSpecials = { specialCharacters: false };
rows<CharacterOptions>(characters, characterPassword, characterEntropy, [
  {},
  { length: 12 },
  { length: 16, ...noSpecials },
  { length: 20, ...noSpecials, uppercase: false, numbers: false },
  { length: 6, ...noSpecials, lowercase: false, uppercase: false },
  { length: 128, swedishCharacters: true },
]);
rows<WordOptions>(words, wordPassword, wordEntropy, [
  {},
  { language: "en" },
  { wordCount: 5 },
  { wordCount: 6, numberLength: 0 },
  { wordCount: 10, numberPosition: "all", numberLength: 12 },
]);
rows<SentenceOptions>(sentence, sentencePassword, sentenceEntropy, [
  {},
  { language: "en" },
  { numberLength: 0 },
  { numberPosition: "all", numberLength: 3 },
]);
