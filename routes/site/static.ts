/**
 * Documents that are the same for every client: pages, scripts, styles and the
 * OpenAPI document.
 *
 * @module
 */
import { eTag, ifNoneMatch } from "@std/http/etag";
import type { Handler } from "../../http/context.ts";
import {
  type Encoding,
  headerField,
  preferredEncoding,
} from "../../http/negotiation.ts";

/** A document in memory. */
export interface StaticDocument {
  /** The media type. */
  readonly type: string;
  /** The text, or a function that makes text or bytes at the first request. */
  readonly text: string | (() => string | Uint8Array);
  /** More header fields. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A request header field that chose the document, such as Accept-Language. */
  readonly chosenBy?: string;
}

/** A document in one content coding. */
interface Representation {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding;
  readonly etag: string;
}

/**
 * The quality of brotli, 0 to 11. With 6 the largest document takes 3 ms. 9 is not
 * 1 % better. 11 is 11 % better, but takes 45 ms.
 */
const BROTLI_QUALITY = 6;

/** Compresses a body. The call blocks the process for some milliseconds. */
async function compress(
  body: Uint8Array,
  encoding: Exclude<Encoding, "identity">,
): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded here, since it would make a start 29 % longer.
  const { brotliCompressSync, constants, gzipSync } = await import("node:zlib");
  const compressed = encoding === "gzip"
    ? gzipSync(body)
    : brotliCompressSync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    });
  return new Uint8Array(compressed);
}

/**
 * Makes the handler of a document. Caches may keep it, but must ask each time
 * whether it has changed (ETag), so that a new release is visible at once.
 *
 * The first request for a content coding compresses the document, and the process
 * keeps the result. Each coding has its own strong ETag (RFC 9110, section
 * 8.8.3.3). A coding that does not make the document smaller is not used.
 *
 * @param document the document
 * @returns the handler: 200 with the text, or 304 if the client has it
 */
export function serveDocument(
  { type, text, headers, chosenBy }: StaticDocument,
): Handler {
  const fields = {
    ...headers,
    "cache-control": "no-cache",
    vary: chosenBy ? `Accept-Encoding, ${chosenBy}` : "Accept-Encoding",
  };
  const representations: Partial<Record<Encoding, Promise<Representation>>> =
    {};
  const represent = (encoding: Encoding) =>
    representations[encoding] ??= make(encoding).catch((error) => {
      delete representations[encoding]; // the next request tries again
      throw error;
    });
  const make = async (encoding: Encoding): Promise<Representation> => {
    if (encoding === "identity") {
      const content = typeof text === "string" ? text : text();
      const body = typeof content === "string"
        ? new TextEncoder().encode(content)
        : new Uint8Array(content);
      return { body, encoding, etag: await eTag(body) };
    }
    const plain = await represent("identity");
    const body = await compress(plain.body, encoding);
    if (body.length >= plain.body.length) return plain;
    return { body, encoding, etag: await eTag(body) };
  };
  return async (request) => {
    const accepted = headerField(request.headers, "accept-encoding");
    const { body, encoding, etag } = await represent(
      preferredEncoding(accepted),
    );
    // ifNoneMatch() is slow for many blanks in a row.
    const known = headerField(request.headers, "if-none-match")
      ?.replace(/\s+/g, " ") ?? null;
    // ifNoneMatch() is false if the client has this version.
    if (!ifNoneMatch(known, etag)) {
      return new Response(null, { status: 304, headers: { etag, ...fields } });
    }
    // The limit of unread responses counts only streams.
    return new Response(ReadableStream.from([body]), {
      headers: {
        "content-type": type,
        "content-length": String(body.length),
        ...(encoding !== "identity" && { "content-encoding": encoding }),
        etag,
        ...fields,
      },
    });
  };
}
