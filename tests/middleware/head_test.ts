import { assertEquals } from "@std/assert";
import http2 from "node:http2";
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

/** Sends a request over HTTP/2; returns status, Content-Length and body length. */
function fetchHttp2(
  session: http2.ClientHttp2Session,
  path: string,
  method: string,
): Promise<[status: number, length: string, bytes: number]> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":method": method, ":path": path });
    let fields: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader;
    let bytes = 0;
    stream.on("error", reject);
    stream.on("response", (headers) => fields = headers);
    stream.on("data", (chunk) => bytes += chunk.length);
    stream.on(
      "end",
      () => resolve([fields[":status"]!, fields["content-length"]!, bytes]),
    );
    stream.end();
  });
}

Deno.test("respond() keeps the Content-Length of GET of HEAD and removes the body, over HTTP/2 and HTTP/1.1", async () => {
  await using service = await serve();
  const session = http2.connect(service.url);
  for (const path of PATHS) {
    const [status, length, bytes] = await fetchHttp2(session, path, "GET");
    assertEquals(Number(length), bytes, path);
    const head = await fetchHttp2(session, path, "HEAD");
    assertEquals(head, [status, length, 0], path);
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
