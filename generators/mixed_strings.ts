/**
 * Strings that have a minimum number of characters of each of several classes.
 *
 * @module
 */
import { randomIndex } from "./random.ts";
import { weightedIndex, type Weights } from "./weighted_choice.ts";

/** Characters, and how many of them a string has at least. */
export interface RequiredSet {
  /** The characters, each one UTF-16 unit, and none twice. */
  readonly characters: string;
  /** The minimum number of them. */
  readonly min: number;
}

/** The maximum length of a string, in characters. */
export const MAX_LENGTH = 128;

/** Tells whether characters contain a letter. */
export function hasLetter(characters: string): boolean {
  return /\p{L}/u.test(characters);
}

/** Pascal's triangle: how many ways there are to choose k of n places. */
const triangle: bigint[][] = [[1n]];

function choicesOf(n: number): readonly bigint[] {
  for (let row = triangle.length; row <= n; row++) {
    const last = triangle[row - 1]!;
    triangle[row] = [1n, ...last.map((ways, k) => ways + (last[k + 1] ?? 0n))];
  }
  return triangle[n]!;
}

const rowsInDoubles: Float64Array[] = [];

/** The same in doubles. */
export const doublesOf = (n: number): Float64Array =>
  rowsInDoubles[n] ??= Float64Array.from(choicesOf(n), Number);

/**
 * Mixes two strings and keeps the order of each. All choices of positions for the
 * first string are equally likely.
 *
 * Selection sampling (Knuth, The Art of Computer Programming, volume 2, section
 * 3.4.2, algorithm S): each position goes to the first string with probability
 * (characters left in it) / (positions left).
 */
export function interleave(some: string, others: string): string {
  const length = some.length + others.length;
  let mixed = "";
  let taken = 0;
  for (let i = 0; i < length; i++) {
    const left = some.length - taken;
    mixed += randomIndex(length - i) < left
      ? some[taken++]!
      : others[i - taken]!;
  }
  return mixed;
}

/** The strings over some classes, by length. */
interface Strings {
  /**
   * How many there are of a length. The number is exact up to 2^53, and has the rounding
   * errors of doubles above it.
   */
  readonly count: (length: number) => number;
  /** The same for all lengths, up to this one at least. */
  readonly countsUpTo: (length: number) => readonly number[];
  /** How many there are of a length, exactly. */
  readonly exactCount: (length: number) => bigint;
  /** Draws how many characters of each class a string has: writes them to `places`. */
  readonly drawPlaces: (length: number, places: number[]) => void;
}

/**
 * Makes a function that keeps the counts that it has made. (The memory of a typed array
 * of this size is outside of the heap, which takes a request ten microseconds.)
 *
 * @param fill writes the count of each length into its place
 */
function table(
  fill: (counts: number[]) => void,
): (length: number) => readonly number[] {
  let counts: number[] = [];
  return (length) => {
    if (length >= counts.length) {
      // minimumEntropy asks for one length after another.
      const isFirst = counts.length === 0;
      const last = isFirst ? length : Math.min(MAX_LENGTH, 2 * length);
      counts = Array(last + 1).fill(0);
      fill(counts);
    }
    return counts;
  };
}

/** The strings over the class at this place. */
function ofClass({ characters, min }: RequiredSet, place: number): Strings {
  const { length: size } = characters;
  const countsUpTo = table((counts) => {
    let power = 1;
    for (let n = 0; n < counts.length; n++, power *= size) {
      if (n >= min) counts[n] = power;
    }
  });
  return {
    count: (length) => countsUpTo(length)[length]!,
    countsUpTo,
    exactCount: (length) => length < min ? 0n : BigInt(size) ** BigInt(length),
    drawPlaces: (length, places) => void (places[place] = length),
  };
}

/**
 * The strings that are a mixture of one of `some` and one of `others`, whose
 * characters differ, so that the mixture determines both.
 * With `first`, a character of `some` stays at the beginning.
 */
function mix(some: Strings, others: Strings, first: 0 | 1 = 0): Strings {
  /**
   * Adds up, over all k, how many strings have k characters of `some`. Writes the sum up
   * to each k to `sums`.
   */
  const count = (length: number, sums?: number[]) => {
    const ofSome = some.countsUpTo(length);
    const ofOthers = others.countsUpTo(length);
    const choices = doublesOf(length - first);
    let sum = 0;
    for (let k = first; k <= length; k++) {
      sum += ofSome[k]! * ofOthers[length - k]! * choices[k - first]!;
      if (sums) sums[k] = sum;
    }
    return sum;
  };
  const exactAddends = (length: number) =>
    Array.from({ length: length + 1 }, (_, k) => {
      let count = k < first ? 0n : some.exactCount(k);
      if (count > 0n) count *= others.exactCount(length - k);
      if (count > 0n) count *= choicesOf(length - first)[k - first]!;
      return count;
    });
  const exactCounts: bigint[] = [];
  /** How likely it is that a string has k characters of `some`, by k. */
  const weightsOf = (length: number): Weights => {
    const ends: number[] = Array(length + 1).fill(0);
    const sum = count(length, ends);
    for (let k = 0; k <= length; k++) ends[k]! /= sum;
    return { ends, exact: () => exactAddends(length) };
  };
  /** Only of the lengths that are drawn. */
  const weights: Weights[] = [];
  return {
    count,
    countsUpTo: table((counts) => {
      // The greatest length first: then each table below is made once.
      for (let n = counts.length - 1; n >= 0; n--) counts[n] = count(n);
    }),
    exactCount: (length) =>
      exactCounts[length] ??= exactAddends(length).reduce((a, b) => a + b),
    drawPlaces: (length, places) => {
      const k = weightedIndex(weights[length] ??= weightsOf(length));
      some.drawPlaces(k, places);
      others.drawPlaces(length - k, places);
    },
  };
}

/** The strings of each length that have enough characters of each class. */
export interface MixedStrings {
  /**
   * How many there are. The number is exact up to 2^53, and has the rounding errors of
   * doubles above it.
   */
  readonly count: (length: number) => number;
  /** Draws one of them; there must be one. All are equally likely. */
  readonly draw: (length: number) => string;
}

/**
 * Returns the strings that have a minimum number of characters of each class. The
 * classes have no character in common, and each has only letters or none.
 *
 * How they are counted: those with k characters of one class are the choices of k
 * places, times the strings of k characters of this class, times the strings of the
 * other classes in the places that remain. The sum over all k is the number.
 *
 * How they are drawn: first how many characters each class has, with the
 * probability that is its share of the count, then which class each place has, then the
 * characters. So no try is rejected, however few strings there are.
 *
 * @param classes the classes
 * @param beginWithLetter whether the first character is a letter
 */
export function mixedStrings(
  classes: readonly RequiredSet[],
  beginWithLetter: boolean,
): MixedStrings {
  const all = [...classes.keys()];
  const isLetter = (place: number) => hasLetter(classes[place]!.characters);
  const letters = beginWithLetter ? all.filter(isLetter) : [];
  const empty = ofClass({ characters: "", min: 0 }, classes.length);
  const mixAll = (places: readonly number[]) => {
    const [first = empty, ...others] = places.map((place) =>
      ofClass(classes[place]!, place)
    );
    return others.reduce((mixed, next) => mix(mixed, next), first);
  };
  const strings = beginWithLetter
    ? mix(mixAll(letters), mixAll(all.filter((place) => !isLetter(place))), 1)
    : mixAll(all);
  return {
    count: (length) => strings.count(length),
    draw: (length) => {
      const places: number[] = Array(classes.length).fill(0);
      strings.drawPlaces(length, places);
      /** Takes a place of some classes, all alike, and draws its character. */
      const take = (from: readonly number[], count: number) => {
        let index = randomIndex(count);
        for (const place of from) {
          if (index < places[place]!) {
            places[place]!--;
            const { characters } = classes[place]!;
            return characters[randomIndex(characters.length)]!;
          }
          index -= places[place]!;
        }
        return ""; // there are so many places
      };
      let drawn = "";
      if (beginWithLetter) {
        let count = 0;
        for (const place of letters) count += places[place]!;
        drawn += take(letters, count);
      }
      while (drawn.length < length) {
        drawn += take(all, length - drawn.length);
      }
      return drawn;
    },
  };
}
