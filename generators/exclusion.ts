/**
 * The count of strings by inclusion and exclusion.
 *
 * @module
 */
import type { Alphabet } from "./rejection.ts";
import { factorsOf, rangesOf, type RunLimits } from "./runs.ts";

/** To count takes some nanoseconds a step; so many take 1 to 7 ms. */
export const MAX_STEPS = 300_000;

/** How many steps it takes to count strings with limits of runs and these minima. */
export function runSteps(
  required: readonly { readonly min: number }[],
  maxLength: number,
): number {
  const states = required.reduce((n, { min }) => n * (min + 1), 1);
  return states * maxLength * maxLength / 5;
}

/**
 * Counts the strings that have enough characters of each set and no run that is too
 * long, by length, 0 to `maxLength`. If several characters of a set are required, no two
 * characters of a range may be of different such sets.
 *
 * Count the strings over all characters. Subtract those without a character of one
 * set. Add those without two of them, since they were subtracted twice. And so on.
 * If several characters of a set are required, they are counted, up to the minimum.
 * Doubles are exact up to 2^53, and their rounding errors above it do not change the
 * result if the share is above 1/64. The tests compare with exact integers.
 */
export function countByExclusion(
  { codes, starts, sets, masks }: Alphabet,
  limits: RunLimits,
  maxLength: number,
): number[] {
  // Typed arrays of this size are outside of the heap, which takes several times as long.
  const zeros = (): number[] => Array(maxLength + 1).fill(0);
  const hasNoLimits =
    Math.min(limits.maxRepeating, limits.maxSequential) === Infinity;
  // Many sets of characters have ranges of the same kinds.
  const known = new Map<number, Float64Array>();
  /** The factors of all ranges of some characters (see factorsOf). */
  const sumOf = (codes: readonly number[]) => {
    if (hasNoLimits) return [0, codes.length];
    const factors = zeros();
    const ranges = limits.maxSequential === Infinity
      ? new Map([[0b10, codes.length]])
      : rangesOf(codes, limits.ignoreCase);
    for (const [kind, copies] of ranges) {
      const own = known.get(kind) ?? factorsOf(kind, limits, maxLength);
      known.set(kind, own);
      for (let n = 1; n <= maxLength; n++) factors[n]! += copies * own[n]!;
    }
    return factors.slice(0, factors.findLastIndex(Boolean) + 1);
  };

  // A state says how many characters there are of each repeated set, up to its minimum.
  const minima = sets.map(({ min }) => min > 1 ? min : 0);
  let [states, repeated] = [1, 0];
  const units = minima.map((min, i) => {
    if (min > 0) repeated |= 1 << i;
    states *= min + 1;
    return states / (min + 1);
  });
  /** The state after one more character of some sets. */
  const next = (state: number, mask: number) =>
    minima.reduce((after, min, i) => {
      const number = Math.floor(state / units[i]!) % (min + 1);
      return mask & 1 << i && number < min ? after + units[i]! : after;
    }, state);
  /** The states after 1, 2, ... more characters; the last one stays. */
  const statesAfter = (state: number, mask: number) => {
    const length = Math.max(1, ...minima);
    const after = Array.from({ length }, () => state = next(state, mask));
    return after.slice(0, after.indexOf(state) + 1);
  };
  // Characters of the same repeated sets are counted together. They all can be first, or
  // none: the last bit.
  const kinds = codes.map((_, i) =>
    (masks[i]! & repeated) << 1 | Number(starts?.includes(i) === false)
  );
  const all = [...Array(states).keys()];
  const parts = [...new Set(kinds)].map((kind) => ({
    kind,
    after: all.map((state) => statesAfter(state, kind >> 1)),
    factors: zeros(),
  }));

  const sums = zeros();
  for (let missing = 0; missing < 1 << sets.length; missing++) {
    if (missing & repeated) continue;
    for (const part of parts) {
      part.factors = sumOf(
        codes.filter((_, i) =>
          kinds[i] === part.kind && (masks[i]! & missing) === 0
        ),
      );
    }
    const counts = all.map(zeros);
    counts[0]![0] = 1;
    addLonger(counts, parts);
    const isOdd = sets.filter((_, i) => missing & 1 << i).length % 2 === 1;
    const enough = counts[states - 1]!;
    for (let n = 0; n <= maxLength; n++) {
      sums[n]! += isOdd ? -enough[n]! : enough[n]!;
    }
  }
  if (starts) sums[0] = 0;
  // Rounding errors can leave less than none.
  return sums.map((count) => Math.max(0, count));
}

/** Characters that are counted together. */
interface Part {
  /** Odd if they cannot be first. */
  readonly kind: number;
  /** For each state, the states after 1, 2, ... of them; the last one stays. */
  readonly after: readonly (readonly number[])[];
  /** Their factors (see factorsOf). */
  readonly factors: readonly number[];
}

/** Completes the counts of strings by state and length, with that of the empty string. */
function addLonger(
  counts: readonly number[][],
  parts: readonly Part[],
): void {
  const maxLength = counts[0]!.length - 1;
  for (let n = 0; n < maxLength; n++) {
    for (let state = 0; state < counts.length; state++) {
      const count = counts[state]![n]!;
      if (count === 0) continue;
      for (const { kind, after, factors } of parts) {
        if (n === 0 && kind & 1) continue;
        const ends = after[state]!;
        for (let k = 1; k <= ends.length; k++) {
          const longer = counts[ends[k - 1]!]!;
          const last = k < ends.length ? k : maxLength;
          const end = Math.min(last, factors.length - 1, maxLength - n);
          // Without "| 0", V8 checks in each round whether n + more is an integer of 32
          // bits; with it, the sum is the same and a count takes half the time.
          for (let more = k; more <= end; more++) {
            longer[(n + more) | 0]! += factors[more]! * count;
          }
        }
      }
    }
  }
}
