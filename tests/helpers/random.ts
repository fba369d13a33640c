/**
 * Pseudorandom numbers from a seed, for tests whose failures can be repeated.
 *
 * @module
 */

/**
 * How many random cases a test takes: a tenth, or all with TEST_ALL_CASES=1, as
 * `deno task coverage` has it. Where the enumeration is the proof, all cases stay.
 *
 * @param all how many there are
 */
export const cases = (all: number): number =>
  Deno.env.get("TEST_ALL_CASES") ? all : Math.ceil(all / 10);

/** Random choices. The seed determines all of them. */
export class Random {
  constructor(private seed: number) {}

  /** A number from 0 to 1, without 1: mulberry32. */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `n` - 1. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Picks with a probability proportional to the weight, an integer. */
  pickWeighted<T>(items: readonly (readonly [weight: number, item: T])[]): T {
    let rest = this.below(items.reduce((sum, [weight]) => sum + weight, 0));
    return items.find(([weight]) => (rest -= weight) < 0)![1];
  }

  /** A size from 1 to `max`. Each power of two is equally likely. */
  size(max: number): number {
    return Math.min(max, 1 + this.below(2 ** this.below(Math.log2(max) + 2)));
  }
}

/**
 * Checks an input that has parts. If that fails, it leaves out one part after another
 * while the rest still fails, and throws the error of what is left.
 */
export async function checkParts<T>(
  parts: readonly T[],
  check: (parts: readonly T[]) => Promise<void>,
): Promise<void> {
  const errorOf = (parts: readonly T[]) =>
    check(parts).then(() => undefined, (error: Error) => error);
  let error = await errorOf(parts);
  let left = parts;
  for (let i = parts.length - 1; i >= 0 && error !== undefined; i--) {
    const less = left.toSpliced(i, 1);
    const same = await errorOf(less);
    if (same !== undefined) [left, error] = [less, same];
  }
  if (error !== undefined) throw error;
}

/**
 * Makes the body of a test with random input. The message of a failure has the
 * seed; the environment variable PWGEN_SEED repeats it.
 */
export function withSeed(
  fn: (random: Random) => void | Promise<void>,
): () => Promise<void> {
  return async () => {
    const seed = Number(Deno.env.get("PWGEN_SEED") || Date.now()) | 0;
    try {
      await fn(new Random(seed));
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`PWGEN_SEED=${seed}: ${message}`, { cause: error });
    }
  };
}

/** Tests with random input. */
export const withRandom = {
  test: (name: string, fn: Parameters<typeof withSeed>[0]) =>
    Deno.test(name, withSeed(fn)),
};
