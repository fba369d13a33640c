/**
 * What a school or a directory demands of the passwords of a list: no two are equal, and
 * none has a whole part of the person's name.
 *
 * @module
 */
import { valueOf } from "./reading.js";

/** @import { Row } from "./reading.js" */

/** The most requests for a list; a request has at most 100 passwords. */
export const MAX_REQUESTS = 20;
/** The most passwords in a request. */
export const MOST = 100;

/**
 * The parts of a person that no password may have: letters and digits between
 * separators, three or more. So says Microsoft of the names of an account
 * (learn.microsoft.com, "Password must meet complexity requirements").
 *
 * @param {Row} row
 * @param {number} column that of the passwords
 * @returns {string[]} in lower case
 */
export const ownParts = (row, column) =>
  row.flatMap((_, at) =>
    at === column ? [] : valueOf(row, at).normalize("NFC").toLowerCase().match(
      /[\p{L}\p{M}\p{N}]{3,}/gu,
    ) ?? []
  );

/**
 * Whether a password has none of these parts.
 *
 * @type {(password: string, parts: readonly string[]) => boolean}
 */
export const isFit = (password, parts) =>
  !parts.some((part) => password.toLowerCase().includes(part));

/**
 * How many passwords must be drawn, on average, until so many differ.
 *
 * @param {number} bits those of one password
 * @param {number} count
 * @returns {number} Infinity if there are not so many
 */
export function drawsFor(bits, count) {
  const all = Math.round(2 ** bits);
  let draws = 0;
  for (let taken = 0; taken < count; taken++) {
    draws += taken < all ? all / (all - taken) : Infinity;
  }
  return draws;
}

/**
 * The bits that the last password of a list has less, since it differs from all others.
 *
 * @param {number} bits
 * @param {number} count
 * @returns {number}
 */
export const lostBits = (bits, count) =>
  -Math.log2(1 - (count - 1) / 2 ** bits);
