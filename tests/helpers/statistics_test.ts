import { assertAlmostEquals, assertEquals } from "@std/assert";
import { chiSquaredTail, goodnessOfFit, quantile } from "./statistics.ts";

Deno.test("chiSquaredTail() agrees with printed tables", () => {
  // The upper critical values that every statistics book lists.
  assertAlmostEquals(chiSquaredTail(3.841459, 1), 0.05, 1e-7);
  assertAlmostEquals(chiSquaredTail(18.307038, 10), 0.05, 1e-7);
  assertAlmostEquals(chiSquaredTail(149.449253, 100), 0.001, 1e-7);
  assertAlmostEquals(chiSquaredTail(99.334129, 100), 0.5, 1e-7);
  // With two degrees of freedom it is exp(-x / 2).
  assertAlmostEquals(chiSquaredTail(41.4465, 2), Math.exp(-20.72325), 1e-18);
});

Deno.test("goodnessOfFit() calls a loaded die a loaded die", () => {
  const fair = Array(6).fill(1 / 6);
  assertAlmostEquals(goodnessOfFit([10, 10, 10, 10, 10, 10], fair), 1, 1e-12);
  const loaded = goodnessOfFit([1000, 1000, 1000, 1000, 1000, 1400], fair);
  assertAlmostEquals(Math.log10(loaded), -23.6, 1);
});

Deno.test("quantile() is the number that a share does not exceed", () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => 1000 - i);
  assertEquals(quantile(numbers, 0.5), 500);
  assertEquals(quantile(numbers, 0.99), 990);
  assertEquals(quantile(numbers, 1), 1000);
  assertEquals(quantile([7], 0.5), 7);
});
