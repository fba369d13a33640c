/**
 * Randomness that a test chooses, and the number of draws that a call takes.
 *
 * @module
 */
import { randomUint16 } from "../../generators/random.ts";

/** The numbers in one call of Web Crypto. */
const BLOCK = 2048;

/** Replaces what Web Crypto writes while a function runs. */
function withRandomness<T>(fill: (block: Uint16Array) => void, fn: () => T): T {
  const getRandomValues = crypto.getRandomValues;
  let isNew = false;
  const replace = (fill: (block: Uint16Array) => void) => {
    crypto.getRandomValues = (array) => {
      isNew = true;
      fill(array as unknown as Uint16Array);
      return array;
    };
  };
  try {
    // The first draw of fn() must be the first number of a block: take the rest of
    // this block, and another one.
    replace(() => {});
    while (!isNew) randomUint16();
    for (let i = 1; i < BLOCK; i++) randomUint16();
    replace(fill);
    return fn();
  } finally {
    crypto.getRandomValues = getRandomValues;
    // No chosen number remains for other tests.
    for (let i = 0; i < BLOCK; i++) randomUint16();
  }
}

/**
 * Runs a function whose draws are chosen: these numbers, again and again.
 *
 * @param draws the numbers, from 0 to 65,535
 * @param fn the function; it fails if it takes the numbers more than three times
 */
export function withDraws<T>(draws: readonly number[], fn: () => T): T {
  let taken = 0;
  return withRandomness((block) => {
    if (taken > 3 * draws.length + BLOCK) throw new Error("Too many draws");
    for (let i = 0; i < block.length; i++) {
      block[i] = draws[taken++ % draws.length]!;
    }
  }, fn);
}

/** Counts the draws that a function takes, in blocks of 2,048. */
export function drawsOf(fn: () => void): number {
  let draws = 0;
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  withRandomness((block) => {
    draws += block.length;
    getRandomValues(block as Uint16Array<ArrayBuffer>);
  }, fn);
  return draws;
}

/**
 * The least draw for which randomIndex() returns an index: its product with
 * `size` is at least `index` times 65,536, and is not rejected.
 */
export function drawFor(index: number, size: number): number {
  return Math.ceil((index * 65_536 + 65_536 % size) / size);
}
