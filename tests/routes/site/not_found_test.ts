import { assert, assertEquals, assertMatch } from "@std/assert";
import { ask, readProblem } from "../../helpers/service.ts";

/** What Chromium and Firefox send for a page. */
const BROWSER =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

const askAs = (accept: string, path: string, method = "GET") =>
  ask(path, { method, headers: { accept } });

Deno.test("notFound() gives a page to clients that prefer HTML, and problem details to all others", async () => {
  const page = [BROWSER, "text/html", "text/*, application/json;q=0.9"];
  const problem = [
    "*/*",
    "",
    "text/html, */*;q=1",
    "text/html;q=0.5, application/json",
    "application/problem+json, text/html;q=0.9",
    "text/plain",
    "text/html;q=2",
    `text/html, ${"x".repeat(1000)}`,
  ];
  for (const accept of [...page, ...problem]) {
    const response = await askAs(accept, "/nowhere");
    const { headers } = response;
    const vary = page.includes(accept) ? "Accept, Accept-Language" : "Accept";
    assertEquals(headers.get("vary"), vary, accept);
    assertEquals(headers.get("cache-control"), "no-store");
    const head = await askAs(accept, "/nowhere", "HEAD");
    assertEquals([head.status, head.body], [404, null]);
    assertEquals([...head.headers], [...headers]);
    if (problem.includes(accept)) {
      const { detail } = await readProblem(response, 404, "/nowhere");
      assertMatch(detail, /the page \/docs describes the API/);
    } else {
      const text = await response.text();
      assertEquals(response.status, 404);
      assertEquals(headers.get("content-type"), "text/html; charset=utf-8");
      const ofDocs = (await ask("/docs", { method: "HEAD" })).headers;
      const policy = "content-security-policy";
      assertEquals(headers.get(policy), ofDocs.get(policy));
      assertMatch(text, /<title [^>]*>Not found<\/title>/);
      assert(!text.includes("nowhere"));
    }
  }
  const swedish = await ask("/nowhere", {
    headers: { accept: BROWSER, "accept-language": "sv" },
  });
  assertMatch(await swedish.text(), /<html lang="sv">/);
  const posted = await askAs(BROWSER, "/nowhere", "POST");
  await readProblem(posted, 404, "/nowhere");
});

Deno.test("notFound() has links that lead to the service below any prefix, and is small", async () => {
  const paths = [
    "/x",
    "/x/",
    "/docs/x",
    "//",
    "/a//b",
    "/a/b/c/d?e=f/g",
    "/%2F",
  ];
  for (const path of paths) {
    const html = await (await askAs(BROWSER, path)).text();
    const links = [...html.matchAll(/ href="([^"]*)"/g)].map((m) => m[1]!);
    for (const prefix of ["", "/pw", "/tools/pw"]) {
      assertEquals(
        links.map((link) =>
          new URL(link, `https://a.example${prefix}${path}`).href
        ),
        ["/page/icon.svg", "/page/page.css", "/", "/docs"].map((link) =>
          `https://a.example${prefix}${link}`
        ),
      );
    }
  }
  const deep = await (await askAs(BROWSER, "/".repeat(8000))).text();
  assert(deep.length < 1500, `${deep.length}`);
});
