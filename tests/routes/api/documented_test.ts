import { assertEquals } from "@std/assert";
import type { Field } from "../../../routes/api/fields.ts";
import { API } from "../../../routes/api/mod.ts";
import { ROOT } from "../../helpers/program.ts";

const text = await Deno.readTextFile(`${ROOT}docs/api.md`);

/** The table of fields below a heading: the cells of each row but the meaning. */
function tableBelow(heading: string): string[][] {
  const [, below = ""] = text.split(`\n### ${heading}\n`);
  const [, rows = ""] = /\n\| field .*\n\| -.*\n((?:\|.*\n)+)/.exec(below) ??
    [];
  return rows.trimEnd().split("\n").map((row) =>
    row.split(" | ").slice(0, 4).map((cell) => cell.replace(/^\| /, "").trim())
  );
}

/** A value in a table. One that would be invisible has quotation marks. */
function shown(value: unknown): string {
  if (value === undefined) return "none";
  const isBlank = String(value).trim() === "";
  return `\`${isBlank ? JSON.stringify(value) : value}\``;
}

/** The allowed values of a field in a table. */
function valuesOf({ type, range, values, maxLength }: Field<unknown>): string {
  if (maxLength) return `... ${maxLength} ...`;
  return range?.join("-") ?? values?.map(shown).join(", ") ?? type;
}

/** The rows that a table of these endpoints must have. */
function rowsOf(kinds: string[]): string[][] {
  const endpoints = Object.values(API).filter(({ type }) =>
    kinds.includes(type)
  );
  const fields: Record<string, Field<unknown>> = Object.assign(
    {},
    ...endpoints.map(({ fields }) => fields),
  );
  return Object.entries(fields).map(([name, field]) => {
    const having = endpoints.filter(({ fields }) => name in fields);
    const only = having.length < endpoints.length
      ? ` (only \`${having.map(({ type }) => type)}\`)`
      : "";
    const { default: value, since = "1.0.0" } = field;
    return [`\`${name}\`${only}`, valuesOf(field), shown(value), since];
  });
}

Deno.test("docs/api.md has each field with its values, its default and its version", () => {
  const tables = {
    "Characters": ["characters"],
    "Words and sentences": ["words", "sentence"],
  };
  for (const [heading, kinds] of Object.entries(tables)) {
    // Of a sentence about strings, only the number is compared.
    const rows = tableBelow(heading).map(([name, values, ...rest]) => [
      name,
      values!.replace(/^a.*? (\d+) .*$/, "... $1 ..."),
      ...rest,
    ]);
    assertEquals(rows, rowsOf(kinds));
  }
});
