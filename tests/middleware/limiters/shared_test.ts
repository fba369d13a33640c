/**
 * Tests of SharedLimiter with a store whose decisions the test makes. Tests with
 * real stores are in contract_test.ts, redis_test.ts, kv_test.ts and store_test.ts.
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  MAX_PENDING_DECISIONS,
  SharedLimiter,
  type SharedLimiterOptions,
  type SharedStore,
  StoreError,
} from "../../../middleware/limiters/shared.ts";
import type { Decision } from "../../../middleware/limiters/sliding_window.ts";
import { keyOf } from "../../helpers/key.ts";

const DEADLINE_MS = 100;

/** A request that the store has to decide about. */
interface StoreRequest {
  key: string;
  resolve: (decision: Decision) => void;
  reject: (error: StoreError) => void;
}

/** A limiter with a store whose decisions and outages the test makes. */
function createLimiter(
  options: Partial<SharedLimiterOptions> = {},
  error?: StoreError,
) {
  const clock = { now: 0 };
  const requests: StoreRequest[] = [];
  const connections: number[] = [];
  const lines: string[] = [];
  /** The reason why connecting fails; undefined if it does not. */
  const outage = { error };
  let lose: (error: StoreError) => void;
  let onChange = () => {};
  const store: SharedStore = {
    name: "The store",
    deadlineMs: DEADLINE_MS,
    connect: (callback) => {
      lose = callback;
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
    now: () => clock.now,
    ...options,
  });
  /** Sends requests of a client. */
  const send = (client: string, count: number) =>
    Array.from({ length: count }, () => limiter.admit(keyOf(client)));
  return {
    limiter,
    /** The time of the limiter, in milliseconds. */
    clock,
    requests,
    /** When the limiter has tried to connect. */
    connections,
    /** The lines in the log. */
    lines,
    outage,
    lose: () => lose(CLOSED),
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
    send,
    /** Sends a request of a client about which the store decides so. */
    decide: (key: string, decision: Decision) => {
      const decided = limiter.admit(key);
      requests.shift()!.resolve(decision);
      return decided;
    },
    [Symbol.asyncDispose]: () => limiter.close(),
  };
}

/** The same, after its start. */
async function startLimiter(...args: Parameters<typeof createLimiter>) {
  const setup = createLimiter(...args);
  await setup.limiter.start();
  return setup;
}

const ADMITTED = (remaining: number): Decision => ({
  admitted: true,
  remaining,
  resetMs: 60_000,
});

const CLOSED = new StoreError("it closed the connection");
const REFUSED = new StoreError("connection refused");
const WRONG = new StoreError("the password is wrong", { permanent: true });

const OUTAGE = "Rate limit: cannot use The store: ";
const BACK = "Rate limit: The store is in use again";

Deno.test("SharedLimiter refuses a client at its limit without a question to the store", async () => {
  await using setup = await startLimiter();
  const { limiter, clock, decide, requests } = setup;
  const refused = { admitted: false, remaining: 0 };
  // The last request that is admitted, and one that is refused.
  for (const admitted of [true, false]) {
    const client = keyOf(`admitted: ${admitted}`);
    await decide(client, { admitted, remaining: 0, resetMs: 500 });
    clock.now += 499;
    for (let i = 0; i < 1000; i++) {
      assertEquals(limiter.admit(client), { ...refused, resetMs: 1 });
    }
    assertEquals(requests.length, 0);
    clock.now += 1;
    assertEquals((await decide(client, ADMITTED(1))).admitted, true);
  }
  // The local window knows more than a store that lost its data.
  const client = keyOf("local");
  for (let i = 0; i < 60; i++) await decide(client, ADMITTED(9));
  assert(!(limiter.admit(client) instanceof Promise));
});

Deno.test("SharedLimiter decides locally after the deadline, and ignores a late reply", async () => {
  await using setup = await startLimiter({ limit: 1 });
  const start = performance.now();
  const [decision] = await Promise.all([setup.limiter.admit(keyOf("x"))]);
  assert(performance.now() - start >= DEADLINE_MS - 1);
  assertEquals(decision.admitted, true);
  assertEquals(setup.lines.length, 1);
  assert(setup.lines[0]!.startsWith(`${OUTAGE}no answer within 100 ms;`));
  setup.requests.shift()!.resolve(ADMITTED(0));
  await setup.until(() => setup.lines.length === 2);
  assertEquals((await setup.decide(keyOf("x"), ADMITTED(0))).admitted, false);
});

Deno.test("SharedLimiter reads a reply that arrived while the process was busy", async () => {
  await using setup = await startLimiter();
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  using near = await Deno.connect({ port, hostname: "127.0.0.1" });
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

Deno.test("SharedLimiter reconnects after random pauses that grow", async () => {
  const pauses: number[][] = [];
  for (let i = 0; i < 2; i++) {
    await using setup = await startLimiter({}, REFUSED);
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
  await using setup = createLimiter({}, WRONG);
  const error = await assertRejects(() => setup.limiter.start(), StoreError);
  assertEquals(error, WRONG);
  // The first retry would come within 100 ms.
  await new Promise((resolve) => setTimeout(resolve, 200));
  assertEquals([setup.connections.length, setup.lines], [1, []]);
});

Deno.test("SharedLimiter counts a request from its arrival, as the store does", async () => {
  await using setup = await startLimiter({ limit: 1 });
  const { clock, limiter, requests, decide } = setup;
  const decision = limiter.admit(keyOf("x"));
  clock.now = 1000; // the store has decided at 0 and replies at 1 s
  requests.shift()!.resolve({ ...ADMITTED(0), resetMs: 60_000 });
  assert((await decision).admitted);
  clock.now = 60_000;
  assert((await decide(keyOf("x"), ADMITTED(0))).admitted);
});

Deno.test("SharedLimiter decides locally if too many decisions are pending", async () => {
  await using setup = await startLimiter({ maxClients: 100_000 });
  const decisions = Array.from(
    { length: MAX_PENDING_DECISIONS + 1000 },
    (_, i) => setup.limiter.admit(`1:${i}`),
  );
  assertEquals(setup.requests.length, MAX_PENDING_DECISIONS);
  assertEquals(
    decisions.filter((decision) => !(decision instanceof Promise)).length,
    1000,
  );
  setup.requests.forEach(({ resolve }) => resolve(ADMITTED(59)));
  assert((await Promise.all(decisions)).every(({ admitted }) => admitted));
  // None of them is pending any more: the store decides again.
  setup.requests.length = 0;
  assert((await setup.decide(keyOf("x"), ADMITTED(7))).byStore);
});

Deno.test("SharedLimiter remembers the latest clients at their limit, maxClients at most", async () => {
  await using setup = await startLimiter({ maxClients: 10 });
  const refused = { admitted: false, remaining: 0, resetMs: 60_000 };
  for (let low = 0; low < 23; low++) {
    await setup.decide(`1:${low}`, refused);
  }
  const isKnown = (low: number) =>
    !(setup.limiter.admit(`1:${low}`) instanceof Promise);
  // From the latest on, since a question about a client counts as a use.
  const known = Array.from({ length: 23 }, (_, i) => isKnown(22 - i));
  const count = known.filter((isKnown) => isKnown).length;
  assert(count >= 5 && count <= 10, `${count} are known`);
  assert(known.slice(0, count).every((isKnown) => isKnown));
  setup.requests.splice(0).forEach(({ resolve }) => resolve(ADMITTED(1)));
});

Deno.test("SharedLimiter keeps the limit in any window, whatever the delay of the store", async () => {
  await using setup = await startLimiter({ limit: 10 });
  // Ten requests wait for a second. Then the limiter decides about them.
  const waiting = setup.send("x", 10);
  setup.clock.now = 1000;
  setup.lose();
  const first = await Promise.all(waiting);
  assert(first.every(({ admitted }) => admitted));
  await setup.until(() => setup.lines.length === 2);
  // One more request 59.5 s later, which an empty store admits.
  setup.clock.now = 60_500;
  assert(!(await setup.decide(keyOf("x"), ADMITTED(9))).admitted);
});

Deno.test("SharedLimiter logs a second line if a wrong setting prolongs the outage", async () => {
  await using setup = await startLimiter({}, REFUSED);
  setup.outage.error = WRONG;
  await setup.until(() => setup.lines.length === 2);
  const { length } = setup.connections;
  await setup.until(() => setup.connections.length > length + 1);
  assertEquals(setup.lines.length, 2);
  assert(setup.lines[1]!.startsWith(`${OUTAGE}the password is wrong;`));
  setup.outage.error = undefined;
  await setup.until(() => setup.lines.length === 3);
  assertEquals(setup.lines[2], BACK);
});

Deno.test("SharedLimiter reports evictions only while it decides locally", async () => {
  await using setup = await startLimiter({ maxClients: 1 });
  for (let low = 0; low < 10; low++) {
    await setup.decide(`1:${low}`, ADMITTED(59));
  }
  assertEquals([setup.limiter.evicted, setup.lines], [0, []]);
  setup.lose();
  setup.limiter.admit("1:99");
  assertEquals(setup.limiter.evicted, 1);
  assertMatch(setup.lines.join("\n"), /\nRate limit: forgot clients /);
});

Deno.test("close() of SharedLimiter waits for pending decisions, at most their deadline", async () => {
  const setup = await startLimiter();
  const decision = setup.limiter.admit(keyOf("x"));
  let isClosed = false;
  const closing = setup.limiter.close().then(() => isClosed = true);
  await new Promise((resolve) => setTimeout(resolve, 0)); // let callbacks run
  assert(!isClosed);
  assert(!(setup.limiter.admit(keyOf("y")) instanceof Promise));
  setup.requests[0]!.resolve(ADMITTED(3));
  assertEquals((await decision).remaining, 3);
  await closing;

  const stuck = await startLimiter();
  const local = stuck.limiter.admit(keyOf("x"));
  await stuck.limiter.close();
  assertEquals((await local).remaining, 59);
  // There is no outage to log, and no retry.
  assertEquals([stuck.lines, stuck.connections.length], [[], 1]);
});
