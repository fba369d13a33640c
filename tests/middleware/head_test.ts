import { assertEquals } from "@std/assert";
import http2 from "node:http2";
import { CERT, serve, TLS, tlsClient } from "../helpers/program.ts";

const PATHS = [
  ...["/", "/docs", "/docs/docs.css", "/openapi/v1.json", "/page/page.js"],
  ...["/healthz", "/nowhere", "/api/pwgen/words"],
];

/** Sends a request over HTTP/2; returns status, Content-Length and body length. */
async function fetchHttp2(url: string, path: string, method: string) {
  const session = http2.connect(url, { ca: await Deno.readTextFile(CERT) });
  try {
    return await new Promise<[number, string, number]>((resolve, reject) => {
      const stream = session.request({ ":method": method, ":path": path });
      let fields: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader;
      let bytes = 0;
      session.on("error", reject);
      stream.on("error", reject);
      stream.on("response", (headers) => fields = headers);
      stream.on("data", (chunk) => bytes += chunk.length);
      stream.on(
        "end",
        () => resolve([fields[":status"]!, fields["content-length"]!, bytes]),
      );
      stream.end();
    });
  } finally {
    session.destroy();
  }
}

Deno.test("head() keeps the Content-Length of GET and removes the body, over any protocol", async () => {
  await using plain = await serve();
  await using secure = await serve({ task: "start:tls", env: TLS });
  for (const { url } of [plain, secure]) {
    const base = url.replace("127.0.0.1", "localhost");
    for (const path of PATHS) {
      const [status, length, bytes] = await fetchHttp2(base, path, "GET");
      assertEquals(Number(length), bytes, path);
      const head = await fetchHttp2(base, path, "HEAD");
      assertEquals(head, [status, length, 0], path);
      for (const http1 of [true, false]) {
        using client = await tlsClient({ http1, http2: !http1 });
        const response = await fetch(base + path, {
          method: "HEAD",
          headers: { "accept-encoding": "identity" },
          client,
        });
        assertEquals(response.status, status, path);
        assertEquals(response.headers.get("content-length"), length, path);
        assertEquals(await response.text(), "", path);
        if (!http1 && base.startsWith("http:")) break; // for HTTP/2 fetch needs TLS
      }
    }
  }
});
