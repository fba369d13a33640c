/**
 * Passwords of random words.
 *
 * @module
 */
import { type Language, WORDLISTS } from "../wordlists/mod.ts";
import { phrase, type PhraseOptions } from "./phrase.ts";

/** What a password of random words is to consist of. */
export interface WordOptions extends PhraseOptions {
  /** Which language's words. */
  readonly language: Language;
  /** How many words, 1 to 10. */
  readonly wordCount: number;
}

/**
 * Makes a password of words, each drawn uniformly and independently from the
 * word list of the language.
 *
 * @param options language, number of words and how to write them
 * @returns the password
 *
 * @example
 * ```ts
 * import { wordPassword } from "./words.ts";
 * import { assertMatch } from "@std/assert";
 *
 * const password = wordPassword({
 *   language: "en",
 *   wordCount: 3,
 *   casing: "title",
 *   numberPosition: "after",
 *   numberLength: 2,
 *   replaceSwedishCharacters: false,
 *   replaceWithSpecialCharacters: false,
 * });
 * assertMatch(password, /^([A-Z][a-z]+){3}[0-9]{2}$/);
 * ```
 */
export function wordPassword(options: WordOptions): string {
  const { words } = WORDLISTS[options.language];
  return phrase(Array(options.wordCount).fill(words), options);
}
