/**
 * What all generators return.
 *
 * @module
 */

/** All passwords that some options allow. */
export interface Passwords {
  /**
   * The entropy of each of them: log2 of their number, in bits. An attacker who knows
   * the options has to guess so many.
   */
  readonly bits: number;
  /**
   * Draws one of them, with fresh randomness. All are equally likely.
   *
   * @returns the password; each code point is one UTF-16 unit
   */
  readonly generate: () => string;
}

/** Why there is no password to draw. */
export interface Refusal {
  /** Each option that can be changed; none if the options as a whole are the reason. */
  readonly options: readonly string[];
  /** Says what to change, in one sentence. To find both out can take milliseconds. */
  readonly explain: () => string;
}

/** The passwords that options allow, or why there is none. */
export interface GeneratorResult extends Passwords {
  /**
   * How many characters are drawn for one of them on average, those of rejected
   * tries included; undefined if no try is ever rejected.
   */
  readonly drawnCharacters?: number;
  /** Why there is none, or why they are too rare to draw; `bits` is -Infinity then. */
  readonly refusal?: Refusal;
}

/**
 * Returns the passwords that options allow. For options that differ only in the
 * size of the passwords, it can keep what does not depend on the size.
 */
export type PasswordGenerator<Options> = (
  options: Options,
) => GeneratorResult;

/** The error that says why there is no password to draw. */
export function impossible({ options, explain }: Refusal): RangeError {
  const names = options.join(", ") || "options";
  return new RangeError(`Cannot make a password: ${names}: ${explain()}`);
}

/** The result of a generator that has no password to draw. */
export function refusedResult(refusal: Refusal): GeneratorResult {
  return {
    bits: -Infinity,
    refusal,
    generate: () => {
      throw impossible(refusal);
    },
  };
}
