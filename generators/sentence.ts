/**
 * Passwords like a sentence.
 *
 * @module
 */
import { type Language, WORDLISTS } from "../wordlists/mod.ts";
import { phrase, type PhraseOptions } from "./phrase.ts";

/** What a password like a sentence is to consist of. */
export interface SentenceOptions extends PhraseOptions {
  /** Which language's words. */
  readonly language: Language;
}

/**
 * Makes a password of an adjective, a noun, a verb and an adverb that read as
 * a sentence: "quick foxes jump softly", "snabba rävar hoppar tyst". Each is
 * drawn uniformly and independently from its list.
 *
 * @param options language and how to write the words
 * @returns the password
 *
 * @example
 * ```ts
 * import { sentencePassword } from "./sentence.ts";
 * import { assertMatch } from "@std/assert";
 *
 * const password = sentencePassword({
 *   language: "sv",
 *   casing: "first",
 *   numberPosition: "before",
 *   numberLength: 2,
 *   replaceSwedishCharacters: false,
 *   replaceWithSpecialCharacters: false,
 * });
 * assertMatch(password, /^[0-9]{2}[A-ZÅÄÖ][a-zåäö]+$/);
 * ```
 */
export function sentencePassword(options: SentenceOptions): string {
  const { adjectives, nouns, verbs, adverbs } = WORDLISTS[options.language];
  return phrase([adjectives, nouns, verbs, adverbs], options);
}
