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

/** Why options do not fit together; the OpenAPI document has the meaning of each. */
export type Reason =
  | "noClass"
  | "noCharacter"
  | "classIsOff"
  | "sumOfMinima"
  | "percentage"
  | "besidePercentage"
  | "noLetter"
  | "noPlaceForLetter"
  | "hyphen"
  | "runsAndPercentage"
  | "runsAndMinima"
  | "rare"
  | "time"
  | "rules"
  | "syntax"
  | "requiredSets"
  | "separators"
  | "replacements"
  | "aboveMaximumLength"
  | "belowMinimumLength"
  | "tooShort"
  | "tooLong"
  | "noLength"
  | "oneWord"
  | "entropy"
  | "work";

/** What a program can read of a refusal: its reason, and the bound in its message. */
export interface Limit {
  readonly reason: Reason;
  /** The least possible value of each option that is named. */
  readonly minimum?: number;
  /** The greatest possible value of each option that is named. */
  readonly maximum?: number;
  /** The least `length` with which the values are possible. */
  readonly length?: number;
}

/** Why there is no password to draw. */
export interface Refusal {
  /** Each option that can be changed; none if the options as a whole are the reason. */
  readonly options: readonly string[];
  /** Says what to change, in one sentence. */
  readonly message: string;
  readonly limit: Limit;
}

/** Passwords, and what it takes to draw one. */
export interface DrawnPasswords extends Passwords {
  /**
   * How many characters are drawn for one of them on average, those of rejected
   * tries included; undefined if no try is ever rejected.
   */
  readonly drawnCharacters?: number;
  readonly refusal?: undefined;
}

/**
 * Returns the passwords of one size that some options allow, or a function that says
 * why there is none, or why they are too rare to draw. (To find out why takes time.)
 */
export type PasswordGenerator = (
  size: number,
) => DrawnPasswords | { readonly refusal: () => Refusal };

/** The error that says why there is no password to draw. */
export function impossible(
  { options, message }: Omit<Refusal, "limit">,
): RangeError {
  const names = options.join(", ") || "options";
  return new RangeError(`Cannot make a password: ${names}: ${message}`);
}
