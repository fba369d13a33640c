import { assertEquals } from "@std/assert";
import { ask, JSON_TYPE } from "../helpers/service.ts";

Deno.test("health() responds to GET and HEAD, with or without a query", async () => {
  const response = await ask("/healthz");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), JSON_TYPE);
  assertEquals(await response.json(), { status: "ok" });
  assertEquals((await ask("/healthz", { method: "HEAD" })).status, 200);
  assertEquals((await ask("/healthz?deep=true")).status, 200);
});
