/**
 * Tests of an endpoint against its field table in the specification.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { post, readErrors, readPassword } from "../../helpers/service.ts";
import { currentTable, type Kind, type Row } from "./field_tables.ts";

/** Valid values of a field: bounds of ranges, each string, both booleans. */
function validValues(row: Row, reachable?: number): unknown[] {
  if (row.type === "boolean") return [true, false];
  if (row.type === "string") return [...row.values];
  const [low, high] = row.range;
  return [low, String(low), reachable ?? high, String(reachable ?? high)];
}

/** Invalid values of a field: beyond the bounds, and of each wrong type. */
function invalidValues(row: Row): unknown[] {
  const everywhere = [null, [], {}, "", "x", 5.5, [5], { a: 1 }, -1, 1e400];
  if (row.type === "boolean") {
    return [...everywhere, 0, 1, "true", "false", "True"];
  }
  if (row.type === "string") {
    const cases = row.values.flatMap((text) => [
      text.toUpperCase(),
      text.charAt(0).toUpperCase() + text.slice(1),
      ` ${text}`,
      `${text} `,
      `${text}\u0000`,
    ]);
    return [...everywhere, ...cases, true, 0].filter((value) =>
      !row.values.includes(value as string)
    );
  }
  const [low, high] = row.range;
  const beyond = [low - 1, high + 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1];
  const notQuite = [" 5", "5 ", "05", "+5", "5.0", "5e0", "0x5", "٥", "5\n"];
  const others = ["-01", "--1", "-", "9".repeat(400), "Infinity", "NaN"];
  return [true, false, ...everywhere, ...beyond, ...beyond.map(String)]
    .concat(notQuite, others);
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
  const table = currentTable(type);
  const fields = Object.entries(table);

  Deno.test(`${path} takes the valid values of each field`, async () => {
    for (const [field, row] of fields) {
      for (const value of validValues(row, reachable[field])) {
        await readPassword(await post(path, { [field]: value }), type);
      }
    }
  });

  Deno.test(`${path} refuses invalid values and names the valid ones`, async () => {
    for (const [field, row] of fields) {
      for (const value of invalidValues(row)) {
        const response = await post(path, json({ [field]: value }));
        const errors = await readErrors(response, path, field);
        assertEquals(errors[field]!.length, 1);
        const [message] = errors[field]!;
        const allowed = row.type === "boolean"
          ? ["true or false"]
          : row.type === "integer"
          ? [`from ${row.range.join(" to ")}`]
          : row.values.map((text) => `"${text}"`);
        for (const text of allowed) assert(message!.includes(text), message);
        assertNotMatch(message!, /9999|1e400|Infinity|-1|٥/);
      }
    }
  });

  Deno.test(`${path} names the type of an invalid value`, async () => {
    const kinds: [unknown, RegExp][] = [
      [null, /got null\.$/],
      [[], /got an array\.$/],
      [{}, /got an object\.$/],
    ];
    for (const [field, row] of fields) {
      const others: [unknown, RegExp][] = row.type === "boolean"
        ? [["true", /got a string\.$/], [1, /got a number\.$/]]
        : row.type === "integer"
        ? [
          [true, /got a boolean\.$/],
          ["x", /got a string that holds no such integer\.$/],
          [row.range[1] + 1, /got an integer out of range\.$/],
          [1.5, /got a number that is no such integer\.$/],
        ]
        : [
          [true, /got a boolean\.$/],
          ["x", /got another string\.$/],
          [5, /got a number\.$/],
        ];
      for (const [value, pattern] of [...kinds, ...others]) {
        const response = await post(path, { [field]: value });
        const errors = await readErrors(response, path, field);
        assertMatch(errors[field]![0]!, pattern);
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
        await readPassword(await post(path, { [name]: value }), type);
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

  Deno.test(`${path} uses the last of two equal property names`, async () => {
    for (const [field, row] of fields) {
      const value = JSON.stringify(validValues(row)[0]);
      await readPassword(
        await post(path, `{"${field}":null,"${field}":${value}}`),
        type,
      );
      await readErrors(
        await post(path, `{"${field}":${value},"${field}":null}`),
        path,
        field,
      );
    }
  });

  Deno.test(`${path} reports all invalid fields at once`, async () => {
    const names = Object.keys(table);
    const body = Object.fromEntries(names.map((name) => [name, null]));
    await readErrors(await post(path, body), path, ...names);
  });

  Deno.test(`${path} ignores unknown property names`, async () => {
    const body =
      `{"unknown":null,"__proto__":{"length":null},"constructor":1,"":2,` +
      `"toString":3,"hasOwnProperty":4,"ﬁeld":5,"${"x".repeat(5000)}":6}`;
    await readPassword(await post(path, body), type);
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
