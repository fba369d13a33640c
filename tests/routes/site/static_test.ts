import { assert, assertEquals, assertNotMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import zlib from "node:zlib";
import type { Handler } from "../../../routes/context.ts";
import { serveDocument } from "../../../routes/site/static.ts";
import { post, serve, TLS, tlsClient } from "../../helpers/program.ts";
import { ask } from "../../helpers/service.ts";
import { clientNamed } from "../../helpers/key.ts";

const RESOURCES: Record<string, string> = {
  "/": "text/html; charset=utf-8",
  "/page/page.css": "text/css; charset=utf-8",
  "/page/page.js": "text/javascript; charset=utf-8",
  "/page/icon.svg": "image/svg+xml",
  "/docs": "text/html; charset=utf-8",
  "/docs/docs.css": "text/css; charset=utf-8",
  "/docs/docs.js": "text/javascript; charset=utf-8",
  "/docs/api.md": "text/plain; charset=utf-8",
  "/SECURITY.md": "text/plain; charset=utf-8",
  "/openapi/v1.json": "application/json; charset=utf-8",
};

const DECODERS: Record<string, (body: Uint8Array) => Uint8Array> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  identity: (body) => body,
};

Deno.test("serveDocument() serves each document in each content coding, with its own ETag", async () => {
  for (const [path, type] of Object.entries(RESOURCES)) {
    const plain = await (await ask(path)).bytes();
    const vary = path === "/"
      ? "Accept-Encoding, Accept-Language"
      : "Accept-Encoding";
    const etags = new Map<string, string>();
    for (const [encoding, decode] of Object.entries(DECODERS)) {
      const headers = { "accept-encoding": encoding };
      const response = await ask(path, { headers });
      const body = await response.bytes();
      const where = `${path} ${encoding}`;
      assert(Buffer.from(decode(body)).equals(plain), where);
      assert(encoding === "identity" || body.length < plain.length, where);
      const names = ["content-encoding", "content-length", "content-type"]
        .concat("cache-control", "ratelimit", "vary");
      assertEquals(names.map((name) => response.headers.get(name)), [
        encoding === "identity" ? null : encoding,
        ...[String(body.length), type, "no-cache", null],
        vary,
      ]);
      const etag = response.headers.get("etag")!;
      assertNotMatch(etag, /^W\//);
      etags.set(encoding, etag);
    }
    assertEquals(new Set(etags.values()).size, 3, path);
    for (const [encoding, etag] of etags) {
      for (const [known, other] of etags) {
        const { status, headers, body } = await ask(path, {
          headers: { "accept-encoding": encoding, "if-none-match": other },
        });
        assertEquals(status, encoding === known ? 304 : 200);
        assertEquals(headers.get("etag"), etag);
        assertEquals(headers.get("vary"), vary);
        if (status === 304) {
          assertEquals([headers.get("content-encoding"), body], [null, null]);
        }
      }
    }
  }
});

Deno.test("serveDocument() makes a document once, and compresses only what becomes smaller", async () => {
  const get = async (handler: Handler, encoding: string) =>
    await handler(
      new Request("http://localhost/", {
        headers: { "accept-encoding": encoding },
      }),
      { path: "/", client: clientNamed("a") },
    );
  let made = 0;
  const large = serveDocument({
    type: "text/plain",
    text: () => `${++made} Hello `.repeat(750),
  });
  const encodings = ["br", "br", "gzip", "identity", "br", "gzip"];
  const responses = await Promise.all(
    encodings.map((encoding) => get(large, encoding)),
  );
  for (const [i, response] of responses.entries()) {
    const encoding = response.headers.get("content-encoding") ?? "identity";
    assertEquals(encoding, encodings[i]);
    const body = DECODERS[encoding]!(await response.bytes());
    assertEquals(body.length, 6000);
  }
  assertEquals(made, 1);
  for (const text of ["", "Hello"]) {
    const small = serveDocument({ type: "text/plain", text });
    for (const encoding of ["br", "gzip", "br, identity;q=0"]) {
      const response = await get(small, encoding);
      assertEquals(response.headers.get("content-encoding"), null);
      assertEquals(response.headers.get("vary"), "Accept-Encoding");
      assertEquals(await response.text(), text);
    }
  }
});

Deno.test("serveDocument() is compressed once over any protocol, and the API never", async () => {
  await using plain = await serve();
  await using secure = await serve({ task: "start:tls", env: TLS });
  const documents = Object.keys(RESOURCES);
  for (const service of [plain, secure]) {
    const url = service.url.replace("127.0.0.1", "localhost");
    for (const http2 of [false, true]) {
      using client = await tlsClient({ http2, http1: !http2 });
      for (const encoding of ["br", "gzip"]) {
        const headers = { "accept-encoding": encoding };
        for (const path of [...documents, "/healthz", "/nowhere"]) {
          const response = await fetch(url + path, { client, headers });
          assertEquals(
            response.headers.get("content-encoding"),
            path in RESOURCES ? encoding : null,
            path,
          );
          // fetch() decodes the body, and checks its length.
          assertEquals(await response.text(), await (await ask(path)).text());
        }
        const words = `${url}/api/pwgen/words`;
        const password = await post(words, '{"count":100}', headers, {
          client,
        });
        assertEquals(password.headers.get("content-encoding"), null);
        assertEquals((await password.json()).passwords.length, 100);
      }
    }
  }
});
