/**
 * Passwords with names: the names that a person types, and the cells of a table.
 *
 * @module
 */

/** The most names, and the most characters of a name. */
const MOST = 100;

/** The names in a text, one a line, and what is wrong with them. */
export function readNames(text) {
  // A tab in a name would be a column more in a copied table.
  const lines = text.split("\n").map((line) =>
    line.replace(/\s+/g, " ").trim()
  );
  const names = lines.filter((line) => line !== "");
  const twice = names.filter((name, i) => names.indexOf(name) < i);
  const long = lines.findIndex(({ length }) => length > MOST);
  const facts = {
    count: names.length,
    blank: names.length && text.trim().split("\n").length - names.length,
    twice: [...new Set(twice)].join(", "),
    number: long + 1,
  };
  const isLong = long >= 0 && "names.long";
  const error = names.length > MOST ? "names.many" : isLong;
  return { names, facts, error };
}

/**
 * The passwords of names that are there already: a name keeps its own, and so does the
 * only line that was edited. undefined for each name that needs one: of another class
 * that was pasted, nobody gets the password of somebody else.
 */
export function keptPasswords({ names: old, passwords }, names) {
  const free = new Set(passwords.keys());
  const take = (at) => free.delete(at) ? passwords[at] : undefined;
  const kept = names.map((name) =>
    take([...free].find((at) => old[at] === name))
  );
  const open = kept.filter((password) => password === undefined).length;
  const isSame = names.length === passwords.length;
  const isEdited = isSame && (open === 1 || old.length === 0);
  return kept.map((password, at) =>
    password ?? (isEdited ? take(at) : undefined)
  );
}

/**
 * A name with an apostrophe before what a spreadsheet takes for a formula, also if it
 * splits the line at another separator (OWASP, CSV injection).
 */
const escapeFormula = (name) =>
  name.replace(/(^|[,;\t]["\s]*)(?=[=+\-@＝＋－＠])/g, "$1'");

/** Whether a name is another one in a spreadsheet: a number, or with an apostrophe. */
export const isChanged = (name) =>
  escapeFormula(name) !== name || /^0\d*$|^\d{12,}$/.test(name);

/** The months in the languages of the page. */
const MONTHS =
  "january januari february februari march mars april may maj june juni july juli august augusti september october oktober november december"
    .split(" ");

/** Whether a spreadsheet takes a password for a date; "mar" and "sept" are months too. */
function isDate(password) {
  const [, word] = /^\d*\P{L}?(\p{L}{3,})\P{L}*$/u.exec(password) ?? [];
  return word !== undefined &&
    MONTHS.some((month) => month.startsWith(word.toLowerCase()));
}

/** Whether a spreadsheet keeps a password: no formula, date, or number but short ones. */
export const isKept = (password) =>
  /^\p{L}|^[1-9]\d{0,10}$|^\d+\P{L}?\p{L}{3}/u.test(password) &&
  !isDate(password);

/** The cells of a table with a row for each password; no name is a formula. */
export const cellsOf = (passwords, names) =>
  passwords.map((password, i) => [
    String(i + 1),
    escapeFormula(names[i] ?? ""),
    password,
  ]);

/**
 * A CSV (RFC 4180) that spreadsheets open as UTF-8, by its byte-order mark. Where a
 * comma is in decimal numbers, they expect semicolons.
 */
export const csvOf = (rows, separator) =>
  "\uFEFF" +
  rows.map((cells) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator) +
    "\r\n"
  ).join("");
