/**
 * Strings of random characters that meet rules.
 *
 * @module
 */
import { groupBy } from "./group_by.ts";
import type { PossiblePasswords } from "./passwords.ts";
import { hasLetter, type LeastOf } from "./mixed_strings.ts";
import { randomIndex } from "./random.ts";
import { hasShortRuns, rangesOf, runCounter, type RunLimits } from "./runs.ts";

/** The maximum length of a string, in characters. */
export const MAX_LENGTH = 128;

/** The maximum number of required sets, since 2^n terms are counted. */
export const MAX_REQUIRED = 6;

/** To count takes some nanoseconds a step; so many take 1 to 2 ms. */
export const MAX_STEPS = 300_000;

/** To prepare a step takes as long as so many steps. */
const PREPARATION = 16;

/** The rules for strings. */
export interface StringRules {
  /** The allowed characters, each one UTF-16 unit, and none twice. */
  readonly characters: string;
  /** Sets of allowed characters, and how many of each a string has at least. */
  readonly required: readonly LeastOf[];
  /** Whether the first character is a letter. The default is false. */
  readonly beginWithLetter?: boolean;
  /** How many equal characters can be in a row, at least 1. The default is any. */
  readonly maxRepeating?: number;
  /**
   * How many characters can be in a row that follow one another in a-z, A-Z or
   * 0-9, up ("abc") or down ("321"), at least 1. The default is any.
   */
  readonly maxSequential?: number;
}

/**
 * Counts how often each required set stands, and leaves out the sets that contain
 * another one that stands as often: a string with enough characters of the smaller
 * set has enough of the larger set too.
 */
export function smallestSets(required: readonly string[]): LeastOf[] {
  const contains = (large: string, small: string) =>
    [...small].every((c) => large.includes(c));
  const sets: { characters: string; least: number }[] = [];
  for (const set of required) {
    const equal = sets.find(({ characters }) =>
      characters.length === set.length && contains(characters, set)
    );
    if (equal) equal.least++;
    else sets.push({ characters: set, least: 1 });
  }
  return sets.filter((set) =>
    !sets.some((other) =>
      other !== set && other.least >= set.least &&
      contains(set.characters, other.characters)
    )
  );
}

/** For each character: the mask with the bits of the sets that contain it. */
function masksOf(characters: Iterable<string>, sets: readonly LeastOf[]) {
  return Array.from(characters, (c) =>
    sets.reduce(
      (mask, set, i) => mask | Number(set.characters.includes(c)) << i,
      0,
    ));
}

/**
 * Says how many steps it takes to count the strings that meet rules, if more than
 * one character of a set is required: 0 if this is fast, and Infinity with a limit of
 * sequences and a set that has only a part of a range.
 */
export function stepsOf(
  { characters, required, maxRepeating = Infinity, ...limits }: StringRules,
  most: number,
): number {
  if (required.every(({ least }) => least === 1)) return 0;
  const { maxSequential = Infinity } = limits;
  const states = required.reduce((n, { least }) => n * (least + 1), 1);
  if (Math.min(maxRepeating, maxSequential) < Infinity) {
    return maxSequential < Infinity && isCut(characters, required)
      ? Infinity
      : states * most * most / 5;
  }
  const masks = new Set(masksOf(characters, required));
  if ([...masks].every(isOneSet)) return 0;
  return states * masks.size * (most + PREPARATION);
}

/** Tells whether a set of which several are required has a part of a range only. */
function isCut(characters: string, required: readonly LeastOf[]): boolean {
  const repeated = required.filter(({ least }) => least > 1);
  const numberOf = (codes: readonly number[]) =>
    rangesOf(codes).reduce((sum, ranges) => sum + ranges, 0);
  const codes = Array.from(characters, (c) => c.charCodeAt(0))
    .sort((a, b) => a - b);
  const parts = groupBy(
    codes,
    (code) => masksOf(String.fromCharCode(code), repeated)[0],
  );
  return [...parts.values()].reduce((sum, part) => sum + numberOf(part), 0) >
    numberOf(codes);
}

/** Tells whether a mask has at most one bit. */
const isOneSet = (mask: number) => (mask & (mask - 1)) === 0;

/** How many characters are in the same sets, and how many of these can be first. */
interface Kind {
  readonly all: number;
  readonly first: number;
}

/** Pascal's triangle, in doubles, as far as it was needed. */
const triangle = [[1]];

function choicesOf(n: number): readonly number[] {
  for (let row = triangle.length; row <= n; row++) {
    const last = triangle[row - 1]!;
    triangle[row] = [1, ...last.map((ways, k) => ways + (last[k + 1] ?? 0))];
  }
  return triangle[n]!;
}

/**
 * Counts the strings that have enough characters of each set, by length, if no
 * character is in two sets. It adds a set at a time, by the places of its characters.
 */
function countDisjoint(
  sets: readonly LeastOf[],
  kinds: ReadonlyMap<number, Kind>,
  most: number,
): Float64Array {
  /** Without regard to the first character. */
  let any = new Float64Array(most + 1);
  any[0] = 1;
  let counts = new Float64Array(most + 1);
  for (const [mask, kind] of kinds) {
    const least = mask === 0 ? 0 : sets[Math.log2(mask)]!.least;
    const powers = new Float64Array(most + 1).fill(1);
    for (let k = 1; k <= most; k++) powers[k] = powers[k - 1]! * kind.all;
    const [nextAny, next] = [any.slice().fill(0), any.slice().fill(0)];
    for (let n = 0; n <= most; n++) {
      const [ways, waysLess] = [choicesOf(n), choicesOf(Math.max(0, n - 1))];
      for (let k = least; k <= n; k++) {
        nextAny[n]! += ways[k]! * powers[k]! * any[n - k]!;
        // The first character is of this set, or it is not.
        if (k > 0) {
          next[n]! += waysLess[k - 1]! * kind.first * powers[k - 1]! *
            any[n - k]!;
        }
        if (k < n) {
          next[n]! += waysLess[k]! * powers[k]! * counts[n - k]!;
        }
      }
    }
    [any, counts] = [nextAny, next];
  }
  return counts;
}

/**
 * Counts the strings that have enough characters of each set, by length. It adds a
 * character at a time, by how many of each set there are; enough of a set is as good
 * more.
 */
function countEnough(
  sets: readonly LeastOf[],
  kinds: ReadonlyMap<number, Kind>,
  most: number,
): Float64Array {
  // A state is a number with a digit for each set.
  const states = sets.reduce((product, { least }) => product * (least + 1), 1);
  const steps = [...kinds].map(([mask, { all, first }]) => ({
    all,
    first,
    to: Uint32Array.from({ length: states }, (_, state) => {
      let [next, unit, rest] = [state, 1, state];
      for (const [i, { least }] of sets.entries()) {
        if (mask & (1 << i) && rest % (least + 1) < least) next += unit;
        rest = Math.floor(rest / (least + 1));
        unit *= least + 1;
      }
      return next;
    }),
  }));
  const counts = new Float64Array(most + 1);
  let ofState = new Float64Array(states);
  ofState[0] = 1;
  for (let n = 1; n <= most; n++) {
    const longer = new Float64Array(states);
    for (const { all, first, to } of steps) {
      const characters = n === 1 ? first : all;
      for (let state = 0; state < states; state++) {
        longer[to[state]!]! += characters * ofState[state]!;
      }
    }
    ofState = longer;
    counts[n] = ofState[states - 1]!;
  }
  return counts;
}

function hasEnough(text: string, { characters, least }: LeastOf): boolean {
  let count = 0;
  for (const c of text) count += Number(characters.includes(c));
  return count >= least;
}

/**
 * Counts the strings that meet rules.
 *
 * How they are counted, by inclusion and exclusion: count the strings over all
 * characters. Subtract those without a character of one required set. Add those
 * without two of them, since they were subtracted twice. And so on. Doubles are
 * exact up to 2^53, and their rounding errors above it do not change the result if
 * the share is above 1/64. The tests compare with exact integers. If more than one
 * character of a set is required, they are counted by how many of each set there are.
 *
 * How they are drawn: a string over the characters is drawn uniformly. If it does
 * not meet the rules, it is rejected, and another one is drawn. Each string over
 * the characters has the same probability, so each accepted string has the same
 * probability too. To draw one character of each set and to shuffle is not
 * uniform: a string that can be made in more ways is more likely.
 *
 * Without strings of a length, up to `most`, `bits` is -Infinity and `generate()` throws.
 *
 * @throws {RangeError} if more than {@linkcode MAX_REQUIRED} sets are required, or if
 *   {@linkcode stepsOf} is more than {@linkcode MAX_STEPS}
 */
export function stringSet(
  { characters, required, beginWithLetter, ...limits }: StringRules,
  most: number = MAX_LENGTH,
): (length: number) => PossiblePasswords {
  const size = characters.length;
  const isLetter = (code: number) => hasLetter(String.fromCharCode(code));
  const codes = Array.from(characters, (c) => c.charCodeAt(0))
    .sort((a, b) => a - b);
  /** The places of the characters that can be first; empty if all can. */
  const starts = beginWithLetter
    ? [...codes.keys()].filter((i) => isLetter(codes[i]!))
    : [];
  const startSet = starts.map((i) => String.fromCharCode(codes[i]!));
  // The first character may be one of a set in any case.
  const sets = required.filter(({ characters, least }) =>
    !beginWithLetter || least > 1 ||
    !startSet.every((c) => characters.includes(c))
  );
  if (sets.length > MAX_REQUIRED) {
    throw new RangeError(
      `Cannot count strings: at most ${MAX_REQUIRED} sets can be required, got ${sets.length}`,
    );
  }
  const masks = masksOf(String.fromCharCode(...codes), sets);
  const allMask = (1 << sets.length) - 1;

  // No run is longer than the longest range.
  const { maxRepeating = Infinity, maxSequential: limit = Infinity } = limits;
  const maxSequential = limit < rangesOf(codes).length - 1 ? limit : Infinity;
  const runs: RunLimits = { maxRepeating, maxSequential };
  const hasLimits = Math.min(maxRepeating, maxSequential) < Infinity;
  const repeated = sets.filter(({ least }) => least > 1);
  if (
    repeated.length > 0 &&
    stepsOf({ characters, required: sets, ...limits }, most) > MAX_STEPS
  ) {
    throw new RangeError(
      `Cannot count strings: to count more than one character of a set takes more than ${MAX_STEPS} steps`,
    );
  }

  /** The counts by length without rules about runs: powers of the number of codes. */
  const powersOf = (left: readonly number[]) => {
    const powers = new Float64Array(most + 1).fill(1);
    powers[1] = beginWithLetter ? left.filter(isLetter).length : left.length;
    for (let n = 2; n <= most; n++) powers[n] = powers[n - 1]! * left.length;
    return powers;
  };
  const countRuns = runCounter(runs, most);
  const ranges = maxSequential === Infinity
    ? (left: readonly number[]) => [0, left.length]
    : rangesOf;
  /** The counts of strings that have too few characters of each of some sets. */
  const countFew = (left: readonly number[], few: readonly LeastOf[]) => {
    const parts = few.length === 0
      ? [left]
      : groupBy(left, (code) => masksOf(String.fromCharCode(code), few)[0]!)
        .values();
    return countRuns(
      Array.from(parts, (codes) => ({
        ranges: ranges(codes),
        first: beginWithLetter ? ranges(codes.filter(isLetter)) : undefined,
        counted: [...few.keys()].filter((i) =>
          few[i]!.characters.includes(String.fromCharCode(codes[0]!))
        ),
      })),
      few.map(({ least }) => least),
    );
  };
  /** The counts by length, by inclusion and exclusion. */
  const countByExclusion = () => {
    const counts = new Float64Array(most + 1);
    for (let missing = 0; missing <= allMask; missing++) {
      const lacking = sets.filter((_, i) => missing & (1 << i));
      const isOdd = lacking.length % 2 === 1;
      // Too few of a set of which one is required is none.
      const none = missing & ~repeatedMask;
      const left = codes.filter((_, i) => (masks[i]! & none) === 0);
      const term = hasLimits
        ? countFew(left, lacking.filter(({ least }) => least > 1))
        : powersOf(left);
      for (let n = 0; n <= most; n++) {
        counts[n]! += isOdd ? -term[n]! : term[n]!;
      }
    }
    if (beginWithLetter) counts[0] = 0;
    // Rounding errors can leave less than none.
    return counts.map((count) => Math.max(0, count));
  };
  /** How many characters are in the same sets. */
  const kindsOf = () =>
    new Map(
      [...groupBy(codes.keys(), (i) => masks[i]!)].map(([mask, places]) => {
        const { length: all } = places;
        const letters = places.filter((i) => isLetter(codes[i]!));
        return [mask, { all, first: beginWithLetter ? letters.length : all }];
      }),
    );
  const repeatedMask = sets.reduce(
    (mask, { least }, i) => mask | Number(least > 1) << i,
    0,
  );
  const counts = repeated.length === 0 || hasLimits
    ? countByExclusion()
    : (masks.every(isOneSet) ? countDisjoint : countEnough)(
      sets,
      kindsOf(),
      most,
    );
  /** Whether some string over the characters has too few of a required set. */
  const canMissSet = masks.some((mask) => mask !== allMask);

  const bitsOf = (length: number) => {
    const bits = Math.log2(counts[length]!);
    const isComplete = !canMissSet && length <= maxRepeating &&
      length <= maxSequential;
    // Some strings are missing. If they are too few for a double, take the next
    // smaller double: 68 of 16 characters are 271.99 bits, not 272.
    const all = length * Math.log2(size) +
      Math.log2((starts.length || size) / size);
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
      let left = length;
      if (starts.length > 0) {
        const index = starts[randomIndex(starts.length)]!;
        drawn = String.fromCharCode(codes[index]!);
        seenMask = masks[index]!;
        left--;
      }
      // Two characters per draw: a uniform pair is two independent uniform
      // characters, for half the randomness. (A table of all pairs would save the
      // division, but under load its cache misses cost two microseconds.)
      for (; left > 1; left -= 2) {
        const pair = randomIndex(size * size);
        const first = Math.floor(pair / size);
        const second = pair % size;
        drawn += String.fromCharCode(codes[first]!, codes[second]!);
        seenMask |= masks[first]! | masks[second]!;
      }
      if (left === 1) {
        const index = randomIndex(size);
        drawn += String.fromCharCode(codes[index]!);
        seenMask |= masks[index]!;
      }
      if (seenMask !== allMask) continue;
      if (!repeated.every((set) => hasEnough(drawn, set))) continue;
      if (!hasLimits || hasShortRuns(drawn, runs)) return drawn;
    }
  };

  return (length) => {
    const all = starts.length > 0
      ? starts.length * size ** (length - 1)
      : size ** length;
    return {
      bits: bitsOf(length),
      // The share of accepted strings; below 2^-40 it is inexact.
      drawnCharacters: length / (counts[length]! / all),
      generate: () => draw(length),
    };
  };
}
