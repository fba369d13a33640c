import { assertEquals } from "@std/assert";
import http2 from "node:http2";
import { fetchHttp2 } from "../helpers/http2.ts";
import { serve } from "../helpers/program.ts";

const PATHS = [
  "/",
  "/docs",
  "/docs/docs.css",
  "/openapi/v1.json",
  "/page/page.js",
  "/healthz",
  "/nowhere",
  "/api/pwgen/words",
];

Deno.test("respond() keeps the Content-Length of GET of HEAD and removes the body, over HTTP/2 and HTTP/1.1", async () => {
  await using service = await serve();
  const session = http2.connect(service.url);
  for (const path of PATHS) {
    const fields = { ":path": path, ":method": "GET" };
    const { status, length, body } = await fetchHttp2(session, fields);
    assertEquals(Number(length), body.length, path);
    const head = await fetchHttp2(session, { ...fields, ":method": "HEAD" });
    assertEquals(
      [head.status, head.length, head.body.length],
      [status, length, 0],
      path,
    );
    const response = await fetch(service.url + path, {
      method: "HEAD",
      headers: { "accept-encoding": "identity" },
    });
    assertEquals(response.status, status, path);
    assertEquals(response.headers.get("content-length"), length, path);
    assertEquals(await response.text(), "", path);
  }
  session.destroy();
});
