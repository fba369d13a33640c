/**
 * What every rate limiter with a shared store needs: a fallback for the time
 * when the store does not answer, refusals without asking it, and reconnection.
 *
 * @module
 */
import { hash } from "node:crypto";
import {
  type BudgetKey,
  type Decision,
  type RateLimiter,
  SlidingWindowLimiter,
  type SlidingWindowOptions,
  WINDOW_MS,
} from "./sliding_window.ts";

/** How long connecting to the store may take, in milliseconds. */
const CONNECT_DEADLINE_MS = 5000;

/** The first and the longest pause before connecting again, in milliseconds. */
const RETRY_MS = [100, 5000] as const;

/** An outage that begins sooner after the last one continues its pauses. */
const STABLE_MS = 60_000;

/** Decisions that wait for the store at most; further ones are made locally. */
export const MAX_PENDING_DECISIONS = 10_000;

/**
 * The reason why a store cannot be used, in words.
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
  /** Whether waiting is no remedy: a setting is wrong. */
  readonly permanent: boolean;

  /**
   * Describes an outage.
   *
   * @param reason what a log line says of it
   * @param options `permanent`: whether waiting is no remedy
   */
  constructor(reason: string, { permanent = false } = {}) {
    super(reason);
    this.permanent = permanent;
  }
}

/** A database that counts the requests of all processes. */
export interface SharedStore {
  /** Its name in log lines. */
  readonly name: string;
  /** How long a decision may take, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Connects, and makes sure that decisions will work.
   *
   * @param onLost called when the connection has ended by itself
   * @throws {StoreError} if it cannot be used
   */
  connect(onLost: (error: StoreError) => void): Promise<void>;
  /**
   * Decides on a request, and counts it if it is admitted. It never asks twice:
   * a request whose reply is lost may have been counted.
   *
   * @param key the client's key
   * @returns the decision
   * @throws {StoreError} if there is none
   */
  admit(key: BudgetKey): Promise<Decision>;
  /** Disconnects. Decisions under way fail. */
  close(): void;
}

/**
 * What a client is called in a shared store: a keyed hash, so that the database
 * has no address.
 *
 * @param secret a random text that all processes share
 * @param key the client's key
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
export function pseudonym(secret: string, { high, low }: BudgetKey): string {
  // One hash instead of HMAC (RFC 2104), which prevents that somebody extends a
  // message: nobody can here, and HMAC takes 11 us instead of 1.
  return hash("sha256", `${secret}:${high}:${low}`, "hex").slice(0, 32);
}

/**
 * A new secret for {@linkcode pseudonym}.
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

/** What a {@linkcode SharedLimiter} is made of. */
export interface SharedLimiterOptions extends SlidingWindowOptions {
  /** Counts for all processes. */
  readonly store: SharedStore;
  /** Writes a line when an outage begins, and when it ends. */
  readonly warn: (line: string) => void;
}

/** A request that waits for the store. */
interface PendingDecision {
  readonly key: BudgetKey;
  readonly name: string;
  /** When the request came, on the local clock. */
  readonly at: number;
  readonly resolve: (decision: Decision) => void;
}

/**
 * Admits what both the shared store and the local window admit.
 *
 * The local window has counted everything that this process admitted. While the
 * store works it refuses nothing that the store admits. It is what remains of
 * the rate limit when the store is gone, and it bounds what this process admits
 * when the store has come back empty.
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
  /** The reason of the outage that was reported last; undefined in none. */
  #reported: string | undefined;
  #connectedAt = -Infinity;
  #pauseMs: number = RETRY_MS[0];
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Oldest first. */
  readonly #pending = new Set<PendingDecision>();
  #deadlineTimer: ReturnType<typeof setTimeout> | undefined;
  /** Called when no decision is pending any more. */
  #onDrained: (() => void) | undefined;
  /**
   * Of clients at their limit: until when that is certain. Two generations, of
   * which the older one is dropped as a whole: to delete the first entry of a
   * large Map again and again takes 100 times as long.
   */
  #refusedUntil = new Map<string, number>();
  #olderRefusals = new Map<string, number>();
  #generationStart = -Infinity;

  /**
   * Starts without a connection: decides locally until `start` has connected.
   *
   * @param options the store, and how many requests of how many clients
   */
  constructor(options: SharedLimiterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#local = new SlidingWindowLimiter({
      ...options,
      now: this.#now,
      // While the store decides, it loses nothing by what is forgotten here.
      onEvict: () => this.#connected || options.onEvict?.(),
    });
  }

  /** Whether the store decides. */
  get isConnected(): boolean {
    return this.#connected;
  }

  /**
   * Connects to the store. A store that does not answer is waited for beside
   * the requests.
   *
   * @throws {StoreError} a permanent one, if waiting is no remedy
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
   * Decides on a request of a client, and counts it if it is admitted.
   *
   * @param key the client's key
   * @returns whether the request may go on, and how the budget stands after it;
   *   a promise if the store is asked
   */
  admit(key: BudgetKey): Decision | Promise<Decision> {
    const at = this.#now();
    const name = `${key.high}:${key.low}`;
    const until = this.#refusedUntil.get(name) ?? this.#olderRefusals.get(name);
    if (until !== undefined && at < until) {
      return { admitted: false, remaining: 0, resetMs: until - at };
    }
    if (!this.#connected || this.#pending.size >= MAX_PENDING_DECISIONS) {
      return this.#local.admit(key);
    }
    return new Promise((resolve) => {
      const pending = { key, name, at, resolve };
      this.#pending.add(pending);
      this.#watchDeadline(this.#options.store.deadlineMs);
      this.#options.store.admit(key).then(
        (decision) => this.#settle(pending, decision),
        (error) => {
          // A decision that was made meanwhile belongs to an earlier outage.
          if (this.#pending.has(pending)) this.#beginOutage(error);
        },
      );
    });
  }

  /**
   * Waits for pending decisions, then disconnects. Requests that come from now
   * on are decided locally.
   *
   * @returns settled when no decision is pending, after the deadline at most
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#connected = false;
    clearTimeout(this.#retryTimer);
    if (this.#pending.size > 0) {
      await new Promise<void>((resolve) => this.#onDrained = resolve);
    }
    clearTimeout(this.#deadlineTimer);
    this.#options.store.close();
  }

  /** Finishes a decision with what the store and the local window say. */
  #settle(pending: PendingDecision, ofStore: Decision): void {
    if (!this.#pending.delete(pending)) return;
    let decision = ofStore;
    if (ofStore.admitted) {
      // Counted as of when it came: it leaves the local window no later than
      // the store's, so that the store is never contradicted while it works.
      const ofLocal = this.#local.admit(pending.key, pending.at);
      if (!ofLocal.admitted || ofLocal.remaining < ofStore.remaining) {
        decision = ofLocal;
      }
    }
    if (decision.remaining === 0) {
      this.#refuseUntil(pending.name, pending.at + decision.resetMs);
    }
    pending.resolve(decision);
    if (this.#pending.size === 0) this.#onDrained?.();
  }

  /** Remembers that a client is at its limit, for a window at most. */
  #refuseUntil(name: string, until: number): void {
    const now = this.#now();
    if (
      now - this.#generationStart >= WINDOW_MS ||
      2 * this.#refusedUntil.size >= this.#options.maxClients
    ) {
      this.#olderRefusals = this.#refusedUntil;
      this.#refusedUntil = new Map();
      this.#generationStart = now;
    }
    this.#refusedUntil.set(name, until);
  }

  /** One timer for all decisions: only the oldest can be the first to be late. */
  #watchDeadline(afterMs: number): void {
    const { deadlineMs } = this.#options.store;
    this.#deadlineTimer ??= setTimeout(() => {
      // In a process that was busy the reply may have arrived: one more turn of
      // the event loop reads it.
      this.#deadlineTimer = setTimeout(() => {
        this.#deadlineTimer = undefined;
        const [oldest] = this.#pending;
        if (oldest === undefined) return;
        const leftMs = oldest.at + deadlineMs - this.#now();
        if (leftMs > 0) this.#watchDeadline(leftMs);
        else this.#beginOutage(late(deadlineMs));
      }, 0);
    }, afterMs);
  }

  /** From now on this process decides by itself, and tries to connect again. */
  #beginOutage(error: StoreError): void {
    this.#connected = false;
    this.#options.store.close();
    for (const { key, resolve } of this.#pending) {
      resolve(this.#local.admit(key));
    }
    this.#pending.clear();
    this.#onDrained?.();
    if (this.#closed) return;
    if (this.#reported === undefined) this.#report(error);
    if (this.#now() - this.#connectedAt >= STABLE_MS) {
      this.#pauseMs = RETRY_MS[0];
    }
    this.#retryLater();
  }

  #report({ message }: StoreError): void {
    this.#reported = message;
    this.#options.warn(
      `Rate limit: cannot use ${this.#options.store.name}: ${message}; this process counts by itself until it can`,
    );
  }

  /** Connects again after a pause that grows and is random. */
  #retryLater(): void {
    const pauseMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, RETRY_MS[1]);
    this.#retryTimer = setTimeout(async () => {
      try {
        await this.#connect();
      } catch (error) {
        if (this.#closed) return;
        // Waiting is no remedy, and the operator must know.
        const { permanent, message } = error as StoreError;
        if (permanent && message !== this.#reported) {
          this.#report(error as StoreError);
        }
        this.#retryLater();
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

function late(deadlineMs: number): StoreError {
  return new StoreError(`no answer within ${deadlineMs} ms`);
}

/** Waits for a promise until the deadline. */
async function withDeadline<T>(
  promise: Promise<T>,
  deadlineMs: number,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
