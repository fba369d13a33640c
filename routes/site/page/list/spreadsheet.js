/**
 * What a spreadsheet changes, and settings whose passwords it leaves alone.
 *
 * @module
 */

/** Between these stand cells, and by these begin formulas (OWASP, CSV injection). */
const UNSAFE = ",;=+@";

/**
 * Leaves out the characters that a spreadsheet can take for something else. A hyphen
 * stays between groups.
 *
 * @param {string} path
 * @param {Record<string, unknown>} body
 * @returns {Record<string, unknown>}
 */
export function safeBody(path, body) {
  if (path !== "characters") return body;
  const { excludeCharacters = "", groupLength = 0 } = body;
  const hyphen = Number(groupLength) > 0 ? "" : "-";
  return {
    ...body,
    excludeCharacters: `${excludeCharacters}${UNSAFE}${hyphen}`,
  };
}

const MONTHS =
  "january januari february februari march mars april may maj june juni july juli august augusti september october oktober november december"
    .split(" ");

/** Whether letters can be in a number, a date or a time: months, "2e5", "5 kr", "1 pm". @type {(word: string) => boolean} */
const isCounted = (word) =>
  /^(e|t|z|am|pm|kr|sek|eur|usd)$/.test(word) ||
  /^(mon|tue|wed|thu|fri|sat|sun)([a-z]{0,3}day)?$/.test(word) ||
  /^(mån|tis|ons|tors?|fre|lör|sön)(dag)?$/.test(word) ||
  word.length > 2 && MONTHS.some((month) => month.startsWith(word));

/**
 * Whether a spreadsheet can take a cell for a formula, also a part of it after another
 * separator. A sign and a number, also of a telephone, is none.
 *
 * @type {(cell: string) => boolean}
 */
export const isFormula = (cell) =>
  /(?:^|[\t;,\r\n])["\s]*[=+\-@＝＋－＠]/.test(cell) &&
  !/^\s*[+-][\d\s.,]*$/.test(cell);

/**
 * Whether a spreadsheet changes a cell: to a formula, a number, a date, a time.
 *
 * @param {string} cell
 * @returns {boolean}
 */
export function isChanged(cell) {
  if (isFormula(cell)) return true;
  if (/^(-?[1-9]\d{0,10}|0)$/.test(cell)) return false;
  if (/^\s*(true|false|sant|falskt)\s*$/i.test(cell)) return true;
  const words = cell.toLowerCase().match(/\p{L}+/gu) ?? [];
  return /\d/.test(cell) && /^[\p{L}\p{Sc}\d\s.,:/+\-()%']*$/u.test(cell) &&
    words.every(isCounted);
}
