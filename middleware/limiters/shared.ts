/**
 * The rate limiter with a shared store. While the store does not respond, the
 * limiter decides locally and tries to reconnect. It refuses clients at their limit
 * without asking the store.
 *
 * @module
 */
import { hash } from "node:crypto";
import {
  type ClientKey,
  type Decision,
  type RateLimiter,
  SlidingWindowLimiter,
  type SlidingWindowOptions,
  WINDOW_MS,
} from "./sliding_window.ts";

/** The deadline for connecting to the store, in milliseconds. */
const CONNECT_DEADLINE_MS = 5000;

/** The first and the longest pause before reconnecting, in milliseconds. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** The time in milliseconds after which a connection counts as stable. */
const STABLE_MS = 60_000;

/** The maximum number of pending decisions; further ones are made locally. */
export const MAX_PENDING_DECISIONS = 10_000;

/**
 * The reason why a store cannot be used.
 *
 * @example
 * ```ts
 * import { StoreError } from "./shared.ts";
 * import { assert } from "@std/assert";
 *
 * assert(new StoreError("the password is wrong", { permanent: true }).permanent);
 * ```
 */
export class StoreError extends Error {
  /** The name of the class. */
  override name = "StoreError";
  /** Whether a setting is wrong, so that waiting does not help. */
  readonly permanent: boolean;

  /**
   * Describes an outage.
   *
   * @param reason the reason, for the log
   * @param options `permanent` is true if a wrong setting is the cause
   */
  constructor(reason: string, { permanent = false } = {}) {
    super(reason);
    this.permanent = permanent;
  }
}

/** A store that counts the requests of all processes. */
export interface SharedStore {
  /** Its name in log lines. */
  readonly name: string;
  /** The deadline for a decision, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Connects, and checks that the store can decide.
   *
   * @param onLost called when the connection is lost
   * @throws {StoreError} if it cannot be used
   */
  connect(onLost: (error: StoreError) => void): Promise<void>;
  /**
   * Decides about a request, and counts it if it is admitted. It never asks the
   * store again after a lost reply, since the request may have been counted.
   *
   * @param key the key of the client
   * @returns the decision
   * @throws {StoreError} if the store cannot decide
   */
  admit(key: ClientKey): Promise<Decision>;
  /** Closes the connection. Decisions that are pending fail. */
  close(): void;
}

/**
 * Returns the name of a client in a shared store. It is a keyed hash, so that
 * the store contains no address.
 *
 * @param secret a random text that all processes share
 * @param key the key of the client
 * @returns 128 bits of SHA-256 over both, in hexadecimal
 *
 * @example
 * ```ts
 * import { pseudonym } from "./shared.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(pseudonym("secret", { high: -1, low: 1 }).length, 32);
 * ```
 */
export function pseudonym(secret: string, { high, low }: ClientKey): string {
  // HMAC (RFC 2104) would prevent length extension, which needs a message that an
  // attacker can extend. There is none here, and HMAC takes 11 us instead of 1.
  return hash("sha256", `${secret}:${high}:${low}`, "hex").slice(0, 32);
}

/**
 * Makes a new secret for {@linkcode pseudonym}.
 *
 * @returns 256 random bits, as text
 *
 * @example
 * ```ts
 * import { newSecret } from "./shared.ts";
 * import { assert } from "@std/assert";
 *
 * assert(newSecret() !== newSecret());
 * ```
 */
export function newSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64();
}

/** Options of a {@linkcode SharedLimiter}. */
export interface SharedLimiterOptions extends SlidingWindowOptions {
  /** The store of all processes. */
  readonly store: SharedStore;
  /** Logs the begin and the end of an outage. */
  readonly warn: (line: string) => void;
}

/** A request that waits for the decision of the store. */
interface PendingDecision extends PromiseWithResolvers<Decision> {
  readonly key: ClientKey;
  /** The key as a string. */
  readonly id: string;
  /** The time of the request, on the local clock. */
  readonly at: number;
}

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
 * const key = { high: -1, low: 0x7f000001 };
 * assert((await limiter.admit(key)).admitted);
 * assert(!(await limiter.admit(key)).admitted);
 * await limiter.close();
 * ```
 */
export class SharedLimiter implements RateLimiter {
  readonly #options: SharedLimiterOptions;
  readonly #now: () => number;
  readonly #local: SlidingWindowLimiter;
  /** Whether the store decides. */
  #connected = false;
  #closed = false;
  /** The reason of the outage in the log; undefined outside of an outage. */
  #reported: string | undefined;
  #outages = 0;
  #evicted = 0;
  #connectedAt = -Infinity;
  #pauseMs = FIRST_PAUSE_MS;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** The pending decisions, oldest first. */
  readonly #pending = new Set<PendingDecision>();
  #deadlineTimer: ReturnType<typeof setTimeout> | undefined;
  /**
   * The time until which a client at its limit is refused. Two Maps are used, a
   * newer and an older one. The older one is dropped as a whole, because deleting
   * the entries of one large Map one by one takes 100 times as long.
   */
  #refusedUntil = new Map<string, number>();
  #olderRefusals = new Map<string, number>();
  #generationStart = -Infinity;

  /**
   * Makes a limiter that decides locally until `start` has connected.
   *
   * @param options the store, the log and the limits
   */
  constructor(options: SharedLimiterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#local = new SlidingWindowLimiter({
      ...options,
      now: this.#now,
      // While the store decides, a local eviction has no effect.
      onEvict: () => {
        if (this.#connected) return;
        this.#evicted++;
        options.onEvict?.();
      },
    });
  }

  /** Whether the store decides. */
  get isConnected(): boolean {
    return this.#connected;
  }

  /** How many outages of the store have begun. */
  get outages(): number {
    return this.#outages;
  }

  /** The number of clients that the local window remembers. */
  get size(): number {
    return this.#local.size;
  }

  /** How many clients were evicted early while the local window decided. */
  get evicted(): number {
    return this.#evicted;
  }

  /**
   * Connects to the store. If that fails, it is tried again in the background.
   *
   * @throws {StoreError} if a setting is wrong (`permanent`)
   */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if ((error as StoreError).permanent) throw error;
      this.#beginOutage(error as StoreError);
    }
  }

  /**
   * Decides about a request, and counts it if it is admitted.
   *
   * @param key the key of the client
   * @returns the decision; a promise if the store decides
   */
  admit(key: ClientKey): Decision | Promise<Decision> {
    const at = this.#now();
    const id = `${key.high}:${key.low}`;
    const until = this.#refusedUntil.get(id) ?? this.#olderRefusals.get(id);
    if (until !== undefined && at < until) {
      return { admitted: false, remaining: 0, resetMs: until - at };
    }
    if (!this.#connected || this.#pending.size >= MAX_PENDING_DECISIONS) {
      return this.#local.admit(key);
    }
    const pending = { key, id, at, ...Promise.withResolvers<Decision>() };
    this.#pending.add(pending);
    this.#watchDeadline(this.#options.store.deadlineMs);
    this.#options.store.admit(key).then(
      (decision) => this.#settle(pending, decision),
      (error) => {
        // Otherwise an earlier outage has settled the decision already.
        if (this.#pending.has(pending)) this.#beginOutage(error);
      },
    );
    return pending.promise;
  }

  /**
   * Waits for pending decisions, at most until their deadline, then disconnects.
   * Decisions about new requests are local.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#connected = false;
    clearTimeout(this.#retryTimer);
    await Promise.all(Array.from(this.#pending, ({ promise }) => promise));
    clearTimeout(this.#deadlineTimer);
    this.#options.store.close();
  }

  /** Combines the decision of the store with that of the local window. */
  #settle(pending: PendingDecision, storeDecision: Decision): void {
    if (!this.#pending.delete(pending)) return;
    let decision: Decision = { ...storeDecision, byStore: true };
    if (storeDecision.admitted) {
      // With the time of the request it leaves the local window no later than the
      // store's, so that both agree while the store works.
      const local = this.#local.admit(pending.key, pending.at);
      if (!local.admitted || local.remaining < decision.remaining) {
        decision = local;
      }
    }
    if (decision.remaining === 0) {
      this.#refuseUntil(pending.id, pending.at + decision.resetMs);
    }
    pending.resolve(decision);
  }

  /** Remembers that a client is at its limit, for at most a window. */
  #refuseUntil(id: string, until: number): void {
    const now = this.#now();
    if (
      now - this.#generationStart >= WINDOW_MS ||
      2 * this.#refusedUntil.size >= this.#options.maxClients
    ) {
      this.#olderRefusals = this.#refusedUntil;
      this.#refusedUntil = new Map();
      this.#generationStart = now;
    }
    this.#refusedUntil.set(id, until);
  }

  /** Sets one timer for all decisions, at the deadline of the oldest one. */
  #watchDeadline(afterMs: number): void {
    const { deadlineMs } = this.#options.store;
    this.#deadlineTimer ??= setTimeout(() => {
      // If the process was busy, the reply may be in the socket. One more turn of
      // the event loop reads it.
      this.#deadlineTimer = setTimeout(() => {
        this.#deadlineTimer = undefined;
        const [oldest] = this.#pending;
        if (oldest === undefined) return;
        const leftMs = oldest.at + deadlineMs - this.#now();
        if (leftMs > 0) this.#watchDeadline(leftMs);
        else this.#beginOutage(timeoutError(deadlineMs));
      }, 0);
    }, afterMs);
  }

  /** Decides pending and new requests locally, and starts to reconnect. */
  #beginOutage(error: StoreError): void {
    this.#connected = false;
    this.#options.store.close();
    for (const { key, resolve } of this.#pending) {
      resolve(this.#local.admit(key));
    }
    this.#pending.clear();
    if (this.#closed) return;
    this.#outages++;
    if (this.#reported === undefined) this.#report(error);
    if (this.#now() - this.#connectedAt >= STABLE_MS) {
      this.#pauseMs = FIRST_PAUSE_MS;
    }
    this.#reconnectLater();
  }

  #report({ message }: StoreError): void {
    this.#reported = message;
    this.#options.warn(
      `Rate limit: cannot use ${this.#options.store.name}: ${message}; this process counts by itself until it can`,
    );
  }

  /** Reconnects after a random pause that grows. */
  #reconnectLater(): void {
    const pauseMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    this.#retryTimer = setTimeout(async () => {
      try {
        await this.#connect();
      } catch (error) {
        if (this.#closed) return;
        const failure = error as StoreError;
        // The operator must change a setting.
        if (failure.permanent && failure.message !== this.#reported) {
          this.#report(failure);
        }
        this.#reconnectLater();
      }
    }, pauseMs);
  }

  async #connect(): Promise<void> {
    const { store, warn } = this.#options;
    try {
      await withDeadline(
        store.connect((error) => {
          if (this.#connected) this.#beginOutage(error);
        }),
        CONNECT_DEADLINE_MS,
      );
    } catch (error) {
      store.close();
      throw error;
    }
    if (this.#closed) return store.close();
    this.#connected = true;
    this.#connectedAt = this.#now();
    if (this.#reported !== undefined) {
      warn(`Rate limit: ${store.name} is in use again`);
    }
    this.#reported = undefined;
  }
}

function timeoutError(deadlineMs: number): StoreError {
  return new StoreError(`no answer within ${deadlineMs} ms`);
}

/** Waits for a promise until the deadline. */
async function withDeadline<T>(
  promise: Promise<T>,
  deadlineMs: number,
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timeoutError(deadlineMs)), deadlineMs);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
