import { assertEquals } from "@std/assert";
import { stub } from "@std/testing/mock";
import { handlerFor, postInit } from "./helpers/service.ts";

const WORDS = "/api/pwgen/words";

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
