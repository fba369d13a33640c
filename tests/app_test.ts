import { assertEquals } from "@std/assert";
import { stub } from "@std/testing/mock";
import { ask, handlerFor, postInit, readProblem } from "./helpers/service.ts";

const WORDS = "/api/pwgen/words";

Deno.test("createHandler() responds to every request with a valid Host with 503 while it drains, and logs its route", async () => {
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
    assertEquals(response.headers.get("ratelimit"), null);
    await readProblem(response, 503, path);
  }
  // Health checks of HAProxy are not logged.
  const check = await ask("/", { method: "OPTIONS" }, handler);
  await readProblem(check, 503, "/");
  const routes = logged.map((line) => JSON.parse(line).route);
  assertEquals(routes, [WORDS, WORDS, "/", null]);
  const forged = await ask(WORDS, { headers: { host: "a/b" } }, handler);
  await readProblem(forged, 400, WORDS);
});

Deno.test("createHandler() counts by a monotonic clock, whatever the wall clock says", async () => {
  let wall = 0;
  using _ = stub(Date, "now", () => wall);
  const handler = await handlerFor(["--rate-limit=1"]);
  for (const status of [200, 429]) {
    const request = new Request(`http://localhost${WORDS}`, postInit());
    assertEquals((await handler(request, "192.0.2.1")).status, status);
    wall += 3_600_000;
  }
});
