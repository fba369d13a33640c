import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import { Buffer } from "node:buffer";
import { clientOf } from "../../../middleware/client.ts";
import { serveDocument } from "../../../routes/site/static.ts";
import { DECODERS } from "../../helpers/connection.ts";
import { ask } from "../../helpers/service.ts";

const RESOURCES: Record<string, string> = {
  "/": "text/html; charset=utf-8",
  "/en": "text/html; charset=utf-8",
  "/sv": "text/html; charset=utf-8",
  "/list": "text/html; charset=utf-8",
  "/list-en": "text/html; charset=utf-8",
  "/list-sv": "text/html; charset=utf-8",
  "/page/list.css": "text/css; charset=utf-8",
  "/page/list.js": "text/javascript; charset=utf-8",
  "/page/page.css": "text/css; charset=utf-8",
  "/page/page.js": "text/javascript; charset=utf-8",
  "/page/qr.js": "text/javascript; charset=utf-8",
  "/page/icon.svg": "image/svg+xml",
  "/docs": "text/html; charset=utf-8",
  "/docs/docs.css": "text/css; charset=utf-8",
  "/docs/docs.js": "text/javascript; charset=utf-8",
  "/docs/api.md": "text/plain; charset=utf-8",
  "/docs/clients.md": "text/plain; charset=utf-8",
  "/SECURITY.md": "text/plain; charset=utf-8",
  "/openapi/v1.json": "application/json; charset=utf-8",
};

const CLIENT = clientOf("192.0.2.1", null);

Deno.test("serveDocument() serves each document in each content coding, with its own ETag", async () => {
  for (const [path, type] of Object.entries(RESOURCES)) {
    const plain = await (await ask(path)).bytes();
    const vary = path === "/" || path === "/list"
      ? "Accept-Encoding, Accept-Language"
      : "Accept-Encoding";
    const etags = new Map<string, string>();
    for (const encoding of ["br", "gzip", "identity"]) {
      const headers = { "accept-encoding": encoding };
      const response = await ask(path, { headers });
      const body = await response.bytes();
      const where = `${path} ${encoding}`;
      const decoded = DECODERS[encoding]?.(body) ?? body;
      assert(Buffer.from(decoded).equals(plain), where);
      assert(encoding === "identity" || body.length < plain.length, where);
      const names = ["content-encoding", "content-length", "content-type"]
        .concat("cache-control", "ratelimit", "vary");
      assertEquals(names.map((name) => response.headers.get(name)), [
        encoding === "identity" ? null : encoding,
        String(body.length),
        type,
        "no-cache",
        null,
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

Deno.test("serveDocument() makes a document again that it could not make before", async () => {
  let failures = 1;
  const document = serveDocument({
    type: "text/plain",
    text: () => {
      if (failures-- > 0) throw new Error("Planted");
      return "Hello";
    },
  });
  const headers = { "accept-encoding": "br" };
  const get = () =>
    document(new Request("http://localhost/", { headers }), {
      path: "/",
      client: CLIENT,
    });
  await assertRejects(get, Error, "Planted");
  assertEquals(await (await get()).text(), "Hello");
});

Deno.test("a document is not compressed if it does not become smaller", async () => {
  for (const text of ["", "Hello"]) {
    const small = serveDocument({ type: "text/plain", text });
    for (const encoding of ["br", "gzip", "br, identity;q=0"]) {
      const headers = { "accept-encoding": encoding };
      const request = new Request("http://localhost/", { headers });
      const response = await small(request, { path: "/", client: CLIENT });
      assertEquals(response.headers.get("content-encoding"), null);
      assertEquals(response.headers.get("vary"), "Accept-Encoding");
      assertEquals(await response.text(), text);
    }
  }
});
