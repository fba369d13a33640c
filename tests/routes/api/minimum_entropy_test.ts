import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  characterPasswords,
  rulePasswords,
  sentencePasswords,
  wordPasswords,
} from "../../../generators/mod.ts";
import { NUMBER_POSITIONS } from "../../../generators/passphrase.ts";
import { formatBits } from "../../../generators/minimum_entropy.ts";
import type { Passwords } from "../../../generators/passwords.ts";
import { API } from "../../../routes/api/mod.ts";
import { LANGUAGES } from "../../../wordlists/mod.ts";
import { BOTH, pairs } from "../../helpers/settings.ts";
import { type Kind, KINDS, outcome, TABLES } from "../../oracle.ts";

type Body = Record<string, unknown>;

const PHRASES = pairs<Body>({
  language: LANGUAGES,
  numberPosition: NUMBER_POSITIONS,
  numberLength: [0, 3, 12],
  separator: ["", "-"],
  separatorSet: ["", "~", "=:;"],
  maximumLength: [0, 12, 33, 256],
  minimumLength: [0, 20, 128],
  excludeSwedishCharacters: BOTH,
  wordCount: [1, 4],
});

/** Rules with a length, of which some are too narrow for other lengths. */
const RULES: [passwordRules: string, length: number][] = [
  ["minlength: 8; maxlength: 16; required: lower; required: digit", 8],
  ["required: lower; allowed: upper; maxlength: 300", 1],
  // Too narrow for lengths above 15, or below 4.
  ["allowed: [abcd]; max-repeating: 1", 1],
  [
    "required: [a]; required: [1]; required: [-]; required: [A]; allowed: [x]",
    1,
  ],
  ["allowed: [acegikmoqsuwy]; max-consecutive: 2; required: [c]", 3],
  ["required: digit; required: digit; required: lower; maxlength: 40", 5],
  // Too narrow for lengths 1 to 4.
  ["required: [!]; required: [#]; allowed: lower", 1],
];

/** The passwords of the library for a request. */
const LIBRARY: Readonly<Record<Kind, (body: Body) => Passwords>> = {
  characters: ({ passwordRules, ...options }) =>
    passwordRules === undefined
      ? characterPasswords(options)
      : rulePasswords(String(passwordRules), options),
  words: wordPasswords,
  sentence: ({ wordCount: _, ...options }) => sentencePasswords(options),
};

/** Requests without a minimum. */
const REQUESTS: Readonly<Record<Kind, Body[]>> = {
  characters: [
    ...pairs<Body>({
      length: [1, 20],
      specialCharacterPercentage: [0, 1, 34, 99, 100],
      ...Object.fromEntries(
        Object.entries(TABLES.characters)
          .filter(([, { type }]) => type === "boolean")
          .map(([name]) => [name, BOTH]),
      ),
    }),
    { length: 6, minimumNumbers: 3, minimumSpecialCharacters: 2 },
    ...[0, 40].map((specialCharacterPercentage) => ({
      length: 10,
      minimumUppercase: 2,
      beginWithLetter: true,
      specialCharacterPercentage,
      excludeCharacters: "aeiou0123456!",
    })),
    ...RULES.map(([passwordRules, length]) => ({ passwordRules, length })),
  ],
  words: PHRASES,
  sentence: PHRASES,
};

// The search compares numbers of bits. entropy_test.ts compares these with exact
// integers for every setting, so pairs of settings are sufficient here. Between the
// least minimum that needs a size and the whole bits that it has, no answer can
// change: both ends are asked for.
Deno.test("minimumEntropy raises length, wordCount or numberLength to the least value that is sufficient, in the API and in the library", () => {
  for (const kind of KINDS) {
    const { passwords } = API[`/api/pwgen/${kind}`]!;
    for (const request of REQUESTS[kind]) {
      let max = 0;
      let next = 1;
      for (
        let minimumEntropy = 1;
        minimumEntropy <= 512;
        minimumEntropy = next
      ) {
        const body = { ...request, minimumEntropy };
        const where = JSON.stringify(body);
        const expected = outcome(kind, body);
        const actual = passwords(body);
        const { errors = {} } = actual;
        assertEquals(Object.keys(errors).sort(), expected.errors, where);
        const ofLibrary = () => LIBRARY[kind](body);
        if (actual.errors) {
          const { message } = assertThrows(ofLibrary, RangeError);
          const messages = Object.values(errors).flat();
          // Two lengths that exclude each other have other messages in the API.
          const isPair = "minimumLength" in errors && "maximumLength" in errors;
          const isSame = messages.some((each) => message.endsWith(each));
          assert(isPair || isSame, `${where}: ${message}`);
        } else assertEquals(ofLibrary().bits, actual.bits, where);
        if (!actual.errors) {
          max = minimumEntropy;
          assertEquals(formatBits(actual.bits), expected.bits, where);
          assert(expected.permits(actual.generate()), where);
          const last = Math.min(512, Math.floor(Number(expected.bits)));
          next = last > minimumEntropy ? last : last + 1;
        } else {
          if (max > 0) {
            const message = errors["minimumEntropy"]![0]!;
            assert(message.includes(`at most ${max} with`), message);
          }
          // What a minimum cannot reach, no greater one can.
          next = minimumEntropy < 512 ? 512 : 513;
        }
      }
    }
  }
});

Deno.test("minimumEntropy keeps the error of the size that was sent, if no size has a password", () => {
  const { passwords } = API["/api/pwgen/words"]!;
  const body = { maximumLength: 5 };
  const { errors } = passwords(body);
  assert(errors?.["maximumLength"]);
  assertEquals(passwords({ ...body, minimumEntropy: 60 }).errors, errors);
});
