import { assert, assertEquals, assertNotMatch } from "@std/assert";
import { spy } from "@std/testing/mock";
import { Buffer } from "node:buffer";
import zlib from "node:zlib";
import type { Handler } from "../../../routes/context.ts";
import { serveDocument } from "../../../routes/site/static.ts";
import { CERT, KEY, serve, tlsClient } from "../../helpers/program.ts";
import { ask, post, readProblem } from "../../helpers/service.ts";
import { clientNamed } from "../../helpers/key.ts";

const RESOURCES: Record<string, string> = {
  "/": "text/html; charset=utf-8",
  "/page/page.css": "text/css; charset=utf-8",
  "/page/page.js": "text/javascript; charset=utf-8",
  "/page/manifest.json": "application/manifest+json",
  "/page/icon.svg": "image/svg+xml",
  "/docs": "text/html; charset=utf-8",
  "/docs/docs.css": "text/css; charset=utf-8",
  "/docs/docs.js": "text/javascript; charset=utf-8",
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
      const init = { headers: { "accept-encoding": encoding } };
      const response = await ask(path, init);
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
      const head = await ask(path, { ...init, method: "HEAD" });
      assertEquals([...head.headers], [...response.headers], where);
      assertEquals([response.status, head.status, head.body], [200, 200, null]);
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
    const post = await ask(path, { method: "POST", body: "{}" });
    assertEquals(post.headers.get("allow"), "GET, HEAD");
    assertEquals(post.headers.get("cache-control"), "no-store");
    await readProblem(post, 405, path);
  }
});

Deno.test("serveDocument() compresses once, and only what becomes smaller", async () => {
  const serve = (text: string) => serveDocument({ type: "text/plain", text });
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
  {
    // Each coding gets its ETag when it is made.
    using digest = spy(crypto.subtle, "digest");
    const responses = await Promise.all(
      encodings.map((encoding) => get(large, encoding)),
    );
    for (const [i, response] of responses.entries()) {
      const { headers } = response;
      const encoding = headers.get("content-encoding") ?? "identity";
      assertEquals(encoding, encodings[i]);
      const body = DECODERS[encoding]!(await response.bytes());
      assertEquals(body.length, 6000);
    }
    assertEquals([made, digest.calls.length], [1, 3]);
  }
  for (const text of ["", "Hello"]) {
    const small = serve(text);
    for (const encoding of ["br", "gzip", "br, identity;q=0"]) {
      const response = await get(small, encoding);
      assertEquals(response.headers.get("content-encoding"), null);
      assertEquals(response.headers.get("vary"), "Accept-Encoding");
      assertEquals(await response.text(), text);
    }
  }
});

Deno.test("the first requests for the OpenAPI document, at the same time, get one document", async () => {
  await using service = await serve();
  const url = `${service.url}/openapi/v1.json`;
  const encodings = ["identity", "br", "gzip"];
  const responses = await Promise.all(
    [...encodings, ...encodings].map(async (encoding) => {
      const headers = { "accept-encoding": encoding };
      const response = await fetch(url, { headers });
      const etag = response.headers.get("etag")!;
      return { encoding, etag, text: await response.text() };
    }),
  );
  assertEquals(responses.slice(3), responses.slice(0, 3));
  assertEquals(new Set(responses.map(({ text }) => text)).size, 1);
  assertEquals(new Set(responses.map(({ etag }) => etag)).size, 3);
});

Deno.test("serveDocument() is compressed once over any protocol, and the API never", async () => {
  const env = { PWGEN_TLS_CERT: CERT, PWGEN_TLS_KEY: KEY };
  await using plain = await serve();
  await using secure = await serve({ task: "start:tls", env });
  const paths = [...Object.keys(RESOURCES), "/healthz", "/nowhere"];
  for (const service of [plain, secure]) {
    const url = service.url.replace("127.0.0.1", "localhost");
    for (const http2 of [false, true]) {
      using client = await tlsClient({ http2, http1: !http2 });
      const exchange = async (
        path: string,
        encoding: string,
        method = "GET",
        known = "",
      ) => {
        const headers = { "accept-encoding": encoding, "if-none-match": known };
        const response = await fetch(url + path, { client, method, headers });
        const { date: _, ...fields } = Object.fromEntries(response.headers);
        // fetch() decodes the body, and checks its length.
        return { status: response.status, fields, text: await response.text() };
      };
      for (const path of paths) {
        const isDocument = path in RESOURCES;
        const identity = await exchange(path, "identity");
        assertEquals(identity.fields["content-encoding"], undefined);
        for (const encoding of ["br", "gzip"]) {
          const { status, fields, text } = await exchange(path, encoding);
          const { "content-encoding": actual, etag } = fields;
          assertEquals(actual, isDocument ? encoding : undefined, path);
          assertEquals(text, identity.text, path);
          const head = await exchange(path, encoding, "HEAD");
          assertEquals(head, { status, fields, text: "" }, path);
          if (!isDocument) continue;
          assertEquals(fields["content-type"], RESOURCES[path]);
          const again = await exchange(path, encoding, "GET", etag);
          assertEquals([again.status, again.text], [304, ""]);
        }
      }
    }
  }
  // The longest answer of the API.
  const answer = await post(
    "/api/pwgen/words",
    { wordCount: 10, numberLength: 12, numberPosition: "all" },
    { "accept-encoding": "br, gzip" },
  );
  assertEquals(answer.headers.get("content-encoding"), null);
  assertEquals(answer.headers.get("vary"), "Accept");
  assertEquals((await answer.json()).type, "words");
});
