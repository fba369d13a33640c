import { assertEquals } from "@std/assert";
import { serve } from "../../helpers/program.ts";
import { ask, readProblem } from "../../helpers/service.ts";

Deno.test("docs() redirects /docs/ to /docs, below any prefix and without the query string", async () => {
  for (const method of ["GET", "HEAD"]) {
    const response = await ask("/docs/?length=hunter2", { method });
    assertEquals([response.status, await response.text()], [308, ""]);
    const location = response.headers.get("location")!;
    for (const prefix of ["", "/pw", "/tools/pw"]) {
      const { href } = new URL(
        location,
        `https://a.example${prefix}/docs/?a=b`,
      );
      assertEquals(href, `https://a.example${prefix}/docs`);
    }
  }
  await readProblem(await ask("/docs/", { method: "POST" }), 405, "/docs/");
  await readProblem(await ask("/docs//"), 404, "/docs//");
  await using service = await serve();
  const response = await fetch(`${service.url}/docs/?a=b`);
  await response.body?.cancel();
  assertEquals([response.status, response.url], [200, `${service.url}/docs`]);
});
