import { assert, assertEquals } from "@std/assert";
import { assertDescribed } from "../helpers/schema.ts";
import { postInit, readProblem, service } from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";
const CLIENT = "192.0.2.1";
/** Requests of a client in a minute. */
const REQUEST_BUDGET = 600;

Deno.test("requestBudget() bounds what one client requests outside of the API, also one that is exempt from the rate limit", async () => {
  const flags = ["--metrics=on", `--exempt-clients=${CLIENT}`];
  const { handler, clock } = await service(...flags);
  const send = (path: string, peer = CLIENT, init?: RequestInit) =>
    handler(new Request(`http://localhost${path}`, init), peer);
  const paths = ["/", "/unknown", "/healthz", "/metrics", WORDS];
  const statuses = [200, 404, 200, 200, 405];
  for (let i = 0; i < REQUEST_BUDGET; i++) {
    const response = await send(paths[i % 5]!);
    assertEquals(response.status, statuses[i % 5]);
    assert((await response.text()).length > 0);
  }
  for (const path of ["/", "/unknown", "/metrics", WORDS, "/openapi/v1.json"]) {
    const response = await send(path);
    assertEquals([response.status, response.body], [429, null], path);
    if (path.endsWith("json")) assertDescribed(response, "", path, "GET");
    assertEquals(response.headers.get("retry-after"), "60");
    assertEquals(response.headers.get("cache-control"), "no-store");
  }
  const headers = { host: "x/" };
  const invalidHost = await send("/", CLIENT, { headers });
  assertEquals([invalidHost.status, invalidHost.body], [429, null]);
  // The status of the health check stays true.
  const health = await send("/healthz");
  assertEquals([health.status, health.body], [200, null]);

  // Neither the API nor another client has a part in it.
  assertEquals((await send(WORDS, CLIENT, postInit())).status, 200);
  await readProblem(await send("/unknown", "192.0.2.2"), 404, "/unknown");
  clock.now += 60_000;
  await readProblem(await send("/unknown"), 404, "/unknown");
});

Deno.test("requestBudget() bounds the requests that the rate limit refuses", async () => {
  const { handler } = await service("--rate-limit=1");
  const send = () =>
    handler(new Request(`http://localhost${WORDS}`, postInit()), CLIENT);
  assertEquals((await send()).status, 200);
  for (let i = 0; i < REQUEST_BUDGET; i++) {
    await readProblem(await send(), 429, WORDS);
  }
  const response = await send();
  assertEquals([response.status, response.body], [429, null]);
  assertEquals(response.headers.get("retry-after"), "60");
  assertEquals(response.headers.get("ratelimit"), '"default";r=0;t=60');
});
