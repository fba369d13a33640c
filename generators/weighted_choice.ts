/**
 * Choice with unequal probabilities.
 *
 * @module
 */
import { randomUint16, type Uint16Source } from "./random.ts";

/** How likely each index is. */
export interface Weights {
  /**
   * For each index, the sum of the weights up to it as a share of all, within
   * {@linkcode MAX_ERROR}; the last one is 1.
   */
  readonly ends: readonly number[];
  /** Returns the weights; to count them exactly takes long. */
  readonly exact: () => readonly bigint[];
}

/** Sums of some hundred products of doubles are far more exact. */
export const MAX_ERROR = 2 ** -40;

/**
 * Chooses an index with exactly the probability weight / sum of the weights.
 *
 * Why it is exact: a uniform number below 1 belongs to the index whose weights it
 * lies between, as shares of the sum. Two draws are its first 32 binary digits. They
 * leave an interval, which nearly always lies between the inexact sums of one index, with
 * a distance of more than their error. Otherwise the exact weights decide, with as many
 * more digits as it takes.
 */
export function weightedIndex(
  { ends, exact }: Weights,
  draw: Uint16Source = randomUint16,
): number {
  const digits = draw() * 2 ** 16 + draw();
  const from = digits / 2 ** 32;
  const to = (digits + 1) / 2 ** 32;
  let index = 0;
  while (ends[index]! <= from) index++;
  const begin = index === 0 ? -1 : ends[index - 1]!;
  const end = index === ends.length - 1 ? 2 : ends[index]!;
  return begin + MAX_ERROR < from && to < end - MAX_ERROR
    ? index
    : exactIndex(exact(), BigInt(digits), 32n, draw);
}

/** Continues with the first binary digits of a number, and so many of them. */
function exactIndex(
  weights: readonly bigint[],
  digits: bigint,
  count: bigint,
  draw: Uint16Source,
): number {
  const sum = weights.reduce((a, b) => a + b);
  /** The index to which a number, times the sum and rounded down, belongs. */
  const indexOf = (number: bigint) => {
    let index = 0;
    for (let end = weights[0]!; number >= end; end += weights[index]!) index++;
    return index;
  };
  const first = indexOf((digits * sum) >> count);
  const last = indexOf(((digits + 1n) * sum - 1n) >> count);
  if (first === last) return first;
  const more = digits << 16n | BigInt(draw());
  return exactIndex(weights, more, count + 16n, draw);
}
