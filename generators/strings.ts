/**
 * Strings of random characters that meet rules.
 *
 * @module
 */
import type { Passwords } from "./passwords.ts";
import { randomIndex } from "./random.ts";

/** The maximum length of a string, in characters. */
export const MAX_LENGTH = 128;

/** The maximum number of required sets, since 2^n terms are counted. */
export const MAX_REQUIRED = 6;

/** The rules for strings. */
export interface StringRules {
  /** The allowed characters, each one UTF-16 unit, and none twice. */
  readonly characters: string;
  /** Sets of allowed characters. A string has a character of each set. */
  readonly required: readonly string[];
  /** How many equal characters can be in a row, at least 1. The default is any. */
  readonly maxRepeating?: number;
  /**
   * How many characters can be in a row that follow one another in a-z, A-Z or
   * 0-9, up ("abc") or down ("321"), at least 1. The default is any.
   */
  readonly maxSequential?: number;
}

/**
 * Leaves out the sets that contain another set: a string with a character of the
 * smaller set has one of the larger set too.
 *
 * @param sets the required sets, each without repeated characters
 * @returns the sets that remain
 *
 * @example
 * ```ts
 * import { smallestSets } from "./strings.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(smallestSets(["ab", "a", "bc", "cb"]), ["a", "bc"]);
 * ```
 */
export function smallestSets(sets: readonly string[]): string[] {
  const contains = (large: string, small: string) =>
    [...small].every((c) => large.includes(c));
  return sets.filter((set, i) =>
    !sets.some((other, j) =>
      i !== j && contains(set, other) && (j < i || !contains(other, set))
    )
  );
}

/** The codes of the first and the last character of a-z, A-Z and 0-9. */
const RANGES = ["az", "AZ", "09"].map((ends) =>
  [ends.charCodeAt(0), ends.charCodeAt(1)] as const
);

/** Tells whether the code b follows the code a in a-z, A-Z or 0-9. */
function follows(a: number, b: number): boolean {
  return b === a + 1 && RANGES.some(([first, last]) => a >= first && b <= last);
}

/**
 * Says how a range of `length` characters takes part in the count of the strings in
 * which no row of equal or sequential characters is too long.
 *
 * A string that ends with c is a shorter string, and c. Those that get too long a
 * row by c are subtracted. Let r be `maxRepeating`: the last r + 1 characters are
 * equal if the string without the last r characters ends with c, and not with cc.
 * Let q be `maxSequential`: the last q + 1 characters go up to c if the string
 * without the last q characters ends with the q-th character before c, and not
 * with a step up. Rows that go down are the mirror image.
 *
 * So the count is a sum of the numbers of all shorter strings, each times a factor.
 * It is counted here as if there was only the empty string: this gives the factors.
 *
 * @param most the greatest length of a string
 * @returns the factor of the strings that are n characters shorter, by n
 */
function factorsOf(
  length: number,
  maxRepeating: number,
  maxSequential: number,
  most: number,
): Float64Array {
  // By length of the string, and by place of its last character in the range.
  const table = () => new Float64Array((most + 1) * length);
  const all = table(); // all strings
  const noRepeat = table(); // those without an equal character before the last one
  const noUp = table(); // those without a step up to the last character
  const at = (table: Float64Array, n: number, place: number) =>
    n > 0 && place >= 0 ? table[n * length + place]! : 0;
  const factors = new Float64Array(most + 1);
  for (let n = 1; n <= most; n++) {
    for (let i = 0; i < length; i++) {
      const before = n - maxSequential;
      const repeated = at(noRepeat, n - maxRepeating, i);
      const up = at(noUp, before, i - maxSequential);
      const down = at(noUp, before, length - 1 - i - maxSequential);
      const count = Number(n === 1) - repeated - up - down;
      all[n * length + i] = count;
      noRepeat[n * length + i] = count - at(all, n - 1, i) + repeated;
      noUp[n * length + i] = count - at(all, n - 1, i - 1) + up;
      factors[n]! += count;
    }
  }
  return factors;
}

/**
 * Counts the strings in which no row is too long, by length.
 *
 * @param factors the sum of the factors of all ranges, see {@linkcode factorsOf}
 */
function totalsOf(factors: Float64Array): Float64Array {
  const totals = new Float64Array(factors.length);
  totals[0] = 1;
  for (let n = 1; n < totals.length; n++) {
    let total = 0;
    for (let k = 1; k <= n; k++) total += factors[k]! * totals[n - k]!;
    totals[n] = total;
  }
  return totals;
}

/** Adds to each element the same element of another array, times a number. */
function add(to: Float64Array, from: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += times * from[i]!;
}

/** The strings that meet rules, by length. */
export interface StringSet {
  /**
   * Returns the share of these strings among all strings over the characters.
   * Below 2^-40 it is inexact.
   *
   * @param length the length, from 0 to {@linkcode MAX_LENGTH}
   * @returns the share, from 0 to 1
   */
  readonly share: (length: number) => number;
  /**
   * Returns the strings of a length. To draw one takes 1 / {@linkcode share} tries
   * on average.
   *
   * @param length the length, from 0 to {@linkcode MAX_LENGTH}
   * @returns the strings
   */
  readonly of: (length: number) => Passwords;
}

/**
 * Makes the set of the strings that meet rules.
 *
 * How they are counted, by inclusion and exclusion: count the strings over all
 * characters. Subtract those without a character of one required set. Add those
 * without two of them, since they were subtracted twice. And so on. Doubles are
 * exact up to 2^53, and their rounding errors above it do not change the result if
 * the share is above 1/64. The tests compare with exact integers.
 *
 * How they are drawn: a string over the characters is drawn uniformly. If it does
 * not meet the rules, it is rejected, and another one is drawn. Each string over
 * the characters has the same probability, so each accepted string has the same
 * probability too. To draw one character of each set and to shuffle is not
 * uniform: a string that can be made in more ways is more likely.
 *
 * @param rules the rules
 * @returns the set
 * @throws {RangeError} if more than {@linkcode MAX_REQUIRED} sets remain after
 *   {@linkcode smallestSets}
 *
 * @example
 * ```ts
 * import { stringSet } from "./strings.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const rules = { characters: "abc", required: ["a"], maxRepeating: 1 };
 * const strings = stringSet(rules);
 * assertEquals(strings.of(2).bits, 2); // ab ac ba ca
 * assertEquals(strings.share(2), 4 / 9);
 * ```
 */
export function stringSet(
  { characters, required, maxRepeating = Infinity, ...limits }: StringRules,
): StringSet {
  const size = characters.length;
  const codes = Array.from(characters, (c) => c.charCodeAt(0))
    .sort((a, b) => a - b);
  const sets = smallestSets(required);
  if (sets.length > MAX_REQUIRED) {
    throw new RangeError(
      `Cannot count strings: at most ${MAX_REQUIRED} sets can be required, got ${sets.length}`,
    );
  }
  /** For each character: the mask with the bits of its required sets. */
  const masks = codes.map((code) =>
    sets.reduce(
      (mask, set, i) =>
        mask | Number(set.includes(String.fromCharCode(code))) << i,
      0,
    )
  );
  const allMask = (1 << sets.length) - 1;
  const followed = codes.map((code, i) => follows(code, codes[i + 1]!));

  /**
   * Returns the ranges without a gap in a-z, A-Z or 0-9: their number by length.
   * Any other character is a range of length 1.
   *
   * @param mask leaves out the characters of these required sets
   */
  const rangesWithout = (mask: number) => {
    const ranges: number[] = [];
    let length = 0;
    for (let i = 0; i < size; i++) {
      const isLeft = (masks[i]! & mask) === 0;
      if (isLeft) length++;
      if (length === 0 || (isLeft && followed[i])) continue;
      ranges[length] = (ranges[length] ?? 0) + 1;
      length = 0;
    }
    return ranges;
  };

  const longest = rangesWithout(0).length - 1;
  // No row is longer than the longest range.
  const { maxSequential: limit = Infinity } = limits;
  const maxSequential = limit < longest ? limit : Infinity;
  const hasLimits = Math.min(maxRepeating, maxSequential) < Infinity;

  /** For each mask of required sets: a sign, and how many characters are left. */
  const terms = Array.from({ length: allMask + 1 }, (_, mask) => {
    const missing = sets.filter((_, i) => mask & (1 << i)).length;
    const left = masks.filter((own) => (own & mask) === 0).length;
    return { sign: missing % 2 === 0 ? 1 : -1, left };
  });

  // By length.
  let counts: number[] = [];
  const passwords: Passwords[] = [];

  /** Counts the strings of all lengths up to the greatest one. */
  const countAll = (most: number) => {
    const counts = new Float64Array(most + 1);
    // By length of the range: most terms have ranges of the same lengths.
    const known: Float64Array[] = [];
    for (const [mask, { sign, left }] of terms.entries()) {
      const factors = new Float64Array(most + 1);
      // Without a limit of sequential characters each character is a range.
      const ranges = maxSequential < Infinity ? rangesWithout(mask) : [0, left];
      ranges.forEach((copies, range) => {
        known[range] ??= factorsOf(range, maxRepeating, maxSequential, most);
        add(factors, known[range], copies);
      });
      add(counts, totalsOf(factors), sign);
    }
    return [...counts];
  };
  const count = (length: number) => {
    if (counts[length] !== undefined) return counts[length];
    if (hasLimits) {
      // Most requests ask for one length. The others ask for many, in ascending order.
      const isFirst = counts.length === 0 && length <= MAX_LENGTH / 2;
      counts = countAll(isFirst ? length : MAX_LENGTH);
      return counts[length]!;
    }
    let count = 0;
    for (const { sign, left } of terms) count += sign * left ** length;
    return counts[length] = count;
  };

  const bitsOf = (length: number) => {
    const bits = Math.log2(count(length));
    const isComplete = length <= maxRepeating && length <= maxSequential &&
      terms.every(({ left }, mask) => mask === 0 || left === 0);
    // Some strings are missing. If they are too few for a double, take the next
    // smaller double: 68 of 16 characters are 271.99 bits, not 272.
    const all = length * Math.log2(size);
    return isComplete ? bits : Math.min(bits, all * (1 - Number.EPSILON));
  };

  /** Says whether no row of equal or sequential characters is too long. */
  const hasShortRows = (text: string) => {
    let [repeated, up, down] = [1, 1, 1];
    for (let i = 1; i < text.length; i++) {
      const [a, b] = [text.charCodeAt(i - 1), text.charCodeAt(i)];
      repeated = a === b ? repeated + 1 : 1;
      up = follows(a, b) ? up + 1 : 1;
      down = follows(b, a) ? down + 1 : 1;
      if (repeated > maxRepeating || Math.max(up, down) > maxSequential) {
        return false;
      }
    }
    return true;
  };

  const draw = (length: number) => {
    if (!(count(length) > 0)) {
      throw new RangeError(
        `Cannot make a password: no string of length ${length} meets the rules`,
      );
    }
    while (true) {
      let drawn = "";
      let seenMask = 0;
      // Two characters per draw: a uniform pair is two independent uniform
      // characters, for half the randomness. (A table of all pairs would save the
      // division, but under load its cache misses cost two microseconds.)
      for (let i = 1; i < length; i += 2) {
        const pair = randomIndex(size * size);
        const first = Math.floor(pair / size);
        const second = pair % size;
        drawn += String.fromCharCode(codes[first]!, codes[second]!);
        seenMask |= masks[first]! | masks[second]!;
      }
      if (length % 2 === 1) {
        const index = randomIndex(size);
        drawn += String.fromCharCode(codes[index]!);
        seenMask |= masks[index]!;
      }
      if (seenMask !== allMask) continue;
      if (!hasLimits || hasShortRows(drawn)) return drawn;
    }
  };

  const share = (length: number) => count(length) / size ** length;
  return {
    share,
    of: (length) =>
      passwords[length] ??= {
        bits: bitsOf(length),
        drawnCharacters: length / share(length),
        generate: () => draw(length),
      },
  };
}
