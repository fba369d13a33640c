/**
 * Uniform choice from cryptographic randomness.
 *
 * @module
 */

/** A source of uniform integers from 0 to 65,535. */
export type Uint16Source = () => number;

// A call to Web Crypto takes ten times as long as a choice, so 2,048 draws share
// one call. The block contains only random bytes, never a password.
const block = new Uint16Array(2048);
let next = block.length;

/**
 * Takes two fresh bytes from Web Crypto. The bytes are used once, and are then
 * overwritten in their buffer.
 */
export function randomUint16(): number {
  if (next === block.length) {
    crypto.getRandomValues(block);
    next = 0;
  }
  const value = block[next]!;
  block[next++] = 0;
  return value;
}

function wrongSize(range: string, size: number | bigint): RangeError {
  return new RangeError(
    `Cannot choose an index: size must be ${range}, got ${size}`,
  );
}

/**
 * Chooses an index uniformly: each of the `size` indices with probability
 * exactly 1 / `size`.
 *
 * Why it is exact: the product of a draw and `size` lies in one of `size`
 * intervals of length 2^16, one interval for each index. Let k be ⌊2^16 / size⌋.
 * An interval contains the products of k draws or of k + 1 draws. A draw is
 * rejected if the low 16 bits of its product are below 2^16 mod `size`. Then each
 * index keeps exactly k draws. The probability of a rejection is below
 * size / 2^16, and 0 for a power of two.
 *
 * Source: Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS
 * 29(1), 2019.
 *
 * @throws {RangeError} if `size` is not an integer from 1 to 65,536
 */
export function randomIndex(
  size: number,
  draw: Uint16Source = randomUint16,
): number {
  if (!Number.isInteger(size) || size < 1 || size > 65_536) {
    throw wrongSize("an integer from 1 to 65536", size);
  }
  // The product is below 2^32, so Math.imul returns all its bits.
  let product = Math.imul(draw(), size);
  // Only a product with a low half below `size`, which is rare, needs the division.
  if ((product & 0xffff) < size) {
    const uneven = 65_536 % size;
    while ((product & 0xffff) < uneven) product = Math.imul(draw(), size);
  }
  return product >>> 16;
}

/**
 * Chooses an index uniformly, also below a number that is too large for
 * {@linkcode randomIndex}: each of the `size` indices with probability exactly
 * 1 / `size`.
 *
 * Why it is exact: the last n bits of the draws are a uniform integer below 2^n,
 * where n is the number of bits of `size` - 1. An integer that is no index is
 * rejected. Each index keeps the same number of draws. The probability of a
 * rejection is at most 1/2.
 *
 * @throws {RangeError} if `size` is below 1
 */
export function randomBigIndex(
  size: bigint,
  draw: Uint16Source = randomUint16,
): bigint {
  if (size < 1n) throw wrongSize("at least 1", size);
  const bits = (size - 1n).toString(2).length;
  while (true) {
    let index = 0n;
    for (let drawn = 0; drawn < bits; drawn += 16) {
      index = index << 16n | BigInt(draw());
    }
    index = BigInt.asUintN(bits, index);
    if (index < size) return index;
  }
}
