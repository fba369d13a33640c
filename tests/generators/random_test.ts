import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  randomBigIndex,
  randomIndex,
  randomUint16,
  type Uint16Source,
} from "../../generators/random.ts";
import { WORDLISTS } from "../../wordlists/mod.ts";

/** Thrown after the last value: the values before it were rejected. */
class Rejected extends Error {}
function source(...values: number[]): Uint16Source {
  return () => {
    const value = values.shift();
    if (value === undefined) throw new Rejected();
    return value;
  };
}

/** The index that a random value gives; undefined if the value is rejected. */
function indexOf(value: number, size: number): number | undefined {
  try {
    return randomIndex(size, source(value));
  } catch (error) {
    if (error instanceof Rejected) return undefined;
    throw error;
  }
}

/** The sizes of the word lists. */
const LISTS = Object.values(WORDLISTS).flatMap((lists) => Object.values(lists))
  .map(({ length }) => length);
// The sizes that the service uses, primes, the bounds, and numbers next to powers of
// two.
const SIZES = [1, 2, 3, 5, 6, 7, 10, 26, 28, 32, 52, 62, 68, 90, 96, 127, 128]
  .concat([129, 255, 256, 257, 1000, 1024, 2048, 4096, 7776, 8191, 8192])
  .concat([8193, 10_007, 32_767, 32_768, 32_769, 65_521, 65_535, 65_536])
  .concat(LISTS);

Deno.test("randomIndex() gives each index the same number of the 65,536 values", () => {
  for (const size of SIZES) {
    const counts = new Uint32Array(size);
    let rejected = 0;
    for (let value = 0; value < 65_536; value++) {
      const index = indexOf(value, size);
      if (index === undefined) rejected++;
      else counts[index]!++;
    }
    const share = Math.floor(65_536 / size);
    assert(counts.every((count) => count === share), `size ${size}`);
    assertEquals(rejected, 65_536 % size);
  }
});

Deno.test("randomIndex() draws again after each rejection", () => {
  // 0 is rejected for each size that does not divide 65,536.
  assertEquals(randomIndex(10, source(0, 0, 0, 65_535)), 9);
});

Deno.test("randomBigIndex() gives each index the same number of the values of its draws", () => {
  for (const size of [...SIZES, 65_537, 98_304, 131_071, 131_072, 131_073]) {
    // The bits of an index above 16 are the last ones of the first draw.
    const highs = size <= 65_536 ? 1 : 2 ** (Math.ceil(Math.log2(size)) - 16);
    const counts = new Uint32Array(size);
    let [values, taken, rejected] = [[0], 0, 0];
    const draw = () => values[taken++] ?? 0;
    for (let i = 0; i < highs * 65_536; i++) {
      const low = i % 65_536;
      // The other bits of the first draw have no effect.
      const high = (i >> 16) + highs * (low % (65_536 / highs));
      values = size <= 65_536 ? [low] : [high, low];
      taken = 0;
      const index = Number(randomBigIndex(BigInt(size), draw));
      if (taken > values.length) rejected++;
      else counts[index]!++;
    }
    const [share] = counts as unknown as [number];
    assert(counts.every((count) => count === share), `size ${size}`);
    assertEquals(rejected + share * size, highs * 65_536);
    // At most half of the values are rejected.
    assert(rejected <= share * size, `size ${size}`);
  }
});

Deno.test("randomBigIndex() takes as many draws as the index has bits, and again after a rejection", () => {
  const index = (size: bigint, ...values: number[]) =>
    randomBigIndex(size, source(...values));
  assertEquals(index(2n ** 16n, 65_535), 65_535n);
  assertEquals(index(2n ** 16n + 1n, 0xfffe, 65_535), 65_535n);
  assertEquals(index(2n ** 48n, 1, 2, 3), 0x1_0002_0003n);
  assertEquals(index(2n ** 48n + 1n, 0xfffe, 1, 2, 3), 0x1_0002_0003n);
  // 65,537 is no index, and then 65,539 is none.
  assertEquals(index(65_537n, 1, 1, 0xffff, 3, 0, 5), 5n);
});

Deno.test("randomIndex() and randomBigIndex() refuse a size out of range", () => {
  for (const size of [0, -1, 1.5, 65_537, NaN, Infinity, 2 ** 32 + 1]) {
    assertThrows(() => randomIndex(size), RangeError, "from 1 to 65536");
  }
  for (const size of [0n, -1n, -(2n ** 70n)]) {
    assertThrows(() => randomBigIndex(size), RangeError, "at least 1");
  }
});

Deno.test("randomUint16() uses each number once and overwrites it", () => {
  // Only Web Crypto sees the private block of random numbers.
  const blocks: Uint16Array[] = [];
  const getRandomValues = crypto.getRandomValues;
  crypto.getRandomValues = (array) => {
    getRandomValues.call(crypto, array);
    blocks.push(array as unknown as Uint16Array);
    return array;
  };
  try {
    for (let i = 0; i < 2049 && blocks.length === 0; i++) randomUint16();
    const block = blocks[0]!;
    // The first number of this block has just been used.
    assertEquals(block[0], 0);
    const waiting = [...block.slice(1)];
    for (const value of waiting) assertEquals(randomUint16(), value);
    assert(block.every((value) => value === 0), "used numbers remain");
    assertEquals(blocks.length, 1);
    randomUint16();
    assertEquals(blocks.length, 2);
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
});
