/**
 * Documents that are the same for every client: pages, scripts, styles and the
 * OpenAPI document.
 *
 * @module
 */
import { eTag, ifNoneMatch } from "@std/http/etag";
import type { Handler } from "../context.ts";
import { headerField } from "../header_fields.ts";

/**
 * The largest body that is not a stream, in bytes. The layer of unread responses
 * counts only streams (middleware/unread_responses.ts).
 */
const MAX_BYTES_AT_ONCE = 1024;

/** A document in memory. */
export interface StaticDocument {
  /** The media type. */
  readonly type: string;
  /** The text, or a function that makes it at the first request. */
  readonly text: string | (() => string);
  /** More header fields. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Makes the handler of a document. Caches may keep it, but must ask each time
 * whether it has changed (ETag), so that a new release is visible at once.
 *
 * @param document the document
 * @returns the handler: 200 with the text, or 304 if the client has it
 *
 * @example
 * ```ts
 * import { serveDocument } from "./static.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = serveDocument({ type: "text/plain", text: "Hello" });
 * const get = (headers = {}) =>
 *   handler(new Request("http://localhost/", { headers }), {
 *     path: "/",
 *     peer: "::1",
 *   });
 * const first = await get();
 * assertEquals(await first.text(), "Hello");
 * const etag = first.headers.get("etag")!;
 * assertEquals((await get({ "if-none-match": etag })).status, 304);
 * ```
 */
export function serveDocument(
  { type, text, headers }: StaticDocument,
): Handler {
  let body: Uint8Array<ArrayBuffer>;
  let etag: string | undefined;
  return async (request, context) => {
    if (etag === undefined) {
      const content = typeof text === "string" ? text : text();
      body = new TextEncoder().encode(content);
      etag = await eTag(body);
    }
    context.cacheControl = "no-cache";
    const known = headerField(request.headers, "if-none-match");
    // ifNoneMatch() is false if the client has this version.
    if (!ifNoneMatch(known, etag)) {
      return new Response(null, { status: 304, headers: { etag, ...headers } });
    }
    const { length } = body;
    const content = length > MAX_BYTES_AT_ONCE
      ? ReadableStream.from([body])
      : body;
    return new Response(content, {
      headers: {
        "content-type": type,
        "content-length": String(length),
        etag,
        ...headers,
      },
    });
  };
}
