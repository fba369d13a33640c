import { assertEquals } from "@std/assert";
import {
  ask,
  handlerFor,
  postInit,
  readProblem,
  service,
} from "./helpers/service.ts";

const WORDS = "/api/pwgen/words";

Deno.test("createHandler() makes services that share no state", async () => {
  const [busy, idle] = [
    await service("--rate-limit=1"),
    await service("--rate-limit=1"),
  ];
  const bodies: TransformStream<Uint8Array, Uint8Array>[] = [];
  /** Sends a body that has not arrived yet. */
  const begin = ({ handler }: typeof busy) => {
    const body = new TransformStream<Uint8Array, Uint8Array>();
    bodies.push(body);
    return ask(WORDS, { ...postInit(), body: body.readable }, handler);
  };
  const get = ({ handler }: typeof busy) =>
    handler(new Request("http://localhost/"), "192.0.2.1", {
      completed: new Promise(() => {}), // nobody reads the response
    });
  const spend = ({ handler }: typeof busy) =>
    handler(new Request(`http://localhost${WORDS}`, postInit()), "192.0.2.1");

  // Every limit of one service is reached.
  const pending = Array.from({ length: 1000 }, () => begin(busy));
  assertEquals((await begin(busy)).status, 503);
  for (let i = 0; i < 128; i++) await get(busy);
  assertEquals((await get(busy)).status, 503);
  await spend(busy);
  assertEquals((await spend(busy)).status, 429);

  // The other one has no part in it.
  await idle.drain();
  const responses = [begin(idle), get(idle), spend(idle)];
  for (const { writable } of bodies) writable.close().catch(() => {});
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  assertEquals(statuses, [400, 200, 200]); // the body is empty
  await Promise.all(pending);
});

Deno.test("createHandler() responds to every request with 503 while it drains, and logs its route", async () => {
  const logged: string[] = [];
  let isDraining = false;
  const handler = await handlerFor(["--access-log=json", "--metrics=on"], {
    log: (_level, line) => void logged.push(line),
    isDraining: () => isDraining,
  });
  assertEquals((await ask(WORDS, postInit(), handler)).status, 200);
  isDraining = true;
  for (const path of [WORDS, "/", "/healthz", "/metrics", "/nowhere"]) {
    const response = await ask(path, postInit(), handler);
    assertEquals(response.headers.get("connection"), "close");
    await readProblem(response, 503, path);
  }
  const routes = logged.map((line) => JSON.parse(line).route);
  assertEquals(routes, [WORDS, WORDS, "/", null]);
});
