/**
 * The rule of the rate limit, and its implementation in memory: a sliding window.
 *
 * @module
 */
import { RecentMap } from "./recent_map.ts";

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

/** The numbers of a rate limiter. */
export interface LimiterState {
  /** The number of clients in the memory of the process. */
  readonly size: number;
  /** How many clients were forgotten before their window was over. */
  readonly evicted: number;
  /** How many outages the shared store had; undefined without a shared store. */
  readonly outages?: number;
  /** Whether the shared store decides; undefined without a shared store. */
  readonly isConnected?: boolean;
}

/** Options of a sliding window. */
export interface SlidingWindowOptions {
  /** Requests admitted from a client in a window, at least 1. */
  readonly limit: number;
  /**
   * The maximum number of remembered clients, at least 2. The latest half of this
   * number is always remembered.
   */
  readonly maxClients: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** The name of the limit in the log. The default is "Rate limit". */
  readonly name?: string;
  /** Logs, once, that clients were forgotten before their window was over. */
  readonly warn?: (line: string) => void;
  /** Whether the limiter decides now; if not, forgotten clients do not matter. */
  readonly decides?: () => boolean;
}

/**
 * Admits a request if fewer than `limit` requests of the client were admitted in
 * the 60 seconds before it. A refused request does not count.
 *
 * When more than half of `maxClients` come in a window, some of them can be forgotten
 * early, and be admitted too soon.
 *
 * @example
 * ```ts
 * import { SlidingWindowLimiter } from "./sliding_window.ts";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const now = () => performance.now();
 * const limiter = new SlidingWindowLimiter({ limit: 2, maxClients: 1000, now });
 * assertEquals(limiter.admit("client").remaining, 1);
 * assert(limiter.admit("client").admitted);
 * assert(!limiter.admit("client").admitted);
 * ```
 */
export class SlidingWindowLimiter implements RateLimiter {
  /** How many clients were forgotten before their window was over. */
  evicted = 0;
  /** The times at which requests of each client were admitted, oldest first. */
  readonly #clients: RecentMap<number[]>;

  /**
   * Makes a limiter without clients.
   *
   * @param options the limits and the clock
   */
  constructor(private readonly options: SlidingWindowOptions) {
    this.#clients = new RecentMap({
      maxSize: options.maxClients,
      lifetimeMs: WINDOW_MS,
      onDrop: (clients, now) => this.#forget(clients, now),
    });
  }

  /** The number of remembered clients. */
  get size(): number {
    return this.#clients.size;
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
    const now = this.options.now();
    let times = this.#clients.get(key, now);
    if (times === undefined) this.#clients.set(key, times = [], now);
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

  #forget(clients: Iterable<number[]>, now: number): void {
    const { maxClients, name = "Rate limit", warn, decides } = this.options;
    if (decides?.() === false) return;
    const isFirst = this.evicted === 0;
    for (const times of clients) {
      if (now - times.at(-1)! < WINDOW_MS) this.evicted++;
    }
    if (isFirst && this.evicted > 0) {
      warn?.(
        `${name}: forgot clients before their minute was over; at most ${maxClients} are remembered, and only the latest half is guaranteed`,
      );
    }
  }
}
