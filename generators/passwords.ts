/**
 * What all generators return.
 *
 * @module
 */

/** Why there is no password to draw. */
export interface Refusal {
  /** Each option that can be changed; none if the options as a whole are the reason. */
  readonly options: readonly string[];
  /** Says what to change, in one sentence. To find both out can take milliseconds. */
  readonly explain: () => string;
}

/** All passwords that some options allow. */
export interface Passwords {
  /** log2 of their number, in bits; -Infinity with a refusal. */
  readonly bits: number;
  /**
   * How many characters are drawn for one of them on average, those of rejected
   * tries included; undefined if no try is ever rejected.
   */
  readonly drawnCharacters?: number;
  /** Why there is none, or why they are too rare to draw; undefined otherwise. */
  readonly refusal?: Refusal;
  /**
   * Draws one of them. All are equally likely.
   *
   * @returns the password; each code point is one UTF-16 unit
   * @throws {RangeError} with a refusal
   */
  readonly generate: () => string;
}

/**
 * Returns the passwords that options allow. For options that differ only in the
 * size of the passwords, it can keep what does not depend on the size.
 */
export type PasswordGenerator<Options> = (options: Options) => Passwords;

/**
 * Makes the result of a generator that has no password to draw.
 *
 * @param refusal the reason
 * @returns passwords that cannot be drawn
 *
 * @example
 * ```ts
 * import { noPasswords } from "./passwords.ts";
 * import { assertThrows } from "@std/assert";
 *
 * const { generate } = noPasswords({
 *   options: ["maximumLength"],
 *   explain: () => "Must be at least 12.",
 * });
 * assertThrows(generate, RangeError, "maximumLength: Must be at least 12.");
 * ```
 */
export function noPasswords(refusal: Refusal): Passwords {
  return {
    bits: -Infinity,
    refusal,
    generate: () => {
      const names = refusal.options.join(", ") || "options";
      throw new RangeError(
        `Cannot make a password: ${names}: ${refusal.explain()}`,
      );
    },
  };
}
