/**
 * Writes the tables of documents that are made from declarations. Usage: deno task tables
 *
 * @module
 */
import { SETTINGS, variableOf } from "../config.ts";
import {
  CHARACTER_OPTIONS,
  RULE_OPTIONS,
} from "../generators/character_options.ts";
import { expectedOf, type OptionRow } from "../generators/options.ts";
import { PASSPHRASE_OPTIONS } from "../generators/passphrase.ts";
import { WORD_OPTIONS } from "../generators/words.ts";
import type { Field } from "../routes/api/fields.ts";
import { API } from "../routes/api/mod.ts";
import { LANGUAGE_OPTION } from "../wordlists/mod.ts";

type Rows = readonly (readonly string[])[];

const code = (text: string) => `\`${text}\``;

/** A table in Markdown, in the format of deno fmt. */
function markdown(heads: readonly string[], rows: Rows): string {
  const escaped = [heads, ...rows].map((row) =>
    row.map((cell) => cell.replaceAll("|", "\\|"))
  );
  const widths = heads.map((_, column) =>
    Math.max(...escaped.map((row) => row[column]!.length))
  );
  escaped.splice(1, 0, widths.map((width) => "-".repeat(width)));
  return escaped.map((cells) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |\n`
  ).join("");
}

/** The options of the library by the function that takes them. */
const FUNCTIONS: Record<string, Readonly<Record<string, OptionRow>>> = {
  characters: CHARACTER_OPTIONS,
  rules: RULE_OPTIONS,
  words: { language: LANGUAGE_OPTION, ...WORD_OPTIONS },
  sentence: { language: LANGUAGE_OPTION, ...PASSPHRASE_OPTIONS },
};

function optionTable(): string {
  const functions = new Map<string, string[]>();
  const options = new Map<string, OptionRow>();
  for (const [name, table] of Object.entries(FUNCTIONS)) {
    for (const [option, row] of Object.entries(table)) {
      options.set(option, row);
      functions.set(option, [...functions.get(option) ?? [], name]);
    }
  }
  return markdown(
    ["Option", "Value", "Default", "For"],
    [...options].map(([name, row]) => [
      code(name),
      expectedOf(row),
      code(JSON.stringify(row.default)),
      functions.get(name)!.join(", "),
    ]),
  );
}

function valuesOf({ range, values, type, expected }: Field<unknown>): string {
  if (range) return range.join(" to ");
  if (type === "boolean") return "true, false";
  return values?.map((value) => code(`"${value}"`)).join(", ") ?? expected;
}

/** The fields of an endpoint. The first sentence of a description says what one does. */
function fieldTable(path: string): string {
  return markdown(
    ["Field", "Values", "Default", "Since", "What it does"],
    Object.entries(API[path]!.fields).map(([name, field]) => [
      code(name),
      valuesOf(field),
      code(JSON.stringify(field.default)),
      (field.since ?? "1.0.0").replace(/\.0$/, ""),
      field.description.split(". ")[0]!,
    ]),
  );
}

function settingTable(): string {
  return markdown(
    ["Variable", "Values", "Default", "What it does"],
    Object.entries(SETTINGS).map(
      ([name, { expected, defaultValue, description }]) => [
        code(variableOf(name)),
        expected.replace("an integer from ", ""),
        defaultValue === undefined ? "none" : code(`${defaultValue}`),
        description,
      ],
    ),
  );
}

/** A table: the document, the heading that it follows, and how it is made. */
const TABLES: readonly [path: string, heading: string, make: () => string][] = [
  ["generators/README.md", "Options", optionTable],
  ["docs/operate.md", "Settings", settingTable],
  ["docs/api.md", "Characters", () => fieldTable("/api/pwgen/characters")],
  ["docs/api.md", "Words", () => fieldTable("/api/pwgen/words")],
  ["docs/api.md", "Sentences", () => fieldTable("/api/pwgen/sentence")],
];

/** The documents that have such a table. */
export const DOCUMENTS: ReadonlySet<string> = new Set(
  TABLES.map(([path]) => path),
);

/**
 * Replaces the tables of a document by new ones.
 *
 * @param path the path of the document in the repository
 * @param text its text
 * @returns the text with the present tables
 * @throws {Error} if a table is missing
 */
export function withTables(path: string, text: string): string {
  let result = text;
  for (const [document, heading, make] of TABLES) {
    if (document !== path) continue;
    const table = RegExp(
      `(?<=^#+ ${heading}\\n(?:(?!#).*\\n)*?)(?:\\|.*\\n)+`,
      "m",
    );
    if (!table.test(result)) {
      throw new Error(`No table below "${heading}" in ${path}`);
    }
    result = result.replace(table, make);
  }
  return result;
}

if (import.meta.main) {
  for (const path of DOCUMENTS) {
    const url = new URL(`../${path}`, import.meta.url);
    Deno.writeTextFileSync(url, withTables(path, Deno.readTextFileSync(url)));
  }
}
