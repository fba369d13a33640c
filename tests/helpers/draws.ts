/**
 * Randomness that a test chooses.
 *
 * @module
 */
import { randomUint16 } from "../../generators/random.ts";

/** The numbers in one call of Web Crypto. */
const BLOCK = 2048;

/**
 * Runs a function whose draws are chosen: these numbers, again and again.
 *
 * @param draws the numbers, from 0 to 65,535
 * @param fn the function; it fails if it takes the numbers more than three times
 */
export function withDraws<T>(draws: readonly number[], fn: () => T): T {
  const getRandomValues = crypto.getRandomValues;
  // The first number of the first block is taken below.
  let taken = -1;
  crypto.getRandomValues = (array) => {
    if (taken > 3 * draws.length + BLOCK) throw new Error("Too many draws");
    const block = array as unknown as Uint16Array;
    for (let i = 0; i < block.length; i++) {
      block[i] = draws.at(taken++ % draws.length)!;
    }
    return array;
  };
  try {
    // Numbers of the block before, and one of the first block.
    while (taken < 0) randomUint16();
    return fn();
  } finally {
    crypto.getRandomValues = getRandomValues;
    // No chosen number remains for other tests.
    for (let i = 0; i < BLOCK; i++) randomUint16();
  }
}

/**
 * The least draw for which randomIndex() returns an index: its product with
 * `size` is at least `index` times 65,536, and is not rejected.
 */
export function drawFor(index: number, size: number): number {
  return Math.ceil((index * 65_536 + 65_536 % size) / size);
}
