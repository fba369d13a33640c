import { assertEquals } from "@std/assert";
import { parseMetrics, requests } from "../helpers/metrics.ts";
import { ask, handlerFor } from "../helpers/service.ts";

Deno.test("OPTIONS of /healthz and / is 204, or 503 while the process stops, without a body, also above the request budget; GET and HEAD of /healthz are 503 then", async () => {
  let isStopping = false;
  const logged: string[] = [];
  const handler = await handlerFor(["--access-log=json", "--metrics=on"], {
    log: (_level, line) => void logged.push(line),
    isStopping: () => isStopping,
  });
  const client = "192.0.2.1";
  const statusOf = async (path: string) => {
    const url = `http://localhost${path}`;
    const request = new Request(url, { method: "OPTIONS" });
    const { status, body } = await handler(request, client);
    assertEquals(body, null);
    return status;
  };
  for (const [stops, status] of [[false, 204], [true, 503]] as const) {
    isStopping = stops;
    for (let i = 0; i < 601; i++) {
      assertEquals(await statusOf(["/healthz", "/"][i % 2]!), status);
    }
  }
  // The check is no load, and its 503 is no failure.
  const text = await (await ask("/metrics", {}, handler)).text();
  assertEquals(parseMetrics(text)[requests("/healthz", 503)], 601);
  assertEquals(logged, []);
  for (const method of ["GET", "HEAD"]) {
    assertEquals((await ask("/healthz", { method }, handler)).status, 503);
    assertEquals((await ask("/", { method }, handler)).status, 200);
  }
});
