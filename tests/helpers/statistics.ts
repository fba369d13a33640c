/**
 * Statistics for tests of uniform distribution, and for measurements.
 *
 * @module
 */
import { assert } from "@std/assert";

/** The probability that a test of uniform distribution fails by chance. */
export const FALSE_ALARM = 1e-9;

/**
 * The smallest of the numbers that is at least as large as this share of them.
 *
 * @param numbers the numbers, in any order
 * @param share the share, such as 0.99
 */
export function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[
    Math.ceil(share * numbers.length) - 1
  ]!;
}

/** The number in the middle; of two, the lower one. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** Natural logarithm of the gamma function (Lanczos, g = 7, n = 9). */
function logGamma(x: number): number {
  const c = [
    0.99999999999980993,
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
  ];
  const t = x + 6.5;
  const sum = c.reduce((sum, ci, i) => i === 0 ? ci : sum + ci / (x + i - 1));
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t +
    Math.log(sum);
}

/**
 * The probability that chi-squared with `freedom` degrees of freedom is at
 * least `x`: the regularised upper incomplete gamma function Q(freedom/2, x/2),
 * by series below the mean and by continued fraction (Lentz) above it.
 */
export function chiSquaredTail(x: number, freedom: number): number {
  const a = freedom / 2;
  const z = x / 2;
  if (z <= 0) return 1;
  const front = Math.exp(a * Math.log(z) - z - logGamma(a));
  if (z < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * 1e-16; n++) sum += term *= z / (a + n);
    return 1 - front * sum;
  }
  let b = z + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < 100_000; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * h;
}

/**
 * The probability of counts at least as far from the expected ones as these.
 *
 * @param counts the count of each outcome
 * @param probabilities the probability of each outcome
 */
export function goodnessOfFit(
  counts: readonly number[],
  probabilities: readonly number[],
): number {
  const draws = counts.reduce((sum, count) => sum + count, 0);
  const chiSquared = counts.reduce((sum, count, i) => {
    const expected = draws * probabilities[i]!;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  return chiSquaredTail(chiSquared, counts.length - 1);
}

/** Fails if the counts of outcomes that are equally likely differ too much. */
export function assertUniform(counts: readonly number[], name: string): void {
  // At least 50 are expected, so a member is missed with probability e^-50.
  assert(counts.every((count) => count > 0), `${name}: not all are reached`);
  if (counts.length === 1) return;
  const p = goodnessOfFit(counts, counts.map(() => 1 / counts.length));
  assert(p > FALSE_ALARM, `${name}: p = ${p}`);
}

/** Draws 200 times as often as there are members: only these, each equally often. */
export function assertDraws(
  draw: () => string,
  members: ReadonlySet<string>,
  name: string,
): void {
  const counts = new Map([...members].map((member) => [member, 0]));
  for (let i = 0; i < 200 * members.size; i++) {
    const drawn = draw();
    const count = counts.get(drawn);
    assert(count !== undefined, `${name}: ${drawn} is not permitted`);
    counts.set(drawn, count + 1);
  }
  assertUniform([...counts.values()], name);
}
