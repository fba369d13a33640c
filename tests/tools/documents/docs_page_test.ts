import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import html from "../../../routes/site/docs/docs.html" with { type: "text" };
import { escapeHtml } from "../../../routes/site/html.ts";
import { CLIENTS } from "../../../tools/documents/clients.ts";
import { examples } from "../../../tools/documents/docs_page.ts";
import { SCRIPT } from "../../../tools/documents/example_code.ts";
import { DESCRIPTION } from "../../helpers/schema.ts";

const { paths, components } = DESCRIPTION;
const all = (pattern: RegExp) => [...html.matchAll(pattern)].map((m) => m[1]!);

Deno.test("docsPage() has unique ids, and each link in the page points to one", () => {
  const ids = all(/ id="([^"]*)"/g);
  assertEquals(new Set(ids).size, ids.length);
  for (const target of all(/href="#([^"]*)"/g)) {
    assert(ids.includes(target), target);
  }
});

Deno.test("docsPage() has a link in each heading, and each h2 and h3 in the contents", () => {
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

Deno.test("docsPage() shows every operation, field, header field and example of the document", () => {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      assertStringIncludes(html, `id="${operation.operationId}"`);
      for (const { code, body } of examples(path, method, operation)) {
        for (const text of [...Object.values(code), body]) {
          assertStringIncludes(html, escapeHtml(text));
        }
      }
      // "Try it" is for the operations that have a body.
      const isTried = html.includes(`id="${operation.operationId}-body"`);
      assertEquals(isTried, method === "post");
    }
  }
  for (const [name, { properties }] of Object.entries(components.schemas)) {
    // The first one has only an example, the second one is a part of another.
    if (["Health", "ProblemDetails"].includes(name)) continue;
    for (const field of Object.keys(properties!)) {
      assertStringIncludes(html, `<th scope="row"><code>${field}</code></th>`);
    }
  }
  for (const name of Object.keys(components.headers)) {
    assertStringIncludes(html, `<span id="${name}">`);
  }
  assertStringIncludes(html, " Since 1.1.0.");
});

Deno.test("docsPage() has the script, and the commands and the code of each generator", () => {
  assertEquals(CLIENTS.length, 3);
  const texts = CLIENTS.flatMap(({ commands, code }) => [commands, code]);
  for (const text of [SCRIPT, ...texts]) {
    assertStringIncludes(html, `<code>${escapeHtml(text.trimEnd())}</code>`);
  }
});
