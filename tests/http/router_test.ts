import { assertEquals, assertStringIncludes } from "@std/assert";
import { ask, readProblem } from "../helpers/service.ts";

Deno.test("router() knows neither folders nor inherited names", async () => {
  await readProblem(await ask("/page"), 404, "/page");
  await readProblem(await ask("/constructor"), 404, "/constructor");
});

Deno.test("router() redirects /docs/ to /docs, without the query string", async () => {
  const { status, headers } = await ask("/docs/?length=hunter2");
  assertEquals([status, headers.get("location")], [308, "../docs"]);
});

Deno.test("router() refuses other methods with 405 and Allow, and names /docs", async () => {
  const allowed = {
    "/api/pwgen/words": "POST, OPTIONS",
    "/healthz": "GET, OPTIONS, HEAD",
    "/": "GET, OPTIONS, HEAD",
    "/docs": "GET, HEAD",
  };
  for (const [path, methods] of Object.entries(allowed)) {
    for (const method of ["PUT", "BREW", "constructor"]) {
      const response = await ask(path, { method });
      assertEquals(response.headers.get("allow"), methods);
      const { detail } = await readProblem(response, 405, path);
      assertStringIncludes(detail, "the page /docs describes the API");
    }
  }
});
