import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { KvStore } from "../../../middleware/limiters/kv.ts";
import {
  SharedLimiter,
  StoreError,
} from "../../../middleware/limiters/shared.ts";
import { view } from "../../helpers/kv.ts";
import { keyOf } from "../../helpers/key.ts";
import { until } from "../../helpers/program.ts";

/** A database in memory, and limiters on it as of several processes. */
async function openDatabase() {
  const kv = await Deno.openKv(":memory:");
  const clock = { now: 1_000_000_000_000 };
  const stack = new AsyncDisposableStack();
  stack.defer(() => kv.close());
  const lines: string[] = [];
  return {
    kv,
    /** The time of all processes, in milliseconds. */
    clock,
    /** The lines in the log. */
    lines,
    startLimiter: async ({
      now = () => clock.now,
      open = () => Promise.resolve(view(kv)),
    } = {}) => {
      const limiter = new SharedLimiter({
        limit: 60,
        maxClients: 10_000,
        store: new KvStore(open, now),
        warn: (line) => lines.push(line),
        now,
      });
      stack.defer(() => limiter.close());
      await limiter.start();
      return limiter;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Sends requests of a client at once; returns how many are admitted. */
async function admit(limiter: SharedLimiter, client: string, count: number) {
  const decisions = await Promise.all(
    Array.from({ length: count }, () => limiter.admit(keyOf(client))),
  );
  return decisions.filter(({ admitted }) => admitted).length;
}

Deno.test("KvStore decides about all waiting requests in one transaction", async () => {
  await using database = await openDatabase();
  let reads = 0;
  const get = ((key: Deno.KvKey) => {
    reads++;
    return database.kv.get(key);
  }) as Deno.Kv["get"];
  const limiter = await database.startLimiter({
    open: () => Promise.resolve(view(database.kv, { get })),
  });
  reads = 0;
  assertEquals(await admit(limiter, "x", 50), 50);
  assert(reads <= 2, `${reads} reads`);
});

Deno.test("KvStore writes a keyed hash instead of an address, which expires", async () => {
  await using database = await openDatabase();
  const expiries: unknown[] = [];
  const atomic = () => {
    const operation = database.kv.atomic();
    const set = operation.set.bind(operation);
    operation.set = (key, value, options) => {
      if (key[1] === "times") expiries.push(options);
      return set(key, value, options);
    };
    return operation;
  };
  const limiter = await database.startLimiter({
    open: () => Promise.resolve(view(database.kv, { atomic })),
  });
  await limiter.admit(`-1:${0xc000024d | 0}`);
  await limiter.admit(`${0x20010db8}:${0x00010002}`);
  const names: string[] = [];
  for await (const entry of database.kv.list({ prefix: ["pwgen"] })) {
    names.push(String(entry.key[1]));
    if (entry.key[1] === "times") {
      assertMatch(String(entry.key[2]), /^[\da-f]{32}$/);
    }
  }
  assertEquals(names, ["secret", "times", "times", "try"]);
  assertEquals(expiries, [{ expireIn: 60_000 }, { expireIn: 60_000 }]);
});

Deno.test("KvStore with clocks 5 s apart admits requests 5 s early at most", async () => {
  await using database = await openDatabase();
  const { clock, startLimiter } = database;
  const behind = await startLimiter();
  const ahead = await startLimiter({ now: () => clock.now + 5000 });
  assertEquals(await admit(behind, "x", 61), 60);
  clock.now += 54_999;
  assertEquals(await admit(ahead, "x", 61), 0);
  clock.now += 1;
  // 55 s later by a correct clock, which is the worst case.
  assertEquals(await admit(ahead, "x", 61), 60);
  // For the clock behind, these requests leave after 65 s.
  clock.now += 64_999;
  assertEquals(await admit(behind, "x", 61), 0);
  clock.now += 1;
  assertEquals(await admit(behind, "x", 61), 60);
  // Both processes admit requests in one window.
  clock.now += 120_000;
  assertEquals(await admit(ahead, "x", 30), 30);
  assertEquals(await admit(behind, "x", 61), 30);
  assertEquals(await admit(ahead, "x", 61), 0);
});

Deno.test("KvStore with clocks 60 s apart lets each process admit its own limit at most", async () => {
  await using database = await openDatabase();
  const { clock, startLimiter } = database;
  const behind = await startLimiter();
  const ahead = await startLimiter({ now: () => clock.now + 60_000 });
  for (let i = 0; i < 5; i++) {
    // Each process discards what the other one has counted.
    assertEquals(await admit(behind, "x", 70), i === 0 ? 60 : 0);
    assertEquals(await admit(ahead, "x", 70), i === 0 ? 60 : 0);
    clock.now += 1000;
  }
});

Deno.test("KvStore does not use a database again that can only be read", async () => {
  await using database = await openDatabase();
  let isFailing = false;
  const atomic = () => {
    if (isFailing) throw new TypeError("disk full");
    return database.kv.atomic();
  };
  const retried = Promise.withResolvers<void>();
  let retries = 0;
  const set = ((...args: Parameters<Deno.Kv["set"]>) => {
    if (!isFailing) return database.kv.set(...args);
    if (++retries === 2) retried.resolve();
    return Promise.reject(new TypeError("disk full"));
  }) as Deno.Kv["set"];
  const limiter = await database.startLimiter({
    open: () => Promise.resolve(view(database.kv, { atomic, set })),
  });
  isFailing = true;
  assertEquals(await admit(limiter, "x", 1), 1);
  await retried.promise;
  assertEquals(database.lines, [
    "Rate limit: cannot use Deno KV: TypeError; this process counts by itself until it can",
  ]);
  isFailing = false;
  await until(() =>
    database.lines[1] === "Rate limit: Deno KV is in use again"
  );
});

Deno.test("KvStore closes a database that opens after the store was closed", async () => {
  const kv = await Deno.openKv(":memory:");
  let closed = 0;
  const opening = Promise.withResolvers<Deno.Kv>();
  const store = new KvStore(() => opening.promise);
  const connecting = store.connect();
  store.close();
  opening.resolve(view(kv, { close: () => closed++ }));
  await connecting;
  assertEquals(closed, 1);
  kv.close();
});

Deno.test("KvStore throws a StoreError if the database does not open", async () => {
  const cases: [Error, string, boolean][] = [
    [new TypeError("x"), "TypeError", false],
    [new Deno.errors.NotCapable("x"), "no permission from Deno", true],
  ];
  for (const [reason, message, permanent] of cases) {
    const open = () => Promise.reject(reason);
    const store = new KvStore(open);
    const connect = () => store.connect();
    const error = await assertRejects(connect, StoreError, message);
    assertEquals(error.permanent, permanent, message);
  }
});
