/**
 * What SharedLimiter adds to a store, with a store whose every answer the test
 * gives. Real stores are tried in redis_test.ts, kv_test.ts and store_test.ts.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  MAX_PENDING_DECISIONS,
  SharedLimiter,
  type SharedLimiterOptions,
  type SharedStore,
  StoreError,
} from "../../../middleware/limiters/shared.ts";
import type {
  ClientKey,
  Decision,
} from "../../../middleware/limiters/sliding_window.ts";
import { keyOf } from "../../helpers/key.ts";

const DEADLINE_MS = 100;

/** A decision that the store was asked for. */
interface Question {
  key: ClientKey;
  resolve: (decision: Decision) => void;
  reject: (error: StoreError) => void;
}

/** A store that answers what it is told to, and a limiter on it. */
function limiterOn(options: Partial<SharedLimiterOptions> = {}) {
  const questions: Question[] = [];
  const connections: number[] = [];
  const lines: string[] = [];
  /** Why connecting fails; undefined if it does not. */
  const outage: { error?: StoreError | undefined } = {};
  let lost: ((error: StoreError) => void) | undefined;
  const store: SharedStore = {
    name: "The store",
    deadlineMs: DEADLINE_MS,
    connect: (onLost) => {
      connections.push(performance.now());
      lost = onLost;
      return outage.error ? Promise.reject(outage.error) : Promise.resolve();
    },
    admit: (key) =>
      new Promise((resolve, reject) =>
        questions.push({ key, resolve, reject })
      ),
    close: () => {},
  };
  const limiter = new SharedLimiter({
    limit: 60,
    maxClients: 1000,
    warn: (line) => lines.push(line),
    store,
    ...options,
  });
  return {
    limiter,
    questions,
    connections,
    lines,
    outage,
    lose: (error: StoreError) => lost!(error),
    [Symbol.asyncDispose]: () => limiter.close(),
  };
}

const ADMITTED = (remaining: number): Decision => ({
  admitted: true,
  remaining,
  resetMs: 60_000,
});

async function until(condition: () => boolean): Promise<void> {
  const start = performance.now();
  while (!condition()) {
    assert(performance.now() - start < 10_000, `Not in time: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const GONE = "Rate limit: cannot use The store: ";
const BACK = "Rate limit: The store is in use again";

Deno.test("SharedLimiter gives the decisions of its store", async () => {
  await using on = limiterOn();
  await on.limiter.start();
  const admitted = on.limiter.admit(keyOf("x"));
  on.questions[0]!.resolve({ admitted: true, remaining: 7, resetMs: 1234 });
  assertEquals(await admitted, { admitted: true, remaining: 7, resetMs: 1234 });
  const refused = on.limiter.admit(keyOf("x"));
  on.questions[1]!.resolve({ admitted: false, remaining: 0, resetMs: 1000 });
  assertEquals((await refused).admitted, false);
  assertEquals(on.questions.map(({ key }) => key), [keyOf("x"), keyOf("x")]);
  assertEquals(on.lines, []);
});

Deno.test("SharedLimiter does not ask for a client that is known to be at its limit", async () => {
  let now = 0;
  await using on = limiterOn({ now: () => now });
  await on.limiter.start();
  const cases: [string, Decision][] = [
    ["the last one", { admitted: true, remaining: 0, resetMs: 500 }],
    ["refused", { admitted: false, remaining: 0, resetMs: 500 }],
  ];
  for (const [name, decision] of cases) {
    const asked = on.limiter.admit(keyOf(name));
    on.questions.shift()!.resolve(decision);
    await asked;
    now += 499;
    for (let i = 0; i < 1000; i++) {
      assertEquals(on.limiter.admit(keyOf(name)), {
        admitted: false,
        remaining: 0,
        resetMs: 1,
      });
    }
    assertEquals(on.questions.length, 0);
    now += 1;
    const again = on.limiter.admit(keyOf(name));
    on.questions.shift()!.resolve(ADMITTED(1));
    assertEquals((await again).admitted, true);
  }
});

Deno.test("SharedLimiter decides locally after a lost reply, and does not ask again", async () => {
  await using on = limiterOn({ limit: 3 });
  await on.limiter.start();
  const first = on.limiter.admit(keyOf("x"));
  on.questions[0]!.resolve(ADMITTED(2));
  await first;
  // What this process has admitted is known: two are left.
  const waiting = Array.from({ length: 4 }, () => on.limiter.admit(keyOf("x")));
  on.questions[1]!.reject(new StoreError("it closed the connection"));
  const decisions = await Promise.all(waiting);
  assertEquals(
    decisions.map(({ admitted }) => admitted),
    [true, true, false, false],
  );
  assertEquals(on.questions.length, 5);
  assertEquals(on.lines, [
    `${GONE}it closed the connection; this process counts by itself until it can`,
  ]);
});

Deno.test("SharedLimiter gives up a late store, and admits nothing twice when it answers after all", async () => {
  await using on = limiterOn({ limit: 1 });
  await on.limiter.start();
  const start = performance.now();
  const [decision] = await Promise.all([on.limiter.admit(keyOf("x"))]);
  assert(performance.now() - start >= DEADLINE_MS - 1);
  assertEquals(decision.admitted, true);
  assertEquals(on.lines.length, 1);
  assert(on.lines[0]!.startsWith(`${GONE}no answer within 100 ms;`));
  on.questions[0]!.resolve(ADMITTED(0));
  await until(() => on.lines.length === 2);
  const again = on.limiter.admit(keyOf("x"));
  on.questions[1]!.resolve(ADMITTED(0));
  assertEquals((await again).admitted, false);
});

Deno.test("SharedLimiter reads an answer that came while the process was busy before it gives up", async () => {
  await using on = limiterOn();
  await on.limiter.start();
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  using near = await Deno.connect({
    port: listener.addr.port,
    hostname: "127.0.0.1",
  });
  using far = await listener.accept();
  const decision = on.limiter.admit(keyOf("x"));
  near.read(new Uint8Array(1)).then(() =>
    on.questions[0]!.resolve(ADMITTED(59))
  );
  await far.write(Uint8Array.of(1));
  // Both are due after this: the timer of the deadline, and the answer.
  const end = performance.now() + 3 * DEADLINE_MS;
  while (performance.now() < end);
  assertEquals((await decision).remaining, 59);
  assertEquals(on.lines, []);
});

Deno.test("SharedLimiter reports an outage once, connects again, and says so", async () => {
  await using on = limiterOn();
  on.outage.error = new StoreError("connection refused");
  await on.limiter.start();
  assert(!(on.limiter.admit(keyOf("x")) instanceof Promise));
  await until(() => on.connections.length === 5);
  assertEquals(on.lines.length, 1);
  delete on.outage.error;
  await until(() => on.lines.length === 2);
  assertEquals(on.lines[1], BACK);
  assert(on.limiter.admit(keyOf("x")) instanceof Promise);
  on.questions[0]!.resolve(ADMITTED(58));
  on.lose(new StoreError("it closed the connection"));
  await until(() => on.lines.length === 4);
  assertEquals(on.lines[3], BACK);
});

Deno.test("SharedLimiter tries again after pauses that grow and are random", async () => {
  const pauses: number[][] = [];
  for (let i = 0; i < 2; i++) {
    await using on = limiterOn();
    on.outage.error = new StoreError("connection refused");
    await on.limiter.start();
    await until(() => on.connections.length === 5);
    pauses.push(
      on.connections.slice(1).map((time, i) => time - on.connections[i]!),
    );
  }
  for (const [i, pause] of pauses.flat().entries()) {
    // Half of 100, 200, 400, 800 ms at least; a busy machine may take longer.
    assert(pause >= 50 * 2 ** (i % 4) - 2, `${pauses}`);
  }
  assert(pauses[0]!.some((pause, i) => Math.abs(pause - pauses[1]![i]!) > 0.5));
});

Deno.test("SharedLimiter does not start with a store that a setting makes unusable, and does not try again", async () => {
  await using on = limiterOn();
  on.outage.error = new StoreError("user or password is wrong", {
    permanent: true,
  });
  await assertRejects(
    () => on.limiter.start(),
    StoreError,
    "user or password is wrong",
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  assertEquals([on.connections.length, on.lines], [1, []]);
});

Deno.test("SharedLimiter admits no more than its limit by itself when the store comes back empty", async () => {
  let now = 0;
  await using on = limiterOn({ limit: 10, now: () => now });
  await on.limiter.start();
  const ask = async (count: number) => {
    const decisions = Array.from(
      { length: count },
      () => on.limiter.admit(keyOf("x")),
    );
    // The store knows nothing of this client.
    on.questions.splice(0).forEach(({ resolve }) => resolve(ADMITTED(9)));
    return (await Promise.all(decisions))
      .filter(({ admitted }) => admitted).length;
  };
  assertEquals(await ask(6), 6);
  now += 30_000;
  assertEquals(await ask(20), 4);
  // Known from the local window: the store is not asked, and counts nothing.
  on.limiter.admit(keyOf("x"));
  assertEquals(on.questions.length, 0);
  now += 30_000;
  assertEquals(await ask(20), 6);
  now += 30_000;
  assertEquals(await ask(20), 4);
});

Deno.test("SharedLimiter bounds the decisions that wait, and makes the others itself", async () => {
  await using on = limiterOn({ maxClients: 100_000 });
  await on.limiter.start();
  const decisions = Array.from(
    { length: MAX_PENDING_DECISIONS + 1000 },
    (_, i) => on.limiter.admit({ high: 1, low: i }),
  );
  assertEquals(on.questions.length, MAX_PENDING_DECISIONS);
  assertEquals(
    decisions.filter((decision) => !(decision instanceof Promise)).length,
    1000,
  );
  on.questions.forEach(({ resolve }) => resolve(ADMITTED(59)));
  assert((await Promise.all(decisions)).every(({ admitted }) => admitted));
});

Deno.test("SharedLimiter remembers no more clients at their limit than its cap, the newest ones", async () => {
  await using on = limiterOn({ maxClients: 10 });
  await on.limiter.start();
  for (let low = 0; low < 23; low++) {
    const decision = on.limiter.admit({ high: 1, low });
    on.questions.shift()!.resolve({
      admitted: false,
      remaining: 0,
      resetMs: 60_000,
    });
    await decision;
  }
  const isKnown = (low: number) =>
    !(on.limiter.admit({ high: 1, low }) instanceof Promise);
  const known = Array.from({ length: 23 }, (_, low) => isKnown(low));
  const count = known.filter((isKnown) => isKnown).length;
  assert(count >= 5 && count <= 10, `${count} are known`);
  assert(known.slice(-count).every((isKnown) => isKnown));
  on.questions.splice(0).forEach(({ resolve }) => resolve(ADMITTED(1)));
});

Deno.test("SharedLimiter by itself admits no more than its limit in any window, whatever the store delays", async () => {
  let now = 0;
  await using on = limiterOn({ limit: 10, now: () => now });
  await on.limiter.start();
  // Ten that wait for a second, and are then decided here.
  const waiting = Array.from(
    { length: 10 },
    () => on.limiter.admit(keyOf("x")),
  );
  now = 1000;
  on.lose(new StoreError("it closed the connection"));
  const first = await Promise.all(waiting);
  assert(first.every(({ admitted }) => admitted));
  await until(() => on.lines.length === 2);
  // Ten more, decided by an empty store 59.5 s later.
  now = 60_500;
  const decisions = Array.from(
    { length: 10 },
    () => on.limiter.admit(keyOf("x")),
  );
  on.questions.splice(10).forEach(({ resolve }) => resolve(ADMITTED(9)));
  assertEquals(
    (await Promise.all(decisions)).filter(({ admitted }) => admitted).length,
    0,
  );
});

Deno.test("SharedLimiter says once more why, when waiting turns out to be no remedy", async () => {
  await using on = limiterOn();
  on.outage.error = new StoreError("connection refused");
  await on.limiter.start();
  on.outage.error = new StoreError("the password is wrong", {
    permanent: true,
  });
  await until(() => on.lines.length === 2);
  const { length } = on.connections;
  await until(() => on.connections.length > length + 1);
  assertEquals(on.lines.length, 2);
  assert(on.lines[1]!.startsWith(`${GONE}the password is wrong;`));
  delete on.outage.error;
  await until(() => on.lines.length === 3);
  assertEquals(on.lines[2], BACK);
});

Deno.test("SharedLimiter reports clients that it had to forget only while it decides", async () => {
  let evicted = 0;
  await using on = limiterOn({ maxClients: 1, onEvict: () => evicted++ });
  await on.limiter.start();
  for (let i = 0; i < 10; i++) {
    const decision = on.limiter.admit({ high: 1, low: i });
    on.questions[i]!.resolve(ADMITTED(59));
    await decision;
  }
  assertEquals(evicted, 0);
  on.lose(new StoreError("it closed the connection"));
  on.limiter.admit({ high: 1, low: 99 });
  assertEquals(evicted, 1);
});

Deno.test("SharedLimiter waits for pending decisions when it is closed, then no longer asks", async () => {
  const on = limiterOn();
  await on.limiter.start();
  const decision = on.limiter.admit(keyOf("x"));
  let closed = false;
  const closing = on.limiter.close().then(() => closed = true);
  await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS / 4));
  assert(!closed);
  assert(!(on.limiter.admit(keyOf("y")) instanceof Promise));
  on.questions[0]!.resolve(ADMITTED(3));
  assertEquals((await decision).remaining, 3);
  await closing;

  const stuck = limiterOn();
  await stuck.limiter.start();
  const local = stuck.limiter.admit(keyOf("x"));
  await stuck.limiter.close();
  assertEquals((await local).remaining, 59);
  // Nobody is told of an outage, and nothing is tried again.
  assertEquals([stuck.lines, stuck.connections.length], [[], 1]);
});
