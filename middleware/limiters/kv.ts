/**
 * Deno KV as the shared store of the rate limit, for Deno Deploy.
 *
 * @module
 */
import { newSecret, pseudonym, type SharedStore, StoreError } from "./store.ts";
import { type Decision, WINDOW_MS } from "./sliding_window.ts";

/** The longest pause before a transaction is repeated. */
const MAX_PAUSE_MS = 64;

/** Options of a {@linkcode KvStore}. */
export interface KvStoreOptions {
  /** Requests admitted from a client in a window, at least 1. */
  readonly limit: number;
  /** Opens the database, also after an outage. */
  readonly open: () => Promise<Deno.Kv>;
  /** The wall clock, in milliseconds. The default is `Date.now`. */
  readonly now?: () => number;
}

interface Session {
  readonly kv: Deno.Kv;
  readonly secret: string;
  /** The requests that wait for the next transaction, by client. */
  readonly queues: Map<string, PromiseWithResolvers<Decision>[]>;
}

/**
 * Counts in Deno KV, with the clocks of the processes.
 *
 * Each client has one transaction at a time. The transaction decides about all
 * requests that arrived during the previous transaction. After a conflict with
 * another process the transaction is repeated after a random pause that grows.
 *
 * An admitted request counts for 60 seconds on the clock of the process that
 * decides. If the clock of process A is `d` seconds ahead of that of process B, A
 * may forget requests `d` seconds early, and B may forget them `d` seconds late. A
 * stored time that is more than 60 seconds later than now does not count. It shows
 * that a clock was set back after the time was stored.
 *
 * @example
 * ```ts
 * import { KvStore } from "./kv.ts";
 * import { assert } from "@std/assert";
 *
 * const open = () => Deno.openKv(":memory:");
 * const store = new KvStore({ limit: 1, open });
 * await store.connect();
 * assert((await store.admit("client")).admitted);
 * assert(!(await store.admit("client")).admitted);
 * store.close();
 * ```
 */
export class KvStore implements SharedStore {
  /** The name in log lines. */
  readonly name = "Deno KV";
  /** The deadline for a decision; long, for a distant region. */
  readonly deadlineMs = 2000;
  #session: Session | undefined;
  /** Closes the database, also one that is not open yet. */
  #closing = new AbortController();

  /** Makes a store without a connection. */
  constructor(private readonly options: KvStoreOptions) {}

  /**
   * Opens the database, reads the shared secret, and checks that the process may
   * write.
   *
   * @throws {StoreError} if the database cannot be used
   */
  async connect(): Promise<void> {
    const { signal } = this.#closing = new AbortController();
    try {
      const kv = await this.options.open();
      if (signal.aborted) return kv.close();
      signal.addEventListener("abort", () => kv.close());
      const secret = await readSecret(kv);
      await kv.set(["pwgen", "try"], true, { expireIn: WINDOW_MS });
      this.#session = { kv, secret, queues: new Map() };
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** See {@linkcode SharedStore.admit}. */
  admit(key: string): Promise<Decision> {
    const session = this.#session!;
    const name = pseudonym(session.secret, key);
    const request = Promise.withResolvers<Decision>();
    const queue = session.queues.get(name);
    if (queue !== undefined) queue.push(request);
    else {
      session.queues.set(name, [request]);
      this.#decideAll(session, name);
    }
    return request.promise;
  }

  /** Closes the database. Decisions that are pending fail. */
  close(): void {
    this.#closing.abort();
  }

  /** Decides about the requests of a client until none is pending. */
  async #decideAll(session: Session, name: string): Promise<void> {
    const queue = session.queues.get(name)!;
    while (queue.length > 0) {
      const batch = queue.splice(0);
      try {
        const decisions = await this.#decide(session, name, batch.length);
        batch.forEach(({ resolve }, i) => resolve(decisions[i]!));
      } catch (error) {
        batch.push(...queue.splice(0));
        batch.forEach(({ reject }) => reject(asStoreError(error)));
      }
    }
    session.queues.delete(name);
  }

  /** Decides about several requests of a client in one transaction. */
  async #decide(
    { kv }: Session,
    name: string,
    count: number,
  ): Promise<Decision[]> {
    const entry: Deno.KvKey = ["pwgen", "times", name];
    for (let pauseMs = 1;; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const found = await kv.get<StoredTimes>(entry);
      const now = (this.options.now ?? Date.now)();
      const { start, offsets } = found.value ?? { start: now, offsets: [] };
      const times = Array.from(offsets, (offset) => start + offset)
        .filter((time) => Math.abs(now - time) < WINDOW_MS);
      const decisions = Array.from(
        { length: count },
        () => this.#decideOne(times, now),
      );
      if (!decisions[0]!.admitted) return decisions;
      const [oldest] = times as [number];
      const value: StoredTimes = {
        start: oldest,
        offsets: Uint32Array.from(times, (time) => time - oldest),
      };
      const { ok } = await kv.atomic().check(found)
        .set(entry, value, { expireIn: WINDOW_MS }).commit();
      if (ok) return decisions;
      await new Promise((resolve) =>
        setTimeout(resolve, pauseMs * Math.random())
      );
    }
  }

  /** Decides about a request, and adds its time to `times` if it is admitted. */
  #decideOne(times: number[], now: number): Decision {
    const { limit } = this.options;
    const admitted = times.length < limit;
    // The clock that is ahead counts, so that the times stay in order.
    if (admitted) times.push(Math.max(now, times.at(-1) ?? now));
    return {
      admitted,
      remaining: Math.max(0, limit - times.length),
      resetMs: Math.min(WINDOW_MS, times[0]! + WINDOW_MS - now),
    };
  }
}

/** Reads the shared secret, and stores a new one if there is none. */
async function readSecret(kv: Deno.Kv): Promise<string> {
  const entry: Deno.KvKey = ["pwgen", "secret"];
  while (true) {
    const { value, versionstamp } = await kv.get<string>(entry);
    if (value !== null) return value;
    await kv.atomic().check({ key: entry, versionstamp })
      .set(entry, newSecret()).commit();
  }
}

/** Keeps only the class of an error, since its message may contain anything. */
function asStoreError(error: unknown): StoreError {
  return error instanceof Deno.errors.NotCapable
    ? new StoreError("no permission from Deno to open it", { permanent: true })
    : new StoreError(error instanceof Error ? error.name : typeof error);
}

/**
 * The times of admitted requests in a database entry. With four bytes each,
 * 10,000 of them fit in a value, which may have 64 KiB.
 */
interface StoredTimes {
  /** The oldest time, in milliseconds since 1970. */
  readonly start: number;
  /** All times, in milliseconds after `start`. */
  readonly offsets: Uint32Array;
}
