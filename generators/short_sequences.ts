/**
 * Sequences of words that are not too long.
 *
 * @module
 */
import { randomBigIndex } from "./random.ts";

/** For each list: the places of its words, by the length of the word. */
const placesOf = new WeakMap<
  readonly string[],
  ReadonlyMap<number, readonly number[]>
>();

/** The sequences with one word of each list that have at most some letters. */
export interface ShortSequences {
  /** log2 of their number, in bits; -Infinity if there is none. */
  readonly bits: number;
  /** The letters of the shortest sequence. */
  readonly leastLetters: number;
  /**
   * Draws one of them. All are equally likely.
   *
   * @returns the place of each word in its list
   * @throws {RangeError} if there is none
   */
  readonly draw: () => number[];
}

/**
 * Counts the sequences with one word of each list that have at most `letters`
 * letters together.
 *
 * The number of sequences that begin with a word of a length is the number of
 * these words, times the number of sequences of the other lists for the letters
 * that remain. Sequences in a fixed order have an index. A uniform index gives a
 * uniform sequence.
 *
 * @param lists a list of words for each place of the sequence
 * @param letters the maximum number of letters; below 0 there is no sequence
 * @returns the sequences
 *
 * @example
 * ```ts
 * import { shortSequences } from "./short_sequences.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const list = ["bo", "sky", "tree"];
 * const { bits, leastLetters } = shortSequences([list, list], 6);
 * assertEquals(bits, Math.log2(6)); // bobo bosky botree skybo skysky treebo
 * assertEquals(leastLetters, 4);
 * ```
 */
export function shortSequences(
  lists: readonly (readonly string[])[],
  letters: number,
): ShortSequences {
  const tables = lists.map((list) =>
    placesOf.getOrInsertComputed(
      list,
      () => Map.groupBy(list.keys(), (place) => list[place]!.length),
    )
  );
  const sum = (of: (...lengths: number[]) => number) =>
    tables.reduce((sum, places) => sum + of(...places.keys()), 0);
  const most = Math.min(letters, sum(Math.max));
  // By list, then by the letters that remain: the sequences from this list on.
  const counts = lists.map(() => Array<bigint>(Math.max(0, most + 1)).fill(0n));
  const countOf = (list: number, left: number) =>
    left < 0 ? 0n : list === lists.length ? 1n : counts[list]![left]!;
  for (let i = lists.length - 1; i >= 0; i--) {
    for (let left = 0; left <= most; left++) {
      for (const [length, places] of tables[i]!) {
        counts[i]![left]! += BigInt(places.length) *
          countOf(i + 1, left - length);
      }
    }
  }
  const count = countOf(0, most);
  const bits = Math.log2(Number(count));
  // log2 is rounded: fewer than 2^60 sequences have less than 60 bits.
  const isLess = count > 0n && count < 2n ** BigInt(Math.floor(bits));
  return {
    bits: isLess ? bits * (1 - Number.EPSILON) : bits,
    leastLetters: sum(Math.min),
    draw: () => {
      let index = randomBigIndex(count);
      let left = most;
      return tables.map((table, i) => {
        for (const [length, places] of table) {
          const rest = countOf(i + 1, left - length);
          const count = BigInt(places.length) * rest;
          if (index < count) {
            const place = places[Number(index / rest)]!;
            index %= rest;
            left -= length;
            return place;
          }
          index -= count;
        }
        throw new RangeError("Cannot draw words: no sequence is so short");
      });
    },
  };
}
