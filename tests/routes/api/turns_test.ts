import { assert, assertEquals } from "@std/assert";
import { MAX_WAITING, Turns } from "../../../routes/api/turns.ts";
import { postInit, readProblem, service } from "../../helpers/service.ts";

const PATH = "/api/pwgen/characters";

/** Requests that can take long, each with another spelling of a field. */
const SLOW = [
  { passwordRules: "required: [ab]" },
  { SPECIALCHARACTERSET: "!" },
  { minimumentropy: 1 },
  { Count: 1 },
];

Deno.test("Turns lets other requests pass, and keeps the order of arrival", async () => {
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
  const sent = slow.map((name, i) => send("characters", name, SLOW[i % 4]));
  sent.push(send("words", "words", { maximumLength: 60 }));
  await send("characters", "fast", { length: 64 });
  assert(ended.indexOf("fast") < 3, ended.join());
  await Promise.all(sent);
  const order = ended.filter((name) => name !== "fast");
  assertEquals(order, [...slow, "words"]);
});

Deno.test("Turns lets 256 requests wait, refuses more with 503, and drains", async () => {
  const { handler, drain } = await service("--rate-limit=10000");
  const send = () =>
    handler(
      new Request(`http://localhost${PATH}`, postInit({ count: 1 })),
      "192.0.2.1",
    );
  let isDrained = false;
  const sent = Array.from({ length: MAX_WAITING }, send);
  const refused = await send();
  assertEquals(refused.headers.get("retry-after"), "1");
  await readProblem(refused, 503, PATH);
  const drained = drain().then(() => isDrained = true);
  await sent[MAX_WAITING - 2];
  assert(!isDrained);
  await drained;
  for (const response of await Promise.all(sent)) {
    assertEquals(response.status, 200);
    await response.body?.cancel();
  }
  assertEquals((await send()).status, 200);
});

Deno.test("Turns.drain() waits for the requests that wait, and for no others", async () => {
  const turns = new Turns();
  await turns.drain();
  let waiting = 10;
  for (let i = 0; i < 10; i++) turns.next().then(() => waiting--);
  await turns.drain();
  await Promise.resolve();
  assertEquals(waiting, 0);
});
