import {
  assert,
  assertEquals,
  assertNotMatch,
  assertThrows,
} from "@std/assert";
import { generate } from "../../../cli/generate.ts";
import {
  characterPasswords,
  rulePasswords,
  sentencePasswords,
  wordPasswords,
} from "../../../generators/mod.ts";
import { API } from "../../../routes/api/mod.ts";
import { flagOf, type Kind, KINDS, type Row, TABLES } from "../../oracle.ts";
import { invalidValues } from "../../helpers/bodies.ts";
import { post, readErrors } from "../../helpers/service.ts";

/** What the message about an invalid value says about the valid ones. */
function allowed(row: Row): string[] {
  if (row.type === "boolean") return ["true or false"];
  if (row.type === "integer") return [`from ${row.range.join(" to ")}`];
  if (row.type === "text") return [row.expected];
  return row.values.map((text) => `"${text}"`);
}

/** A value that JSON does not have. */
const OF_JAVASCRIPT = [() => 1, 1n];

/** Makes passwords with the library, with one option. */
const LIBRARY = {
  characters: characterPasswords,
  words: wordPasswords,
  sentence: sentencePasswords,
};

/** Fails unless the library throws the error for an invalid value of an option. */
function assertThrown(
  kind: Kind,
  name: string,
  value: unknown,
  text: string,
): void {
  const row = TABLES[kind][name]!;
  const call = name === "passwordRules"
    ? () => rulePasswords(value as string)
    : () => LIBRARY[kind]({ [name]: value });
  const isType = typeof value === typeof row.default;
  const start = `Cannot make a password: ${name}: `;
  const { message } = assertThrows(call, isType ? RangeError : TypeError);
  // Only the API takes integers in strings.
  const isOfApi = row.type === "integer" && typeof value === "string";
  const ofLibrary = text.replace(", or a string that holds one", "");
  assertEquals(message, isOfApi ? message : start + ofLibrary);
  assert(message.startsWith(start), message);
}

/** Fails unless the command line says what a flag can be. */
function assertFlag(kind: Kind, name: string, value: unknown): void {
  const row = TABLES[kind][name]!;
  const flag = flagOf(name);
  const { stdout, stderr, status } = generate([kind, `${flag}=${value}`]);
  assertEquals([stdout, status], ["", 2]);
  // A number is repeated, unless it is long.
  const isRepeated = /^-?\d{1,9}$/.test(String(value));
  const expected = row.type === "integer"
    ? row.range.join(" to ") + (isRepeated ? `; got ${value}\n` : "\n")
    : row.type === "string"
    ? row.values.map((each) => `"${each}"`).join(" or ")
    : "";
  assert(stderr.startsWith(`${flag}: ${expected}`), stderr);
  if (row.type !== "integer") assertNotMatch(stderr, /Must|a string|; got/);
}

Deno.test("each field, option and flag refuses invalid values, and names the valid ones and the type", () => {
  for (const kind of KINDS) {
    const { passwords, fields } = API[`/api/pwgen/${kind}`]!;
    for (const [name, row] of Object.entries(TABLES[kind])) {
      assertEquals(fields[name]!.default, row.default);
      for (const [type, values] of Object.entries(invalidValues(row))) {
        for (const value of values) {
          const { errors = {} } = passwords({ [name]: value });
          assertEquals(Object.keys(errors), [name], `${type}: ${value}`);
          const [message = "", ...others] = errors[name]!;
          assertEquals(others, []);
          for (const text of allowed(row)) assert(message.includes(text));
          assert(message.endsWith(`; got ${type}.`), message);
          assertNotMatch(message, /9999|Infinity|-1|٥/);
          if (name !== "count") assertThrown(kind, name, value, message);
          // A flag is a text.
          const isFlag = typeof value === "string" && row.type !== "boolean" ||
            typeof value === "number" && row.type === "integer";
          if (isFlag && value !== Infinity) assertFlag(kind, name, value);
        }
      }
      if (name === "count") continue;
      for (const value of OF_JAVASCRIPT) {
        const call = () => LIBRARY[kind]({ [name]: value });
        assertThrows(call, TypeError, `Cannot make a password: ${name}: `);
      }
    }
  }
});

Deno.test("with Prefer: handling=strict an unknown field is an error under its name", async () => {
  const path = "/api/pwgen/words";
  const send = (body: unknown) =>
    post(path, body, { prefer: "handling=strict" });
  const wrong = await send({ lenght: 5, wordCount: 0, LANGUAGE: "en" });
  const errors = await readErrors(wrong, path, "lenght", "wordCount");
  assertEquals(errors["lenght"], ["Unknown field."]);
  // Names that JavaScript treats in a special way, and many long ones.
  const special = '{"__proto__":1,"$":2,"constructor":3,"":4,"\\ud800":5}';
  const names = ["__proto__", "$", "constructor", "", "\ufffd"];
  await readErrors(await send(special), path, ...names);
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`${i + 10}`.padEnd(100, "å"), 1]),
  );
  const cut = Object.keys(many).slice(0, 10).map((name) => name.slice(0, 64));
  await readErrors(await send(many), path, ...cut);
});
