/**
 * What is the same for everyone: pages, scripts, the description of the API.
 *
 * @module
 */
import { eTag, ifNoneMatch } from "@std/http/etag";
import { headerField } from "./header_field.ts";
import type { Handler } from "./types.ts";

/**
 * The largest body that is sent at once, in bytes. A larger one is a stream, so
 * that unread ones can be counted (middleware/unread_responses.ts).
 */
const MAX_BYTES_AT_ONCE = 1024;

/** Something that is served from memory. */
export interface Resource {
  /** The media type. */
  readonly type: string;
  /** Makes the text; called once, when it is first asked for. */
  readonly text: () => string;
  /** More header fields. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Makes the handler of something that stays as it is while the process runs.
 * Caches may keep it and must ask each time whether it still holds (ETag), so
 * that a new release is seen at once.
 *
 * @param resource what to serve
 * @returns the handler: 200 with the text, or 304 for who has it
 *
 * @example
 * ```ts
 * import { serveResource } from "./static.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = serveResource({ type: "text/plain", text: () => "Hello" });
 * const ask = (headers = {}) =>
 *   handler(new Request("http://localhost/", { headers }), {
 *     path: "/",
 *     peer: "::1",
 *   });
 * const first = await ask();
 * assertEquals(await first.text(), "Hello");
 * const etag = first.headers.get("etag")!;
 * assertEquals((await ask({ "if-none-match": etag })).status, 304);
 * ```
 */
export function serveResource({ type, text, headers }: Resource): Handler {
  let body: Uint8Array<ArrayBuffer>;
  let etag: string | undefined;
  return async (request, context) => {
    if (etag === undefined) {
      body = new TextEncoder().encode(text());
      etag = await eTag(body);
    }
    context.cacheControl = "no-cache";
    const held = headerField(request.headers, "if-none-match");
    if (!ifNoneMatch(held, etag)) {
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
