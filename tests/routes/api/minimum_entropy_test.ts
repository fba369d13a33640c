import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  characterPasswords,
  rulePasswords,
  sentencePasswords,
  wordPasswords,
} from "../../../generators/mod.ts";
import { NUMBER_POSITIONS } from "../../../generators/passphrase.ts";
import type { Passwords } from "../../../generators/passwords.ts";
import { API } from "../../../routes/api/mod.ts";
import { LANGUAGES } from "../../../wordlists/mod.ts";
import { BOTH, pairs } from "../../helpers/settings.ts";
import { type Kind, KINDS, TABLES } from "../../oracle.ts";

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

// oracle_test.ts shows that the API raises sizes to the least value that is sufficient.
Deno.test("with minimumEntropy, the library has the bits and the errors of the API", () => {
  for (const kind of KINDS) {
    const { passwords } = API[`/api/pwgen/${kind}`]!;
    for (const request of REQUESTS[kind]) {
      for (const minimumEntropy of [1, 60, 512]) {
        const body = { ...request, minimumEntropy };
        const where = JSON.stringify(body);
        const ofApi = passwords(body);
        const ofLibrary = () => LIBRARY[kind](body);
        const { errors } = ofApi;
        if (!errors) {
          assertEquals(ofLibrary().bits, ofApi.bits, where);
          continue;
        }
        const { message } = assertThrows(ofLibrary, RangeError);
        const messages = Object.values(errors).flat();
        // Two lengths that exclude each other have other messages in the API.
        const isPair = "minimumLength" in errors && "maximumLength" in errors;
        const isSame = messages.some((each) => message.endsWith(each));
        assert(isPair || isSame, `${where}: ${message}`);
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
