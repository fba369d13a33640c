/**
 * Passwords of random words.
 *
 * @module
 */
import {
  DEFAULT_LANGUAGE,
  type Language,
  WORDLISTS,
} from "../wordlists/mod.ts";
import {
  PASSPHRASE_DEFAULTS,
  type PassphraseOptions,
  passphrases,
} from "./passphrase.ts";
import type { Passwords } from "./passwords.ts";

/** Options of a password of random words. */
export interface WordOptions extends PassphraseOptions {
  /** The language of the words. */
  readonly language: Language;
  /** The number of words, 1 to 10. */
  readonly wordCount: number;
}

/** The options of four Swedish words. */
export const WORD_DEFAULTS: WordOptions = {
  ...PASSPHRASE_DEFAULTS,
  language: DEFAULT_LANGUAGE,
  wordCount: 4,
};

/**
 * Returns the passwords of random words. Each word is drawn uniformly and
 * independently from the list of the language, except with
 * `maximumLength` or `minimumLength`.
 *
 * @param options the language, the number of words and their style
 * @returns the passwords; with a refusal if `maximumLength` is too small, or
 *   `minimumLength` too large
 *
 * @example
 * ```ts
 * import { WORD_DEFAULTS, wordPasswords } from "./words.ts";
 * import { assert, assertMatch } from "@std/assert";
 *
 * const { bits, generate } = wordPasswords({
 *   ...WORD_DEFAULTS,
 *   language: "en",
 *   wordCount: 3,
 *   numberPosition: "after",
 * });
 * assertMatch(generate(), /^([A-Z][a-z]+){3}[0-9]{2}$/);
 * assert(bits > 40);
 * ```
 */
export function wordPasswords(options: WordOptions): Passwords {
  const { words } = WORDLISTS[options.language];
  return passphrases(Array(options.wordCount).fill(words), options);
}
