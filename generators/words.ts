/**
 * Passwords of random words.
 *
 * @module
 */
import { type Language, WORDLISTS } from "../wordlists/mod.ts";
import {
  passphrase,
  PASSPHRASE_DEFAULTS,
  passphraseEntropy,
  type PassphraseOptions,
} from "./passphrase.ts";

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
  language: "sv",
  wordCount: 4,
};

/**
 * Generates a password of random words. Each word is drawn uniformly and
 * independently from the list of the language.
 *
 * @param options the language, the number of words and their style
 * @returns the password
 *
 * @example
 * ```ts
 * import { WORD_DEFAULTS, wordPassword } from "./words.ts";
 * import { assertMatch } from "@std/assert";
 *
 * const password = wordPassword({
 *   ...WORD_DEFAULTS,
 *   language: "en",
 *   wordCount: 3,
 *   numberPosition: "after",
 * });
 * assertMatch(password, /^([A-Z][a-z]+){3}[0-9]{2}$/);
 * ```
 */
export function wordPassword(options: WordOptions): string {
  return passphrase(listsOf(options), options);
}

/**
 * Counts the passwords that {@linkcode wordPassword} can generate.
 *
 * @param options the language, the number of words and their style
 * @returns log2 of their number, in bits
 *
 * @example
 * ```ts
 * import { WORD_DEFAULTS, wordEntropy } from "./words.ts";
 * import { assert } from "@std/assert";
 *
 * const three = wordEntropy({ ...WORD_DEFAULTS, wordCount: 3 });
 * assert(wordEntropy(WORD_DEFAULTS) > three);
 * ```
 */
export function wordEntropy(options: WordOptions): number {
  return passphraseEntropy(listsOf(options), options);
}

function listsOf({ language, wordCount }: WordOptions): (readonly string[])[] {
  return Array(wordCount).fill(WORDLISTS[language].words);
}
