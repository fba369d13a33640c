/**
 * Requests whose fields do not fit together, and what each is told to change.
 *
 * @module
 */
import { parse } from "@std/yaml";
import type { Kind } from "../oracle.ts";

const BITS = "lowercase: false, uppercase: false, specialCharacters: false";
const BINARY = `${BITS}, excludeCharacters: "23456789"`;
const HALF = "length: 10, specialCharacterPercentage: 50";
const RUNS = "maximumRepeating: 2, maximumSequential: 9";
const MANY = "minimumNumbers: 32, minimumSpecialCharacters: 32";
const SEVEN = [..."ABC2345"].map((c) => `required: [${c}]`).join("; ");
const CROSSED = [..."abcdef"].map((c) => `required: [${c}2];`.repeat(9)).join(
  "",
);

/** Kind | fields | field with an error | a part of its message | another field | ... */
const ROWS = `
characters | ${BITS}, numbers: false | $ | At least one of
characters | specialCharacterSet: "|", excludeAmbiguous: true | specialCharacterSet | a character that excludeAmbiguous does not leave out
characters | specialCharacterSet: "!", excludeCharacters: "!" | excludeCharacters | a character of specialCharacters.
characters | excludeCharacters: "!#$%&()*+,-./:;<=>?@[]^_{|}~" | excludeCharacters | a character of specialCharacters.
characters | excludeCharacters: "0123456789" | excludeCharacters | a character of numbers.
characters | excludeCharacters: "23456789", excludeAmbiguous: true | excludeCharacters | numbers, besides those that excludeAmbiguous leaves out
characters | minimumLowercase: 10, minimumNumbers: 11, minimumUppercase: 0 | minimumLowercase | Must be less, or length at least 21, the sum of the minima. | minimumNumbers | Must be less, or length at least 21
characters | minimumNumbers: 1, numbers: false, lowercase: false | minimumNumbers | Must be 0 when numbers is false.
characters | minimumSpecialCharacters: 1, specialCharacters: false | minimumSpecialCharacters | Must be 0 when specialCharacters is false.
characters | ${HALF}, minimumSpecialCharacters: 6 | minimumSpecialCharacters | Must be at most 5, the number of special characters
characters | ${HALF}, minimumUppercase: 6 | minimumUppercase | Must be at most 5, together
characters | ${HALF}, minimumNumbers: 5, beginWithLetter: true | beginWithLetter | Must be false: 10 digits
characters | ${BITS}, beginWithLetter: true | beginWithLetter | lowercase, uppercase and swedishCharacters are false
characters | beginWithLetter: true, minimumNumbers: 20 | beginWithLetter | Must be false: 20 digits
characters | beginWithLetter: true, specialCharacterPercentage: 100 | beginWithLetter | Must be false: 20 digits
characters | ${RUNS}, specialCharacterPercentage: 20 | maximumRepeating | Must be unset with a specialCharacterPercentage. | maximumSequential | Must be unset with a specialCharacterPercentage.
characters | ${RUNS}, minimumLowercase: 2, minimumUppercase: 1 | maximumRepeating | must be unset if both cases are on | maximumSequential | must be unset if both cases are on
characters | maximumSequential: 2, minimumUppercase: 2 | maximumSequential | must be unset if both cases are on
characters | ${BINARY}, length: 8, maximumRepeating: 1 | maximumRepeating | Must be greater: fewer than 1 in 64 passwords of 8 char
characters | maximumRepeating: 1, minimumNumbers: 20, excludeCharacters: "12345678" | maximumRepeating | Must be greater: fewer than 1 in 64 passwords of 20 char
characters | groupLength: 5, excludeCharacters: "a-" | groupLength | Must be unset: the hyphen
characters | groupLength: 5, specialCharacterSet: "_" | groupLength | Must be unset: the hyphen
characters | groupLength: 5, specialCharacterSet: "-" | groupLength | Must be unset: the hyphen
characters | ${BINARY}, minimumEntropy: 512 | minimumEntropy | Must be at most 128 with these settings: they reach 128.00 bits, with length 128.
characters | length: 128, ${MANY}, maximumRepeating: 2 | maximumRepeating | cannot be counted in time
characters | length: 128, ${MANY}, ${RUNS} | maximumRepeating | Must be unset, or the minima smaller: the passwords cannot be counted in time. | maximumSequential | cannot be counted in time
characters | passwordRules: "allowed: digit", numbers: false | numbers | Must be true, the default
characters | passwordRules: "allowed: digit", specialCharacterSet: "!" | specialCharacterSet | Must be "", the
characters | passwordRules: "minlength: 30", length: 29 | length | Must be from 30 to 128 with
characters | passwordRules: "maxlength: 12", length: 20 | length | Must be from 1 to 12 with
characters | passwordRules: "allowed: digit; maxlength: 12", minimumEntropy: 99 | minimumEntropy | Must be at most 39
characters | passwordRules: "allowed: digit", excludeCharacters: "9876543210" | excludeCharacters | Must leave
characters | passwordRules: "required: [1]", excludeAmbiguous: true | passwordRules | excludeAmbiguous leaves out
characters | passwordRules: "allowed: [lI]", excludeAmbiguous: true | passwordRules | No character is allowed.
characters | passwordRules: "allowed: digit; ;" | passwordRules | at character 17.
characters | passwordRules: "${SEVEN}; required: [AB]" | passwordRules | another required set; got 7.
characters | passwordRules: "allowed: digit; required: lower; required: [5]", length: 1 | passwordRules | above all number 2.
characters | passwordRules: "allowed: digit; max-repeating: 1", length: 64 | passwordRules | : max-repeating (or
characters | passwordRules: "allowed: digit; max-sequential: 1", length: 32 | passwordRules | : max-sequential (or
characters | passwordRules: "allowed: digit; max-consecutive: 1", length: 32 | passwordRules | max-repeating and max-seq
characters | passwordRules: "allowed: digit; max-repeating: 1", length: 40, count: 100 | count | Must be at most
characters | passwordRules: "allowed: digit; max-repeating: 1", length: 40, minimumEntropy: 1, count: 100 | count | Must be at most
characters | passwordRules: "allowed: digit", beginWithLetter: true | beginWithLetter | allow no letter
characters | passwordRules: "required: digit; allowed: lower", beginWithLetter: true, length: 1 | beginWithLetter | Must be false: with a letter first
characters | passwordRules: "required: digit; required: lower; required: [!]", beginWithLetter: true, length: 2 | passwordRules | Fewer than 1 in 64
characters | passwordRules: "${CROSSED}", length: 128 | passwordRules | cannot be counted in time: fewer required sets, sets that are required less often
words | wordCount: 1, numberPosition: between | numberPosition | Must be "before" or "after"
words | separator: "-", separatorSet: "_" | separator | One of | separatorSet | One of
words | separatorSet: "-#", replaceWithSpecialCharacters: true | separatorSet | without @, !, $ and # when replaceWithSpecialCharacters
words | minimumLength: 31, maximumLength: 30 | minimumLength | Must be at most 30, the maximumLength. | maximumLength | Must be at least 31, the minimumLength, or 0 for none.
words | maximumLength: 5 | maximumLength | Must be at least 14 with these settings, or 0 for none.
words | minimumLength: 128 | minimumLength | Must be at most 38 with these settings.
sentence | separator: ".", separatorSet: "-_" | separator | One of | separatorSet | One of
sentence | minimumLength: 20, maximumLength: 10 | minimumLength | Must be at most 10, the | maximumLength | Must be at least 20, the
sentence | maximumLength: 5 | maximumLength | Must be at least 
sentence | minimumLength: 128 | minimumLength | Must be at most 
`;

/** A request that is refused. */
export interface RefusedRequest {
  readonly kind: Kind;
  readonly body: Readonly<Record<string, unknown>>;
  /** A part of the message of each field that has an error. */
  readonly messages: Readonly<Record<string, string>>;
}

/** These requests. */
export const REFUSALS: readonly RefusedRequest[] = ROWS.trim().split("\n").map(
  (row) => {
    const [kind, fields, ...cells] = row.split(" | ");
    const messages = cells.flatMap((name, i) =>
      i % 2 === 0 ? [[name, cells[i + 1]!]] : []
    );
    return {
      kind: kind as Kind,
      body: parse(`{${fields}}`) as RefusedRequest["body"],
      messages: Object.fromEntries(messages),
    };
  },
);
