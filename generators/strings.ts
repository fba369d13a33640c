/**
 * Strings of random characters that meet rules.
 *
 * @module
 */
import { countByExclusion, runSteps } from "./exclusion.ts";
import { groupBy } from "./group_by.ts";
import { doublesOf, type RequiredSet } from "./mixed_strings.ts";
import type { GeneratorResult } from "./passwords.ts";
import {
  alphabetOf,
  bitsOf,
  isLetter,
  masksOf,
  rejecting,
  sizeOf,
} from "./rejection.ts";
import { hasShortRuns, limitsFor, rangesOf, type RunLimits } from "./runs.ts";

/** The maximum number of required sets, since 2^n terms are counted. */
export const MAX_REQUIRED = 6;

/** To prepare a step takes as long as so many steps. */
const PREPARATION = 16;

/** The rules for strings. */
export interface StringRules extends RunLimits {
  /** The allowed characters, each one UTF-16 unit, and none twice. */
  readonly characters: string;
  /** Sets of allowed characters, and how many of each a string has at least. */
  readonly required: readonly RequiredSet[];
  /** Whether the first character is a letter. */
  readonly beginWithLetter: boolean;
}

/**
 * Counts how often each required set stands, and leaves out the sets that contain
 * another one that stands as often: a string with enough characters of the smaller
 * set has enough of the larger set too.
 */
export function smallestSets(required: readonly string[]): RequiredSet[] {
  const contains = (large: string, small: string) =>
    [...small].every((c) => large.includes(c));
  const sets: { characters: string; min: number }[] = [];
  for (const set of required) {
    const equal = sets.find(({ characters }) =>
      characters.length === set.length && contains(characters, set)
    );
    if (equal) equal.min++;
    else sets.push({ characters: set, min: 1 });
  }
  return sets.filter((set) =>
    !sets.some((other) =>
      other !== set && other.min >= set.min &&
      contains(set.characters, other.characters)
    )
  );
}

/**
 * Says how many steps it takes to count the strings that meet rules, if more than
 * one character of a set is required: 0 if this is fast, and Infinity with a limit of
 * sequences and a set that has only a part of a range.
 */
export function stepsOf(
  { characters, required, maxRepeating, maxSequential }: StringRules,
  maxLength: number,
): number {
  if (required.every(({ min }) => min === 1)) return 0;
  const states = required.reduce((n, { min }) => n * (min + 1), 1);
  if (Math.min(maxRepeating, maxSequential) < Infinity) {
    return maxSequential < Infinity && isCut(characters, required)
      ? Infinity
      : runSteps(required, maxLength);
  }
  const codes = Array.from(characters, (c) => c.charCodeAt(0));
  const masks = new Set(masksOf(codes, required));
  if ([...masks].every(isOneSet)) return 0;
  return states * masks.size * (maxLength + PREPARATION);
}

/** Tells whether a set of which several are required has a part of a range only. */
function isCut(characters: string, required: readonly RequiredSet[]): boolean {
  const repeated = required.filter(({ min }) => min > 1);
  const numberOf = (codes: readonly number[]) =>
    [...rangesOf(codes).values()].reduce((sum, ranges) => sum + ranges, 0);
  const codes = Array.from(characters, (c) => c.charCodeAt(0))
    .sort((a, b) => a - b);
  const parts = groupBy(codes, (code) => masksOf([code], repeated)[0]);
  return [...parts.values()].reduce((sum, part) => sum + numberOf(part), 0) >
    numberOf(codes);
}

/** Tells whether a mask has at most one bit. */
const isOneSet = (mask: number) => (mask & (mask - 1)) === 0;

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
function countMixed(
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

function hasEnough(text: string, { characters, min }: RequiredSet): boolean {
  let count = 0;
  for (const c of text) count += Number(characters.includes(c));
  return count >= min;
}

/**
 * Counts the strings that meet rules, by length up to `maxLength`. There are at most
 * {@linkcode MAX_REQUIRED} sets, and {@linkcode stepsOf} is finite. Without strings of
 * a length, `bits` is -Infinity, and `generate()` would not end.
 */
export function stringSet(
  { characters, required, beginWithLetter, ...limits }: StringRules,
  maxLength: number,
): (length: number) => GeneratorResult {
  const alphabet = alphabetOf(characters, required, beginWithLetter);
  const { codes, sets, masks } = alphabet;
  const allMask = (1 << sets.length) - 1;

  const runs = limitsFor(codes, limits);
  const { maxRepeating, maxSequential } = runs;
  const hasLimits = Math.min(maxRepeating, maxSequential) < Infinity;
  const repeated = sets.filter(({ min }) => min > 1);

  /** The counts by length, if no character is in two sets. */
  const countDisjoint = () =>
    countMixed(
      Array.from(
        groupBy(codes.keys(), (i) => masks[i]!),
        ([mask, places]) => ({
          size: places.length,
          first: beginWithLetter
            ? places.filter((i) => isLetter(codes[i]!)).length
            : places.length,
          min: mask === 0 ? 0 : sets[Math.log2(mask)]!.min,
        }),
      ),
      maxLength,
    );
  const isDisjoint = repeated.length > 0 && !hasLimits && masks.every(isOneSet);
  const counts = isDisjoint
    ? countDisjoint()
    : countByExclusion(alphabet, runs, maxLength);
  const draw = rejecting(
    alphabet,
    (text) =>
      repeated.every((set) => hasEnough(text, set)) &&
      (!hasLimits || hasShortRuns(text, runs)),
  );

  return (length) => ({
    bits: bitsOf(
      counts[length]!,
      sizeOf(alphabet, length),
      Math.min(maxRepeating, maxSequential) >= length &&
        masks.every((mask) => mask === allMask),
    ),
    // The share of accepted strings; below 2^-40 it is inexact.
    drawnCharacters: length / (counts[length]! / sizeOf(alphabet, length)),
    generate: () => draw(length),
  });
}
