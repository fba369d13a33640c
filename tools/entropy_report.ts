/**
 * Prints the entropy of typical requests.
 * Usage: deno task entropy
 *
 * @module
 */
// deno-lint-ignore-file no-console
import type { JsonObject } from "../routes/api/body.ts";
import { characters } from "../routes/api/characters.ts";
import { type Endpoint, formatBits } from "../routes/api/endpoint.ts";
import { sentence } from "../routes/api/sentence.ts";
import { words } from "../routes/api/words.ts";

console.log("| endpoint | request | bits |");
console.log("| --- | --- | --- |");

/** Prints a row for each request. */
function rows({ type, passwords }: Endpoint, requests: JsonObject[]): void {
  for (const request of requests) {
    const possible = passwords(request);
    if (possible.errors) throw new Error(JSON.stringify(request));
    const json = JSON.stringify(request);
    console.log(`| ${type} | \`${json}\` | ${formatBits(possible.bits)} |`);
  }
}

const noSpecials = { specialCharacters: false };
rows(characters, [
  {},
  { length: 12 },
  { length: 16, ...noSpecials },
  { length: 20, ...noSpecials, uppercase: false, numbers: false },
  { length: 6, ...noSpecials, lowercase: false, uppercase: false },
  { length: 128, swedishCharacters: true },
  { specialCharacterSet: "-_.!" },
  { minimumNumbers: 2, minimumSpecialCharacters: 2 },
  { length: 6, minimumNumbers: 5 },
  { beginWithLetter: true },
  {
    passwordRules:
      "maxlength: 16; required: lower; required: upper; required: digit",
  },
]);
rows(words, [
  {},
  { language: "en" },
  { excludeSwedishCharacters: true },
  { wordCount: 5 },
  { wordCount: 6, numberLength: 0 },
  { separator: "-", numberLength: 0, maximumLength: 20 },
  { separator: "-", numberLength: 0, minimumLength: 30 },
  { wordCount: 10, numberPosition: "all", numberLength: 12 },
]);
rows(sentence, [
  {},
  { language: "en" },
  { numberLength: 0 },
  { numberLength: 0, excludeSwedishCharacters: true },
  { numberPosition: "all", numberLength: 3 },
]);
