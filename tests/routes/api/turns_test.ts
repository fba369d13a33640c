import { assert, assertEquals, assertRejects } from "@std/assert";
import { Problem } from "../../../http/problem.ts";
import { clientOf } from "../../../middleware/client.ts";
import { MAX_WAITING, Turns } from "../../../routes/api/turns.ts";
import { postInit, service } from "../../helpers/service.ts";

/** Takes some milliseconds; a slice has three. */
function busy(ms = 1.5): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** The clients whose work ended, in this order. */
function recorder(turns = new Turns()) {
  const ended: string[] = [];
  const run = (peer: string, count = 1, work = () => busy()) =>
    Promise.all(
      Array.from({ length: count }, () =>
        Promise.try(() =>
          turns.run(() => {
            work();
            ended.push(peer);
          }, clientOf(peer, null))
        )),
    );
  return { turns, ended, run };
}

Deno.test("each client that waits has one request in turn, in the order of its requests", async () => {
  const { ended, run } = recorder();
  const [a, b, c] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
  await Promise.all([run(a, 30), run(b, 20), run(c, 10)]);
  // While there is time in the first slice, work begins at once.
  const first = ended.indexOf(b) - 1;
  assert(first < 10, ended.join());
  const turns = ended.slice(first);
  const inTurn = [
    ...Array(10).fill([a, b, c]).flat(),
    ...Array(10).fill([a, b]).flat(),
  ];
  assertEquals(turns.slice(0, inTurn.length), inTurn);
});

Deno.test("the clients of an IPv6 /48 have one turn together", async () => {
  const { ended, run } = recorder();
  const network = Array.from({ length: 20 }, (_, i) => `2001:db8:1:${i}::1`);
  const other = "2001:db8:2::1";
  await Promise.all([...network.map((peer) => run(peer)), run(other, 5)]);
  const first = ended.indexOf(other);
  const turns = ended.slice(first, first + 10);
  assertEquals(turns.map((peer) => peer === other), [
    ...Array(5).fill([true, false]).flat(),
  ]);
});

Deno.test("the process does other things between two slices", async () => {
  const { ended, run } = recorder();
  const sent = run("192.0.2.1", 50);
  await new Promise((resolve) => setTimeout(resolve));
  assert(ended.length < 25, `${ended.length}`);
  await run("192.0.2.2");
  assert(ended.length < 50, `${ended.length}`);
  await sent;
});

Deno.test("so many requests wait at most, of a client, of an IPv6 /48, and of all; more get 503", async () => {
  const { process, network, client } = MAX_WAITING;
  const { turns, run } = recorder();
  const cases: [count: number, peerOf: (i: number) => string, most: number][] =
    [
      [client + 3, () => "192.0.2.1", client],
      [network + 3, (i) => `2001:db8:1:${i}::1`, network],
      [3, () => "192.0.2.2", process - client - network],
    ];
  // Of the first round nothing is left.
  for (let round = 0; round < 2; round++) {
    const wholeSlice = run("192.0.2.9", 1, () => busy(4));
    const waiting = cases.map(([count, peerOf]) =>
      Promise.all(Array.from(
        { length: count },
        (_, i) => turns.run(() => "done", clientOf(peerOf(i), null)),
      ))
    );
    await wholeSlice;
    for (const [i, results] of (await Promise.all(waiting)).entries()) {
      const refused = results.filter((result) => result instanceof Problem);
      const [count, , most] = cases[i]!;
      assertEquals(refused.length, count - Math.min(count, most));
      for (const { status, headers } of refused) {
        assertEquals([status, headers["retry-after"]], [503, "1"]);
      }
    }
  }
});

Deno.test("an exception is the error of one request alone, also of one that waits", async () => {
  const { ended, run } = recorder();
  const fail = () => {
    busy();
    throw new RangeError("Planted");
  };
  const sent = Array.from({ length: 8 }, (_, i) => {
    const isWrong = i % 2 === 0;
    const done = run(`192.0.2.${i}`, 1, isWrong ? fail : undefined);
    return isWrong ? assertRejects(() => done, RangeError) : done;
  });
  await Promise.all(sent);
  assertEquals(ended.length, 4);
});

Deno.test("the drain waits for all that wait", async () => {
  const { turns, ended, run } = recorder();
  const sent = run("192.0.2.1", 20);
  await turns.drain();
  assertEquals(ended.length, 20);
  await sent;
});

Deno.test("a request passes the dear requests of others", async () => {
  const { handler } = await service("--rate-limit=1000");
  const ended: string[] = [];
  const send = async (peer: string, body: unknown) => {
    const url = "http://localhost/api/pwgen/characters";
    const response = await handler(new Request(url, postInit(body)), peer);
    assertEquals(response.status, 200);
    await response.body?.cancel();
    ended.push(peer);
  };
  const dear = { length: 64, maximumRepeating: 2, maximumSequential: 3 };
  const flood = Array.from(
    { length: 400 },
    (_, i) => send(`192.0.2.${i % 4}`, { ...dear, minimumNumbers: 4 }),
  );
  await send("192.0.2.250", {});
  assert(ended.length < 100, `${ended.length}`);
  await Promise.all(flood);
});
