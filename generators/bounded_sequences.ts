/**
 * Sequences of words that are neither too short nor too long.
 *
 * @module
 */
import { groupBy } from "./group_by.ts";
import { randomBigIndex } from "./random.ts";

/** The sequences that begin with a word of a list, and go on with others. */
interface Sequences {
  /** How many have at most n letters, by n; the longest one has the last n. */
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
  counts: [1n],
  places: new Map(),
  rest: undefined,
  before: new WeakMap(),
};

/** How many sequences have at most so many letters. */
function countUpTo({ counts }: Sequences, letters: number): bigint {
  return letters < 0 ? 0n : counts[Math.min(letters, counts.length - 1)]!;
}

/** How many sequences have from `min` to `max` letters. */
function countOf(sequences: Sequences, min: number, max: number): bigint {
  const count = countUpTo(sequences, max) - countUpTo(sequences, min - 1);
  return count > 0n ? count : 0n;
}

/** Puts a word of a list before sequences. */
function withWord(list: readonly string[], rest: Sequences): Sequences {
  const places = groupBy(list.keys(), (place) => [...list[place]!].length);
  const length = Math.max(...places.keys()) + rest.counts.length;
  const counts = Array.from({ length }, (_, letters) => {
    let count = 0n;
    for (const [length, { length: words }] of places) {
      count += BigInt(words) * countUpTo(rest, letters - length);
    }
    return count;
  });
  return { counts, places, rest, before: new WeakMap() };
}

/** The sequences with one word of each list whose letters are between two numbers. */
export interface BoundedSequences {
  /** log2 of their number, in bits; -Infinity if there is none. */
  readonly bits: number;
  /** The letters of the shortest and of the longest sequence of the lists. */
  readonly letters: readonly [shortest: number, longest: number];
  /**
   * Draws one of them. All are equally likely.
   *
   * @returns the place of each word in its list
   * @throws {RangeError} if there is none
   */
  readonly draw: () => number[];
}

/**
 * Counts the sequences with one word of each list that have from `min` to `max`
 * letters together.
 *
 * The number of sequences that begin with a word of a length is the number of
 * these words, times the number of sequences of the other lists for the letters
 * that remain. Sequences in a fixed order have an index. A uniform index gives a
 * uniform sequence.
 */
export function boundedSequences(
  lists: readonly (readonly string[])[],
  min: number,
  max: number,
): BoundedSequences {
  const first = lists.reduceRight((rest, list) => {
    // Deno 2.5, which Deno Deploy may run, has no WeakMap.getOrInsertComputed().
    const sequences = rest.before.get(list) ?? withWord(list, rest);
    rest.before.set(list, sequences);
    return sequences;
  }, EMPTY);
  const count = countOf(first, min, max);
  const bits = Math.log2(Number(count));
  // log2 is rounded: fewer than 2^60 sequences have less than 60 bits.
  const isLess = count > 0n && count < 2n ** BigInt(Math.floor(bits));
  return {
    bits: isLess ? bits * (1 - Number.EPSILON) : bits,
    letters: [
      first.counts.findIndex((count) => count > 0n),
      first.counts.length - 1,
    ],
    draw: () => {
      let index = randomBigIndex(count);
      let used = 0;
      const drawn: number[] = [];
      for (let at = first; at.rest !== undefined; at = at.rest) {
        for (const [length, places] of at.places) {
          const letters = used + length;
          const rest = countOf(at.rest, min - letters, max - letters);
          const count = BigInt(places.length) * rest;
          if (index < count) {
            drawn.push(places[Number(index / rest)]!);
            index %= rest;
            used = letters;
            break;
          }
          index -= count;
        }
      }
      return drawn;
    },
  };
}
