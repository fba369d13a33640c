/**
 * Passwords that read like a sentence.
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

/** Options of a password that reads like a sentence. */
export interface SentenceOptions extends PassphraseOptions {
  /** The language of the words. */
  readonly language: Language;
}

/** The options of a Swedish sentence. */
export const SENTENCE_DEFAULTS: SentenceOptions = {
  ...PASSPHRASE_DEFAULTS,
  language: DEFAULT_LANGUAGE,
};

/**
 * Returns the passwords of an adjective, a noun, a verb and an adverb, such as
 * "quick foxes jump softly" or "snabba rävar hoppar tyst". Each word is drawn
 * uniformly and independently from its list, except with
 * `maximumLength` or `minimumLength`.
 *
 * @param options the language and the style of the words
 * @returns the passwords; with a refusal if `maximumLength` is too small, or
 *   `minimumLength` too large
 *
 * @example
 * ```ts
 * import { SENTENCE_DEFAULTS, sentencePasswords } from "./sentence.ts";
 * import { assert, assertMatch } from "@std/assert";
 *
 * const { bits, generate } = sentencePasswords({
 *   ...SENTENCE_DEFAULTS,
 *   casing: "first",
 * });
 * assertMatch(generate(), /^[0-9]{2}[A-ZÅÄÖ][a-zåäö]+$/);
 * assert(bits > 40);
 * ```
 */
export function sentencePasswords(options: SentenceOptions): Passwords {
  const { adjectives, nouns, verbs, adverbs } = WORDLISTS[options.language];
  return passphrases([adjectives, nouns, verbs, adverbs], options);
}
