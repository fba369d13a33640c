/**
 * Strings of random characters that meet rules.
 *
 * @module
 */
import type { Passwords } from "./passwords.ts";
import { randomIndex } from "./random.ts";
import { hasShortRuns, rangesOf, runCounter, type RunLimits } from "./runs.ts";

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

/**
 * Counts the strings that meet rules.
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
 * @param most the greatest length of a string, at most {@linkcode MAX_LENGTH}
 * @returns the strings of a length, from 0 to `most`; without any, `bits` is
 *   -Infinity and `generate()` throws
 * @throws {RangeError} if more than {@linkcode MAX_REQUIRED} sets remain after
 *   {@linkcode smallestSets}
 *
 * @example
 * ```ts
 * import { stringSet } from "./strings.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const rules = { characters: "abc", required: ["a"], maxRepeating: 1 };
 * const { bits, drawnCharacters } = stringSet(rules)(2);
 * assertEquals(bits, 2); // ab ac ba ca
 * assertEquals(drawnCharacters, 2 / (4 / 9)); // 4 of 9 strings are accepted
 * ```
 */
export function stringSet(
  { characters, required, maxRepeating = Infinity, ...limits }: StringRules,
  most: number = MAX_LENGTH,
): (length: number) => Passwords {
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

  // No run is longer than the longest range.
  const { maxSequential: limit = Infinity } = limits;
  const maxSequential = limit < rangesOf(codes).length - 1 ? limit : Infinity;
  const runs: RunLimits = { maxRepeating, maxSequential };
  const hasLimits = Math.min(maxRepeating, maxSequential) < Infinity;

  /** The counts by length without rules about runs: powers of the number of codes. */
  const powersOf = ({ length: base }: readonly number[]) => {
    const powers = new Float64Array(most + 1).fill(1);
    for (let n = 1; n <= most; n++) powers[n] = powers[n - 1]! * base;
    return powers;
  };
  const countRuns = runCounter(runs, most);
  const countAll = !hasLimits
    ? powersOf
    : maxSequential === Infinity
    ? (left: readonly number[]) => countRuns([0, left.length])
    : (left: readonly number[]) => countRuns(rangesOf(left));

  const counts = new Float64Array(most + 1);
  /** Whether some string over the characters has no character of a required set. */
  let canMissSet = false;
  for (let missing = 0; missing <= allMask; missing++) {
    const left = codes.filter((_, i) => (masks[i]! & missing) === 0);
    if (missing > 0 && left.length > 0) canMissSet = true;
    const sign = sets.filter((_, i) => missing & (1 << i)).length % 2 ? -1 : 1;
    const term = countAll(left);
    for (let n = 0; n <= most; n++) counts[n]! += sign * term[n]!;
  }
  // Rounding errors can leave less than none.
  for (let n = 0; n <= most; n++) counts[n] = Math.max(0, counts[n]!);

  const bitsOf = (length: number) => {
    const bits = Math.log2(counts[length]!);
    const isComplete = !canMissSet && length <= maxRepeating &&
      length <= maxSequential;
    // Some strings are missing. If they are too few for a double, take the next
    // smaller double: 68 of 16 characters are 271.99 bits, not 272.
    const all = length * Math.log2(size);
    return isComplete ? bits : Math.min(bits, all * (1 - Number.EPSILON));
  };

  const draw = (length: number) => {
    if (!(counts[length]! > 0)) {
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
      if (!hasLimits || hasShortRuns(drawn, runs)) return drawn;
    }
  };

  return (length) => ({
    bits: bitsOf(length),
    // The share of accepted strings; below 2^-40 it is inexact.
    drawnCharacters: length / (counts[length]! / size ** length),
    generate: () => draw(length),
  });
}
