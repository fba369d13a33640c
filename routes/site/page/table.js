/**
 * A table of people: reads it, finds its column of passwords, writes it, and says what
 * a spreadsheet changes. The page and the command line share it.
 *
 * @module
 */

/**
 * @typedef {object} Table
 * @property {string} separator between two cells; empty for a single column
 * @property {string[][]} before the rows above the heading
 * @property {string[] | undefined} head the heading, without an added column
 * @property {string[][]} rows the people; all rows have all cells
 * @property {number} column the index of the column of passwords
 * @property {boolean} isOwn whether it came with this column
 * @property {{ key: "open" | "wide" | "none", line: number } | undefined} error
 */

/** In the order in which they are tried. */
const SEPARATORS = ["\t", ";", ","];

/**
 * The heading of a column of passwords. Checked 2026-11 in stored copies: Bitwarden's
 * `login_password` (bitwarden.com/help/condition-bitwarden-import), 1Password's
 * `Password` (support.1password.com/cs/import-mac), and the form of Microsoft Entra,
 * "Initial password [passwordProfile] Required" (learn.microsoft.com,
 * entra/identity/users/users-bulk-add, has the form, and published files the name).
 * Google's `Password [Required]` and its `Password Hash Function`, and
 * `password_policy` of Apple School Manager, which is none, are from such files only.
 */
const PASSWORD = /^(initial |login_)?(password|lösenord)( \[|$)/i;

/** Another heading. A person can end in "name", such as Janame, or have an address. */
const HEADING =
  /^[^@]*(namn|e-?mail|e-?post|(^|[ _-]|first|last|sur|given|family|middle|full|nick|user|login|account|display|principal)name)( \[|$)|^(upn|mail|login|user|användare|elev|student|class|klass|group|grupp|nr|id)$/i;

/** Above the heading in files of Microsoft Entra before 2024. */
const VERSION = /^version:/i;

const isPassword = (cell) => PASSWORD.test(cell.trim());
const isHeading = (cell) => isPassword(cell) || HEADING.test(cell.trim());

/** Reads rows with quotes (RFC 4180). A cell with text after its quotes has none. */
function split(text, separator) {
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"(?=[${separator}\\r\\n]|$)|([^${separator}\\r\\n]*))` +
      `(${[separator, "\\r\\n?", "\\n", "$"].filter(Boolean).join("|")})`,
    "y",
  );
  const rows = [];
  let row = { cells: [], line: 1 };
  let [line, isSpaced, open] = [1, false, 0];
  while (cell.lastIndex < text.length || row.cells.length > 0) {
    const [all, quoted, plain = "", end] = cell.exec(text);
    if (plain[0] === '"' && plain.split('"').length % 2 === 0) open ||= line;
    isSpaced ||= row.cells.length > 0 && plain[0] === " ";
    row.cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += all.match(/\r\n?|\n/g)?.length ?? 0;
    if (separator && end === separator) continue;
    if (row.cells.some((each) => /[^\s;,]/.test(each))) rows.push(row);
    row = { cells: [], line };
  }
  const first = rows.findIndex(({ cells }) => !VERSION.test(cells[0]));
  const before = rows.splice(0, Math.max(first, 0)).map(({ cells }) => cells);
  return { separator, before, rows, isSpaced, open };
}

/** Whether most rows are as wide as the first one; "Lind, Emma" is one name. */
function isRegular({ rows, isSpaced }) {
  const width = rows[0]?.cells.length;
  const same = rows.filter(({ cells }) => cells.length === width);
  return width > 1 && !isSpaced && same.length > rows.length / 2;
}

/**
 * Reads a table, or a list with a name on each line. Rows without text do not count.
 *
 * @param {string} text
 * @param {boolean} [hasHeading] undefined to find out
 * @returns {Table}
 */
export function readTable(text, hasHeading) {
  const plain = text.replace(/^\ufeff/gm, ""); // files can be joined
  const readings = SEPARATORS.map((separator) => split(plain, separator));
  const { separator, before, rows, open } = (hasHeading !== false &&
    readings.find(({ rows }) => rows[0]?.cells.some(isPassword))) ||
    (readings.find(isRegular) ?? split(plain, ""));
  const isHead = hasHeading ?? rows[0]?.cells.some(isHeading);
  const head = isHead ? rows.shift()?.cells : undefined;
  const found = head?.findIndex(isPassword) ?? -1;
  const isOwn = found >= 0;
  const width = head?.length ??
    rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const wide = rows.find(({ cells }) => cells.length > width);
  const reasons = { open, wide: wide?.line, none: rows.length ? 0 : 1 };
  const [key, line] = Object.entries(reasons).find(([, line]) => line) ?? [];
  return {
    separator,
    before,
    head,
    rows: rows.map(({ cells }) =>
      Array.from({ length: width + (isOwn ? 0 : 1) }, (_, at) => {
        const cell = cells[at] ?? "";
        return isOwn ? cell : cell.trim();
      })
    ),
    column: isOwn ? found : width,
    isOwn,
    error: key && { key, line },
  };
}

/** The columns that tell people apart, at most three. */
export function columnsOf({ rows, column }) {
  const all = [...rows[0].keys()].filter((at) => at !== column);
  const differ = all.filter((at) =>
    rows.some((row) => row[at] !== rows[0][at])
  );
  return (differ.length ? differ : all.filter((at) => rows[0][at])).slice(0, 3);
}

/**
 * The rows of a table with its heading, which it gets if it has none.
 *
 * @param {Table} table
 * @param {string[]} passwords those of all rows; a cell with one keeps it
 * @param {string} words the headings of added columns: "Name,Password"
 * @returns {string[][]}
 */
export function rowsOf(
  { before, head, rows, column, isOwn },
  passwords,
  words,
) {
  const [name, password] = words.split(",");
  const unnamed = Array.from({ length: column }, () => column > 1 ? "" : name);
  return [
    ...before,
    isOwn ? head : [...head ?? unnamed, password],
    ...rows.map((row, i) => row.with(column, row[column] || passwords[i])),
  ];
}

const MONTHS =
  "january januari february februari march mars april may maj june juni july juli august augusti september october oktober november december"
    .split(" ");

/** Whether letters can be in a number, a date or a time: months, "2e5", "5 kr", "1 pm". */
const isCounted = (word) =>
  /^(e|t|z|am|pm|kr|sek|eur|usd)$/.test(word) ||
  /^(mon|tue|wed|thu|fri|sat|sun)([a-z]{0,3}day)?$/.test(word) ||
  /^(mån|tis|ons|tors?|fre|lör|sön)(dag)?$/.test(word) ||
  word.length > 2 && MONTHS.some((month) => month.startsWith(word));

/** The places in a cell where a formula begins (OWASP, CSV injection). */
const FORMULA = /(^|[\t;,\r\n])(["\s]*)(?=[=+\-@＝＋－＠])/g;

/** A sign and a number, also of a telephone, is no formula. */
const escapeFormula = (cell) =>
  /^\s*[+-][\d\s.,]*$/.test(cell) ? cell : cell.replace(FORMULA, "$1$2'");

/** Whether a spreadsheet changes a cell: to a formula, a number, a date, a time. */
export function isChanged(cell) {
  if (escapeFormula(cell) !== cell) return true;
  if (/^(-?[1-9]\d{0,10}|0)$/.test(cell)) return false;
  if (/^\s*(true|false|sant|falskt)\s*$/i.test(cell)) return true;
  const words = cell.toLowerCase().match(/\p{L}+/gu) ?? [];
  return /^[\p{L}\p{Sc}\d\s.,:/+\-()%']*\d[\p{L}\p{Sc}\d\s.,:/+\-()%']*$/u.test(
    cell,
  ) &&
    words.every(isCounted);
}

/** The letters that a spreadsheet gives a column. */
export const lettersOf = (at) =>
  (at < 26 ? "" : lettersOf(Math.floor(at / 26) - 1)) +
  String.fromCharCode(65 + at % 26);

/**
 * The cells of a table as they go out: without formulas, unless it came with a column
 * of passwords. No password gets an apostrophe: it would not be the password.
 *
 * @type {(table: Table, rows: string[][]) => string[][]}
 */
export const escaped = ({ column, isOwn }, rows) =>
  rows.map((row) =>
    row.map((cell, at) => isOwn || at === column ? cell : escapeFormula(cell))
  );

/**
 * Writes rows by RFC 4180, with quotes where a reader needs them, also one that expects
 * another separator than a tab. By the byte-order mark, Excel reads them as UTF-8.
 *
 * @param {string[][]} rows
 * @param {string} separator
 * @returns {string} with CR LF after each row
 */
export function toCsv(rows, separator) {
  const special = separator === "\t" ? /^"|[\t\r\n]/ : /[\t;,"\r\n]|^\s|\s$/;
  const quote = (cell) =>
    special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return "\ufeff" +
    rows.map((row) => row.map(quote).join(separator) + "\r\n").join("");
}

/**
 * The cells that a spreadsheet changes.
 *
 * @param {string[][]} rows
 * @returns {string} such as "A2, A3, C7 …"
 */
export function changesOf(rows) {
  const cells = rows.flatMap((row, i) =>
    row.flatMap((cell, at) => isChanged(cell) ? [lettersOf(at) + (i + 1)] : [])
  );
  return cells.slice(0, 10).join(", ") + (cells.length > 10 ? " …" : "");
}
