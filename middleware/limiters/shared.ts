/**
 * The rate limiter with a shared store. While the store does not respond, the
 * limiter decides locally. It refuses clients at their limit without asking the
 * store.
 *
 * @module
 */
import { StoreConnection, type StoreConnectionOptions } from "./connection.ts";
import {
  type Decision,
  type RateLimiter,
  SlidingWindowLimiter,
  type SlidingWindowOptions,
  WINDOW_MS,
} from "./sliding_window.ts";
import { timeoutError } from "./store.ts";

/**
 * How often pending decisions are checked within their deadline. The age of a
 * decision is counted in checks and not by a clock: a busy process makes few
 * checks, so it first reads the replies that wait in the socket.
 */
const TICKS = 4;

/** The maximum number of pending decisions; further ones are made locally. */
export const MAX_PENDING_DECISIONS = 10_000;

/** Options of a {@linkcode SharedLimiter}. */
export type SharedLimiterOptions =
  & SlidingWindowOptions
  & Omit<StoreConnectionOptions, "onFailure">;

/**
 * Admits a request if both the shared store and a local sliding window admit it.
 *
 * The local window counts all requests that this process has admitted. While the
 * store works, both always agree on a request that the store admits. During an
 * outage the local window decides alone. It also limits this process after an
 * outage in which the store lost its data.
 *
 * A client that is known to be at its limit is refused without asking the store.
 *
 * @example
 * ```ts
 * import { KvStore } from "./kv.ts";
 * import { SharedLimiter } from "./shared.ts";
 * import { assert } from "@std/assert";
 *
 * const limiter = new SharedLimiter({
 *   limit: 1,
 *   maxClients: 1000,
 *   store: new KvStore({ limit: 1, open: () => Deno.openKv(":memory:") }),
 *   warn: () => {},
 * });
 * await limiter.start();
 * assert((await limiter.admit("client")).admitted);
 * assert(!(await limiter.admit("client")).admitted);
 * await limiter.close();
 * ```
 */
export class SharedLimiter implements RateLimiter {
  readonly #now: () => number;
  readonly #local: SlidingWindowLimiter;
  readonly #connection: StoreConnection;
  /**
   * The pending decisions, oldest first, with the number of ticks before each. A
   * decision becomes undefined if the store cannot make it.
   */
  readonly #pending = new Map<
    PromiseWithResolvers<Decision | undefined>,
    number
  >();
  #ticks = 0;
  #ticker: ReturnType<typeof setInterval> | undefined;
  /**
   * The time until which a client at its limit is refused. Two Maps are used, a
   * newer and an older one. The older one is dropped as a whole, because deleting
   * the entries of one large Map one by one takes 100 times as long.
   */
  #refusedUntil = new Map<string, number>();
  #olderRefusals = new Map<string, number>();
  #generationStart = -Infinity;

  /** Makes a limiter that decides locally until `start` has connected. */
  constructor(private readonly options: SharedLimiterOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#local = new SlidingWindowLimiter({
      ...options,
      now: this.#now,
      decides: () => !this.isConnected,
    });
    this.#connection = new StoreConnection({
      ...options,
      onFailure: () => {
        for (const { resolve } of this.#pending.keys()) resolve(undefined);
        this.#pending.clear();
      },
    });
  }

  /** Whether the store decides. */
  get isConnected(): boolean {
    return this.#connection.isConnected;
  }

  /** How many outages of the store have begun. */
  get outages(): number {
    return this.#connection.outages;
  }

  /** The number of clients that the local window remembers. */
  get size(): number {
    return this.#local.size;
  }

  /** How many clients were evicted early while the local window decided. */
  get evicted(): number {
    return this.#local.evicted;
  }

  /**
   * Connects to the store. If that fails, it is tried again in the background.
   *
   * @throws {StoreError} if a setting is wrong (`permanent`)
   */
  start(): Promise<void> {
    const { deadlineMs } = this.options.store;
    this.#ticker = setInterval(() => {
      this.#ticks++;
      const [ticksBefore = this.#ticks] = this.#pending.values();
      if (this.#ticks - ticksBefore > TICKS) {
        this.#connection.fail(timeoutError(deadlineMs));
      }
    }, deadlineMs / TICKS);
    return this.#connection.start();
  }

  /**
   * Decides about a request, and counts it if it is admitted.
   *
   * @param key the key of the client
   * @returns the decision; a promise if the store decides
   */
  admit(key: string): Decision | Promise<Decision> {
    const at = this.#now();
    const until = this.#refusedUntil.get(key) ?? this.#olderRefusals.get(key);
    if (until !== undefined && at < until) {
      return { admitted: false, remaining: 0, resetMs: until - at };
    }
    if (!this.isConnected || this.#pending.size >= MAX_PENDING_DECISIONS) {
      return this.#local.admit(key);
    }
    return this.#ask(key, at);
  }

  /**
   * Waits for pending decisions, at most until their deadline, then disconnects.
   * Decisions about new requests are local.
   */
  async close(): Promise<void> {
    const pending = Array.from(this.#pending.keys(), ({ promise }) => promise);
    await this.#connection.close(Promise.all(pending));
    clearInterval(this.#ticker);
  }

  /** Combines the decision of the store with that of the local window. */
  async #ask(key: string, at: number): Promise<Decision> {
    const pending = Promise.withResolvers<Decision | undefined>();
    this.#pending.set(pending, this.#ticks);
    this.options.store.admit(key).then(pending.resolve, (error) => {
      // A decision that is not pending was settled by an earlier failure.
      if (this.#pending.has(pending)) this.#connection.fail(error);
    });
    const byStore = await pending.promise;
    this.#pending.delete(pending);
    if (byStore === undefined) return this.#local.admit(key);
    let decision: Decision = { ...byStore, byStore: true };
    if (byStore.admitted) {
      // Counted at its time of arrival, the request leaves the local window no later
      // than that of the store, so that both agree while the store works.
      const local = this.#local.admit(key, at);
      if (!local.admitted || local.remaining < decision.remaining) {
        decision = local;
      }
    }
    const { remaining, resetMs } = decision;
    if (remaining === 0) this.#refuseUntil(key, at + resetMs);
    return decision;
  }

  /** Remembers that a client is at its limit, for at most a window. */
  #refuseUntil(key: string, until: number): void {
    const now = this.#now();
    if (
      now - this.#generationStart >= WINDOW_MS ||
      2 * this.#refusedUntil.size >= this.options.maxClients
    ) {
      this.#olderRefusals = this.#refusedUntil;
      this.#refusedUntil = new Map();
      this.#generationStart = now;
    }
    this.#refusedUntil.set(key, until);
  }
}
