/**
 * The expected value of Entropy-Bits.
 *
 * @module
 */

/**
 * Returns log2 of a number of passwords, with two decimals, rounded down. It is
 * exact: 2^(n/100) <= count if and only if 2^n <= count^100.
 */
export function exactBits(count: bigint): string {
  const hundredths = (count ** 100n).toString(2).length - 1;
  return (hundredths / 100).toFixed(2);
}

/** The number of sequences with one word of each list. */
export function sequences(...lists: readonly (readonly string[])[]): bigint {
  return lists.reduce((count, { length }) => count * BigInt(length), 1n);
}
