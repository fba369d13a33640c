import { MAX_UNREAD } from "../../../middleware/site_limits.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  ask,
  handlerFor,
  readProblem,
  service,
} from "../../helpers/service.ts";
import { Browser, browserTests } from "../../helpers/webdriver.ts";

/** What Chromium and Firefox send for a page. */
const BROWSER =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

const askAs = (accept: string, path: string, method = "GET") =>
  ask(path, { method, headers: { accept } });

Deno.test("notFound() gives a page to clients that prefer HTML, and problem details to all others", async () => {
  const page = [BROWSER, "text/html", "text/*, application/json;q=0.9"];
  const problem = [
    ...["*/*", "", "application/json", "application/problem+json"],
    ...["text/html, */*;q=1", "text/html;q=0.5, application/json", "image/png"],
    ...["application/problem+json, text/html;q=0.9", "text/plain"],
    ...["text/html;q=2", `text/html, ${"x".repeat(1000)}`],
  ];
  for (const accept of [...page, ...problem]) {
    const response = await askAs(accept, "/nowhere");
    const { headers } = response;
    const vary = page.includes(accept) ? "Accept, Accept-Language" : "Accept";
    assertEquals(headers.get("vary"), vary, accept);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    const head = await askAs(accept, "/nowhere", "HEAD");
    assertEquals([head.status, head.body], [404, null]);
    assertEquals([...head.headers], [...headers]);
    if (problem.includes(accept)) await readProblem(response, 404, "/nowhere");
    else {
      const text = await response.text();
      assertEquals(response.status, 404);
      assertEquals(headers.get("content-type"), "text/html; charset=utf-8");
      const ofDocs = (await ask("/docs", { method: "HEAD" })).headers;
      for (
        const name of [
          ...["content-security-policy", "cross-origin-opener-policy"],
          "referrer-policy",
        ]
      ) assertEquals(headers.get(name), ofDocs.get(name)!, name);
      assertMatch(text, /<title [^>]*>Not found<\/title>/);
      assert(!/<script|nowhere/.test(text));
      assertEquals(headers.get("content-length"), `${text.length}`);
    }
  }
  const swedish = await ask("/nowhere", {
    headers: { accept: BROWSER, "accept-language": "sv" },
  });
  assertMatch(await swedish.text(), /<html lang="sv">.*Sidan finns inte/s);
  await readProblem(await ask("/nowhere"), 404, "/nowhere"); // without Accept
  const posted = await askAs(BROWSER, "/nowhere", "POST");
  await readProblem(posted, 404, "/nowhere");
});

Deno.test("notFound() has links that lead to the service, below any prefix", async () => {
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
});

Deno.test("notFound() is small, whatever the path is, and counts as a request", async () => {
  for (const path of ["/".repeat(8000), `/${"x".repeat(8000)}`]) {
    const text = await (await askAs(BROWSER, path)).text();
    assert(text.length < 1500, `${text.length}`);
    assert(!text.includes("xxx"));
  }
  const handler = await handlerFor([]);
  // A target that is no path, as in OPTIONS *.
  for (const url of ["http://localhost", "http://localhost/*"]) {
    const init = { method: "OPTIONS", headers: { accept: BROWSER } };
    const response = await handler(new Request(url, init), "192.0.2.1");
    await response.body?.cancel();
    assert(response.status < 500);
  }
  const { handler: limited } = await service();
  const statuses = new Map<number, number>();
  for (let i = 0; i < 610; i++) {
    const headers = { accept: BROWSER };
    const request = new Request("http://localhost/nowhere", { headers });
    const { status, body } = await limited(request, "192.0.2.1");
    await body?.cancel();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  assertEquals([...statuses], [[404, 600], [429, 10]]);
  const { handler: unread } = await service();
  const pending = [];
  for (let i = 0; i <= MAX_UNREAD.client; i++) {
    const headers = { accept: BROWSER };
    const request = new Request("http://localhost/nowhere", { headers });
    const info = { completed: new Promise<void>(() => {}) };
    pending.push((await unread(request, "192.0.2.1", info)).status);
  }
  assertEquals(pending, [...Array(MAX_UNREAD.client).fill(404), 503]);
});

const testPage = browserTests(
  Browser,
  "/api/pwgen/nowhere",
  "document.title === 'Not found'",
);

testPage({
  name: "the page of an unknown path leads to the documents",
  size: [320, 480],
  messages: /nowhere - Failed to load resource: .* 404 /,
}, async (browser, { url }) => {
  await browser.fits();
  assertEquals(await browser.get("h1", "innerText"), "Not found");
  await browser.click("a[href$='/docs']");
  assertEquals(await browser.url(), `${url}/docs`);
  assertMatch(await browser.title(), /API/);
});
