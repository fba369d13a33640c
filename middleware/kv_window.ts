/**
 * The same promise as the window in memory, for several processes: the
 * admissions stand in Deno KV.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import {
  type BudgetKey,
  type Decision,
  SlidingWindow,
  type Window,
  WINDOW_MS,
} from "./sliding_window.ts";

/** How long the database may take to answer, in milliseconds. */
export const KV_DEADLINE_MS = 2000;

/** How long the process decides by itself before it asks again, in ms. */
const RETRY_MS = 1000;

/** Transactions of a process at one time; more would only stand in line. */
const MAX_AT_ONCE = 4;

/** The longest pause before a decision that others got in the way of, in ms. */
const MAX_PAUSE_MS = 64;

/** How many requests, of how many clients, and where they are counted. */
export interface KvWindowOptions {
  /** Requests admitted to a client in a window, at least 1. */
  readonly limit: number;
  /** Clients remembered by the process itself at most, at least 1. */
  readonly maxClients: number;
  /** Opens the database; called again after it was gone. */
  readonly open: () => Promise<Deno.Kv>;
  /** Told in one line when the database is gone, and when it is there again. */
  readonly warn: (line: string) => void;
  /**
   * The time that all processes share as well as they can, in milliseconds.
   * The default is `Date.now`.
   */
  readonly now?: () => number;
  /** Called for each client that the process itself had to forget. */
  readonly onEvict?: () => void;
}

type Connection = Promise<{ kv: Deno.Kv; secret: Uint8Array }>;

/** A request that waits for its decision. */
interface Waiting {
  readonly decide: (decision: Decision) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Admits a request when fewer than `limit` requests of its client were admitted
 * in the 60 seconds before it, by whichever process.
 *
 * The requests of one client are decided one transaction after another, all
 * that have come meanwhile in the next one: processes contend for a client, the
 * requests within a process do not. A transaction that lost is tried again,
 * after a pause that is random and grows. A client that was refused is refused
 * by the process itself until its window moves, so that a flood asks nothing of
 * the database.
 *
 * When the database fails, or no transaction comes to an end for 2 seconds, the
 * process decides by a window of its own, which has counted what this process
 * admitted, until the database takes a write again.
 *
 * Clocks: an admission counts for 60 seconds on the clock of whoever asks. Where
 * one process is `d` seconds ahead of another, it may renew a budget `d` seconds
 * early, and the other one `d` seconds late; in the long run no more than the
 * limit a minute get through. What lies more than a window ahead was written by
 * a clock that has been set back since, and does not count.
 *
 * @example
 * ```ts
 * import { KvWindow } from "./kv_window.ts";
 * import { assert } from "@std/assert";
 *
 * const window = new KvWindow({
 *   limit: 1,
 *   maxClients: 1000,
 *   open: () => Deno.openKv(":memory:"),
 *   warn: () => {},
 * });
 * const key = { high: -1, low: 0x7f000001 };
 * assert((await window.admit(key)).admitted);
 * assert(!(await window.admit(key)).admitted);
 * window.close();
 * ```
 */
export class KvWindow implements Window {
  readonly #options: KvWindowOptions;
  readonly #now: () => number;
  /** Decides while the database is gone. */
  readonly #own: SlidingWindow;
  /** Since when the database is gone, on the monotonic clock. */
  #goneSince: number | undefined;
  #database: Connection | undefined;
  #probing = false;
  /** Transactions under way, and what waits for its turn. */
  #underWay = 0;
  readonly #turns: (() => void)[] = [];
  readonly #queues = new Map<string, Waiting[]>();
  /** For clients that are at their limit: when the window moves. */
  readonly #refusedUntil = new Map<string, number>();

  /**
   * Starts without a connection; the first request makes one.
   *
   * @param options how many requests, of how many clients, and where
   */
  constructor(options: KvWindowOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    const { limit, maxClients, onEvict } = options;
    this.#own = new SlidingWindow({
      limit,
      maxClients,
      ...(onEvict && { onEvict }),
    });
  }

  /**
   * Opens the database, so that a wrong address shows at the start. One that
   * does not answer in time counts as gone, and is waited for.
   *
   * @returns settled when the database has answered, or is late
   * @throws what opening it throws
   */
  async connect(): Promise<void> {
    const connection = this.#connection();
    try {
      await inTime(connection);
    } catch (error) {
      if (!(error instanceof Deno.errors.TimedOut)) throw error;
      this.#lose(error, connection);
    }
  }

  /** Lets go of the database. */
  close(): void {
    this.#database?.then(({ kv }) => kv.close()).catch(() => {});
    this.#database = undefined;
  }

  /**
   * Decides on a request of a client, and counts it if it is admitted.
   *
   * @param key what the client's budget is kept under
   * @returns whether the request may go on, and how the budget stands after it
   */
  admit(key: BudgetKey): Decision | Promise<Decision> {
    const name = `${key.high}:${key.low}`;
    if (this.#goneSince !== undefined) {
      if (performance.now() - this.#goneSince >= RETRY_MS) this.#probe();
      return this.#own.admit(key);
    }
    const until = this.#refusedUntil.get(name);
    if (until !== undefined) {
      const resetMs = until - this.#now();
      // A wall clock that was set back must not lengthen a refusal.
      if (resetMs > 0 && resetMs <= WINDOW_MS) {
        return { admitted: false, remaining: 0, resetMs };
      }
      this.#refusedUntil.delete(name);
    }
    return new Promise<Decision>((decide, fail) => {
      const waiting = { decide, fail };
      const queue = this.#queues.get(name);
      if (queue !== undefined) queue.push(waiting);
      else {
        this.#queues.set(name, [waiting]);
        this.#work(name, key);
      }
    }).catch(() => this.#own.admit(key));
  }

  /** Decides all requests of a client that wait, until none does. */
  async #work(name: string, key: BudgetKey): Promise<void> {
    const queue = this.#queues.get(name)!;
    while (queue.length > 0) {
      await this.#turn();
      const batch = queue.splice(0);
      // Whoever stood in line while the database went leaves it alone: the
      // connection may be the one that is being tried.
      const connection = this.#goneSince === undefined
        ? this.#connection()
        : undefined;
      try {
        if (connection === undefined) throw new Error("Cannot wait any longer");
        const decisions = await this.#decide(
          name,
          key,
          batch.length,
          connection,
        );
        batch.forEach(({ decide }, i) => decide(decisions[i]!));
      } catch (error) {
        if (connection !== undefined) this.#lose(error, connection);
        batch.push(...queue.splice(0));
        batch.forEach(({ fail }) => fail(error));
      } finally {
        this.#underWay--;
        this.#turns.shift()?.();
      }
    }
    this.#queues.delete(name);
  }

  /** Waits until there is room for one more transaction, and takes it. */
  async #turn(): Promise<void> {
    if (this.#underWay >= MAX_AT_ONCE) {
      await new Promise<void>((resolve) => this.#turns.push(resolve));
    }
    this.#underWay++;
  }

  /** Decides on several requests of a client in one transaction. */
  async #decide(
    name: string,
    key: BudgetKey,
    count: number,
    connection: Connection,
  ): Promise<Decision[]> {
    const { kv, secret } = await inTime(connection);
    const hidden = createHmac("sha256", secret).update(name).digest();
    const entry: Deno.KvKey = ["pwgen", "window", hidden];
    // A read is no outcome: SQLite reads while another process holds the lock.
    let lastOutcome = performance.now();
    for (let pause = 1;; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        const found = await inTime(kv.get<Uint8Array>(entry));
        const times = found.value === null ? [] : unpack(found.value);
        const { decisions, admitted } = this.#judge(times, count);
        if (admitted === 0) {
          this.#refuse(name, times);
          return decisions;
        }
        const { ok } = await inTime(
          kv.atomic().check(found)
            .set(entry, pack(times), { expireIn: WINDOW_MS }).commit(),
        );
        lastOutcome = performance.now();
        if (ok) {
          this.#refuse(name, times);
          // Should the database go, the budget does not begin anew.
          for (let i = 0; i < admitted; i++) this.#own.admit(key);
          return decisions;
        }
      } catch (error) {
        // SQLite, with other processes at the same file. It is no reason to
        // give up, unless nothing else comes of it for too long.
        if (
          !isLocked(error) ||
          performance.now() - lastOutcome > KV_DEADLINE_MS
        ) throw error;
      }
      await new Promise((resolve) =>
        setTimeout(resolve, pause * Math.random())
      );
    }
  }

  /** Adds what is admitted to `times`, which are those in the window then. */
  #judge(
    times: number[],
    count: number,
  ): { decisions: Decision[]; admitted: number } {
    const { limit } = this.#options;
    const now = this.#now();
    const isInWindow = (time: number) => Math.abs(now - time) < WINDOW_MS;
    times.splice(0, times.length, ...times.filter(isInWindow));
    const decisions: Decision[] = [];
    let admitted = 0;
    for (let i = 0; i < count; i++) {
      const isAdmitted = times.length < limit;
      if (isAdmitted) {
        // Of two clocks the one ahead counts: the times stay in order.
        times.push(Math.max(now, times.at(-1) ?? now));
        admitted++;
      }
      decisions.push({
        admitted: isAdmitted,
        remaining: Math.max(0, limit - times.length),
        resetMs: Math.min(WINDOW_MS, times[0]! + WINDOW_MS - now),
      });
    }
    return { decisions, admitted };
  }

  /** Remembers, if a client is at its limit, until when that is sure. */
  #refuse(name: string, times: readonly number[]): void {
    const { limit, maxClients } = this.#options;
    if (times.length < limit) return;
    const now = this.#now();
    this.#refusedUntil.delete(name);
    // One comes, so the two oldest may go if they are over: it does not grow.
    let looked = 0;
    for (const [other, until] of this.#refusedUntil) {
      if (++looked > 2) break;
      if (until <= now || this.#refusedUntil.size >= maxClients) {
        this.#refusedUntil.delete(other);
      }
    }
    this.#refusedUntil.set(name, Math.min(now, times[0]!) + WINDOW_MS);
  }

  #connection(): Connection {
    return this.#database ??= (async () => {
      const kv = await this.#options.open();
      const entry: Deno.KvKey = ["pwgen", "secret"];
      while (true) {
        try {
          const { value, versionstamp } = await kv.get<Uint8Array>(entry);
          if (value !== null) return { kv, secret: value };
          const secret = crypto.getRandomValues(new Uint8Array(32));
          await kv.atomic().check({ key: entry, versionstamp })
            .set(entry, secret).commit();
        } catch (error) {
          if (!isLocked(error)) throw error;
          await new Promise((resolve) =>
            setTimeout(resolve, MAX_PAUSE_MS * Math.random())
          );
        }
      }
    })();
  }

  /** From now on the process decides by itself. */
  #lose(error: unknown, connection: Connection): void {
    // What a connection of before brings to light says nothing of this one.
    if (this.#database !== connection) return;
    this.close();
    this.#refusedUntil.clear();
    if (this.#goneSince === undefined) {
      const reason = error instanceof Error ? error.name : typeof error;
      this.#options.warn(
        `Rate limit: the KV database is gone (${reason}); this process counts by itself until it is back`,
      );
    }
    this.#goneSince = performance.now();
  }

  /** Sees, beside the requests, whether the database takes a write again. */
  async #probe(): Promise<void> {
    if (this.#probing) return;
    this.#probing = true;
    const connection = this.#connection();
    try {
      const { kv } = await inTime(connection);
      await inTime(
        kv.set(["pwgen", "probe"], true, { expireIn: WINDOW_MS }),
      );
      this.#goneSince = undefined;
      this.#options.warn("Rate limit: the KV database is back");
    } catch {
      if (this.#database === connection) this.close();
      this.#goneSince = performance.now();
    }
    this.#probing = false;
  }
}

/** Whether SQLite was busy with another process. */
function isLocked(error: unknown): boolean {
  return error instanceof Error &&
    /database (table )?is locked/.test(error.message);
}

/** Waits for the database, but not for ever. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Deno.errors.TimedOut("Cannot reach the database")),
      KV_DEADLINE_MS,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
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
