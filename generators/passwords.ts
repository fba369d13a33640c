/**
 * What all generators return.
 *
 * @module
 */

/** All passwords that some options allow. */
export interface Passwords {
  /** log2 of their number, in bits; -Infinity if there is none. */
  readonly bits: number;
  /**
   * How many characters are drawn for one of them on average, those of rejected
   * tries included; undefined if no try is ever rejected.
   */
  readonly drawnCharacters?: number;
  /**
   * Draws one of them. All are equally likely.
   *
   * @returns the password; each code point is one UTF-16 unit
   * @throws {RangeError} if there is none
   */
  readonly generate: () => string;
}
