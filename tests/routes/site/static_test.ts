import { assert, assertEquals, assertNotMatch } from "@std/assert";
import { spy } from "@std/testing/mock";
import { Buffer } from "node:buffer";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import zlib from "node:zlib";
import type { Handler } from "../../../routes/context.ts";
import { serveDocument } from "../../../routes/site/static.ts";
import { CERT, KEY, serve } from "../../helpers/program.ts";
import { ask, post, readProblem } from "../../helpers/service.ts";

const RESOURCES: Record<string, string> = {
  "/": "text/html; charset=utf-8",
  "/page/page.css": "text/css; charset=utf-8",
  "/page/page.js": "text/javascript; charset=utf-8",
  "/page/texts.js": "text/javascript; charset=utf-8",
  "/page/icon.svg": "image/svg+xml",
  "/docs": "text/html; charset=utf-8",
  "/docs/docs.css": "text/css; charset=utf-8",
  "/docs/docs.js": "text/javascript; charset=utf-8",
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

const DECODERS: Record<string, (body: Uint8Array) => Uint8Array> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  identity: (body) => body,
};

/** Asks for a document in a content coding. */
function askEncoded(
  path: string,
  encoding: string,
  init: { method?: string; known?: string } = {},
): Promise<Response> {
  const { method = "GET", known } = init;
  const headers = {
    "accept-encoding": encoding,
    ...(known && { "if-none-match": known }),
  };
  return ask(path, { method, headers });
}

Deno.test("serveDocument() serves each document in each content coding, with its own ETag", async () => {
  for (const path of Object.keys(RESOURCES)) {
    const plain = await (await ask(path)).bytes();
    const etags = new Map<string, string>();
    for (const [encoding, decode] of Object.entries(DECODERS)) {
      const response = await askEncoded(path, encoding);
      const { status, headers } = response;
      const body = await response.bytes();
      const where = `${path} ${encoding}`;
      assertEquals(status, 200);
      assertEquals(Buffer.from(decode(body)).equals(plain), true, where);
      assertEquals(headers.get("content-length"), String(body.length), where);
      assertEquals(
        headers.get("content-encoding"),
        encoding === "identity" ? null : encoding,
      );
      assert(encoding === "identity" || body.length < plain.length, where);
      assertEquals(
        headers.get("vary"),
        path === "/" ? "Accept-Encoding, Accept-Language" : "Accept-Encoding",
      );
      const etag = headers.get("etag")!;
      assertNotMatch(etag, /^W\//);
      etags.set(encoding, etag);

      const head = await askEncoded(path, encoding, { method: "HEAD" });
      assertEquals([...head.headers], [...headers], where);
      assertEquals([head.status, head.body], [200, null]);
    }
    assertEquals(new Set(etags.values()).size, 3, path);
    for (const encoding of Object.keys(DECODERS)) {
      for (const [known, etag] of etags) {
        const response = await askEncoded(path, encoding, { known: etag });
        await response.body?.cancel();
        assertEquals(response.status, encoding === known ? 304 : 200);
        assertEquals(response.headers.get("etag"), etags.get(encoding));
        assert(response.headers.get("vary")!.startsWith("Accept-Encoding"));
        if (encoding === known) {
          assertEquals(response.headers.get("content-encoding"), null);
        }
      }
    }
  }
});

Deno.test("serveDocument() compresses once, and only what becomes smaller", async () => {
  const serve = (text: string) => serveDocument({ type: "text/plain", text });
  const get = async (handler: Handler, encoding: string) =>
    await handler(
      new Request("http://localhost/", {
        headers: { "accept-encoding": encoding },
      }),
      { path: "/", peer: "::1" },
    );
  const large = serve("Hello ".repeat(1000));
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
    assertEquals(digest.calls.length, 3);
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

/** Sends a request without changing its header fields or decoding the body. */
async function exchange(
  url: string,
  isHttp2: boolean,
  method: string,
  path: string,
  encoding: string,
): Promise<{ fields: Record<string, unknown>; body: Buffer }> {
  const headers = { "accept-encoding": encoding };
  const ca = await Deno.readTextFile(CERT);
  const session = isHttp2 ? http2.connect(url, { ca }) : undefined;
  try {
    return await new Promise((resolve, reject) => {
      const read = (
        stream: NodeJS.ReadableStream,
        fields: Record<string, unknown>,
      ) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk) => chunks.push(chunk as Buffer));
        stream.on("error", reject);
        stream.on(
          "end",
          () => resolve({ fields, body: Buffer.concat(chunks) }),
        );
      };
      if (session !== undefined) {
        session.on("error", reject);
        const stream = session.request({
          ":method": method,
          ":path": path,
          ...headers,
        });
        stream.on("response", (fields) => read(stream, { ...fields }));
        stream.end();
      } else {
        const options = { method, headers, agent: false } as const;
        const request = url.startsWith("https:")
          ? https.request(url + path, { ...options, ca })
          : http.request(url + path, options);
        request.on("response", (response) => read(response, response.headers));
        request.on("error", reject);
        request.end();
      }
    });
  } finally {
    session?.destroy();
  }
}

Deno.test("serveDocument() is compressed once over any protocol, and the API never", async () => {
  const env = { PWGEN_TLS_CERT: CERT, PWGEN_TLS_KEY: KEY };
  await using plain = await serve();
  await using secure = await serve({ task: "start:tls", env });
  const paths = [...Object.keys(RESOURCES), "/healthz", "/nowhere"];
  for (const service of [plain, secure]) {
    const url = service.url.replace("127.0.0.1", "localhost");
    for (const isHttp2 of [false, true]) {
      for (const path of paths) {
        const { body: text } = await exchange(
          url,
          isHttp2,
          "GET",
          path,
          "identity",
        );
        for (const encoding of ["br", "gzip"]) {
          const { fields, body } = await exchange(
            url,
            isHttp2,
            "GET",
            path,
            encoding,
          );
          const isDocument = path in RESOURCES;
          assertEquals(
            fields["content-encoding"],
            isDocument ? encoding : undefined,
            path,
          );
          const decoded = isDocument ? DECODERS[encoding]!(body) : body;
          assert(text.equals(decoded), path);
          assertEquals(Number(fields["content-length"]), body.length);
          const head = await exchange(url, isHttp2, "HEAD", path, encoding);
          assertEquals(head.body.length, 0);
          const { date: _1, ...expected } = fields;
          const { date: _2, ...actual } = head.fields;
          assertEquals(actual, expected, path);
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
