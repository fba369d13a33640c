import { assert, assertEquals, assertThrows } from "@std/assert";
import * as library from "../../generators/mod.ts";
import {
  CHARACTER_DEFAULTS,
  characterPasswords,
  rulePasswords,
  SENTENCE_DEFAULTS,
  WORD_DEFAULTS,
  wordPasswords,
} from "../../generators/mod.ts";
import * as english from "../../generators/exports/words/en.ts";
import type { Passwords } from "../../generators/passwords.ts";
import { type Kind, type Row, TABLES } from "../oracle.ts";

/** The fields of the API that are no options of the library. */
const OF_API = ["count", "passwordRules"];

/** The rows of a generator's options in the oracle. */
const rowsOf = (kind: Kind): [string, Row][] =>
  Object.entries(TABLES[kind]).filter(([name]) => !OF_API.includes(name));

Deno.test("the defaults of the library are those of the oracle", () => {
  const all: [Kind, object][] = [
    ["characters", CHARACTER_DEFAULTS],
    ["words", WORD_DEFAULTS],
    ["sentence", SENTENCE_DEFAULTS],
  ];
  for (const [kind, defaults] of all) {
    const rows = rowsOf(kind).map(([name, row]) => [name, row.default]);
    assertEquals({ ...defaults }, Object.fromEntries(rows));
  }
});

Deno.test("the library refuses misspelled options, and options that are none", () => {
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
    [() => c({ ["x".repeat(65)]: 1 }), TypeError, ` ${"x".repeat(64)}: Unk`],
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
      () => r("required: lower", { length: "8" }),
      TypeError,
      "length: Must be an integer",
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
