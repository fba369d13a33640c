import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import * as library from "../../generators/mod.ts";
import {
  CHARACTER_DEFAULTS,
  characterPasswords,
  rulePasswords,
  SENTENCE_DEFAULTS,
  sentencePasswords,
  WORD_DEFAULTS,
  wordPasswords,
} from "../../generators/mod.ts";
import * as english from "../../generators/exports/words/en.ts";
import * as swedish from "../../generators/exports/words/sv.ts";
import * as englishSentence from "../../generators/exports/sentence/en.ts";
import * as swedishSentence from "../../generators/exports/sentence/sv.ts";
import type { Passwords } from "../../generators/passwords.ts";
import { API } from "../../routes/api/mod.ts";
import { type Kind, type Row, TABLES } from "../oracle.ts";

type Options = Record<string, unknown>;

const GENERATORS: Record<Kind, (options?: Options) => Passwords> = {
  characters: characterPasswords,
  words: wordPasswords,
  sentence: sentencePasswords,
};

/** The fields of the API that are no options of the library. */
const OF_API = ["count", "passwordRules"];

/** The rows of a generator's options in the oracle. */
const rowsOf = (kind: Kind): [string, Row][] =>
  Object.entries(TABLES[kind]).filter(([name]) => !OF_API.includes(name));

/** Values that an option must refuse, each with the class of its error. */
function wrong(row: Row): [unknown, ErrorConstructor][] {
  const types = [null, [], {}, () => 1, 1n].map((value) => [value, TypeError]);
  const more = row.type === "integer"
    ? [
      ...["3", `${row.default}`, true].map((value) => [value, TypeError]),
      ...[row.range[0] - 1, row.range[1] + 1, row.range[0] + 0.5, NaN, Infinity]
        .map((value) => [value, RangeError]),
    ]
    : row.type === "boolean"
    ? ["true", 1, 0].map((value) => [value, TypeError])
    : [
      ...[0, false].map((value) => [value, TypeError]),
      ["x".repeat(129), RangeError],
    ];
  return [...types, ...more] as [unknown, ErrorConstructor][];
}

Deno.test("each option of the library has the default of the oracle, and a wrong value the error of the API", () => {
  let compared = 0;
  for (const [kind, passwords] of Object.entries(GENERATORS)) {
    const api = API[`/api/pwgen/${kind}`]!;
    for (const [name, row] of rowsOf(kind as Kind)) {
      assertEquals(row.default, api.fields[name]!.default);
      for (const [value, Failure] of wrong(row)) {
        const start = `Cannot make a password: ${name}: `;
        const { message } = assertThrows(
          () => passwords({ [name]: value }),
          Failure,
          start,
        );
        // Only the API takes integers in strings.
        if (row.type === "integer" && typeof value === "string") continue;
        const [text] = api.passwords({ [name]: value }).errors![name]!;
        compared++;
        const ofLibrary = text!.replace(", or a string that holds one", "");
        assertEquals(message, start + ofLibrary);
      }
    }
  }
  assert(compared > 300, `${compared}`);
});

Deno.test("without options, each generator has the strength of the empty request", () => {
  const RULES = "maxlength: 9; required: upper";
  const all: [string, Passwords, Options?][] = [
    ["characters", characterPasswords()],
    ["characters", characterPasswords({ length: 32 }), { length: 32 }],
    ["characters", characterPasswords(CHARACTER_DEFAULTS)],
    ["characters", characterPasswords({ length: undefined } as never)],
    ["words", wordPasswords()],
    ["words", wordPasswords({ language: "en" }), { language: "en" }],
    ["words", wordPasswords(WORD_DEFAULTS)],
    ["words", english.wordPasswords(), { language: "en" }],
    ["words", swedish.wordPasswords()],
    ["sentence", sentencePasswords()],
    ["sentence", sentencePasswords(SENTENCE_DEFAULTS)],
    ["sentence", englishSentence.sentencePasswords(), { language: "en" }],
    ["sentence", swedishSentence.sentencePasswords()],
    ["characters", rulePasswords(RULES), { passwordRules: RULES }],
  ];
  for (const [kind, { bits, ...rest }, body = {}] of all) {
    const result = API[`/api/pwgen/${kind}`]!.passwords(body);
    if (result.errors) throw new Error(JSON.stringify(result.errors));
    assertEquals(bits, result.bits);
    assertEquals(Object.keys(rest), ["generate"]);
    assertMatch(rest.generate(), /^.{9,}$/);
  }
});

Deno.test("the library refuses misspelled options, options that are none, and options that allow no password", () => {
  // As a program in JavaScript calls them.
  const of = (fn: (...args: never[]) => Passwords) => (...args: unknown[]) =>
    fn(...args as never[]);
  const c = of(characterPasswords);
  const w = of(wordPasswords);
  const r = of(rulePasswords);
  const e = of(english.wordPasswords);
  const calls: [() => Passwords, ErrorConstructor, string][] = [
    [() => c({ lenght: 32 }), TypeError, "lenght: Unknown option; the options"],
    [() => c({ ["__proto__"]: 1 }), TypeError, "__proto__: Unknown option"],
    [() => c(32), TypeError, "options: Must be an object."],
    [() => c(null), TypeError, "options: Must be an object."],
    [() => w("en"), TypeError, "options: Must be an object."],
    [
      () => e({ language: "sv" }),
      TypeError,
      "language",
    ],
    [() => r(), TypeError, "passwordRules: Must be a string"],
    [
      () => r("a".repeat(1001)),
      RangeError,
      "at most 1000 characters; got another string.",
    ],
    [() => r("minlength: x"), RangeError, "passwordRules: Expected a number"],
    [
      () => r("minlength: 9", { length: 8 }),
      RangeError,
      "length: Must be from 9 to 128",
    ],
    [
      () => r("required: lower", { length: "8" }),
      TypeError,
      "length: Must be an integer",
    ],
    [
      () => c({ length: 8, minimumNumbers: 9 }),
      RangeError,
      "minimumNumbers: Must be",
    ],
    [
      () => w({ wordCount: 1, numberPosition: "between" }),
      RangeError,
      'numberPosition: Must be "before" or "after"',
    ],
    [
      () => w({ separator: "-", separatorSet: "_" }),
      RangeError,
      "separator, separatorSet: One of separator and",
    ],
    [
      () => w({ maximumLength: 5 }),
      RangeError,
      "maximumLength: Must be at least",
    ],
  ];
  for (const [call, Failure, message] of calls) {
    assertThrows(call, Failure, message);
  }
});

Deno.test("the documentation of each option says its range and its default", async () => {
  const files = [
    ...["character_options", "passphrase", "rules", "words"],
    ...["exports/words", "exports/sentence"],
  ];
  const rows = new Map([...rowsOf("characters"), ...rowsOf("words")]);
  const seen = new Set<string>();
  for (const file of files) {
    const url = new URL(`../../generators/${file}.ts`, import.meta.url);
    const source = await Deno.readTextFile(url);
    for (
      const [, comment, name] of source.matchAll(
        /\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}readonly (\w+): (?:number|boolean|string|Language|typeof )/g,
      )
    ) {
      const row = rows.get(name!);
      if (row === undefined) continue;
      seen.add(name!);
      const text = comment!.replace(/\s+\*?\s*/g, " ");
      const byDefault = JSON.stringify(row.default);
      assert(text.includes(`The default is ${byDefault}`), `${file} ${name}`);
      if (row.type !== "integer") continue;
      const [min, max] = row.range;
      assert(text.includes(`${min} to ${max}`), `${file} ${name}`);
    }
  }
  assertEquals([...seen].sort(), [...rows.keys()].sort());
});

Deno.test("no value that the library exports can be changed by other code", () => {
  /** Every object in a value, with its name. */
  function* objectsIn(
    name: string,
    value: unknown,
  ): Generator<[string, object]> {
    if (typeof value !== "object" || value === null) return;
    yield [name, value];
    for (const [key, inner] of Object.entries(value)) {
      yield* objectsIn(`${name}.${key}`, inner);
    }
  }
  const objects = [...objectsIn("library", { ...library })].slice(1);
  assert(objects.length > 15, `${objects.length}`);
  for (const [name, value] of objects) assert(Object.isFrozen(value), name);
});
