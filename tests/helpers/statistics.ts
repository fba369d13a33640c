/**
 * Statistics for tests of uniform distribution, and for measurements.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Passwords } from "../../generators/passwords.ts";
import { assertBits } from "./entropy.ts";

/** The number in the middle; of two, the lower one. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length / 2) - 1]!;
}

/**
 * Fails if the counts of outcomes that are equally likely differ too much. The
 * probability that it fails by chance is below 10^-9.
 *
 * Wilson and Hilferty, "The Distribution of Chi-Square", 1931: the cube root of
 * chi-squared per degree of freedom is nearly normal. It is six deviations too large
 * more rarely than a normal number, for every number of counts.
 *
 * @param counts the count of each outcome
 * @param name what a failure names
 */
function assertUniform(counts: readonly number[], name: string): void {
  // At least 50 are expected, so a member is missed with probability e^-50.
  assert(counts.every((count) => count > 0), `${name}: not all are reached`);
  if (counts.length === 1) return;
  const freedom = counts.length - 1;
  const expected = counts.reduce((a, b) => a + b) / counts.length;
  const chiSquared = counts.reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  const variance = 2 / (9 * freedom);
  const deviations = (Math.cbrt(chiSquared / freedom) - (1 - variance)) /
    Math.sqrt(variance);
  assert(deviations < 6, `${name}: ${deviations} standard deviations`);
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

/**
 * Fails unless passwords have the bits of those that are listed, and are these: each
 * equally often, unless that would take too many draws.
 *
 * @param members all that are permitted
 * @param mostDrawn how many of them are so few that each is drawn
 */
export function assertPasswords(
  { bits, generate }: Passwords,
  members: Iterable<string>,
  where: unknown,
  mostDrawn = Infinity,
): void {
  const all = new Set(members);
  assertBits(bits, BigInt(all.size), where);
  const name = JSON.stringify(where);
  if (all.size <= mostDrawn) assertDraws(generate, all, name);
  else assert(all.has(generate()), name);
}
