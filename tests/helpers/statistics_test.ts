import { assertAlmostEquals, assertEquals } from "@std/assert";
import { chiSquaredTail, goodnessOfFit, quantile } from "./statistics.ts";

Deno.test("chiSquaredTail() has the values of published tables", () => {
  // Upper critical values.
  assertAlmostEquals(chiSquaredTail(3.841459, 1), 0.05, 1e-7);
  assertAlmostEquals(chiSquaredTail(18.307038, 10), 0.05, 1e-7);
  assertAlmostEquals(chiSquaredTail(149.449253, 100), 0.001, 1e-7);
  assertAlmostEquals(chiSquaredTail(99.334129, 100), 0.5, 1e-7);
  // With two degrees of freedom, the probability is exp(-x / 2).
  assertAlmostEquals(chiSquaredTail(41.4465, 2), Math.exp(-20.72325), 1e-18);
});

Deno.test("goodnessOfFit() distinguishes a biased die from a fair one", () => {
  const fair = Array(6).fill(1 / 6);
  assertAlmostEquals(goodnessOfFit([10, 10, 10, 10, 10, 10], fair), 1, 1e-12);
  const biased = goodnessOfFit([1000, 1000, 1000, 1000, 1000, 1400], fair);
  assertAlmostEquals(Math.log10(biased), -23.6, 1);
});

Deno.test("quantile() returns the number at this share of the sorted numbers", () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => 1000 - i);
  assertEquals(quantile(numbers, 0.5), 500);
  assertEquals(quantile(numbers, 0.99), 990);
  assertEquals(quantile(numbers, 1), 1000);
  assertEquals(quantile([7], 0.5), 7);
});
