/**
 * Tests of SharedLimiter with a store whose decisions the test makes. Tests with
 * real stores are in redis_test.ts, kv_test.ts and store_test.ts.
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  MAX_PENDING_DECISIONS,
  SharedLimiter,
  type SharedLimiterOptions,
} from "../../../middleware/limiters/shared.ts";
import {
  type SharedStore,
  StoreError,
} from "../../../middleware/limiters/store.ts";
import type {
  ClientKey,
  Decision,
} from "../../../middleware/limiters/sliding_window.ts";
import { keyOf } from "../../helpers/key.ts";

const DEADLINE_MS = 100;

/** A request that the store has to decide about. */
interface StoreRequest {
  key: ClientKey;
  resolve: (decision: Decision) => void;
  reject: (error: StoreError) => void;
}

/** A limiter with a store whose decisions and outages the test makes. */
function createLimiter(options: Partial<SharedLimiterOptions> = {}) {
  const requests: StoreRequest[] = [];
  const connections: number[] = [];
  const lines: string[] = [];
  /** The reason why connecting fails; undefined if it does not. */
  const outage: { error?: StoreError | undefined } = {};
  let onLost: ((error: StoreError) => void) | undefined;
  let onChange = () => {};
  const store: SharedStore = {
    name: "The store",
    deadlineMs: DEADLINE_MS,
    connect: (callback) => {
      onLost = callback;
      connections.push(performance.now());
      onChange();
      return outage.error ? Promise.reject(outage.error) : Promise.resolve();
    },
    admit: (key) =>
      new Promise((resolve, reject) => requests.push({ key, resolve, reject })),
    close: () => {},
  };
  const limiter = new SharedLimiter({
    limit: 60,
    maxClients: 1000,
    warn: (line) => {
      lines.push(line);
      onChange();
    },
    store,
    ...options,
  });
  return {
    limiter,
    requests,
    /** When the limiter has tried to connect. */
    connections,
    /** The lines in the log. */
    lines,
    outage,
    lose: (error: StoreError) => onLost!(error),
    /** Waits for a condition that depends on `connections` or `lines`. */
    until: (condition: () => boolean) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`Not in time: ${condition}`)),
          10_000,
        );
        onChange = () => {
          if (!condition()) return;
          clearTimeout(timer);
          resolve();
        };
        onChange();
      }),
    /** Sends requests of a client; the store has no data and admits them. */
    admitByEmptyStore: async (client: string, count: number) => {
      const decisions = Array.from(
        { length: count },
        () => limiter.admit(keyOf(client)),
      );
      requests.splice(0).forEach(({ resolve }) => resolve(ADMITTED(9)));
      return (await Promise.all(decisions))
        .filter(({ admitted }) => admitted).length;
    },
    [Symbol.asyncDispose]: () => limiter.close(),
  };
}

const ADMITTED = (remaining: number): Decision => ({
  admitted: true,
  remaining,
  resetMs: 60_000,
});

const OUTAGE = "Rate limit: cannot use The store: ";
const BACK = "Rate limit: The store is in use again";

Deno.test("SharedLimiter returns the decisions of its store", async () => {
  await using setup = createLimiter();
  await setup.limiter.start();
  const admitted = setup.limiter.admit(keyOf("x"));
  setup.requests[0]!.resolve({ admitted: true, remaining: 7, resetMs: 1234 });
  assertEquals(await admitted, {
    admitted: true,
    remaining: 7,
    resetMs: 1234,
    byStore: true,
  });
  const refused = setup.limiter.admit(keyOf("x"));
  setup.requests[1]!.resolve({ admitted: false, remaining: 0, resetMs: 1000 });
  assertEquals((await refused).admitted, false);
  assertEquals((await refused).byStore, true);
  assertEquals(setup.requests.map(({ key }) => key), [keyOf("x"), keyOf("x")]);
  assertEquals(setup.lines, []);
});

Deno.test("SharedLimiter refuses a client at its limit without a question to the store", async () => {
  let now = 0;
  await using setup = createLimiter({ now: () => now });
  await setup.limiter.start();
  const cases: [string, Decision][] = [
    ["the last one", { admitted: true, remaining: 0, resetMs: 500 }],
    ["refused", { admitted: false, remaining: 0, resetMs: 500 }],
  ];
  for (const [client, decision] of cases) {
    const pending = setup.limiter.admit(keyOf(client));
    setup.requests.shift()!.resolve(decision);
    await pending;
    now += 499;
    for (let i = 0; i < 1000; i++) {
      assertEquals(setup.limiter.admit(keyOf(client)), {
        admitted: false,
        remaining: 0,
        resetMs: 1,
      });
    }
    assertEquals(setup.requests.length, 0);
    now += 1;
    const again = setup.limiter.admit(keyOf(client));
    setup.requests.shift()!.resolve(ADMITTED(1));
    assertEquals((await again).admitted, true);
  }
});

Deno.test("SharedLimiter decides locally after a lost reply, and does not repeat it", async () => {
  await using setup = createLimiter({ limit: 3 });
  await setup.limiter.start();
  const first = setup.limiter.admit(keyOf("x"));
  setup.requests[0]!.resolve(ADMITTED(2));
  await first;
  // The process has admitted one request: two remain.
  const waiting = Array.from(
    { length: 4 },
    () => setup.limiter.admit(keyOf("x")),
  );
  setup.requests[1]!.reject(new StoreError("it closed the connection"));
  const decisions = await Promise.all(waiting);
  assertEquals(
    decisions.map(({ admitted }) => admitted),
    [true, true, false, false],
  );
  assertEquals(setup.requests.length, 5);
  assertEquals(setup.lines, [
    `${OUTAGE}it closed the connection; this process counts by itself until it can`,
  ]);
});

Deno.test("SharedLimiter decides locally after the deadline, and ignores a late reply", async () => {
  await using setup = createLimiter({ limit: 1 });
  await setup.limiter.start();
  const start = performance.now();
  const [decision] = await Promise.all([setup.limiter.admit(keyOf("x"))]);
  assert(performance.now() - start >= DEADLINE_MS - 1);
  assertEquals(decision.admitted, true);
  assertEquals(setup.lines.length, 1);
  assert(setup.lines[0]!.startsWith(`${OUTAGE}no answer within 100 ms;`));
  setup.requests[0]!.resolve(ADMITTED(0));
  await setup.until(() => setup.lines.length === 2);
  const again = setup.limiter.admit(keyOf("x"));
  setup.requests[1]!.resolve(ADMITTED(0));
  assertEquals((await again).admitted, false);
});

Deno.test("SharedLimiter reads a reply that arrived while the process was busy", async () => {
  await using setup = createLimiter();
  await setup.limiter.start();
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  using near = await Deno.connect({
    port: listener.addr.port,
    hostname: "127.0.0.1",
  });
  using far = await listener.accept();
  const decision = setup.limiter.admit(keyOf("x"));
  near.read(new Uint8Array(1)).then(() =>
    setup.requests[0]!.resolve(ADMITTED(59))
  );
  await far.write(Uint8Array.of(1));
  // After this, both the timer of the deadline and the reply are due.
  const end = performance.now() + 3 * DEADLINE_MS;
  while (performance.now() < end);
  assertEquals((await decision).remaining, 59);
  assertEquals(setup.lines, []);
});

Deno.test("SharedLimiter logs an outage once, connects again, and logs that", async () => {
  await using setup = createLimiter();
  setup.outage.error = new StoreError("connection refused");
  await setup.limiter.start();
  assert(!(setup.limiter.admit(keyOf("x")) instanceof Promise));
  await setup.until(() => setup.connections.length === 5);
  assertEquals(setup.lines.length, 1);
  delete setup.outage.error;
  await setup.until(() => setup.lines.length === 2);
  assertEquals(setup.lines[1], BACK);
  assert(setup.limiter.admit(keyOf("x")) instanceof Promise);
  setup.requests[0]!.resolve(ADMITTED(58));
  setup.lose(new StoreError("it closed the connection"));
  await setup.until(() => setup.lines.length === 4);
  assertEquals(setup.lines[3], BACK);
});

Deno.test("SharedLimiter reconnects after random pauses that grow", async () => {
  const pauses: number[][] = [];
  for (let i = 0; i < 2; i++) {
    await using setup = createLimiter();
    setup.outage.error = new StoreError("connection refused");
    await setup.limiter.start();
    await setup.until(() => setup.connections.length === 5);
    pauses.push(
      setup.connections.slice(1).map((time, i) => time - setup.connections[i]!),
    );
  }
  for (const [i, pause] of pauses.flat().entries()) {
    // At least half of 100, 200, 400 and 800 ms; a busy machine takes longer.
    assert(pause >= 50 * 2 ** (i % 4) - 2, `${pauses}`);
  }
  assert(pauses[0]!.some((pause, i) => Math.abs(pause - pauses[1]![i]!) > 0.5));
});

Deno.test("start() of SharedLimiter throws if a setting is wrong, and does not retry", async () => {
  await using setup = createLimiter();
  setup.outage.error = new StoreError("user or password is wrong", {
    permanent: true,
  });
  await assertRejects(
    () => setup.limiter.start(),
    StoreError,
    "user or password is wrong",
  );
  // The first retry would come within 100 ms.
  await new Promise((resolve) => setTimeout(resolve, 200));
  assertEquals([setup.connections.length, setup.lines], [1, []]);
});

Deno.test("SharedLimiter limits this process itself after the store lost its data", async () => {
  let now = 0;
  await using setup = createLimiter({ limit: 10, now: () => now });
  await setup.limiter.start();
  const { admitByEmptyStore } = setup;
  assertEquals(await admitByEmptyStore("x", 6), 6, "at 0 s");
  now += 30_000;
  assertEquals(await admitByEmptyStore("x", 20), 4, "at 30 s, 6 at 0 s");
  // The limiter knows this from the local window, without the store.
  setup.limiter.admit(keyOf("x"));
  assertEquals(setup.requests.length, 0);
  now += 30_000;
  assertEquals(await admitByEmptyStore("x", 20), 6, "at 60 s, 4 at 30 s");
  now += 30_000;
  assertEquals(await admitByEmptyStore("x", 20), 4, "at 90 s, 6 at 60 s");
});

Deno.test("SharedLimiter decides locally if too many decisions are pending", async () => {
  await using setup = createLimiter({ maxClients: 100_000 });
  await setup.limiter.start();
  const decisions = Array.from(
    { length: MAX_PENDING_DECISIONS + 1000 },
    (_, i) => setup.limiter.admit({ high: 1, low: i }),
  );
  assertEquals(setup.requests.length, MAX_PENDING_DECISIONS);
  assertEquals(
    decisions.filter((decision) => !(decision instanceof Promise)).length,
    1000,
  );
  setup.requests.forEach(({ resolve }) => resolve(ADMITTED(59)));
  assert((await Promise.all(decisions)).every(({ admitted }) => admitted));
});

Deno.test("SharedLimiter remembers the latest clients at their limit, maxClients at most", async () => {
  await using setup = createLimiter({ maxClients: 10 });
  await setup.limiter.start();
  for (let low = 0; low < 23; low++) {
    const decision = setup.limiter.admit({ high: 1, low });
    setup.requests.shift()!.resolve({
      admitted: false,
      remaining: 0,
      resetMs: 60_000,
    });
    await decision;
  }
  const isKnown = (low: number) =>
    !(setup.limiter.admit({ high: 1, low }) instanceof Promise);
  const known = Array.from({ length: 23 }, (_, low) => isKnown(low));
  const count = known.filter((isKnown) => isKnown).length;
  assert(count >= 5 && count <= 10, `${count} are known`);
  assert(known.slice(-count).every((isKnown) => isKnown));
  setup.requests.splice(0).forEach(({ resolve }) => resolve(ADMITTED(1)));
});

Deno.test("SharedLimiter keeps the limit in any window, whatever the delay of the store", async () => {
  let now = 0;
  await using setup = createLimiter({ limit: 10, now: () => now });
  await setup.limiter.start();
  // Ten requests wait for a second. Then the limiter decides about them.
  const waiting = Array.from(
    { length: 10 },
    () => setup.limiter.admit(keyOf("x")),
  );
  now = 1000;
  setup.lose(new StoreError("it closed the connection"));
  const first = await Promise.all(waiting);
  assert(first.every(({ admitted }) => admitted));
  await setup.until(() => setup.lines.length === 2);
  // Ten more requests 59.5 s later, about which an empty store decides.
  now = 60_500;
  assertEquals(await setup.admitByEmptyStore("x", 10), 0);
});

Deno.test("SharedLimiter logs a second line if a wrong setting prolongs the outage", async () => {
  await using setup = createLimiter();
  setup.outage.error = new StoreError("connection refused");
  await setup.limiter.start();
  setup.outage.error = new StoreError("the password is wrong", {
    permanent: true,
  });
  await setup.until(() => setup.lines.length === 2);
  const { length } = setup.connections;
  await setup.until(() => setup.connections.length > length + 1);
  assertEquals(setup.lines.length, 2);
  assert(setup.lines[1]!.startsWith(`${OUTAGE}the password is wrong;`));
  delete setup.outage.error;
  await setup.until(() => setup.lines.length === 3);
  assertEquals(setup.lines[2], BACK);
});

Deno.test("SharedLimiter reports evictions only while it decides locally", async () => {
  await using setup = createLimiter({ maxClients: 1 });
  await setup.limiter.start();
  for (let i = 0; i < 10; i++) {
    const decision = setup.limiter.admit({ high: 1, low: i });
    setup.requests[i]!.resolve(ADMITTED(59));
    await decision;
  }
  assertEquals([setup.limiter.evicted, setup.lines], [0, []]);
  setup.lose(new StoreError("it closed the connection"));
  setup.limiter.admit({ high: 1, low: 99 });
  assertEquals(setup.limiter.evicted, 1);
  assertMatch(setup.lines.join("\n"), /\nRate limit: forgot 1 client\(s\)/);
});

Deno.test("close() of SharedLimiter waits for pending decisions, at most their deadline", async () => {
  const setup = createLimiter();
  await setup.limiter.start();
  const decision = setup.limiter.admit(keyOf("x"));
  let isClosed = false;
  const closing = setup.limiter.close().then(() => isClosed = true);
  await new Promise((resolve) => setTimeout(resolve, 0)); // let callbacks run
  assert(!isClosed);
  assert(!(setup.limiter.admit(keyOf("y")) instanceof Promise));
  setup.requests[0]!.resolve(ADMITTED(3));
  assertEquals((await decision).remaining, 3);
  await closing;

  const stuck = createLimiter();
  await stuck.limiter.start();
  const local = stuck.limiter.admit(keyOf("x"));
  await stuck.limiter.close();
  assertEquals((await local).remaining, 59);
  // There is no outage to log, and no retry.
  assertEquals([stuck.lines, stuck.connections.length], [[], 1]);
});
