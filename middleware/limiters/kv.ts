/**
 * Deno KV as the shared store of the rate limit, for Deno Deploy.
 *
 * @module
 */
import { pseudonym, type SharedStore, StoreError } from "./shared.ts";
import type { Decision } from "./sliding_window.ts";

/** The lifetime of the entry that tests the right to write, in milliseconds. */
const TRY_MS = 60_000;

/** The longest pause before a transaction is repeated. */
const MAX_PAUSE_MS = 64;

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
 * Its deadline is long, since the database can be in a distant region.
 *
 * @param open opens the database, also after an outage
 * @param now the wall clock, in milliseconds
 * @returns the store, not yet connected
 *
 * @example
 * ```ts
 * import { kvStore } from "./kv.ts";
 * import { assert } from "@std/assert";
 *
 * const store = kvStore(() => Deno.openKv(":memory:"));
 * const closing = new AbortController();
 * const decide = await store.connect(closing.signal, () => {});
 * assert((await decide("client", 1, 60_000)).admitted);
 * assert(!(await decide("client", 1, 60_000)).admitted);
 * closing.abort();
 * ```
 */
export function kvStore(
  open: () => Promise<Deno.Kv>,
  now: () => number = Date.now,
): SharedStore {
  return {
    name: "Deno KV",
    deadlineMs: 2000,
    connect: async (signal) => {
      try {
        const kv = await open();
        signal.addEventListener("abort", () => kv.close());
        if (signal.aborted) kv.close();
        const secret = await readSecret(kv);
        // Without the right to write, this fails.
        await kv.set(["pwgen", "try"], true, { expireIn: TRY_MS });
        /** The requests that wait for the next transaction, by client. */
        const queues: Queues = new Map();
        return (key, limit, windowMs) => {
          const name = pseudonym(secret, key);
          const request = Promise.withResolvers<Decision>();
          const queue = queues.get(name);
          if (queue !== undefined) queue.push(request);
          else {
            queues.set(name, [request]);
            decideAll(kv, queues, name, limit, windowMs, now);
          }
          return request.promise;
        };
      } catch (error) {
        throw asStoreError(error);
      }
    },
  };
}

type Queues = Map<string, PromiseWithResolvers<Decision>[]>;

/** Decides about the requests of a client until none is pending. */
async function decideAll(
  kv: Deno.Kv,
  queues: Queues,
  name: string,
  limit: number,
  windowMs: number,
  clock: () => number,
): Promise<void> {
  const entry: Deno.KvKey = ["pwgen", "times", name];
  const queue = queues.get(name)!;
  let pauseMs = 1;
  try {
    while (queue.length > 0) {
      const found = await kv.get<StoredTimes>(entry);
      const now = clock();
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
 * Keeps only the class of an error, since its message may contain anything. The
 * exception is the error of Deno about an app without a database (ext/kv of Deno).
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
