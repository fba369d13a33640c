/**
 * What the entry points of one language share.
 *
 * @module
 */
import {
  parseList,
  parseLists,
  type WordLists,
} from "../../wordlists/lists.ts";
import type { PassphraseOptions } from "../passphrase.ts";
import type { Passwords } from "../passwords.ts";
import { sentencesOf } from "../sentence.ts";
import { wordsOf, type WordStyle } from "../words.ts";

export type { PassphraseOptions, Passwords, WordStyle };

/**
 * Returns the passwords of random words of one language. Each word is drawn uniformly
 * and independently. With `maximumLength` or `minimumLength` all passwords within
 * these lengths are equally likely instead.
 *
 * @param options what differs from four words with capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or the options together allow
 *   no password, such as digits between words with one word
 */
export type WordPasswords = (options?: Partial<WordStyle>) => Passwords;

/**
 * Returns the passwords of an adjective, a noun, a verb and an adverb of one language.
 * Each word is drawn uniformly and independently from its list. With `maximumLength` or
 * `minimumLength` all passwords within these lengths are equally likely instead.
 *
 * @param options what differs from a sentence with capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or the options together allow
 *   no password, such as a `maximumLength` of five
 */
export type SentencePasswords = (
  options?: Partial<PassphraseOptions>,
) => Passwords;

/**
 * Makes the function for words of one language.
 *
 * @param text the words, one per line
 * @returns the function
 */
export function wordsIn(text: string): WordPasswords {
  const list = parseList(text);
  return (options = {}) => wordsOf(list, options);
}

/**
 * Makes the function for sentences of one language.
 *
 * @param texts the words of each list, one per line
 * @returns the function
 */
export function sentencesIn(
  texts: Record<Exclude<keyof WordLists, "words">, string>,
): SentencePasswords {
  const lists = parseLists(texts);
  return (options = {}) => sentencesOf(lists, options);
}
