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
 * Reads the texts of a language's lists, one word a line. Each is taken apart
 * when it is first asked for: all ten at every start would be a tenth of it.
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
  const lists: Partial<Record<keyof Lists, readonly string[]>> = {};
  const list = (name: keyof Lists) =>
    lists[name] ??= texts[name].trimEnd().split(/\r?\n/);
  return {
    get words() {
      return list("words");
    },
    get adjectives() {
      return list("adjectives");
    },
    get nouns() {
      return list("nouns");
    },
    get verbs() {
      return list("verbs");
    },
    get adverbs() {
      return list("adverbs");
    },
  };
}
