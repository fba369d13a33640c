/**
 * Sequences of words that are not too long.
 *
 * @module
 */
import { randomBigIndex } from "./random.ts";

/** The sequences that begin with a word of a list, and go on with others. */
interface Sequences {
  /** The letters of the shortest sequence. */
  readonly leastLetters: number;
  /** How many have at most n letters, by n, up to the letters of the longest one. */
  readonly counts: readonly bigint[];
  /** The places of the words in the list, by the length of the word. */
  readonly places: ReadonlyMap<number, readonly number[]>;
  /** The sequences after the first word. */
  readonly rest: Sequences | undefined;
  /** For each list: the sequences with one word of it before these. */
  readonly before: WeakMap<readonly string[], Sequences>;
}

/** The empty sequence. Counts are kept, since they follow from the lists alone. */
const EMPTY: Sequences = {
  leastLetters: 0,
  counts: [1n],
  places: new Map(),
  rest: undefined,
  before: new WeakMap(),
};

/** How many sequences have at most so many letters. */
function countOf({ counts }: Sequences, letters: number): bigint {
  return letters < 0 ? 0n : counts[Math.min(letters, counts.length - 1)]!;
}

/** Puts a word of a list before sequences. */
function withWord(list: readonly string[], rest: Sequences): Sequences {
  const places = Map.groupBy(list.keys(), (place) => list[place]!.length);
  const most = Math.max(...places.keys()) + rest.counts.length - 1;
  const counts = Array.from({ length: most + 1 }, (_, letters) => {
    let count = 0n;
    for (const [length, { length: words }] of places) {
      count += BigInt(words) * countOf(rest, letters - length);
    }
    return count;
  });
  const leastLetters = Math.min(...places.keys()) + rest.leastLetters;
  return { leastLetters, counts, places, rest, before: new WeakMap() };
}

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
  const first = lists.reduceRight(
    (rest, list) =>
      rest.before.getOrInsertComputed(list, () => withWord(list, rest)),
    EMPTY,
  );
  const count = countOf(first, letters);
  const bits = Math.log2(Number(count));
  // log2 is rounded: fewer than 2^60 sequences have less than 60 bits.
  const isLess = count > 0n && count < 2n ** BigInt(Math.floor(bits));
  return {
    bits: isLess ? bits * (1 - Number.EPSILON) : bits,
    leastLetters: first.leastLetters,
    draw: () => {
      let index = randomBigIndex(count);
      let left = letters;
      const drawn: number[] = [];
      for (let at = first; at.rest !== undefined; at = at.rest) {
        for (const [length, places] of at.places) {
          const rest = countOf(at.rest, left - length);
          const count = BigInt(places.length) * rest;
          if (index < count) {
            drawn.push(places[Number(index / rest)]!);
            index %= rest;
            left -= length;
            break;
          }
          index -= count;
        }
      }
      return drawn;
    },
  };
}
