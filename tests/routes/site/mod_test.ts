import { assert, assertEquals } from "@std/assert";
import { ask, readProblem } from "../../helpers/service.ts";

Deno.test("SITE redirects /docs/ to /docs, below any prefix and without the query string", async () => {
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
});

Deno.test("SITE has only relative URLs, which lead to the service below any prefix", async () => {
  for (const page of ["/", "/docs"]) {
    const html = await (await ask(page)).text();
    const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)];
    for (const prefix of ["", "/pw", "/tools/pw"]) {
      for (const [, link] of links) {
        const { origin, pathname, hash } = new URL(
          link!,
          `https://a.example${prefix}${page}`,
        );
        assertEquals(origin, "https://a.example");
        assert(pathname.startsWith(`${prefix}/`), link);
        const response = await ask(pathname.slice(prefix.length));
        const target = await response.text();
        assertEquals(response.status, 200, link);
        if (hash !== "") assert(target.includes(`id="${hash.slice(1)}"`), link);
      }
    }
  }
});
