/**
 * Writes passwords into the text of a table. All other text stays as it is.
 *
 * @module
 */

/** @import { Row, Table } from "./reading.js" */

/**
 * A cell as it is written, with quotes where a reader needs them, also one that expects
 * another separator than a tab (RFC 4180).
 *
 * @param {string} value
 * @param {string} separator
 * @param {boolean} [isQuoted] whether the cells beside it have quotes
 */
function quote(value, separator, isQuoted = false) {
  const special = separator === "\t" ? /^"|[\t\r\n]/ : /[\t;,"\r\n]|^\s|\s$/;
  return isQuoted || special.test(value) || value.includes(separator)
    ? `"${value.replaceAll('"', '""')}"`
    : value;
}

/**
 * What stands between a name and its password: the separator of the table, else the
 * wanted one if no name has it.
 *
 * @param {Table} table
 * @param {string} wanted
 */
export const separatorFor = ({ separator, text }, wanted) =>
  separator ||
  ([wanted, ";", ","].find((each) => !text.includes(each)) ?? "\t");

/**
 * The text of a table with new passwords. A new column gets a heading where there is one.
 *
 * @param {Table} table whose column is known
 * @param {ReadonlyMap<Row, string>} passwords
 * @param {string} heading that of a new column
 * @param {string} separator
 * @returns {string}
 */
export function fill(table, passwords, heading, separator) {
  const { text, rows, column = 0, width } = table;
  let [filled, from] = ["", 0];
  for (const [i, row] of rows.entries()) {
    const isNewHead = i === table.heading && column === width;
    const value = isNewHead ? heading : passwords.get(row);
    const last = row.at(-1);
    if (value === undefined || !last) continue;
    const missing = Math.max(0, column - row.length + 1);
    const { at, raw } = row[column] ??
      { at: last.at + last.raw.length, raw: "" };
    const isQuoted = row[column]?.isQuoted ||
      row.every((cell) => cell.isQuoted || cell.raw === "");
    filled += text.slice(from, at) + separator.repeat(missing) +
      quote(value, separator, isQuoted);
    from = at + raw.length;
  }
  return filled + text.slice(from);
}

/**
 * The values of cells as rows of text.
 *
 * @param {Row[]} rows
 * @param {string} separator
 * @returns {string} with CR LF after each row
 */
export const toCsv = (rows, separator) =>
  rows.map((row) =>
    row.map(({ value }) => quote(value, separator)).join(separator) + "\r\n"
  ).join("");

/**
 * The names that stand in one line, a line for each.
 *
 * @param {Table} table whose separator stands between two names
 * @returns {string}
 */
export const toLines = ({ rows }) =>
  rows.flat().map(({ value }) => value).filter((value) => value !== "")
    .map((value) => `${value}\n`).join("");

/**
 * Whether a table is a form of Google or Microsoft, which need commas.
 *
 * @param {Table} table
 */
export const isForm = ({ rows, heading = -1 }) =>
  rows.slice(0, heading + 1).flat()
    .some(({ value }) => /^version:|\brequired\]?$/i.test(value));
