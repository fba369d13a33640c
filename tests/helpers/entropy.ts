/**
 * Bits of whole numbers, exactly.
 *
 * @module
 */
import { assert } from "@std/assert";
import { formatBits } from "../../generators/minimum_entropy.ts";

/**
 * Returns log2 of a number of passwords, with two decimals, rounded down. It is
 * exact: 2^(n/100) <= count if and only if 2^n <= count^100.
 */
export function exactBits(count: bigint): string {
  return (floorLog2(count ** 100n) / 100).toFixed(2);
}

/**
 * Fails unless a number of bits is log2 of a count to 1e-9, and is the same as exact
 * integers where it is rounded down.
 */
export function assertBits(bits: number, count: bigint, where?: unknown): void {
  const name = () => `${JSON.stringify(where)}: ${bits} of ${count}`;
  if (count === 0n) return assert(bits === -Infinity, name());
  const exact = log2(count);
  if (!(Math.abs(bits - exact) < 1e-9)) assert(false, name());
  // minimumEntropy compares the entropy with whole numbers of bits.
  if (Math.floor(bits) !== floorLog2(count)) assert(false, name());
  // Closer to a hundredth than doubles are exact, the exact count decides which
  // hundredth is the one below.
  if (Math.abs(exact - Math.round(exact * 100) / 100) < 1e-10) {
    assert(formatBits(bits) === exactBits(count), name());
  }
}

/** log2 of a whole number, rounded down. */
function floorLog2(n: bigint): number {
  const digits = n.toString(16);
  return 4 * digits.length + 27 - Math.clz32(parseInt(digits[0]!, 16));
}

/** log2 of a whole number, from its highest 13 hexadecimal digits. */
function log2(n: bigint): number {
  const digits = n.toString(16);
  return Math.log2(parseInt(digits.slice(0, 13), 16)) +
    4 * Math.max(0, digits.length - 13);
}

/** The number of sequences with one word of each list. */
export function sequences(...lists: readonly (readonly string[])[]): bigint {
  return lists.reduce((count, { length }) => count * BigInt(length), 1n);
}
