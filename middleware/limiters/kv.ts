/**
 * Deno KV as the shared store of the rate limit, for Deno Deploy.
 *
 * @module
 */
import {
  newSecret,
  pseudonym,
  type SharedStore,
  StoreError,
} from "./shared.ts";
import { type BudgetKey, type Decision, WINDOW_MS } from "./sliding_window.ts";

/** The longest pause before a transaction is tried again, in milliseconds. */
const MAX_PAUSE_MS = 64;

/** What a {@linkcode KvStore} is made of. */
export interface KvStoreOptions {
  /** Requests admitted to a client in a window, at least 1. */
  readonly limit: number;
  /** Opens the database; called again after an outage. */
  readonly open: () => Promise<Deno.Kv>;
  /**
   * The time that all processes share as well as they can, in milliseconds.
   * The default is `Date.now`.
   */
  readonly now?: () => number;
}

/** A request that waits for its decision. */
interface Waiting {
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
}

/** An open database. */
interface Session {
  readonly kv: Deno.Kv;
  readonly secret: string;
  /** By client: the requests that the next transaction decides on. */
  readonly queues: Map<string, Waiting[]>;
}

/**
 * Counts in Deno KV, with the clocks of the processes.
 *
 * The requests of one client are decided by one transaction after another; each
 * takes all requests that have come meanwhile. A transaction that conflicts with
 * one of another process is tried again after a random pause that grows.
 *
 * An admission counts for 60 seconds on the clock of the process that asks.
 * Where one process is `d` seconds ahead of another, it may renew a budget `d`
 * seconds early, and the other one `d` seconds late. An admission that lies more
 * than a window ahead was written by a clock that has been set back since, and
 * does not count.
 *
 * @example
 * ```ts
 * import { KvStore } from "./kv.ts";
 * import { assert } from "@std/assert";
 *
 * const open = () => Deno.openKv(":memory:");
 * const store = new KvStore({ limit: 1, open });
 * await store.connect();
 * const key = { high: -1, low: 0x7f000001 };
 * assert((await store.admit(key)).admitted);
 * assert(!(await store.admit(key)).admitted);
 * store.close();
 * ```
 */
export class KvStore implements SharedStore {
  /** Its name in log lines. */
  readonly name = "Deno KV";
  /** How long a decision may take, in milliseconds; the database may be far. */
  readonly deadlineMs = 2000;
  readonly #options: KvStoreOptions;
  readonly #now: () => number;
  #session: Session | undefined;
  /** Counts connections, so that a late one is noticed. */
  #attempt = 0;

  /**
   * Starts without a connection.
   *
   * @param options the database, and the limit
   */
  constructor(options: KvStoreOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
  }

  /**
   * Opens the database, agrees on the secret, and makes sure that it can be
   * written to.
   *
   * @throws {StoreError} if it cannot be used
   */
  async connect(): Promise<void> {
    const attempt = ++this.#attempt;
    let kv: Deno.Kv | undefined;
    try {
      kv = await this.#options.open();
      const secret = await agreeOnSecret(kv);
      await kv.set(["pwgen", "try"], true, { expireIn: WINDOW_MS });
      if (attempt === this.#attempt) {
        this.#session = { kv, secret, queues: new Map() };
        kv = undefined;
      }
    } catch (error) {
      throw asStoreError(error);
    } finally {
      kv?.close();
    }
  }

  /**
   * Decides on a request, and counts it if it is admitted.
   *
   * @param key the client's key
   * @returns the decision
   * @throws {StoreError} if there is none
   */
  admit(key: BudgetKey): Promise<Decision> {
    const session = this.#session!;
    const name = pseudonym(session.secret, key);
    return new Promise((resolve, reject) => {
      const queue = session.queues.get(name);
      if (queue !== undefined) queue.push({ resolve, reject });
      else {
        session.queues.set(name, [{ resolve, reject }]);
        this.#decideAll(session, name);
      }
    });
  }

  /** Closes the database. Decisions under way fail. */
  close(): void {
    this.#attempt++;
    const session = this.#session;
    this.#session = undefined;
    session?.kv.close();
  }

  /** Decides on the requests of a client until none is left. */
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

  /** Decides on several requests of a client in one transaction. */
  async #decide(
    { kv }: Session,
    name: string,
    count: number,
  ): Promise<Decision[]> {
    const entry: Deno.KvKey = ["pwgen", "client", name];
    for (let pauseMs = 1;; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const found = await kv.get<Uint8Array>(entry);
      const times = found.value === null ? [] : unpack(found.value);
      const decisions = this.#judge(times, count);
      if (!decisions[0]!.admitted) return decisions;
      const { ok } = await kv.atomic().check(found)
        .set(entry, pack(times), { expireIn: WINDOW_MS }).commit();
      if (ok) return decisions;
      await new Promise((resolve) =>
        setTimeout(resolve, pauseMs * Math.random())
      );
    }
  }

  /** Adds what is admitted to `times`, and removes what has left the window. */
  #judge(times: number[], count: number): Decision[] {
    const { limit } = this.#options;
    const now = this.#now();
    const isInWindow = (time: number) => Math.abs(now - time) < WINDOW_MS;
    times.splice(0, times.length, ...times.filter(isInWindow));
    return Array.from({ length: count }, () => {
      const admitted = times.length < limit;
      // Of two clocks the one ahead counts: the times stay in order.
      if (admitted) times.push(Math.max(now, times.at(-1) ?? now));
      return {
        admitted,
        remaining: Math.max(0, limit - times.length),
        resetMs: Math.min(WINDOW_MS, times[0]! + WINDOW_MS - now),
      };
    });
  }
}

/** The secret that is stored; a new one if there is none. */
async function agreeOnSecret(kv: Deno.Kv): Promise<string> {
  const entry: Deno.KvKey = ["pwgen", "secret"];
  while (true) {
    const { value, versionstamp } = await kv.get<string>(entry);
    if (value !== null) return value;
    await kv.atomic().check({ key: entry, versionstamp })
      .set(entry, newSecret()).commit();
  }
}

/** The message of a database may be anything: the class says enough. */
function asStoreError(error: unknown): StoreError {
  return error instanceof Deno.errors.NotCapable
    ? new StoreError("no permission from Deno to open it", { permanent: true })
    : new StoreError(error instanceof Error ? error.name : typeof error);
}

// A value may have 64 KiB, and a window 10,000 admissions: the first one is kept
// as a number, each as four bytes of milliseconds after the first.

/** Writes admissions, at least one, that lie within a window. */
function pack(times: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 + 4 * times.length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, times[0]!);
  times.forEach((time, i) => view.setUint32(8 + 4 * i, time - times[0]!));
  return bytes;
}

/** Reads admissions. */
function unpack(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getFloat64(0);
  return Array.from(
    { length: (bytes.byteLength - 8) / 4 },
    (_, i) => first + view.getUint32(8 + 4 * i),
  );
}
