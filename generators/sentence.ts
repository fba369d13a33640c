/**
 * Passwords that read like a sentence.
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

/** Options of a password that reads like a sentence. */
export interface SentenceOptions extends PassphraseOptions {
  /** The language of the words. */
  readonly language: Language;
}

/** The options of a Swedish sentence. */
export const SENTENCE_DEFAULTS: SentenceOptions = {
  ...PASSPHRASE_DEFAULTS,
  language: "sv",
};

/**
 * Generates a password of an adjective, a noun, a verb and an adverb, such as
 * "quick foxes jump softly" or "snabba rävar hoppar tyst". Each word is drawn
 * uniformly and independently from its list.
 *
 * @param options the language and the style of the words
 * @returns the password
 *
 * @example
 * ```ts
 * import { SENTENCE_DEFAULTS, sentencePassword } from "./sentence.ts";
 * import { assertMatch } from "@std/assert";
 *
 * const password = sentencePassword({
 *   ...SENTENCE_DEFAULTS,
 *   casing: "first",
 * });
 * assertMatch(password, /^[0-9]{2}[A-ZÅÄÖ][a-zåäö]+$/);
 * ```
 */
export function sentencePassword(options: SentenceOptions): string {
  return passphrase(listsOf(options), options);
}

/**
 * Counts the passwords that {@linkcode sentencePassword} can generate.
 *
 * @param options the language and the style of the words
 * @returns log2 of their number, in bits
 *
 * @example
 * ```ts
 * import { SENTENCE_DEFAULTS, sentenceEntropy } from "./sentence.ts";
 * import { assert } from "@std/assert";
 *
 * const plain = sentenceEntropy({ ...SENTENCE_DEFAULTS, numberLength: 0 });
 * assert(sentenceEntropy(SENTENCE_DEFAULTS) > plain + 6.64);
 * ```
 */
export function sentenceEntropy(options: SentenceOptions): number {
  return passphraseEntropy(listsOf(options), options);
}

function listsOf({ language }: SentenceOptions): (readonly string[])[] {
  const { adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
  return [adjectives, nouns, verbs, adverbs];
}
