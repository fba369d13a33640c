/**
 * The word lists of a language.
 *
 * @module
 */

/**
 * The five lists of a language. Each list is uniquely decodable: no two sequences
 * of its words are spelled alike.
 */
export interface WordLists {
  /** Base forms, for passwords of words. */
  readonly words: readonly string[];
  /** Adjectives in the form before a plural noun. */
  readonly adjectives: readonly string[];
  /** Nouns in the plural. */
  readonly nouns: readonly string[];
  /** Verbs without an object, in the form that follows a plural noun. */
  readonly verbs: readonly string[];
  /** Adverbs that follow such a verb. */
  readonly adverbs: readonly string[];
}

/**
 * Parses a list.
 *
 * @param text the text, with one word per line
 * @returns the words, frozen, so that other code in the process cannot shorten a list
 */
export function parseList(text: string): readonly string[] {
  return Object.freeze(text.match(/\S+/g)!);
}

/**
 * Parses the lists of a language.
 *
 * @param texts the texts, with one word per line
 * @returns the lists of the same names
 */
export function parseLists<Name extends keyof WordLists>(
  texts: Record<Name, string>,
): Pick<WordLists, Name> {
  const lists = Object.entries<string>(texts)
    .map(([name, text]) => [name, parseList(text)]);
  return Object.freeze(Object.fromEntries(lists));
}
