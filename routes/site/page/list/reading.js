/**
 * Reads a table of people. What no rule decides is undefined: then a person is asked.
 * Each cell knows its place in the text, so that writing.js can write there.
 *
 * @module
 */

/**
 * @typedef {object} Cell
 * @property {number} at where it begins in the text
 * @property {string} raw as it is written
 * @property {string} value what it says
 * @property {boolean} isQuoted
 *
 * @typedef {Cell[]} Row
 *
 * @typedef {object} Choices what a person has chosen of a reading
 * @property {string | undefined} [separator]
 * @property {number | undefined} [heading]
 * @property {number | undefined} [column]
 *
 * @typedef {object} Problem
 * @property {"many" | "long" | "open" | "wide" | "none"} key
 * @property {number} line
 *
 * @typedef {object} Table
 * @property {string} text
 * @property {string[]} separators those that occur
 * @property {string | undefined} separator empty if each line is a name
 * @property {Row[]} rows those with text
 * @property {number | undefined} heading its index in `rows`; -1 for none
 * @property {number} width how many columns there are
 * @property {number | undefined} column that of the passwords; `width` for a new one
 * @property {Row[]} people
 * @property {Problem | undefined} error
 */

/** The most people; and, since a line can have all their addresses, cells in a row. */
export const MAX_PEOPLE = 1000;
/** Headings and titles can stand above the people. */
const MAX_ROWS = MAX_PEOPLE + 10;
/** A longer cell is no heading. */
const MAX_HEADING = 100;

const SEPARATORS = ["\t", ";", ",", "|"];

/** What stands around the words of a heading: `Password [Required]`, `Namn*`. */
const AROUND = /\[.*\]|\(.*\)|\brequired\b|[*:]/gi;
const PASSWORD = /(password|l[öo]senord|(^|[\s_-])(pass|l[öo]sen|pwd))$/i;
/** Other headings that have to do with passwords or PINs, also of other languages. */
const ABOUT_PASSWORD =
  /pass(?!port)|l[öo]sen|pwd|\bpin(-?[ck]ode?)?\b|kennwort|wachtwoord|contrase|adgangskode|salasana/i;
/** `Must change password` and `Old password` are for no new password. */
const NO_PASSWORD =
  /change|must|force|reset|confirm|repeat|again|old|previous|current|expire|byt|ändra|bekräfta|upprepa|gammalt|nuvarande/i;
/** The word `name` stands alone, or after another: a person can end in it (Janame). */
const NAMED =
  /na[mv]n$|(^|[^\p{L}]|first|last|sur|given|family|middle|full|nick|user|login|account|display|principal|fore)name($|[^\p{L}])|(^|[^\p{L}])e?-?mail($|[^\p{L}])|e-?post/iu;
const NOUN =
  /^(elev|elever|student|students|pupil|pupils|deltagare|participant|klass|class|grupp|group|användare|user|upn|personnummer|id|nr)$/i;
/** An address, or a number: what a heading is not. */
const PERSON = /@|^[\d\s.:/+-]+$/;
const YES_OR_NO = /^(true|false|yes|no|ja|nej|sant|falskt|[01])$/i;

/**
 * What a cell of a row says.
 *
 * @type {(row: Row, column: number) => string}
 */
export const valueOf = (row, column) => row[column]?.value ?? "";

/**
 * Whether a cell of a row is empty, or has only white space.
 *
 * @type {(row: Row, column: number) => boolean}
 */
export const isEmpty = (row, column) => valueOf(row, column).trim() === "";

/** @type {(row: Row) => number} */
const widthOf = (row) =>
  row.findLastIndex(({ value }) => value.trim() !== "") + 1;

/** Whether more than one cell has text. @type {(row: Row) => boolean} */
const isSeveral = (row) =>
  row.filter(({ value }) => value.trim() !== "").length > 1;

/**
 * Reads rows with quotes (RFC 4180). A cell with text after its quotes has none. The
 * reading ends at a row or cell too many.
 *
 * @param {string} text
 * @param {string} separator
 * @param {number} start
 */
function split(text, separator, start) {
  const stop = separator.replace(/\W/, "\\$&");
  const cell = new RegExp(
    ` *"([^"]*(?:""[^"]*)*)" *(?=[${stop}\\r\\n]|$)|[^${stop}\\r\\n]*`,
    "y",
  );
  /** @type {Row[]} */
  const rows = [];
  /** @type {Row} */
  let row = [];
  let at = start;
  while (at < text.length || row.length > 0) {
    cell.lastIndex = at;
    const [raw = "", quoted] = cell.exec(text) ?? [];
    const value = quoted?.replaceAll('""', '"') ?? raw.trim();
    row.push({ at, raw, value, isQuoted: quoted !== undefined });
    at += raw.length + 1;
    const isOver = row.length > MAX_PEOPLE;
    if (!isOver && separator && text[at - 1] === separator) continue;
    if (row.some(({ value }) => /[^\s;,|]/.test(value))) rows.push(row);
    if (isOver || rows.length > MAX_ROWS) break;
    row = [];
  }
  return { separator, rows };
}

/**
 * The size of a row: cells that are empty at the end can be missing, or count.
 *
 * @type {((row: Row) => number)[]}
 */
const SIZES = [widthOf, (row) => row.length];

/** Whether all rows have as many cells. @type {(rows: Row[]) => boolean} */
const isEven = (rows) =>
  SIZES.some((size) => new Set(rows.map(size)).size === 1);

/** The rows below titles, which have one cell. @type {(rows: Row[]) => Row[]} */
const below = (rows) => rows.slice(rows.findIndex(isSeveral));

/**
 * What shows that a separator is one, the surest first.
 *
 * @type {((rows: Row[]) => boolean)[]}
 */
const PROOFS = [
  isEven,
  (rows) => isEven(below(rows)),
  (rows) => below(rows).every((row) => row.length > 1),
  (rows) => below(rows)[0]?.some(isPassword) ?? false,
];

/**
 * The only separator that a proof shows. A tab is never in a name.
 *
 * @param {{ separator: string, rows: Row[] }[]} readings
 */
function separatorOf(readings) {
  if (readings.length === 0) return "";
  for (const each of [readings.slice(0, 1), readings]) {
    if (each !== readings && each[0]?.separator !== "\t") continue;
    for (const proof of PROOFS) {
      const [first, second] = each.filter(({ rows }) => proof(rows));
      if (first) return second ? undefined : first.separator;
    }
  }
  return undefined;
}

/** The words of a heading. @type {(cell: Cell) => string} */
const wordsOf = ({ value }) =>
  value.length > MAX_HEADING ? "" : value.replace(AROUND, "").trim();

/** @type {(cell: Cell) => boolean} */
const isPassword = (cell) =>
  PASSWORD.test(wordsOf(cell)) && !NO_PASSWORD.test(wordsOf(cell));

/** Whether a word shows that a cell is a heading. @type {(cell: Cell) => boolean} */
const isWord = (cell) =>
  !PERSON.test(cell.value) && (isPassword(cell) || NAMED.test(wordsOf(cell)));

/**
 * The first row, below titles, if a word shows that it is a heading, or what stands below.
 *
 * @param {Row[]} rows
 * @param {number} width
 * @returns {number | undefined}
 */
function headingOf(rows, width) {
  const at = width < 2 ? 0 : Math.max(0, rows.findIndex(isSeveral));
  const [first = [], ...people] = rows.slice(at);
  const isHeading = first.some((cell, column) => {
    if (cell.value === "" || PERSON.test(cell.value)) return false;
    const values = people.map((row) => valueOf(row, column));
    // "Student" can be what each person is, and "Name 1" how one is called.
    return (isWord(cell) || NOUN.test(wordsOf(cell))) &&
        !values.some((each) => each === cell.value || NAMED.test(each)) ||
      values.length > 1 && !/\d/.test(cell.value) &&
        values.every((each) => PERSON.test(each));
  });
  // It may be a title of several cells.
  const isAbove = people.slice(0, 2)
    .some((row) => row.some(isPassword) || row.filter(isWord).length > 1);
  if (isHeading && isAbove) return undefined;
  if (isHeading) return at;
  if (width < 2) return isOdd(first, people) ? undefined : -1;
  return at === 0 && first.some(({ value }) => PERSON.test(value))
    ? -1
    : undefined;
}

/**
 * Whether the first line is unlike all other names, as a title is: "Klass 7B", "Names".
 *
 * @param {Row} first
 * @param {Row[]} people
 */
function isOdd(first, people) {
  const [title = "", ...names] = [first, ...people].map((row) =>
    valueOf(row, 0)
  );
  return names.length > 1 &&
    [/\d/, /\S\s+\S/, /:$/].some((sign) =>
      names.every((name) => sign.test(name) !== sign.test(title))
    );
}

/**
 * The column whose heading ends in a word for passwords; a new one if no heading has one.
 *
 * @param {Row} heading
 * @param {Row[]} people
 * @param {number} width
 * @returns {number | undefined}
 */
function columnOf(heading, people, width) {
  const own = [...heading.entries()]
    .flatMap(([at, cell]) => isPassword(cell) ? [at] : []);
  if (own.length === 1) {
    const [column = 0] = own;
    const values = people.map((row) => valueOf(row, column));
    return values.some((each) => YES_OR_NO.test(each)) ? undefined : column;
  }
  if (heading.some((cell) => ABOUT_PASSWORD.test(wordsOf(cell)))) {
    return undefined;
  }
  // Without a heading, an empty cell may be for a password.
  const isOpen = heading.length === 0 && width > 1 &&
    people.some((row) =>
      Array.from({ length: width }).some((_, at) => isEmpty(row, at))
    );
  return isOpen ? undefined : width;
}

/**
 * What is wrong with a table.
 *
 * @param {Omit<Table, "error">} table
 * @returns {Problem | undefined}
 */
function problemOf({ text, rows, heading = -1, width, people }) {
  /** @type {(row: Row) => number} */
  const lineOf = ([first]) => text.slice(0, first?.at).split(/\r\n?|\n/).length;
  const long = rows.find((row) => row.length > MAX_PEOPLE);
  if (long) return { key: "long", line: lineOf(long) };
  if (people.length > MAX_PEOPLE || rows.length > MAX_ROWS) {
    return { key: "many", line: 1 };
  }
  const open = rows.flat().find(({ raw, isQuoted }) =>
    !isQuoted && /^\s*"/.test(raw) && raw.split('"').length % 2 === 0
  );
  if (open) return { key: "open", line: lineOf([open]) };
  const wide = heading >= 0 && people.find((row) => widthOf(row) > width);
  if (wide) return { key: "wide", line: lineOf(wide) };
  return people.length === 0 ? { key: "none", line: 1 } : undefined;
}

/**
 * Reads a table, or a list with a name on each line. A byte-order mark and the line
 * `sep=;` of Excel stand outside of it.
 *
 * @param {string} text
 * @param {Choices} [chosen]
 * @returns {Table}
 */
export function readTable(text, chosen = {}) {
  const [prefix = "", own] = /^\ufeff?(?:sep=(.)(?:\r\n?|\n))?/i.exec(text) ??
    [];
  const readings = (own ? [own] : SEPARATORS)
    .map((separator) => split(text, separator, prefix.length))
    .filter(({ rows }) => own || rows.some((row) => row.length > 1));
  const separators = readings.map(({ separator }) => separator);
  const lines = split(text, "", prefix.length).rows;
  // Several cells in the only line can be columns, or names.
  const isOpen = lines.length === 1 && readings.length > 0 &&
    !readings.some(({ rows }) => rows[0]?.some(isPassword));
  const separator = chosen.separator ??
    (isOpen ? undefined : separatorOf(readings));
  const rows = readings.find((each) => each.separator === separator)?.rows ??
    lines;
  const most = Math.max(0, ...rows.map(widthOf));
  let heading = chosen.heading;
  if (separator === undefined) heading = undefined;
  else if (heading === undefined || heading >= rows.length) {
    heading = headingOf(rows, most);
  }
  const head = rows[heading ?? -1] ?? [];
  const width = isSeveral(head) ? widthOf(head) : most;
  const people = rows.slice((heading ?? -1) + 1);
  const column = heading === undefined
    ? undefined
    : chosen.column ?? columnOf(head, people, width);
  const table = {
    text,
    separators,
    separator,
    rows,
    heading,
    width,
    column,
    people,
  };
  return { ...table, error: problemOf(table) };
}

/**
 * The columns that tell people apart, at most three, without that of the passwords.
 *
 * @param {Table} table
 * @returns {number[]}
 */
export function columnsOf({ people, column, width }) {
  const all = [...Array(width).keys()].filter((at) => at !== column);
  const differ = all.filter((at) =>
    new Set(people.map((row) => valueOf(row, at))).size > 1
  );
  return (differ.length > 0 ? differ : all).slice(0, 3);
}
