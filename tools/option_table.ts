/**
 * Prints the table of options in generators/README.md. Usage: deno task option-table
 *
 * @module
 */
// deno-lint-ignore-file no-console
import {
  CHARACTER_OPTIONS,
  RULE_OPTIONS,
} from "../generators/character_options.ts";
import { expectedOf, type OptionRow } from "../generators/options.ts";
import { PASSPHRASE_OPTIONS } from "../generators/passphrase.ts";
import { WORD_OPTIONS } from "../generators/words.ts";
import { LANGUAGE_OPTION } from "../wordlists/mod.ts";

/** The options by the function that takes them: characterPasswords() and so on. */
const FUNCTIONS: Record<string, Readonly<Record<string, OptionRow>>> = {
  characters: CHARACTER_OPTIONS,
  rules: RULE_OPTIONS,
  words: { language: LANGUAGE_OPTION, ...WORD_OPTIONS },
  sentence: { language: LANGUAGE_OPTION, ...PASSPHRASE_OPTIONS },
};

/** The table in Markdown, in the format of deno fmt. */
export function optionTable(): string {
  const functions = new Map<string, string[]>();
  const rows = new Map<string, OptionRow>();
  for (const [name, options] of Object.entries(FUNCTIONS)) {
    for (const [option, row] of Object.entries(options)) {
      rows.set(option, row);
      functions.set(option, [...functions.get(option) ?? [], name]);
    }
  }
  const lines = [["Option", "Value", "Default", "For"]].concat(
    [...rows].map(([name, row]) => [
      `\`${name}\``,
      expectedOf(row),
      `\`${JSON.stringify(row.default)}\``,
      functions.get(name)!.join(", "),
    ]),
  );
  const widths = lines[0]!.map((_, column) =>
    Math.max(...lines.map((line) => line[column]!.length))
  );
  lines.splice(1, 0, widths.map((width) => "-".repeat(width)));
  return lines.map((cells) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |\n`
  ).join("");
}

if (import.meta.main) console.log(optionTable());
