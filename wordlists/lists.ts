/**
 * The form of a language's word lists.
 *
 * @module
 */

/**
 * The five lists of a language. In each list no word is the beginning of
 * another, so that words written without a gap can be told apart again.
 */
export interface Lists {
  /** Base forms, for passwords of words. */
  readonly words: readonly string[];
  /** Adjectives that stand before a noun in the plural. */
  readonly adjectives: readonly string[];
  /** Nouns in the plural. */
  readonly nouns: readonly string[];
  /** Verbs without an object, in the form that follows a plural noun. */
  readonly verbs: readonly string[];
  /** Adverbs that follow such a verb. */
  readonly adverbs: readonly string[];
}

/**
 * Reads the texts of a language's lists, one word a line.
 *
 * @param texts the five texts, each ending in a line break
 * @returns the five lists
 *
 * @example
 * ```ts
 * import { readLists } from "./lists.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { words } = readLists({
 *   words: "bridge\nriver\n",
 *   adjectives: "calm\n",
 *   nouns: "rivers\n",
 *   verbs: "glide\n",
 *   adverbs: "softly\n",
 * });
 * assertEquals(words, ["bridge", "river"]);
 * ```
 */
export function readLists(texts: Record<keyof Lists, string>): Lists {
  const lines = (text: string) => text.trimEnd().split(/\r?\n/);
  return {
    words: lines(texts.words),
    adjectives: lines(texts.adjectives),
    nouns: lines(texts.nouns),
    verbs: lines(texts.verbs),
    adverbs: lines(texts.adverbs),
  };
}
