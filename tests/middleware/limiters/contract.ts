/**
 * What every rate limiter does, whatever counts its requests. The tests call
 * `admit()` alone.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  SharedLimiter,
  type SharedStore,
} from "../../../middleware/limiters/shared.ts";
import type {
  Decision,
  RateLimiter,
} from "../../../middleware/limiters/sliding_window.ts";
import { HANG_MS, unless, until } from "../../helpers/program.ts";
import { type Random, withSeed } from "../../helpers/random.ts";

const WINDOW_MS = 60_000;

export const maxClients = 100_000;
export const clockFrom2027 = () => ({ now: 1_800_000_000_000 });

/** What one limiter, or several processes, count in. */
export interface Counts extends AsyncDisposable {
  /** The time of all processes and of the store, in milliseconds. */
  readonly clock: { now: number };
  /** Makes the limiter of one more process. */
  start(limit: number): Promise<RateLimiter>;
  /** Ends a shared store, which loses its data. */
  fail?(): void;
  /** Starts the store again. */
  restart?(): Promise<void>;
}

/** One implementation of the rate limiter. */
export interface Implementation {
  /** The name in the names of the tests. */
  readonly name: string;
  /** Why the tests are skipped; undefined or "" if they can run. */
  readonly missing?: string;
  /** The number of processes that share one limit. */
  readonly processes: number;
  /** The resolution of the clock, in milliseconds: a power of two. */
  readonly tickMs: number;
  /** Makes an empty store. */
  open(): Promise<Counts>;
}

/** The key of a client. Every two keys have a half in common with others. */
function keyAt(index: number): string {
  return `${index % 3 - 1}:${Math.floor(index / 3)}`;
}

/** Sends requests of a client to each limiter, all at once. */
function send(
  limiters: readonly RateLimiter[],
  client: string,
  count: number,
): Promise<Decision[]> {
  return Promise.all(
    Array.from({ length: count }, () => limiters.map((l) => l.admit(client)))
      .flat(),
  );
}

/** The same; how many are admitted. */
async function admit(...args: Parameters<typeof send>): Promise<number> {
  return (await send(...args)).filter(({ admitted }) => admitted).length;
}

/** Registers the tests of an implementation. */
export function testLimiter(implementation: Implementation): void {
  const { name, missing, processes, tickMs } = implementation;
  const test = (
    text: string,
    fn: (counts: Counts, random: Random) => Promise<void>,
  ) =>
    unless(missing).test(
      `admit() of ${name} ${text}`,
      withSeed(async (random) => {
        await using counts = await implementation.open();
        await fn(counts, random);
      }),
    );
  const startAll = ({ start }: Counts, limit: number) =>
    Promise.all(Array.from({ length: processes }, () => start(limit)));

  test(
    "agrees with the definition, request by request",
    async (counts, random) => {
      const { clock } = counts;
      let first = 0;
      // limit, clients, requests
      const cases: [number, number, number][] = [
        ...[1, 2, 3, 7, 60].map((n): [number, number, number] => [n, 3, 2000]),
        processes === 1 ? [4, 3000, 60_000] : [4, 150, 3000],
      ];
      for (const [limit, clients, count] of cases) {
        first += clients;
        const limiters = await startAll(counts, limit);
        const admissions: number[][] = [];
        let [client, untilReset, refused] = [0, NaN, 0];
        for (let i = 0; i < count; i++) {
          // After a refusal, half of the steps end when the oldest request of
          // this client leaves the window, or just before. Now and then no client
          // sends a request for a window.
          const meetsEnd = clients === 3 && untilReset > 0 &&
            random.next() < 0.5;
          const ticks = random.next() ** 3 * 2 * WINDOW_MS / limit / clients /
            tickMs;
          clock.now += i % 20_000 === 19_999
            ? WINDOW_MS + 1000
            : meetsEnd
            ? untilReset - i % 2 * tickMs
            : Math.floor(ticks) * tickMs;
          if (!meetsEnd) client = random.below(clients);
          const inWindow = (admissions[client] ?? [])
            .filter((time) => clock.now - time < WINDOW_MS);
          const admitted = inWindow.length < limit;
          if (admitted) inWindow.push(clock.now);
          admissions[client] = inWindow;
          const remaining = limit - inWindow.length;
          const resetMs = WINDOW_MS - (clock.now - inWindow[0]!);
          const limiter = random.pick(limiters);
          const key = keyAt(first + client);
          const { byStore: _, ...decision } = await limiter.admit(key);
          assertEquals(
            decision,
            { admitted, remaining, resetMs },
            `limit ${limit}, step ${i}, client ${client}, at ${clock.now} ms`,
          );
          untilReset = admitted ? NaN : resetMs;
          if (!admitted) refused++;
        }
        assert(refused > count / 200, `limit ${limit}: ${refused} refused`);
      }
    },
  );

  test("admits exactly the limit of many requests at once", async (counts) => {
    for (const limit of [1, 60, 10_000]) {
      const limiters = await startAll(counts, limit);
      await Promise.all([0, 1].map(async (client) => {
        const decisions: Decision[] = [];
        while (decisions.length < 1.2 * limit + 100) {
          decisions.push(...await send(limiters, keyAt(limit + client), 100));
        }
        const remaining = decisions.filter(({ admitted }) => admitted)
          .map(({ remaining }) => remaining);
        assertEquals(
          [remaining.length, new Set(remaining).size, Math.max(...remaining)],
          [limit, limit, limit - 1],
        );
      }));
    }
  });

  if (processes === 1) return;

  test("takes the limit of the process, lower than that of another one too", async (counts) => {
    const { clock, start } = counts;
    assertEquals(await admit([await start(5)], keyAt(0), 5), 5);
    clock.now += 100;
    const { byStore: _, ...decision } = await (await start(2)).admit(keyAt(0));
    const resetMs = WINDOW_MS - 100;
    assertEquals(decision, { admitted: false, remaining: 0, resetMs });
  });

  test("counts on after the clock of the store is set back, by less than a window", async ({ clock, start }) => {
    // A new process, whose own clock was not set back.
    const isAdmitted = async (limit: number) =>
      await admit([await start(limit)], keyAt(0), 1) === 1;
    const begin = clock.now;
    assertEquals(await isAdmitted(2), true);
    clock.now = begin - 5000;
    assertEquals([await isAdmitted(2), await isAdmitted(2)], [true, false]);
    const { resetMs } = await (await start(2)).admit(keyAt(0));
    assertEquals(resetMs, WINDOW_MS);
    clock.now = begin - WINDOW_MS + tickMs;
    assertEquals(await isAdmitted(2), false);
    clock.now = begin - 3_600_000;
    assertEquals([await isAdmitted(1), await isAdmitted(1)], [true, false]);
    clock.now += WINDOW_MS - tickMs;
    assertEquals(await isAdmitted(1), false);
    clock.now += tickMs;
    assertEquals(await isAdmitted(1), true);
  });

  test("counts in each process while the store is gone, then in the store again", async (counts) => {
    const { clock, start, fail, restart } = counts;
    const [a, b] = [await start(10), await start(10)];
    let others = 1;
    const untilByStore = (expected: boolean) =>
      until(async () => {
        const decisions = await send([a, b], keyAt(others++), 1);
        return decisions.every(({ byStore = false }) => byStore === expected);
      });
    const x = keyAt(0);
    await untilByStore(true);
    assertEquals(await admit([a], x, 6), 6, "at 0 s");
    clock.now += 10_000;
    const pending = admit([a], x, 20);
    fail!();
    assertEquals(await pending, 4, "at 10 s, 6 at 0 s");
    await untilByStore(false);
    assertEquals(await admit([b], x, 20), 10, "at 10 s");
    await restart!();
    await untilByStore(true);
    // The store knows nothing of x, but each process does.
    clock.now += 50_000;
    assertEquals(await admit([a], x, 20), 6, "at 60 s, 4 at 10 s");
    assertEquals(await admit([b], x, 20), 0, "at 60 s, 10 at 10 s");
    clock.now += WINDOW_MS;
    assertEquals(await admit([a, b], x, 20), 10, "at 120 s");
  });
}

/** A server or a database, and how a process uses it. */
interface Store extends Omit<Counts, "start"> {
  fail(): void;
  use(): SharedStore;
}

/** Tests SharedLimiter with a store of four processes. */
export function testShared(
  name: string,
  tickMs: number,
  open: () => Promise<Store>,
  missing = "",
): void {
  testLimiter({
    name: `SharedLimiter with ${name}`,
    missing,
    processes: 4,
    tickMs,
    open: async () => {
      const stack = new AsyncDisposableStack();
      const store = stack.use(await open());
      const now = () => store.clock.now;
      let hasFailed = false;
      const start = async (limit: number) => {
        const warnings: string[] = [];
        const limiter = new SharedLimiter({
          limit,
          maxClients,
          now,
          warn: (line) => warnings.push(line),
          // On a busy machine a store can be later than its own deadline.
          store: { ...store.use(), deadlineMs: HANG_MS },
        });
        stack.defer(async () => {
          await limiter.close();
          // Otherwise a process has counted alone.
          if (!hasFailed) assertEquals(warnings, []);
        });
        await limiter.start();
        // On a busy machine the first connection can be too late.
        await until(() => limiter.isConnected);
        warnings.length = 0;
        return limiter;
      };
      const fail = () => {
        hasFailed = true;
        store.fail();
      };
      const dispose = () => stack.disposeAsync();
      return { ...store, start, fail, [Symbol.asyncDispose]: dispose };
    },
  });
}
