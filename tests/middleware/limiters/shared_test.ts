/**
 * Tests of SharedLimiter with a store whose decisions the test makes. Tests with
 * real stores are in contract_test.ts, redis_test.ts, kv_test.ts and store_test.ts.
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { stub } from "@std/testing/mock";
import {
  SharedLimiter,
  type SharedLimiterOptions,
  type SharedStore,
  StoreError,
} from "../../../middleware/limiters/shared.ts";
import type { Decision } from "../../../middleware/limiters/sliding_window.ts";
import { until } from "../../helpers/program.ts";

const DEADLINE_MS = 100;

/** Starts a limiter with a store whose decisions and outages the test makes. */
async function startLimiter(
  options: Partial<SharedLimiterOptions> = {},
  outage?: StoreError,
) {
  const clock = { now: 0 };
  const requests: ((decision: Decision) => void)[] = [];
  const connections: { at: number; signal: AbortSignal }[] = [];
  const lines: string[] = [];
  let lose: (error: StoreError) => void;
  const store: SharedStore = {
    name: "The store",
    deadlineMs: DEADLINE_MS,
    connect: async (signal, callback) => {
      lose = callback;
      connections.push({ at: performance.now(), signal });
      if (outage) throw outage;
      return () => new Promise((resolve) => requests.push(resolve));
    },
  };
  const limiter = new SharedLimiter({
    limit: 60,
    maxClients: 1000,
    warn: (line) => lines.push(line),
    store,
    now: () => clock.now,
    ...options,
  });
  await limiter.start();
  return {
    limiter,
    /** The time of the limiter, in milliseconds. */
    clock,
    /** Those that the store has to decide about, by its reply. */
    requests,
    /** When the limiter has tried to connect, and what ends the connection. */
    connections,
    /** The lines in the log. */
    lines,
    lose: () => lose(CLOSED),
    /** Sends a request of a client about which the store decides so. */
    decide: (key: string, decision: Decision) => {
      const decided = limiter.admit(key);
      requests.shift()!(decision);
      return decided;
    },
    [Symbol.asyncDispose]: () => limiter.close(),
  };
}

const ADMITTED = (remaining: number): Decision => ({
  admitted: true,
  remaining,
  resetMs: 60_000,
});

const CLOSED = new StoreError("it closed the connection");
const REFUSED = new StoreError("connection refused");

Deno.test("SharedLimiter refuses a client at its limit without a question to the store", async () => {
  await using setup = await startLimiter();
  const { limiter, clock, decide, requests } = setup;
  const refused = { admitted: false, remaining: 0 };
  // The last request that is admitted, and one that is refused.
  for (const admitted of [true, false]) {
    const client = `admitted: ${admitted}`;
    await decide(client, { admitted, remaining: 0, resetMs: 500 });
    clock.now += 499;
    assertEquals(limiter.admit(client), { ...refused, resetMs: 1 });
    assertEquals(requests.length, 0);
    clock.now += 1;
    assertEquals((await decide(client, ADMITTED(1))).admitted, true);
  }
  // The local window knows more than a store that lost its data.
  const client = "local";
  for (let i = 0; i < 60; i++) await decide(client, ADMITTED(9));
  assert(!(limiter.admit(client) instanceof Promise));
});

Deno.test("SharedLimiter decides locally after the deadline, and ignores a late reply", async () => {
  await using setup = await startLimiter({ limit: 1 });
  for (const outages of [1, 2]) {
    const client = `outage ${outages}`;
    const start = performance.now();
    assert((await setup.limiter.admit(client)).admitted);
    assert(performance.now() - start >= DEADLINE_MS - 1);
    assertEquals(setup.limiter.outages, outages);
    assertMatch(setup.lines.at(-1)!, /cannot use The store: no answer /);
    setup.requests.shift()!(ADMITTED(0));
    await until(() => setup.lines.length === 2 * outages);
    assertEquals((await setup.decide(client, ADMITTED(0))).admitted, false);
  }
});

Deno.test("SharedLimiter reads a reply that arrived while the process was busy", async () => {
  await using setup = await startLimiter();
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  using near = await Deno.connect({ port, hostname: "127.0.0.1" });
  using far = await listener.accept();
  const decision = setup.limiter.admit("x");
  near.read(new Uint8Array(1)).then(() => setup.requests[0]!(ADMITTED(59)));
  await far.write(Uint8Array.of(1));
  // After this, both the timer of the deadline and the reply are due.
  const end = performance.now() + 3 * DEADLINE_MS;
  while (performance.now() < end);
  assertEquals((await decision).remaining, 59);
  assertEquals(setup.lines, []);
});

Deno.test("SharedLimiter reconnects after pauses that grow", async () => {
  await using setup = await startLimiter({}, REFUSED);
  const { connections } = setup;
  await until(() => connections.length === 5);
  for (let i = 1; i < 5; i++) {
    // At least half of 100, 200, 400 and 800 ms; a busy machine takes longer.
    const pause = connections[i]!.at - connections[i - 1]!.at;
    assert(pause >= 25 * 2 ** i - 2, `${i}: ${pause}`);
  }
});

Deno.test("SharedLimiter begins with the shortest pause again after a minute of connection", async () => {
  const timers: [onTime: () => unknown, ms: number][] = [];
  using _ = stub(
    globalThis,
    "setTimeout",
    ((...timer: typeof timers[number]) => void timers.push(timer)) as never,
  );
  await using setup = await startLimiter();
  const cases = [[false, false], [false, true], [true, false]] as const;
  for (const [isStable, isLonger] of cases) {
    const [onStable, ms] = timers.at(-1)!;
    assertEquals(ms, 60_000);
    if (isStable) onStable();
    setup.lose();
    const [reconnect, pauseMs] = timers.at(-1)!;
    // From 50 to 100 ms, and then from 100 to 200.
    assertEquals(pauseMs >= 100, isLonger, `${pauseMs}`);
    await reconnect();
  }
});

Deno.test("start() of SharedLimiter throws if a setting is wrong", async () => {
  const wrong = new StoreError("the password is wrong", { permanent: true });
  await assertRejects(() => startLimiter({}, wrong), StoreError, wrong.message);
});

Deno.test("SharedLimiter counts a request from its arrival, as the store does", async () => {
  await using setup = await startLimiter({ limit: 1 });
  const { clock, limiter, requests, decide } = setup;
  const decision = limiter.admit("x");
  clock.now = 1000; // the store has decided at 0 and replies at 1 s
  requests.shift()!({ ...ADMITTED(0), resetMs: 60_000 });
  assert((await decision).admitted);
  clock.now = 60_000;
  assert((await decide("x", ADMITTED(0))).admitted);
});

Deno.test("SharedLimiter decides locally while 10,000 decisions are pending", async () => {
  await using setup = await startLimiter({ maxClients: 100_000 });
  const decisions = Array.from(
    { length: 10_001 },
    (_, i) => setup.limiter.admit(`1:${i}`),
  );
  assert(!(decisions.at(-1) instanceof Promise));
  assertEquals(setup.requests.length, 10_000);
  setup.requests.splice(0).forEach((resolve) => resolve(ADMITTED(59)));
  assert((await Promise.all(decisions)).every(({ admitted }) => admitted));
  assert((await setup.decide("x", ADMITTED(7))).byStore);
});

Deno.test("SharedLimiter keeps the limit in any window, whatever the delay of the store", async () => {
  await using setup = await startLimiter({ limit: 10 });
  // Ten requests wait for a second. Then the limiter decides about them.
  const waiting = Array.from(
    { length: 10 },
    () => setup.limiter.admit("x"),
  );
  setup.clock.now = 1000;
  setup.lose();
  assert(!setup.limiter.isConnected && setup.connections[0]!.signal.aborted);
  const first = await Promise.all(waiting);
  assert(first.every(({ admitted }) => admitted));
  await until(() => setup.lines.length === 2);
  // One more request 59.5 s later, which an empty store admits.
  setup.clock.now = 60_500;
  assert(!(await setup.decide("x", ADMITTED(9))).admitted);
});

Deno.test("close() of SharedLimiter waits for pending decisions, at most their deadline", async () => {
  const setup = await startLimiter();
  const decision = setup.limiter.admit("x");
  let isClosed = false;
  const closing = setup.limiter.close().then(() => isClosed = true);
  await new Promise((resolve) => setTimeout(resolve, 0)); // let callbacks run
  assert(!isClosed);
  assert(!(setup.limiter.admit("y") instanceof Promise));
  setup.requests[0]!(ADMITTED(3));
  assertEquals((await decision).remaining, 3);
  await closing;

  const stuck = await startLimiter();
  const local = stuck.limiter.admit("x");
  await stuck.limiter.close();
  assertEquals((await local).remaining, 59);
  // There is no outage to log, and no retry.
  assertEquals([stuck.lines, stuck.connections.length], [[], 1]);
  assert(stuck.connections[0]!.signal.aborted);

  const connection = Promise.withResolvers<never>();
  const late = new SharedLimiter({
    limit: 60,
    maxClients: 10,
    now: () => 0,
    warn: () => {},
    store: {
      name: "The store",
      deadlineMs: DEADLINE_MS,
      connect: () => connection.promise,
    },
  });
  const starting = late.start();
  await late.close();
  connection.resolve(undefined as never);
  await starting;
  assert(!late.isConnected);
});
