import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import html from "../../../routes/site/docs/docs.html" with { type: "text" };
import { escapeHtml } from "../../../routes/site/html.ts";
import { CLIENTS } from "../../../tools/documents/clients.ts";
import { examples } from "../../../tools/documents/docs_page.ts";
import { SCRIPTS } from "../../../tools/documents/example_code.ts";
import { DESCRIPTION } from "../../helpers/schema.ts";

const { paths, components } = DESCRIPTION;
const all = (pattern: RegExp) => [...html.matchAll(pattern)].map((m) => m[1]!);
/** The page without the colours of its code. */
const plain = html.replace(/<\/?span[^>]*>/g, "");

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
    /<h[2-4]( id="([^"]+)"><a href="#\2">[^<].+?<\/a>)<\/h/g,
  );
  assert(headings.length > 20, `${headings.length}`);
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
      for (const { status, code, body } of examples(path, method, operation)) {
        // An error that has no code is the same for all operations.
        const text = "curl" in code
          ? body
          : body.replace(path, "/api/pwgen/characters");
        for (const each of [...Object.values(code), text]) {
          assertStringIncludes(plain, `<code>${escapeHtml(each)}</code>`);
        }
        if (Number(status) < 400) continue;
        assertStringIncludes(html, `<a href="#error-${status}">${status}</a>`);
        assertStringIncludes(html, `<span id="error-${status}">${status} `);
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
  for (const name of Object.keys(components.responses)) {
    assertStringIncludes(html, `<span id="${name}">4`);
  }
  for (const name of Object.keys(components.headers)) {
    assertStringIncludes(html, `<span id="${name}">`);
  }
  assertStringIncludes(html, " Since 1.1.0.");
});

Deno.test("docsPage() has the script, and the commands and the code of each generator", () => {
  assertEquals(CLIENTS.length, 3);
  const texts = CLIENTS.flatMap(({ commands, code }) => [commands, code]);
  for (const text of [...Object.values(SCRIPTS), ...texts]) {
    assertStringIncludes(plain, `<code>${escapeHtml(text.trimEnd())}</code>`);
  }
});

Deno.test("docsPage() has the names of operations before their paths, and a quick start first", () => {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { operationId, summary }] of Object.entries(item)) {
      assertStringIncludes(
        html,
        `<a href="#${operationId}">${summary} <code>${method.toUpperCase()} ${path}</code></a></h3>`,
      );
    }
  }
  assertEquals(all(/<h2 id="([^"]+)"/g)[0], "quick-start");
});

Deno.test("docsPage() has the promises of SECURITY.md and the command line of docs/api.md", async () => {
  for (
    const [path, name] of [
      ["SECURITY.md", "promises"],
      ["docs/api.md", "command-line"],
    ]
  ) {
    const text = await Deno.readTextFile(path!);
    const [, part] = text.match(
      new RegExp(`<!-- ${name}: .*-->([^]*)<!-- end of ${name} -->`),
    )!;
    const [, section] = html.match(new RegExp(`<h2 id="${name}">([^]*?)<h2`))!;
    // Letters and digits are enough to compare the texts.
    const words = (text: string) => text.match(/\p{L}+|\d+/gu)!.join(" ");
    const expected = words(
      part!.replace(/```sh/g, "").replace(/\]\([^)]*\)/g, ""),
    );
    assert(expected.length > 500);
    assertStringIncludes(
      words(section!.replace(/<figcaption>.*?<\/figcaption>|<[^>]*>/g, "")),
      expected,
    );
  }
});
