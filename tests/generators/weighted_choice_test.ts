import { assertEquals } from "@std/assert";
import { MAX_ERROR, weightedIndex } from "../../generators/weighted_choice.ts";
import { cases, withRandom } from "../helpers/random.ts";

/** The digits of the numbers in the test: more than the choice ever needs. */
const DRAWS = 16;

withRandom.test("weightedIndex() gives each number below 1 the index of the exact weights, although its sums are inexact", (random) => {
  const sum = 1n << 100n;
  for (let i = 0; i < cases(5000); i++) {
    // Most borders are so near to a number of 32 digits that the error matters.
    const borders = Array.from(
      { length: random.below(random.size(129)) },
      () => {
        const digits = BigInt(Math.floor(random.next() * 2 ** 32));
        const error = BigInt(Math.floor((2 * random.next() - 1) * 2 ** 40)) <<
          BigInt(random.size(40));
        const border = (digits << 68n) + error;
        return border < 0n ? 0n : border < sum ? border : sum;
      },
    );
    const sums = [...borders.sort((a, b) => a < b ? -1 : 1), sum];
    const weights = sums.map((end, k) => end - (sums[k - 1] ?? 0n));
    const ends = sums.map((end) => {
      const error = (2 * random.next() - 1) * MAX_ERROR * 0.99;
      return end === sum ? 1 : Number(end >> 40n) / 2 ** 60 + error;
    });
    for (const border of [0n, ...sums]) {
      const offset = BigInt(random.below(3) - 1);
      const number = (border << BigInt(16 * DRAWS - 100)) + offset;
      const index = sums.findIndex((end) =>
        number < end << BigInt(16 * DRAWS - 100)
      );
      if (number < 0n || index < 0) continue;
      const draws = Array.from(
        { length: DRAWS },
        (_, at) => Number(number >> BigInt(16 * (DRAWS - 1 - at)) & 0xffffn),
      );
      const actual = weightedIndex(
        { ends, exact: () => weights },
        () => draws.shift()!,
      );
      assertEquals(actual, index, `${weights} ${number}`);
    }
  }
});
