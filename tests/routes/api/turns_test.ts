import { assert, assertEquals, assertRejects } from "@std/assert";
import { clientOf } from "../../../middleware/client.ts";
import { TOO_MANY_WAITING, Turns } from "../../../routes/api/turns.ts";
import { postInit, service } from "../../helpers/service.ts";

/** Requests that can take long, each with another spelling of a field. */
const SLOW = [
  { passwordRules: "required: [ab]" },
  { SPECIALCHARACTERSET: "!" },
  { minimumentropy: 1 },
  { Count: 1 },
  // So many members that their names take long to compare.
  Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`a${i}`, 1])),
];

Deno.test("Turns lets other requests pass", async () => {
  const { handler } = await service();
  let clients = 0;
  const ended: string[] = [];
  const send = async (path: string, name: string, body: unknown) => {
    const url = `http://localhost/api/pwgen/${path}`;
    const peer = `192.0.2.${clients++}`;
    const response = await handler(new Request(url, postInit(body)), peer);
    assertEquals(response.status, 200);
    await response.body?.cancel();
    ended.push(name);
  };
  const slow = Array.from({ length: 40 }, (_, i) => String(i));
  const sent = slow.map((name, i) => send("characters", name, SLOW[i % 5]));
  sent.push(send("words", "words", { maximumLength: 60 }));
  await send("characters", "fast", { length: 64 });
  // It has been sent last.
  assert(ended.indexOf("fast") < 5, ended.join());
  await Promise.all(sent);
});

Deno.test("Turns.do() works in the order of arrival, and passes on what the work throws", async () => {
  const turns = new Turns();
  await turns.drain();
  const done: number[] = [];
  const client = clientOf("192.0.2.1", null);
  const all = Array.from({ length: 10 }, (_, i) =>
    turns.do(() => {
      if (i === 5) throw new RangeError("Planted");
      return done.push(i);
    }, client));
  assertEquals(done, []);
  const failed = assertRejects(() => all[5]!, RangeError, "Planted");
  await turns.drain();
  assertEquals(done, [0, 1, 2, 3, 4, 6, 7, 8, 9]);
  await failed;
});

Deno.test("Turns.do() lets 256 requests wait, 64 of a client or an IPv6 /48, and refuses more with 503", async () => {
  const turns = new Turns();
  /** Begins to wait; returns how many requests are refused. */
  const wait = async (peer: string, count: number) => {
    const client = clientOf(peer, null);
    const begun = Array.from({ length: count }, () => {
      const result = turns.do(() => 200, client);
      return Promise.race([result, Promise.resolve()]);
    });
    const refused = (await Promise.all(begun)).filter((each) => each);
    assert(refused.every((each) => each === TOO_MANY_WAITING));
    return refused.length;
  };
  assertEquals(await wait("192.0.2.1", 70), 6);
  for (let i = 0; i < 70; i++) {
    assertEquals(await wait(`2001:db8:1:${i}::1`, 1), i < 64 ? 0 : 1);
  }
  assertEquals(await wait("192.0.2.2", 64), 0);
  assertEquals(await wait("192.0.2.3", 60), 0);
  assertEquals(await wait("192.0.2.4", 5), 1);
  const { status, headers } = TOO_MANY_WAITING;
  assertEquals([status, headers], [503, { "retry-after": "1" }]);
  await turns.drain();
  assertEquals(await wait("192.0.2.1", 60), 0);
  await turns.drain();
});
