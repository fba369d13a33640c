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

const ONE_RANGE = /^(?:[a-z]{2}|[A-Z]{2}|[0-9]{2})$/;

/**
 * Compares neighbours: 0 for equal characters, 1 or -1 if they follow one another
 * in a-z, A-Z or 0-9, otherwise undefined.
 */
function stepOf(a: string, b: string): number | undefined {
  const step = b.charCodeAt(0) - a.charCodeAt(0);
  if (step === 0) return 0;
  return Math.abs(step) === 1 && ONE_RANGE.test(a + b) ? step : undefined;
}

/**
 * Returns the ranges of characters without a gap in a-z, A-Z or 0-9: their number
 * by length. Any other character is a range of length 1.
 */
function rangesOf(characters: string): Map<number, number> {
  const ranges = new Map<number, number>();
  const sorted = [...characters].sort();
  let length = 0;
  for (const [i, c] of sorted.entries()) {
    length++;
    const next = sorted[i + 1];
    if (next !== undefined && stepOf(c, next) === 1) continue;
    ranges.set(length, (ranges.get(length) ?? 0) + 1);
    length = 0;
  }
  return ranges;
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
 * @returns the factor of the strings that are n characters shorter, by n
 */
function factorsOf(
  length: number,
  maxRepeating: number,
  maxSequential: number,
): Float64Array {
  // By length of the string, and by place of its last character in the range.
  const table = () => new Float64Array((MAX_LENGTH + 1) * length);
  const all = table(); // all strings
  const noRepeat = table(); // those without an equal character before the last one
  const noUp = table(); // those without a step up to the last character
  const at = (table: Float64Array, n: number, place: number) =>
    n > 0 && place >= 0 ? table[n * length + place]! : 0;
  const factors = new Float64Array(MAX_LENGTH + 1);
  for (let n = 1; n <= MAX_LENGTH; n++) {
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
  const sets = smallestSets(required);
  if (sets.length > MAX_REQUIRED) {
    throw new RangeError(
      `Cannot count strings: at most ${MAX_REQUIRED} sets can be required, got ${sets.length}`,
    );
  }
  const longest = Math.max(...rangesOf(characters).keys());
  // No row is longer than the longest range.
  const { maxSequential: limit = Infinity } = limits;
  const maxSequential = limit < longest ? limit : Infinity;
  const hasLimits = Math.min(maxRepeating, maxSequential) < Infinity;

  /** For each character: the mask with the bits of its required sets. */
  const masks = Uint8Array.from(
    characters,
    (c) =>
      sets.reduce((mask, set, i) => mask | Number(set.includes(c)) << i, 0),
  );
  const allMask = (1 << sets.length) - 1;
  /** For each mask of required sets: a sign, and the characters without them. */
  const terms = Array.from({ length: allMask + 1 }, (_, mask) => {
    const missing = sets.filter((_, i) => mask & (1 << i)).length;
    const rest = [...characters].filter((_, i) => !(masks[i]! & mask)).join("");
    return { sign: missing % 2 === 0 ? 1 : -1, rest };
  });

  // By length.
  const counts: number[] = [];
  const passwords: Passwords[] = [];

  const count = (length: number) => {
    if (counts[length] !== undefined) return counts[length];
    if (!hasLimits) {
      let count = 0;
      for (const { sign, rest } of terms) count += sign * rest.length ** length;
      return counts[length] = count;
    }
    counts.push(...new Float64Array(MAX_LENGTH + 1));
    // By length of the range: most terms have ranges of the same lengths.
    const known: Float64Array[] = [];
    for (const { sign, rest } of terms) {
      const factors = new Float64Array(MAX_LENGTH + 1);
      // Without a limit of sequential characters each character is a range.
      const ranges = maxSequential < Infinity
        ? rangesOf(rest)
        : [[1, rest.length] as const];
      for (const [range, copies] of ranges) {
        (known[range] ??= factorsOf(range, maxRepeating, maxSequential))
          .forEach((factor, n) => factors[n]! += copies * factor);
      }
      const totals = new Float64Array(MAX_LENGTH + 1);
      totals[0] = 1;
      for (let n = 0; n <= MAX_LENGTH; n++) {
        let total = totals[n]!;
        for (let k = 1; k <= n; k++) total += factors[k]! * totals[n - k]!;
        totals[n] = total;
        counts[n]! += sign * total;
      }
    }
    return counts[length]!;
  };

  const bitsOf = (length: number) => {
    const bits = Math.log2(count(length));
    const isComplete = length <= maxRepeating && length <= maxSequential &&
      terms.every(({ rest }, mask) => mask === 0 || rest === "");
    // Some strings are missing. If they are too few for a double, take the next
    // smaller double: 68 of 16 characters are 271.99 bits, not 272.
    const all = length * Math.log2(size);
    return isComplete ? bits : Math.min(bits, all * (1 - Number.EPSILON));
  };

  /** Says whether no row of equal or sequential characters is too long. */
  const hasShortRows = (text: string) => {
    let [repeated, sequential] = [1, 1];
    let last: number | undefined;
    for (let i = 1; i < text.length; i++) {
      const step = stepOf(text[i - 1]!, text[i]!);
      repeated = step === 0 ? repeated + 1 : 1;
      sequential = !step ? 1 : step === last ? sequential + 1 : 2;
      last = step;
      if (repeated > maxRepeating || sequential > maxSequential) return false;
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
        drawn += characters[first]! + characters[second]!;
        seenMask |= masks[first]! | masks[second]!;
      }
      if (length % 2 === 1) {
        const index = randomIndex(size);
        drawn += characters[index]!;
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
