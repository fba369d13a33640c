import { assert, assertEquals } from "@std/assert";
import { serve } from "../../helpers/program.ts";
import { ask, readProblem } from "../../helpers/service.ts";

const RESOURCES: Record<string, string> = {
  "/": "text/html; charset=utf-8",
  "/page/page.css": "text/css; charset=utf-8",
  "/page/page.js": "text/javascript; charset=utf-8",
  "/page/texts.js": "text/javascript; charset=utf-8",
  "/page/icon.svg": "image/svg+xml",
  "/docs": "text/html; charset=utf-8",
  "/docs/docs.css": "text/css; charset=utf-8",
  "/openapi/v1.json": "application/json",
};

Deno.test("serveDocument() responds with an ETag, and with 304 to a client that has it", async () => {
  for (const [path, type] of Object.entries(RESOURCES)) {
    const response = await ask(path);
    const text = await response.text();
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), type);
    assertEquals(response.headers.get("cache-control"), "no-cache");
    assertEquals(response.headers.get("ratelimit"), null);
    const etag = response.headers.get("etag")!;
    const same = await ask(path, { headers: { "if-none-match": etag } });
    assertEquals([same.status, await same.text()], [304, ""]);
    assertEquals(same.headers.get("etag"), etag);
    assertEquals(same.headers.get("vary"), response.headers.get("vary"));
    assertEquals(await (await ask(path)).text(), text);
    const post = await ask(path, { method: "POST", body: "{}" });
    assertEquals(post.headers.get("allow"), "GET, HEAD");
    assertEquals(post.headers.get("cache-control"), "no-store");
    await readProblem(post, 405, path);
  }
});

Deno.test("serveDocument() gives the same responses over HTTP", async () => {
  await using service = await serve();
  for (const [path, type] of Object.entries(RESOURCES)) {
    const response = await fetch(service.url + path);
    assertEquals(response.headers.get("content-type"), type);
    await response.body?.cancel();
    const etag = response.headers.get("etag")!;
    const again = await fetch(service.url + path, {
      headers: { "if-none-match": etag },
    });
    assertEquals([again.status, await again.text()], [304, ""]);
    const head = await fetch(service.url + path, { method: "HEAD" });
    assertEquals([head.status, await head.text()], [200, ""]);
    assert(head.headers.has("etag"));
  }
});
