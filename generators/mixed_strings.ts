/**
 * Strings that have at least so many characters of each of several classes.
 *
 * @module
 */
import { groupBy } from "./group_by.ts";
import { randomBigIndex, randomIndex } from "./random.ts";

/** A class of characters, and how many of them a string has at least. */
export interface RequiredSet {
  /** The characters, each one UTF-16 unit, and none twice. */
  readonly characters: string;
  /** How many a string has at least. */
  readonly min: number;
}

/** Some strings of each length. */
interface Strings {
  readonly count: (length: number) => bigint;
  /** Draws one of them. All are equally likely. */
  readonly draw: (length: number) => string;
}

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
const doublesOf = (n: number) =>
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

const EMPTY: Strings = {
  count: (length) => length === 0 ? 1n : 0n,
  draw: () => "",
};

/** The strings over a class that are not too short. */
function ofClass({ characters, min }: RequiredSet): Strings {
  const powers = [1n];
  return {
    count: (length) => {
      while (powers.length <= length) {
        powers.push(powers.at(-1)! * BigInt(characters.length));
      }
      return length < min ? 0n : powers[length]!;
    },
    draw: (length) => {
      let drawn = "";
      while (drawn.length < length) {
        drawn += characters[randomIndex(characters.length)]!;
      }
      return drawn;
    },
  };
}

/**
 * The strings that are a mixture of one of `some` and one of `others`, whose
 * characters differ, so that the mixture determines both.
 * With `first`, a character of `some` stays at the beginning.
 */
function mix(some: Strings, others: Strings, first: 0 | 1 = 0): Strings {
  /** How many strings of a length have k characters of `some`. */
  const countOf = (length: number, k: number) => {
    let count = k < first ? 0n : some.count(k);
    if (count > 0n) count *= others.count(length - k);
    if (count > 0n) count *= choicesOf(length - first)[k - first]!;
    return count;
  };
  const sumOf = (length: number) => {
    let sum = 0n;
    for (let k = 0; k <= length; k++) sum += countOf(length, k);
    return sum;
  };
  const sums: bigint[] = [];
  const count = (length: number) => sums[length] ??= sumOf(length);
  // Only of the lengths that are drawn: to keep all numbers takes longer than to
  // compute them.
  const rows: bigint[][] = [];
  const rowOf = (length: number) =>
    rows[length] ??= Array.from(
      { length: length + 1 },
      (_, k) => countOf(length, k),
    );
  return {
    count,
    draw: (length) => {
      let index = randomBigIndex(count(length));
      const row = rowOf(length);
      let k = 0;
      while (index >= row[k]!) index -= row[k++]!;
      const drawn = some.draw(k);
      return drawn.slice(0, first) +
        interleave(drawn.slice(first), others.draw(length - k));
    },
  };
}

/** Characters that are alike, and how many of them a string has at least. */
interface Kind {
  /** How many there are. */
  readonly size: number;
  /** How many of them can be the first character. */
  readonly first: number;
  readonly min: number;
}

/**
 * Counts the strings that have enough characters of each kind, by length, 0 to
 * `maxLength`. The counts are exact up to 2^53, and have the rounding errors of doubles
 * above it. It adds a kind at a time, by the places of its characters.
 */
export function countMixed(
  kinds: readonly Kind[],
  maxLength: number,
): Float64Array {
  const rows = Array.from({ length: maxLength + 1 }, (_, n) => doublesOf(n));
  /** Without regard to the first character. */
  let any = new Float64Array(maxLength + 1);
  any[0] = 1;
  let counts = new Float64Array(maxLength + 1);
  for (const { size, first, min } of kinds) {
    const powers = new Float64Array(maxLength + 1).fill(1);
    for (let k = 1; k <= maxLength; k++) powers[k] = powers[k - 1]! * size;
    const [nextAny, next] = [any.slice().fill(0), any.slice().fill(0)];
    for (let n = 0; n <= maxLength; n++) {
      for (let k = min; k <= n; k++) {
        nextAny[n]! += rows[n]![k]! * powers[k]! * any[n - k]!;
        // The first character is of this kind, or it is not.
        if (k > 0) {
          next[n]! += rows[n - 1]![k - 1]! * first * powers[k - 1]! *
            any[n - k]!;
        }
        if (k < n) next[n]! += rows[n - 1]![k]! * powers[k]! * counts[n - k]!;
      }
    }
    [any, counts] = [nextAny, next];
  }
  // The empty string has no first character.
  counts[0] = any[0]!;
  return counts;
}

/**
 * Makes a function that draws the strings that have at least so many characters of
 * each class.
 *
 * How they are counted: those with k characters of one class are the choices of k
 * places, times the strings of k characters of this class, times the strings of the
 * other classes in the places that remain. The sum over all k is exact.
 *
 * How they are drawn: first how many characters each class has, with the
 * probability that is its share of the count, then the places, then the characters.
 * So no try is rejected, however few strings there are.
 *
 * The classes have no character in common. The function throws a RangeError if there is
 * no string of a length.
 */
export function mixedStrings(
  classes: readonly RequiredSet[],
  beginWithLetter: boolean,
): (length: number) => string {
  const mixAll = (classes: readonly RequiredSet[] = []) => {
    const [first = EMPTY, ...others] = classes.map(ofClass);
    return others.reduce((mixed, next) => mix(mixed, next), first);
  };
  const groups = groupBy(classes, ({ characters }) => hasLetter(characters));
  const [letters, others] = [groups.get(true), groups.get(false)];
  return mix(mixAll(letters), mixAll(others), beginWithLetter ? 1 : 0).draw;
}
