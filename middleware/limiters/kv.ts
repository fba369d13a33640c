/**
 * Deno KV as the shared store of the rate limit, for Deno Deploy.
 *
 * @module
 */
import { pseudonym, type SharedStore, StoreError } from "./shared.ts";
import type { Decision } from "./sliding_window.ts";

/** When the entry expires that shows that the process may write. */
const TRY_MS = 60_000;

/** The longest pause before a transaction is repeated. */
const MAX_PAUSE_MS = 64;

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
 * An admitted request counts for a window on the clock of the process that
 * decides. If the clock of process A is `d` seconds ahead of that of process B, A
 * may forget requests `d` seconds early, and B may forget them `d` seconds late. A
 * stored time that is more than a window later than now does not count. It shows
 * that a clock was set back after the time was stored.
 *
 * @example
 * ```ts
 * import { KvStore } from "./kv.ts";
 * import { assert } from "@std/assert";
 *
 * const open = () => Deno.openKv(":memory:");
 * const store = new KvStore(open);
 * await store.connect();
 * assert((await store.admit("client", 1, 60_000)).admitted);
 * assert(!(await store.admit("client", 1, 60_000)).admitted);
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

  /**
   * Makes a store without a connection.
   *
   * @param open opens the database, also after an outage
   * @param now the wall clock, in milliseconds
   */
  constructor(
    private readonly open: () => Promise<Deno.Kv>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Opens the database, reads the shared secret, and checks that the process may
   * write.
   *
   * @throws {StoreError} if the database cannot be used
   */
  async connect(): Promise<void> {
    const { signal } = this.#closing = new AbortController();
    try {
      const kv = await this.open();
      if (signal.aborted) return kv.close();
      signal.addEventListener("abort", () => kv.close());
      const secret = await readSecret(kv);
      await kv.set(["pwgen", "try"], true, { expireIn: TRY_MS });
      this.#session = { kv, secret, queues: new Map() };
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** See {@linkcode SharedStore.admit}. */
  admit(key: string, limit: number, windowMs: number): Promise<Decision> {
    const session = this.#session!;
    const name = pseudonym(session.secret, key);
    const request = Promise.withResolvers<Decision>();
    const queue = session.queues.get(name);
    if (queue !== undefined) queue.push(request);
    else {
      session.queues.set(name, [request]);
      this.#decideAll(session, name, limit, windowMs);
    }
    return request.promise;
  }

  /** Closes the database. Decisions that are pending fail. */
  close(): void {
    this.#closing.abort();
  }

  /** Decides about the requests of a client until none is pending. */
  async #decideAll(
    { kv, queues }: Session,
    name: string,
    limit: number,
    windowMs: number,
  ): Promise<void> {
    const entry: Deno.KvKey = ["pwgen", "times", name];
    const queue = queues.get(name)!;
    let pauseMs = 1;
    try {
      while (queue.length > 0) {
        const found = await kv.get<StoredTimes>(entry);
        const now = this.now();
        const { start, offsets } = found.value ?? { start: now, offsets: [] };
        const times = Array.from(offsets, (offset) => start + offset)
          .filter((time) => Math.abs(now - time) < windowMs);
        const decisions = queue.map((): Decision => {
          const admitted = times.length < limit;
          // The clock that is ahead counts, so that the times stay in order.
          if (admitted) times.push(Math.max(now, times.at(-1) ?? now));
          return {
            admitted,
            remaining: Math.max(0, limit - times.length),
            resetMs: Math.min(windowMs, times[0]! + windowMs - now),
          };
        });
        if (decisions[0]!.admitted) {
          const [oldest] = times as [number];
          const value: StoredTimes = {
            start: oldest,
            offsets: Uint32Array.from(times, (time) => time - oldest),
          };
          const { ok } = await kv.atomic().check(found)
            .set(entry, value, { expireIn: windowMs }).commit();
          if (!ok) {
            const ms = pauseMs * Math.random();
            await new Promise((resolve) => setTimeout(resolve, ms));
            pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
            continue;
          }
        }
        pauseMs = 1;
        // Others may have arrived during the transaction.
        queue.splice(0, decisions.length)
          .forEach(({ resolve }, i) => resolve(decisions[i]!));
      }
    } catch (error) {
      queue.forEach(({ reject }) => reject(asStoreError(error)));
    }
    queues.delete(name);
  }
}

/** Reads the shared secret, and stores a new one if there is none. */
async function readSecret(kv: Deno.Kv): Promise<string> {
  const entry: Deno.KvKey = ["pwgen", "secret"];
  while (true) {
    const { value, versionstamp } = await kv.get<string>(entry);
    if (value !== null) return value;
    const secret = crypto.getRandomValues(new Uint8Array(32)).toBase64();
    await kv.atomic().check({ key: entry, versionstamp })
      .set(entry, secret).commit();
  }
}

/**
 * Keeps only the class of an error, since its message may contain anything, but for
 * that of Deno about an app without a database (ext/kv of Deno).
 */
function asStoreError(error: unknown): StoreError {
  if (error instanceof Deno.errors.NotCapable) {
    const reason = "no permission from Deno to open it";
    return new StoreError(reason, { permanent: true });
  }
  if (!(error instanceof Error)) return new StoreError(typeof error);
  return error.message.includes("no KV database is attached")
    ? new StoreError("no database is attached; attach one, and deploy again")
    : new StoreError(error.name);
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
