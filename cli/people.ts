/**
 * The table of people in a file or in standard input.
 *
 * @module
 */
import { ConfigError, reasonOf } from "../flags.ts";
import { readTable, type Table } from "../routes/site/page/table.js";

/** The largest table: about 60,000 names. */
const MAX_BYTES = 1 << 20;

/** What is wrong with a table, and what to do. */
const ERRORS = {
  none: "no person in it; use a line for each",
  open: "has a quotation mark that stays open; close it, or leave it out",
  wide: "has more cells than the heading; put quotation marks around a cell",
};

/** Reads a file, or standard input ("-"), but no more than the largest table. */
function readBytes(path: string): Uint8Array {
  using file = path === "-" ? undefined : Deno.openSync(path);
  const bytes = new Uint8Array(MAX_BYTES + 1);
  let length = 0;
  let count: number | null;
  do {
    count = (file ?? Deno.stdin).readSync(bytes.subarray(length));
    length += count ?? 0;
  } while (count);
  return bytes.subarray(0, length);
}

/**
 * Reads a table of people, or a list with a name on each line, in UTF-8.
 *
 * @param path the path of the file, or "-" for standard input
 * @param hasHeading whether the first row is a heading; undefined to find out
 * @returns the table, with at least one person
 * @throws {ConfigError} if the file cannot be read, is larger than 1 MiB or has no
 *   person, or if a line is not UTF-8, has a control character or does not fit the
 *   table. The message has the number of the line, and no name.
 */
export function readPeople(
  path: string,
  hasHeading: boolean | undefined,
): Table {
  let bytes: Uint8Array;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const remedy = error instanceof Deno.errors.NotCapable
      ? "--names - <FILE, or deno run --allow-read=FILE cli/generate.ts"
      : "a text file with a person on each line, or - for standard input";
    // The rest of the reason may contain the path, which may be a name.
    const [reason] = reasonOf(error).split(": ", 1);
    throw new ConfigError(`--names: cannot read it: ${reason}; use ${remedy}`);
  }
  if (bytes.length > MAX_BYTES) {
    throw new ConfigError("--names: larger than 1 MiB; use several files");
  }
  const text = new TextDecoder().decode(bytes);
  // The decoder writes U+FFFD for what is not UTF-8.
  const at = text.search(/(?![\t\r\n])[\p{Cc}\ufffd]/u);
  if (at >= 0) {
    const line = text.slice(0, at).split(/\r\n?|\n/).length;
    throw new ConfigError(
      `--names: line ${line} is not UTF-8, or has a control character; save the file as text in UTF-8`,
    );
  }
  const table = readTable(text, hasHeading);
  if (table.error) {
    const { key, line } = table.error;
    const where = key === "none" ? "" : `line ${line} `;
    throw new ConfigError(`--names: ${where}${ERRORS[key]}`);
  }
  return table;
}
