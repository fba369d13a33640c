/**
 * The rate limiter of several processes, which count in one store. While the store
 * does not respond, each process decides alone.
 *
 * @module
 */
import { hash } from "node:crypto";
import { Deadlines } from "../../http/deadlines.ts";
import { RecentMap } from "./recent_map.ts";
import {
  type Decision,
  type RateLimiter,
  SlidingWindowLimiter,
  type SlidingWindowOptions,
  WINDOW_MS,
} from "./sliding_window.ts";

/** The reason why a store cannot be used. */
export class StoreError extends Error {
  /** @ignore */
  override name = "StoreError";
  /** Whether a setting is wrong, so that retrying cannot help. */
  readonly permanent: boolean;

  /** Makes an error whose message is the reason, for the log. */
  constructor(reason: string, { permanent = false } = {}) {
    super(reason);
    this.permanent = permanent;
  }
}

/**
 * Decides about a request of a client, and counts it if it is admitted. It never asks
 * the store again after a lost reply, since the request may have been counted. Its
 * promise rejects with a {@linkcode StoreError} if the store cannot decide.
 *
 * `limit` is the number of requests admitted from a client in a window, at least 1;
 * `windowMs` the length of the window, in milliseconds.
 */
export type Decide = (
  key: string,
  limit: number,
  windowMs: number,
) => Promise<Decision>;

/** A store that counts the requests of all processes. */
export interface SharedStore {
  /** Its name in log lines. */
  readonly name: string;
  /** The deadline for a decision, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Connects, and checks that the store can decide.
   *
   * @param signal ends the connection, or the attempt to connect; pending decisions
   *   then fail
   * @param onLost called when the connection ends otherwise
   * @returns the function that decides while there is a connection
   * @throws {StoreError} if the store cannot be used
   */
  readonly connect: (
    signal: AbortSignal,
    onLost: (error: StoreError) => void,
  ) => Promise<Decide>;
}

/**
 * Returns the name of a client in a shared store: 128 bits of a SHA-256 hash, in
 * hexadecimal. The key of the hash is the secret of all processes, so that the
 * store contains no address.
 */
export function pseudonym(secret: string, key: string): string {
  // HMAC (RFC 2104) would prevent length extension, which needs a message that an
  // attacker can extend. There is none here, and HMAC takes 11 us instead of 1.
  return hash("sha256", `${secret}:${key}`, "hex").slice(0, 32);
}

const CONNECT_DEADLINE_MS = 5000;

/** The pause before connecting again doubles from the first to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** The time after which a connection counts as stable. */
const STABLE_MS = 60_000;

/** The maximum number of pending decisions; further ones are made locally. */
const MAX_PENDING_DECISIONS = 10_000;

type State = "connecting" | "connected" | "waiting" | "closed";

/** Options of a {@linkcode SharedLimiter}. */
export interface SharedLimiterOptions extends SlidingWindowOptions {
  /** The store of all processes. */
  readonly store: SharedStore;
  /** Logs the start and the end of an outage. */
  readonly warn: (line: string) => void;
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
 * import { kvStore } from "./kv.ts";
 * import { SharedLimiter } from "./shared.ts";
 * import { assert } from "@std/assert";
 *
 * const limiter = new SharedLimiter({
 *   limit: 1,
 *   maxClients: 1000,
 *   store: kvStore(() => Deno.openKv(":memory:")),
 *   now: () => performance.now(),
 *   warn: () => {},
 * });
 * await limiter.start();
 * assert((await limiter.admit("client")).admitted);
 * assert(!(await limiter.admit("client")).admitted);
 * await limiter.close();
 * ```
 */
export class SharedLimiter implements RateLimiter {
  /** How many outages of the store have begun. */
  outages = 0;
  #state: State = "waiting";
  /** Ends the connection, or the attempt to connect. */
  #connection = new AbortController();
  /** How the store decides; only while the state is "connected". */
  #decide: Decide | undefined;
  /**
   * The timer of the state: the deadline of connecting, the time until the
   * connection counts as stable, or the pause.
   */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** The logged reason for the outage; undefined if there is none. */
  #reported: string | undefined;
  /** The pending decisions, which become undefined if the store cannot make them. */
  readonly #pending: Deadlines<PromiseWithResolvers<Decision | undefined>>;
  /** The time until which a client at its limit is refused. */
  readonly #refusedUntil: RecentMap<number>;
  readonly #local: SlidingWindowLimiter;

  /** Makes a limiter that decides locally until `start` has connected. */
  constructor(private readonly options: SharedLimiterOptions) {
    const { maxClients, store } = options;
    this.#pending = new Deadlines(store.deadlineMs, (late) => {
      late.resolve(undefined);
      this.#fail(timeoutError(store.deadlineMs));
    });
    const decides = () => !this.isConnected;
    this.#local = new SlidingWindowLimiter({ ...options, decides });
    this.#refusedUntil = new RecentMap({
      maxSize: maxClients,
      lifetimeMs: WINDOW_MS,
    });
  }

  /** Whether the store decides. */
  get isConnected(): boolean {
    return this.#state === "connected";
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
   * Connects to the store. If that fails, it retries in the background.
   *
   * @param options `retry: false` makes every failure an error
   * @throws {StoreError} if a setting is wrong (`permanent`)
   */
  async start({ retry = true } = {}): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (retry && !(error as StoreError).permanent) {
        return this.#fail(error as StoreError);
      }
      await this.close();
      throw error;
    }
  }

  /**
   * Decides about a request, and counts it if it is admitted.
   *
   * @param key the key of the client
   * @returns the decision; a promise if the store decides
   */
  admit(key: string): Decision | Promise<Decision> {
    const at = this.options.now();
    const until = this.#refusedUntil.get(key, at);
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
    this.#enter("closed");
    await Promise.all(Array.from(this.#pending, ({ promise }) => promise));
    this.#connection.abort();
  }

  async #ask(key: string, at: number): Promise<Decision> {
    const { limit } = this.options;
    const pending = Promise.withResolvers<Decision | undefined>();
    this.#pending.add(pending);
    this.#decide!(key, limit, WINDOW_MS).then(pending.resolve, (error) => {
      // A decision that is not pending was settled by an earlier failure.
      if (this.#pending.has(pending)) this.#fail(error);
    });
    const byStore = await pending.promise;
    this.#pending.delete(pending);
    if (byStore === undefined) return this.#local.admit(key);
    // Counted at its time of arrival, the request leaves the local window no later
    // than that of the store, so that both agree while the store works.
    const decision = byStore.admitted
      ? stricter(byStore, this.#local.admit(key, at))
      : { ...byStore, byStore: true };
    if (decision.remaining === 0) {
      this.#refusedUntil.set(key, at + decision.resetMs, this.options.now());
    }
    return decision;
  }

  #enter(state: State, timeMs = 0, onTime = () => {}): void {
    clearTimeout(this.#timer);
    this.#state = state;
    this.#timer = setTimeout(onTime, timeMs);
  }

  async #connect(): Promise<void> {
    const { store, warn } = this.options;
    const late = Promise.withResolvers<never>();
    const error = timeoutError(CONNECT_DEADLINE_MS);
    this.#enter("connecting", CONNECT_DEADLINE_MS, () => late.reject(error));
    const { signal } = this.#connection = new AbortController();
    const connected = store.connect(signal, (error) => {
      if (this.isConnected) this.#fail(error);
    });
    this.#decide = await Promise.race([connected, late.promise]);
    if (signal.aborted) return; // close() was called in the meantime
    const onStable = () => this.#pauseMs = FIRST_PAUSE_MS;
    this.#enter("connected", STABLE_MS, onStable);
    if (this.#reported === undefined) return;
    this.#reported = undefined;
    warn(`Rate limit: ${store.name} is in use again`);
  }

  /** Ends a connection that does not work, and connects again after a pause. */
  #fail({ message, permanent }: StoreError): void {
    const { store, warn } = this.options;
    this.#connection.abort();
    for (const pending of this.#pending) {
      this.#pending.delete(pending);
      pending.resolve(undefined);
    }
    if (this.#state === "closed") return;
    const isNew = this.#reported === undefined;
    if (isNew) this.outages++;
    // If the reason is permanent, the operator must change a setting.
    if (isNew || (permanent && message !== this.#reported)) {
      this.#reported = message;
      warn(
        `Rate limit: cannot use ${store.name}: ${message}; this process counts by itself until it can`,
      );
    }
    const retry = () => this.#connect().catch((error) => this.#fail(error));
    const pauseMs = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    this.#enter("waiting", pauseMs, retry);
  }
}

/** Returns the stricter of two decisions about a request that the store admits. */
function stricter(byStore: Decision, local: Decision): Decision {
  const isStricter = !local.admitted || local.remaining < byStore.remaining;
  return isStricter ? local : { ...byStore, byStore: true };
}

function timeoutError(deadlineMs: number): StoreError {
  return new StoreError(`no answer within ${deadlineMs} ms`);
}
