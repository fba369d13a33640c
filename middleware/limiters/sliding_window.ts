/**
 * The rule of the rate limit, an exact sliding window, and its limiter in memory.
 *
 * @module
 */
import type { ClientKey } from "../../routes/context.ts";
import { ClientTable, NONE } from "./client_table.ts";

export type { ClientKey };

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
  admit(key: ClientKey): Decision | Promise<Decision>;
}

/** Options of a sliding window. */
export interface SlidingWindowOptions {
  /** Requests admitted from a client in a window, at least 1. */
  readonly limit: number;
  /** The maximum number of remembered clients, at least 1. */
  readonly maxClients: number;
  /** A monotonic clock, in milliseconds. The default is `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Logs, once per window, how many clients were evicted early. */
  readonly warn?: (line: string) => void;
  /** Whether the limiter decides now: if not, an eviction has no effect. */
  readonly decides?: () => boolean;
}

/** The maximum number of expired clients that one request removes. */
const MAX_EXPIRED = 1000;

/**
 * Admits a request if fewer than `limit` requests of its client were admitted in
 * the 60 seconds before it. A refused request does not count.
 *
 * There is no timer. Each request removes up to 1,000 clients that were not seen
 * for a window. If no client at all was seen for a window, the next request
 * removes all of them. Memory is bounded: above `maxClients` the least recently
 * seen client is evicted.
 *
 * @example
 * ```ts
 * import { SlidingWindowLimiter } from "./sliding_window.ts";
 * import { assert } from "@std/assert";
 *
 * const limiter = new SlidingWindowLimiter({ limit: 1, maxClients: 1000 });
 * const key = { high: -1, low: 0x7f000001 };
 * assert(limiter.admit(key).admitted);
 * assert(!limiter.admit(key).admitted);
 * assert(limiter.admit({ ...key, low: 1 }).admitted);
 * ```
 */
export class SlidingWindowLimiter implements RateLimiter {
  readonly #now: () => number;
  #clients = new ClientTable();
  /** How many clients were evicted before their window was over. */
  evicted = 0;
  #reported = 0;
  #lastReport = -Infinity;

  /** Makes a limiter that knows no client. */
  constructor(private readonly options: SlidingWindowOptions) {
    this.#now = options.now ?? (() => performance.now());
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
  admit(key: ClientKey, at?: number): Decision {
    const { limit, maxClients } = this.options;
    const now = this.#now();
    this.#evictExpired(now);
    const clients = this.#clients;
    let client = clients.find(key);
    if (client === NONE) {
      if (clients.size === maxClients) {
        clients.removeLeastRecent();
        this.#countEviction(now);
      }
      client = clients.insert(key);
    }
    clients.touch(client, now);

    while (
      clients.count(client) > 0 && now - clients.oldest(client) >= WINDOW_MS
    ) clients.removeOldest(client);
    const admitted = clients.count(client) < limit;
    if (admitted) clients.push(client, at ?? now);
    return {
      admitted,
      remaining: limit - clients.count(client),
      resetMs: WINDOW_MS - (now - clients.oldest(client)),
    };
  }

  #countEviction(now: number): void {
    const { maxClients, warn, decides } = this.options;
    if (decides?.() === false) return;
    this.evicted++;
    if (now - this.#lastReport < WINDOW_MS) return;
    const forgotten = this.evicted - this.#reported;
    warn?.(
      `Rate limit: forgot ${forgotten} client(s) before their minute was over; PWGEN_MAX_CLIENTS (${maxClients}) is reached`,
    );
    this.#reported = this.evicted;
    this.#lastReport = now;
  }

  #evictExpired(now: number): void {
    const clients = this.#clients;
    const isExpired = (client: number) =>
      client !== NONE && now - clients.lastSeen(client) >= WINDOW_MS;
    if (isExpired(clients.mostRecent)) {
      this.#clients = new ClientTable(); // all are expired; this frees the memory
      return;
    }
    for (let i = 0; i < MAX_EXPIRED && isExpired(clients.leastRecent); i++) {
      clients.removeLeastRecent();
    }
  }
}
