/**
 * The rule of the rate limit, and its implementation in memory: a sliding window.
 *
 * @module
 */

/** The length of the window, in milliseconds. */
export const WINDOW_MS = 60_000;

/** The decision about one request. */
export interface Decision {
  /** Whether the request is admitted. */
  readonly admitted: boolean;
  /** How many more requests would be admitted now. */
  readonly remaining: number;
  /** The time until the oldest counted request leaves the window, in ms. */
  readonly resetMs: number;
  /** Whether a shared store made the decision. */
  readonly byStore?: boolean;
}

/** Decides which requests of a client are admitted. */
export interface RateLimiter {
  /**
   * Decides about a request, and counts it if it is admitted.
   *
   * @param key the key of the client
   * @returns the decision; a promise if another process or server decides
   */
  admit(key: string): Decision | Promise<Decision>;
}

/** Options of a sliding window. */
export interface SlidingWindowOptions {
  /** Requests admitted from a client in a window, at least 1. */
  readonly limit: number;
  /** The maximum number of remembered clients, at least 2. */
  readonly maxClients: number;
  /** A monotonic clock, in milliseconds. The default is `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** What limits, for the log. The default is "Rate limit". */
  readonly name?: string;
  /** Logs, once, that clients were forgotten before their window was over. */
  readonly warn?: (line: string) => void;
  /** Whether the limiter decides now: if not, it does not matter what it forgets. */
  readonly decides?: () => boolean;
}

/**
 * Admits a request if fewer than `limit` requests of the client were admitted in
 * the 60 seconds before it. A refused request does not count.
 *
 * The clients are in two generations: those seen since the last change, and others.
 * A change drops the others as a whole: to find the client that was not seen for the
 * longest time would cost more. There is a change after each window, when all others
 * have expired, and when `maxClients` is reached: then some are forgotten early, and
 * can be admitted too soon.
 *
 * @example
 * ```ts
 * import { SlidingWindowLimiter } from "./sliding_window.ts";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const limiter = new SlidingWindowLimiter({ limit: 2, maxClients: 1000 });
 * assertEquals(limiter.admit("client").remaining, 1);
 * assert(limiter.admit("client").admitted);
 * assert(!limiter.admit("client").admitted);
 * ```
 */
export class SlidingWindowLimiter implements RateLimiter {
  /** How many clients were forgotten before their window was over. */
  evicted = 0;
  readonly #now: () => number;
  /** The times at which requests of each client were admitted, oldest first. */
  #recent = new Map<string, number[]>();
  #others = new Map<string, number[]>();
  #changedAt = -Infinity;

  /**
   * Makes a limiter that knows no client.
   *
   * @param options the limits and the clock
   */
  constructor(private readonly options: SlidingWindowOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** The number of remembered clients. */
  get size(): number {
    return this.#recent.size + this.#others.size;
  }

  /**
   * Decides about a request, and counts it if it is admitted.
   *
   * @param key the key of the client
   * @param at the time at which the request arrived, in milliseconds of the clock.
   *   The default is now; the time is earlier if a shared store has decided first.
   * @returns the decision
   */
  admit(key: string, at?: number): Decision {
    const { limit } = this.options;
    const now = this.#now();
    const times = this.#timesOf(key, now);
    const expired = times.findIndex((time) => now - time < WINDOW_MS);
    if (expired !== 0) times.splice(0, expired < 0 ? times.length : expired);
    const admitted = times.length < limit;
    if (admitted) times.push(at ?? now);
    return {
      admitted,
      remaining: limit - times.length,
      resetMs: WINDOW_MS - (now - times[0]!),
    };
  }

  /** Returns the times of a client, which is then among the recent ones. */
  #timesOf(key: string, now: number): number[] {
    if (now - this.#changedAt >= WINDOW_MS) this.#change(now);
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const times = this.#others.get(key) ?? [];
    this.#others.delete(key);
    if (2 * this.#recent.size + 2 > this.options.maxClients) this.#change(now);
    this.#recent.set(key, times);
    return times;
  }

  /** Forgets the others, and makes the recent clients the others. */
  #change(now: number): void {
    const { maxClients, name = "Rate limit", warn, decides } = this.options;
    const isFirst = this.evicted === 0;
    if (decides?.() ?? true) {
      for (const times of this.#others.values()) {
        if (now - times.at(-1)! < WINDOW_MS) this.evicted++;
      }
    }
    if (isFirst && this.evicted > 0) {
      warn?.(
        `${name}: forgot clients before their minute was over; more than ${maxClients} came`,
      );
    }
    // After two windows the recent clients have expired too.
    const isLate = now - this.#changedAt >= 2 * WINDOW_MS;
    this.#others = isLate ? new Map() : this.#recent;
    this.#recent = new Map();
    this.#changedAt = now;
  }
}
