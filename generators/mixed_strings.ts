/**
 * Strings that have a number of characters of each of several classes.
 *
 * @module
 */
import { randomIndex } from "./random.ts";
import { weightedIndex, type Weights } from "./weighted_choice.ts";
import type { Work } from "./work.ts";

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

/** A class, and the strings of it and of all classes before it. */
interface Level extends RequiredSet {
  /** How many characters the class has. */
  readonly size: number;
  /** How many places are closed to the class: 1 if the first character is not of it. */
  readonly closed: 0 | 1;
  /** How many strings there are, by length. */
  counts: number[];
  readonly exactCounts: bigint[];
  /** How likely each number of characters of the class is, by length of the string. */
  readonly weights: Weights[];
}

/** The counts of strings without a class: only the empty string. */
const EMPTY = [1, ...Array<number>(MAX_LENGTH).fill(0)];

/**
 * The strings that have a minimum number of characters of each class. The classes have
 * no character in common; if the first character is a letter, each has only letters or
 * none.
 *
 * How they are counted: those with k characters of the last class are the choices of k
 * places, times the strings of k characters of this class, times the strings of the
 * other classes in the places that remain. The sum over all k is the number.
 *
 * How they are drawn: first how many characters each class has, with the
 * probability that is its share of the count, then which class each place has, then the
 * characters. So no try is rejected, however few strings there are.
 */
export class MixedStrings {
  readonly #levels: readonly Level[];
  readonly #last: number;

  /**
   * @param classes the classes; a share is of the last one
   * @param beginWithLetter whether the first character is a letter
   * @param work the bound of the work
   */
  constructor(
    classes: readonly RequiredSet[],
    beginWithLetter: boolean,
    private readonly work: Work,
  ) {
    this.#levels = classes.map((set): Level => ({
      ...set,
      size: set.characters.length,
      closed: beginWithLetter && !hasLetter(set.characters) ? 1 : 0,
      counts: [],
      exactCounts: [],
      weights: [],
      // Letters first: then each other class has one place less.
    })).sort((a, b) => a.closed - b.closed);
    this.#last = classes.length - 1;
  }

  /**
   * Returns how many there are, or how many of these have exactly `share` characters of
   * the last class. The number is exact up to 2^53, and has the rounding errors of doubles
   * above it.
   */
  count(length: number, share?: number): number {
    if (share === undefined) return this.#sumOf(this.#last, length);
    const { size, closed } = this.#levels[this.#last]!;
    return doublesOf(length - closed)[share]! * size ** share *
      this.#countsUpTo(this.#last - 1, length)[length - share]!;
  }

  /** Draws one of them; there must be one. All are equally likely. */
  draw(length: number, share?: number): string {
    const left = this.#drawNumbers(length, share);
    let open = length;
    for (const [at, { closed }] of this.#levels.entries()) {
      open -= closed * left[at]!;
    }
    let drawn = "";
    for (let places = length; places > 0; places--) {
      let index = randomIndex(drawn === "" ? open : places);
      let at = 0;
      while (index >= left[at]!) index -= left[at++]!;
      left[at]!--;
      const { characters, size } = this.#levels[at]!;
      drawn += characters[randomIndex(size)]!;
    }
    return drawn;
  }

  /** How many strings of the levels up to one there are, by length. */
  #countsUpTo(at: number, length: number): readonly number[] {
    if (at < 0) return EMPTY;
    const level = this.#levels[at]!;
    if (length >= level.counts.length) {
      // minimumEntropy asks for one length after another.
      const isFirst = level.counts.length === 0;
      const end = isFirst ? length : Math.min(MAX_LENGTH, 2 * length);
      this.work.spend(end * end / 2);
      level.counts = Array(end + 1).fill(0);
      // The greatest length first: then each table of a level before is made once.
      for (let n = end; n >= 0; n--) level.counts[n] = this.#sumOf(at, n);
    }
    return level.counts;
  }

  /**
   * Adds up the strings by the number of their characters of the class. Writes the sum up
   * to each number to `sums`.
   */
  #sumOf(at: number, length: number, sums?: number[]): number {
    const { min, size, closed } = this.#levels[at]!;
    if (length < closed) return 0;
    const others = this.#countsUpTo(at - 1, length);
    const choices = doublesOf(length - closed);
    // Before the first class there is only the empty string.
    const first = at === 0 ? Math.max(min, length) : min;
    let [sum, power] = [0, size ** first];
    for (let k = first; k <= length - closed; k++, power *= size) {
      sum += choices[k]! * power * others[length - k]!;
      if (sums) sums[k] = sum;
    }
    return sum;
  }

  /** Draws how many characters a string has of each level. */
  #drawNumbers(length: number, share?: number): number[] {
    const numbers: number[] = Array(this.#levels.length).fill(0);
    let left = length;
    for (let at = this.#last; at > 0; at--) {
      const { weights } = this.#levels[at]!;
      numbers[at] = at === this.#last && share !== undefined
        ? share
        : weightedIndex(weights[left] ??= this.#weightsOf(at, left));
      left -= numbers[at]!;
    }
    numbers[0] = left;
    return numbers;
  }

  #weightsOf(at: number, length: number): Weights {
    const ends: number[] = Array(length - this.#levels[at]!.closed + 1).fill(0);
    const sum = this.#sumOf(at, length, ends);
    return {
      ends: ends.map((end) => end / sum),
      exact: () => this.#exactAddends(at, length),
    };
  }

  #exactAddends(at: number, length: number): bigint[] {
    const { min, size, closed } = this.#levels[at]!;
    return Array.from(
      { length: Math.max(0, length - closed + 1) },
      (_, k) =>
        k < min ? 0n : choicesOf(length - closed)[k]! *
          BigInt(size) ** BigInt(k) * this.#exactCount(at - 1, length - k),
    );
  }

  #exactCount(at: number, length: number): bigint {
    if (at < 0) return length === 0 ? 1n : 0n;
    return this.#levels[at]!.exactCounts[length] ??= this
      .#exactAddends(at, length).reduce((a, b) => a + b, 0n);
  }
}
