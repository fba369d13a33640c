/**
 * Passwords like a sentence.
 *
 * @module
 */
import type { Lists } from "../wordlists/lists.ts";
import { type Language, WORDLISTS } from "../wordlists/mod.ts";
import { phrase, phraseEntropy, type PhraseOptions } from "./phrase.ts";

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
  return phrase(listsOf(options), options);
}

/**
 * Counts the passwords like a sentence that the options permit.
 *
 * @param options language and how to write the words
 * @returns log2 of their number, in bits
 *
 * @example
 * ```ts
 * import { sentenceEntropy } from "./sentence.ts";
 * import { assert } from "@std/assert";
 *
 * const style = {
 *   language: "sv",
 *   casing: "first",
 *   numberPosition: "before",
 *   replaceSwedishCharacters: false,
 *   replaceWithSpecialCharacters: false,
 * } as const;
 * const plain = sentenceEntropy({ ...style, numberLength: 0 });
 * assert(sentenceEntropy({ ...style, numberLength: 2 }) > plain + 6.64);
 * ```
 */
export function sentenceEntropy(options: SentenceOptions): number {
  return phraseEntropy(listsOf(options), options);
}

// For each language the list of each word.
const LISTS: Partial<Record<Language, (readonly string[])[]>> = {};

function listsOf({ language }: SentenceOptions): (readonly string[])[] {
  return LISTS[language] ??= inOrder(WORDLISTS[language]);
}

function inOrder(lists: Lists): (readonly string[])[] {
  return [lists.adjectives, lists.nouns, lists.verbs, lists.adverbs];
}
