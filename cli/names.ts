/**
 * Lists of names, and their passwords as CSV.
 *
 * @module
 */
import { ConfigError, reasonOf } from "../flags.ts";

/** The largest list: about 60,000 names. */
const MAX_BYTES = 1 << 20;

const MAX_NAME_LENGTH = 200;

/** Reads a file, or standard input ("-"), but no more than the largest list. */
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
 * Reads a list of names: text in UTF-8 with a name on each line. Blank lines do not
 * count, and a name may occur more than once.
 *
 * @param path the path of the file, or "-" for standard input
 * @returns the names, without space around them; at least one
 * @throws {ConfigError} if the file cannot be read, is larger than 1 MiB or has no
 *   name, or if a line is not UTF-8, has a control character or is longer than 200
 *   characters. The message has the number of the line, and no name.
 */
export function readNames(path: string): string[] {
  let bytes: Uint8Array;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const remedy = error instanceof Deno.errors.NotCapable
      ? "--names - <FILE, or deno run --allow-read=FILE cli/generate.ts"
      : "a text file with a name on each line, or - for standard input";
    // The rest of the reason may contain the path, which may be a name.
    const [reason] = reasonOf(error).split(": ", 1);
    throw new ConfigError(`--names: cannot read it: ${reason}; use ${remedy}`);
  }
  if (bytes.length > MAX_BYTES) {
    throw new ConfigError("--names: larger than 1 MiB; use several lists");
  }
  const names = new TextDecoder().decode(bytes).split("\n").map((line, i) => {
    const name = line.trim();
    // The decoder writes U+FFFD for what is not UTF-8.
    if (/(?!\t)[\p{Cc}\ufffd]/u.test(name)) {
      throw new ConfigError(
        `--names: line ${
          i + 1
        } is not UTF-8, or has a control character; save the list as text in UTF-8`,
      );
    }
    if ([...name].length > MAX_NAME_LENGTH) {
      throw new ConfigError(
        `--names: line ${
          i + 1
        } has more than ${MAX_NAME_LENGTH} characters; use a line for each name`,
      );
    }
    return name;
  }).filter((name) => name !== "");
  if (names.length === 0) {
    throw new ConfigError("--names: has no name; use a line for each name");
  }
  return names;
}

/** Quotes a cell (RFC 4180, section 2). */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/**
 * Puts an apostrophe before a part of a name that is like a formula, so that no
 * spreadsheet runs it, also one that splits the line at another separator
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function escapeFormula(name: string): string {
  return name.replace(/(^|[,;\t]["\s]*)(?=[=+\-@＝＋－＠])/g, "$1'");
}

/**
 * Makes a list of passwords as CSV (RFC 4180): number, name, password. A byte-order
 * mark begins it, since Excel misreads å, ä and ö without one.
 *
 * @param names the names
 * @param passwords the password of each name
 * @param separator the character between two cells
 * @returns the text, with CR LF after each line
 */
export function toCsv(
  names: readonly string[],
  passwords: readonly string[],
  separator: string,
): string {
  const rows = names.map((name, i) => [
    `${i + 1}`,
    quote(escapeFormula(name)),
    quote(passwords[i]!),
  ]);
  return "\ufeff" + [["number", "name", "password"], ...rows]
    .map((cells) => `${cells.join(separator)}\r\n`).join("");
}
