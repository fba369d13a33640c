/**
 * Random numbers that a seed settles, for tests whose failures can be repeated.
 *
 * @module
 */

/** Repeatable random numbers below 1 (mulberry32). */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Makes the body of a test with random input. Where it fails, the message names
 * the seed; PWGEN_SEED repeats it.
 */
export function withSeed(
  fn: (random: () => number) => void | Promise<void>,
): () => Promise<void> {
  return async () => {
    const seed = Number(Deno.env.get("PWGEN_SEED") ?? Date.now()) | 0;
    try {
      await fn(seeded(seed));
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`PWGEN_SEED=${seed}: ${message}`, { cause: error });
    }
  };
}
