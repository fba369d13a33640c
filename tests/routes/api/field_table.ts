/**
 * Tests of an endpoint against its field table in the specification.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import {
  post,
  readErrors,
  readPassword,
  readPasswords,
} from "../../helpers/service.ts";
import { exactBits } from "../../helpers/entropy.ts";
import { type Kind, type Row, TABLES } from "../../oracle.ts";

/** Valid values of a field: bounds of ranges, each string, both booleans. */
function validValues(row: Row, reachable?: number): unknown[] {
  if (row.type === "boolean") return [true, false];
  if (row.type === "string") return [...row.values];
  if (row.type === "text") return [...row.valid];
  const [low, high] = row.range;
  return [low, String(low), reachable ?? high, String(reachable ?? high)];
}

/** Checks that a response has what a request with the field asks for. */
async function readGenerated(
  response: Response,
  type: Kind,
  field: string,
  value: unknown,
): Promise<void> {
  if (field !== "count") return void await readPassword(response, type);
  assertEquals((await readPasswords(response, type)).length, Number(value));
}

/** Invalid values of a field, by what the message says about them. */
function invalidValues(row: Row): Record<string, unknown[]> {
  const ofAnyType = {
    "null": [null],
    "an array": [[], [5]],
    "an object": [{}, { a: 1 }],
  };
  if (row.type === "boolean") {
    return {
      ...ofAnyType,
      "a string": ["", "x", "true", "false", "True"],
      "a number": [0, 1, -1, 5.5, 1e400],
    };
  }
  if (row.type === "string" || row.type === "text") {
    const others = row.type === "text" ? row.invalid : [
      ...["", "x"],
      ...row.values.flatMap((text) => [
        ...[text.toUpperCase(), text.charAt(0).toUpperCase() + text.slice(1)],
        ...[` ${text}`, `${text} `, `${text}\u0000`],
      ]),
    ].filter((text) => !row.values.includes(text));
    return {
      ...ofAnyType,
      "another string": [...others],
      "a number": [0, -1, 5, 5.5, 1e400],
      "a boolean": [true],
    };
  }
  const [low, high] = row.range;
  const beyond = [low - 1, high + 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1];
  const notQuite = ["", "x", " 5", "5 ", "05", "+5", "5.0", "5e0", "0x5", "٥"];
  const others = ["5\n", "-01", "--1", "-", "9".repeat(400), "Infinity", "NaN"];
  return {
    ...ofAnyType,
    "a boolean": [true, false],
    "a string that holds no such integer": [
      ...[...notQuite, ...others, ...beyond.map(String)],
    ],
    "an integer out of range": [-1, ...beyond],
    "a number that is no such integer": [1.5, 5.5, 1e400],
  };
}

/** Returns JSON in which Infinity is written as a number that overflows. */
function json(body: Record<string, unknown>): string {
  return JSON.stringify(
    body,
    (_, value) => value === Infinity ? "1e400!" : value,
  ).replaceAll('"1e400!"', "1e400");
}

/**
 * Tests each field of an endpoint.
 *
 * @param type the endpoint
 * @param reachable the greatest value of an integer that the other defaults permit,
 *   if it is below the maximum
 */
export function testFieldTable(
  type: Kind,
  reachable: Readonly<Record<string, number>> = {},
): void {
  const path = `/api/pwgen/${type}`;
  const table = TABLES[type];
  const fields = Object.entries(table);

  Deno.test(`${path} takes the valid values of each field`, async () => {
    for (const [field, row] of fields) {
      for (const value of validValues(row, reachable[field])) {
        const response = await post(path, { [field]: value });
        await readGenerated(response, type, field, value);
      }
    }
  });

  Deno.test(`${path} refuses invalid values, and names the valid ones and the type`, async () => {
    for (const [field, row] of fields) {
      const allowed = row.type === "boolean"
        ? ["true or false"]
        : row.type === "integer"
        ? [`from ${row.range.join(" to ")}`]
        : row.type === "text"
        ? [row.expected]
        : row.values.map((text) => `"${text}"`);
      for (const [kind, values] of Object.entries(invalidValues(row))) {
        for (const value of values) {
          const response = await post(path, json({ [field]: value }));
          const errors = await readErrors(response, path, field);
          assertEquals(errors[field]!.length, 1);
          const [message] = errors[field] as [string];
          for (const text of allowed) assert(message.includes(text), message);
          assert(message.endsWith(`; got ${kind}.`), message);
          assertNotMatch(message, /9999|1e400|Infinity|-1|٥/);
        }
      }
    }
  });

  Deno.test(`${path} ignores the ASCII case of property names`, async () => {
    for (const [field, row] of fields) {
      const swapped = [...field].map((c) =>
        c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()
      ).join("");
      for (
        const name of [field.toUpperCase(), field.toLowerCase(), swapped]
      ) {
        const value = validValues(row)[0];
        const response = await post(path, { [name]: value });
        await readGenerated(response, type, field, value);
        await readErrors(await post(path, { [name]: null }), path, field);
      }
    }
  });

  Deno.test(`${path} refuses a field twice in different case`, async () => {
    for (const [field, row] of fields) {
      const [value] = validValues(row);
      for (const [first, second] of [[value, value], [null, value]]) {
        const response = await post(path, {
          [field]: first,
          [field.toUpperCase()]: second,
        });
        const errors = await readErrors(response, path, field);
        assert(errors[field]![0]!.includes("more than once"));
      }
    }
  });
}

/** Tests each separator of an endpoint that makes passphrases. */
export function testSeparators(type: Kind): void {
  const path = `/api/pwgen/${type}`;
  Deno.test(`${path} puts the separator between digits and words`, async () => {
    for (const separator of ["", "-", ".", "_", " ", ","]) {
      const response = await post(path, { language: "en", separator });
      const shape = RegExp(`^\\d{2}([${separator}][A-Z][a-z]+){4}$`);
      assertMatch(
        await readPassword(response, type),
        separator === "" ? /^\d{2}([A-Z][a-z]+){4}$/ : shape,
      );
    }
  });
}

/** Tests the field maximumLength of an endpoint that makes passphrases. */
export function testMaximumLength(
  type: Kind,
  style: Record<string, unknown>,
  count: (maximumLength: number) => bigint,
): void {
  const path = `/api/pwgen/${type}`;
  Deno.test(`${path} makes passwords of at most maximumLength characters`, async () => {
    let least = 1;
    while (count(least) === 0n) least++;
    for (const maximumLength of [least, least + 1, least + 9, 256, 0]) {
      const body = { ...style, maximumLength };
      const response = await post(path, body);
      const bits = exactBits(count(maximumLength));
      assertEquals(response.headers.get("entropy-bits"), bits);
      await response.text();
      for (let i = 0; i < 50; i++) {
        const drawn = await readPassword(await post(path, body), type);
        assert(maximumLength === 0 || drawn.length <= maximumLength, drawn);
      }
    }
    for (const maximumLength of [1, least - 1]) {
      const response = await post(path, { ...style, maximumLength });
      const errors = await readErrors(response, path, "maximumLength");
      const message =
        `Must be at least ${least} with these settings, or 0 for none.`;
      assertEquals(errors, { maximumLength: [message] });
    }
  });
}
