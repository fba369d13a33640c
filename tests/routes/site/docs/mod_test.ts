import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { examples } from "../../../../routes/site/docs/examples.ts";
import { escapeHtml } from "../../../../routes/site/html.ts";
import { openApiDocument } from "../../../../routes/site/openapi/mod.ts";
import { serve } from "../../../helpers/program.ts";
import { ask, readProblem } from "../../../helpers/service.ts";

const html = await (await ask("/docs")).text();
const { paths, components } = openApiDocument({ limit: 60, seconds: 60 });
const all = (pattern: RegExp) => [...html.matchAll(pattern)].map((m) => m[1]!);

Deno.test("docs() has unique ids, and each link in the page points to one", () => {
  const ids = all(/ id="([^"]*)"/g);
  assertEquals(new Set(ids).size, ids.length);
  for (const target of all(/href="#([^"]*)"/g)) {
    assert(ids.includes(target), target);
  }
});

Deno.test("docs() has a link in each heading, and each h2 and h3 in the contents", () => {
  const headings = all(/<h[2-4]([^>]*>.*?)<\/h[2-4]>/g);
  const linked = all(
    /<h[2-4]( id="([^"]+)"><a href="#\2">(?=[^<]|<code>).+?<\/a>)<\/h/g,
  );
  assert(headings.length > 20);
  assertEquals(headings, linked);
  const [contents] = html.match(/<nav .*?<\/nav>/s)!;
  assertEquals(
    [...contents.matchAll(/href="#([^"]*)"/g)].map((m) => m[1]),
    all(/<h[23] id="([^"]+)"/g),
  );
});

Deno.test("docs() shows every operation, field, header field and example of the document", () => {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      assertStringIncludes(html, `id="${operation.operationId}"`);
      for (const { code, body } of examples(path, method, operation)) {
        for (const text of [...Object.values(code), body ?? ""]) {
          assertStringIncludes(html, escapeHtml(text));
        }
      }
      // "Try it" is for the operations that have a body.
      const isTried = html.includes(`id="${operation.operationId}-body"`);
      assertEquals(isTried, method === "post");
    }
  }
  for (const [name, { properties }] of Object.entries(components.schemas)) {
    if (name === "Health") continue; // has only an example
    for (const field of Object.keys(properties!)) {
      assertStringIncludes(html, `<th scope="row"><code>${field}</code></th>`);
    }
  }
  for (const name of Object.keys(components.headers)) {
    assertStringIncludes(html, `<span id="${name}">`);
  }
  assertStringIncludes(html, "(since 1.1.0)");
});

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
