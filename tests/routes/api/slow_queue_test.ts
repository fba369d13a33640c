import { assert, assertEquals } from "@std/assert";
import { stub } from "@std/testing/mock";
import { postInit, service } from "../../helpers/service.ts";

/** Slow requests, each with another spelling of a field. */
const SLOW = [
  { PASSWORDRULES: "required: [ab]" },
  { Count: 1 },
  { length: 128, count: 100 },
  // So many members that comparing their names is slow.
  Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`a${i}`, 1])),
];

/** Sends a request from a client to a service with a high rate limit. */
async function sender() {
  const { handler, drain } = await service("--rate-limit=1000");
  const send = async (peer: string, body: unknown = { count: 1 }) => {
    const url = "http://localhost/api/pwgen/characters";
    const response = await handler(new Request(url, postInit(body)), peer);
    await response.body?.cancel();
    return response;
  };
  return { send, drain };
}

Deno.test("slow requests let other requests pass, also those that arrive later", async () => {
  const { send } = await sender();
  const ended: string[] = [];
  const finish = async (name: string, peer: string, body: unknown) => {
    assertEquals((await send(peer, body)).status, 200);
    ended.push(name);
  };
  const sent = Array.from(
    { length: 200 },
    (_, i) => finish("slow", `192.0.2.${i}`, SLOW[i % SLOW.length]),
  );
  // A field with its default is as if absent.
  await finish("fast", "192.0.2.250", { length: 64, count: 0 });
  assert(ended.length < 5, ended.join());
  await new Promise((resolve) => setTimeout(resolve));
  await finish("later", "192.0.2.251", { length: 64 });
  assert(ended.length < 200, ended.join());
  await Promise.all(sent);
});

Deno.test("a client that always has 64 requests in the queue delays each request of another one by 64 of its own at most", async () => {
  const { send } = await sender();
  const ended: number[] = [];
  let [next, isOver] = [0, false];
  const busy = Array.from({ length: 64 }, async () => {
    while (!isOver) {
      const number = next++;
      await send("192.0.2.1");
      ended.push(number);
    }
  });
  for (let i = 0; i < 10; i++) {
    const before = ended.length;
    assertEquals((await send("192.0.2.2")).status, 200);
    const between = ended.length - before;
    assert(between > 0 && between <= 64, `${between}`);
  }
  isOver = true;
  await Promise.all(busy);
  // Of one client too, the first that has arrived is the first.
  assertEquals(ended, ended.toSorted((a, b) => a - b));
});

Deno.test("256 requests can be queued, 64 of a client or an IPv6 /48; more get 503", async () => {
  const { send, drain } = await sender();
  const cases: [peers: string[], refused: number][] = [
    [Array(70).fill("192.0.2.1"), 6],
    [Array.from({ length: 70 }, (_, i) => `2001:db8:1:${i}::1`), 6],
    [Array(64).fill("192.0.2.2"), 0],
    [Array(60).fill("192.0.2.3"), 0],
    [Array(5).fill("192.0.2.4"), 1],
  ];
  // Of the first round nothing is left.
  for (let round = 0; round < 2; round++) {
    const sent = cases.map(([peers]) =>
      Promise.all(peers.map((peer) => send(peer)))
    );
    await drain();
    for (const [i, responses] of (await Promise.all(sent)).entries()) {
      const refused = responses.filter(({ status }) => status === 503);
      assertEquals(refused.length, cases[i]![1]);
      for (const { headers } of refused) {
        assertEquals(headers.get("retry-after"), "1");
      }
    }
  }
});

Deno.test("an exception in a queued request is the error of this request alone", async () => {
  const { send } = await sender();
  const many = { length: 128, count: 100 };
  {
    using _ = stub(crypto, "getRandomValues", () => {
      throw new RangeError("Planted");
    });
    assertEquals((await send("192.0.2.1", many)).status, 500);
  }
  assertEquals((await send("192.0.2.1", many)).status, 200);
});
