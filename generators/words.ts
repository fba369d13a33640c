/**
 * Passwords of random words.
 *
 * @module
 */
import { type Language, WORDLISTS } from "../wordlists/mod.ts";
import { phrase, phraseEntropy, type PhraseOptions } from "./phrase.ts";

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
  return phrase(listsOf(options), options);
}

/**
 * Counts the passwords of words that the options permit.
 *
 * @param options language, number of words and how to write them
 * @returns log2 of their number, in bits
 *
 * @example
 * ```ts
 * import { wordEntropy } from "./words.ts";
 * import { assert } from "@std/assert";
 *
 * const style = {
 *   language: "en",
 *   casing: "title",
 *   numberPosition: "after",
 *   numberLength: 2,
 *   replaceSwedishCharacters: false,
 *   replaceWithSpecialCharacters: false,
 * } as const;
 * const three = wordEntropy({ ...style, wordCount: 3 });
 * assert(wordEntropy({ ...style, wordCount: 4 }) > three);
 * ```
 */
export function wordEntropy(options: WordOptions): number {
  return phraseEntropy(listsOf(options), options);
}

// For each language and number of words the list of each word.
const LISTS: Partial<Record<Language, (readonly string[])[][]>> = {};

function listsOf({ language, wordCount }: WordOptions): (readonly string[])[] {
  const lists = LISTS[language] ??= Array.from(
    { length: 11 },
    (_, count) => Array(count).fill(WORDLISTS[language].words),
  );
  return lists[wordCount]!;
}
