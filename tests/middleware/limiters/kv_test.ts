import { assert, assertEquals, assertRejects } from "@std/assert";
import { KvStore } from "../../../middleware/limiters/kv.ts";
import {
  SharedLimiter,
  StoreError,
} from "../../../middleware/limiters/shared.ts";
import { keyOf } from "../../helpers/key.ts";

/**
 * A database in memory, and limiters of several processes on it. What is fetched
 * over the network on Deno Deploy is a call of the same interface here.
 */
async function database() {
  const kv = await Deno.openKv(":memory:");
  const limiters: SharedLimiter[] = [];
  const lines: string[] = [];
  return {
    kv,
    lines,
    limiter: async (
      { limit = 60, now, open = () => Promise.resolve(view(kv)) }: {
        limit?: number;
        now?: () => number;
        open?: () => Promise<Deno.Kv>;
      } = {},
    ) => {
      const limiter = new SharedLimiter({
        limit,
        maxClients: 10_000,
        store: new KvStore({ limit, open, ...(now && { now }) }),
        warn: (line) => lines.push(line),
        // It stands still, so that the database alone decides.
        now: () => now?.() ?? performance.now(),
      });
      limiters.push(limiter);
      await limiter.start();
      return limiter;
    },
    [Symbol.asyncDispose]: async () => {
      for (const limiter of limiters) await limiter.close();
      kv.close();
    },
  };
}

/** The same database, closed by each process for itself. */
function view(kv: Deno.Kv, changes: Partial<Deno.Kv> = {}): Deno.Kv {
  return {
    get: kv.get.bind(kv),
    set: kv.set.bind(kv),
    atomic: kv.atomic.bind(kv),
    close: () => {},
    ...changes,
  } as Deno.Kv;
}

/** Asks several times at once; how many were admitted. */
async function ask(limiter: SharedLimiter, name: string, count: number) {
  const decisions = await Promise.all(
    Array.from({ length: count }, () => limiter.admit(keyOf(name))),
  );
  return decisions.filter(({ admitted }) => admitted).length;
}

Deno.test("KvStore shares one budget among processes, and slides", async () => {
  await using on = await database();
  let now = 1_000_000_000_000;
  const clock = { now: () => now };
  const [a, b] = [await on.limiter(clock), await on.limiter(clock)];
  assertEquals(await ask(a, "x", 30), 30);
  now += 40_000;
  assertEquals(await ask(b, "x", 31), 30);
  assertEquals(await ask(a, "x", 5), 0);
  assertEquals(await ask(a, "y", 60), 60);
  now += 21_000; // 61 s: those of 0 s have left
  assertEquals(await ask(a, "x", 31), 30);
  assertEquals(await ask(b, "x", 31), 0);
  now += 60_000;
  assertEquals(await ask(b, "x", 61), 60);
  assertEquals(on.lines, []);
});

Deno.test("KvStore of 8 processes admits exactly 60 of each client's requests at once", async () => {
  await using on = await database();
  const limiters = await Promise.all(
    Array.from({ length: 8 }, () => on.limiter()),
  );
  for (const client of ["x", "y"]) {
    const admitted = await Promise.all(
      limiters.map((limiter) => ask(limiter, client, 100)),
    );
    assertEquals(admitted.reduce((a, b) => a + b), 60);
  }
  assertEquals(on.lines, []);
});

Deno.test("KvStore tells what remains and when the oldest request leaves", async () => {
  await using on = await database();
  let now = 1_000_000_000_000;
  const limiter = await on.limiter({ limit: 2, now: () => now });
  const decide = async () => await limiter.admit(keyOf("x"));
  assertEquals(await decide(), {
    admitted: true,
    remaining: 1,
    resetMs: 60_000,
  });
  now += 10_000;
  assertEquals(await decide(), {
    admitted: true,
    remaining: 0,
    resetMs: 50_000,
  });
  now += 10_000;
  assertEquals(await decide(), {
    admitted: false,
    remaining: 0,
    resetMs: 40_000,
  });
});

Deno.test("KvStore decides on all requests that have come in one transaction", async () => {
  await using on = await database();
  let reads = 0;
  const get = ((key: Deno.KvKey) => {
    reads++;
    return on.kv.get(key);
  }) as Deno.Kv["get"];
  const limiter = await on.limiter({
    open: () => Promise.resolve(view(on.kv, { get })),
  });
  reads = 0;
  assertEquals(await ask(limiter, "x", 50), 50);
  assert(reads <= 2, `${reads} reads`);
});

Deno.test("KvStore keeps 10,000 admissions of a client", async () => {
  await using on = await database();
  const options = { limit: 10_000 };
  const [a, b] = [await on.limiter(options), await on.limiter(options)];
  assertEquals(await ask(a, "x", 6000), 6000);
  assertEquals(await ask(b, "x", 6000), 4000);
});

Deno.test("KvStore writes a keyed hash, never an address, and lets it expire", async () => {
  await using on = await database();
  const expiries: unknown[] = [];
  const atomic = () => {
    const operation = on.kv.atomic();
    const set = operation.set.bind(operation);
    operation.set = (key, value, options) => {
      if (key[1] === "times") expiries.push(options);
      return set(key, value, options);
    };
    return operation;
  };
  const limiter = await on.limiter({
    open: () => Promise.resolve(view(on.kv, { atomic })),
  });
  const key = { high: -1, low: 0xc000024d | 0 };
  await limiter.admit(key);
  await limiter.admit({ high: 0x20010db8, low: 0x00010002 });
  const names: string[] = [];
  for await (const entry of on.kv.list({ prefix: ["pwgen"] })) {
    names.push(String(entry.key[1]));
    if (entry.key[1] === "times") {
      assert(/^[\da-f]{32}$/.test(String(entry.key[2])), String(entry.key[2]));
    }
  }
  assertEquals(names, ["secret", "times", "times", "try"]);
  assertEquals(expiries, [{ expireIn: 60_000 }, { expireIn: 60_000 }]);
});

Deno.test("KvStore with clocks 5 s apart renews a budget 5 s early at most", async () => {
  await using on = await database();
  let now = 1_000_000_000_000;
  const behind = await on.limiter({ now: () => now });
  const ahead = await on.limiter({ now: () => now + 5000 });
  assertEquals(await ask(behind, "x", 61), 60);
  now += 54_999;
  assertEquals(await ask(ahead, "x", 61), 0);
  now += 1;
  // 55 s later by a true clock: the worst that can happen.
  assertEquals(await ask(ahead, "x", 61), 60);
  // The clock behind has these for 65 s.
  now += 64_999;
  assertEquals(await ask(behind, "x", 61), 0);
  now += 1;
  assertEquals(await ask(behind, "x", 61), 60);
  // Admissions of both in one window: neither adds to the other's.
  now += 120_000;
  assertEquals(await ask(ahead, "x", 30), 30);
  assertEquals(await ask(behind, "x", 61), 30);
  assertEquals(await ask(ahead, "x", 61), 0);
});

Deno.test("KvStore with clocks a minute or more apart lets each process admit its own limit, and no more", async () => {
  await using on = await database();
  let now = 1_000_000_000_000;
  const behind = await on.limiter({ now: () => now });
  const ahead = await on.limiter({ now: () => now + 60_000 });
  for (let i = 0; i < 5; i++) {
    // Each discards what the other one has counted.
    assertEquals(await ask(behind, "x", 70), i === 0 ? 60 : 0);
    assertEquals(await ask(ahead, "x", 70), i === 0 ? 60 : 0);
    now += 1000;
  }
});

Deno.test("KvStore does not count what a clock wrote that was set back since", async () => {
  await using on = await database();
  let now = 1_000_000_000_000;
  const store = new KvStore({
    limit: 1,
    open: () => Promise.resolve(view(on.kv)),
    now: () => now,
  });
  await store.connect();
  const admitted = async () => (await store.admit(keyOf("x"))).admitted;
  assertEquals([await admitted(), await admitted()], [true, false]);
  now -= 3_600_000;
  assertEquals([await admitted(), await admitted()], [true, false]);
  now += 59_999;
  assertEquals(await admitted(), false);
  now += 1;
  assertEquals(await admitted(), true);
  store.close();
});

Deno.test("KvStore never tells of less than nothing", async () => {
  await using on = await database();
  assertEquals(await ask(await on.limiter({ limit: 100 }), "x", 100), 100);
  const { admitted, remaining } = await (await on.limiter()).admit(keyOf("x"));
  assertEquals([admitted, remaining], [false, 0]);
});

Deno.test("KvStore that fails leaves the decision to the process, and counts again when it is back", async () => {
  await using on = await database();
  let gone = false;
  const atomic = () => {
    if (gone) throw new TypeError("disk full");
    return on.kv.atomic();
  };
  const set =
    ((...args: Parameters<Deno.Kv["set"]>) =>
      gone ? Promise.reject(new TypeError("disk full")) : on.kv.set(...args)) as //
      Deno.Kv["set"];
  const limiter = await on.limiter({
    open: () => Promise.resolve(view(on.kv, { atomic, set })),
  });
  assertEquals(await ask(limiter, "x", 10), 10);
  gone = true;
  // This process has admitted ten: it goes on from there.
  assertEquals(await ask(limiter, "x", 100), 50);
  assertEquals(await ask(limiter, "y", 61), 60);
  await new Promise((resolve) => setTimeout(resolve, 500));
  // A database that can only be read is not back.
  assertEquals(on.lines, [
    "Rate limit: cannot use Deno KV: TypeError; this process counts by itself until it can",
  ]);
  gone = false;
  for (let i = 0; i < 1000 && on.lines.length < 2; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assertEquals(on.lines[1], "Rate limit: Deno KV is in use again");
  assertEquals(await ask(limiter, "z", 61), 60);
  assertEquals(await ask(await on.limiter(), "z", 1), 0);
});

Deno.test("KvStore opens a database once, and closes one that comes too late", async () => {
  const kv = await Deno.openKv(":memory:");
  let closed = 0;
  let open!: (kv: Deno.Kv) => void;
  const store = new KvStore({
    limit: 1,
    open: () => new Promise((resolve) => open = resolve),
  });
  const connecting = store.connect();
  store.close();
  open(view(kv, { close: () => closed++ }));
  await connecting;
  assertEquals(closed, 1);
  await assertRejects(
    () =>
      new KvStore({ limit: 1, open: () => Promise.reject(new TypeError("x")) })
        .connect(),
    StoreError,
    "TypeError",
  );
  kv.close();
});
