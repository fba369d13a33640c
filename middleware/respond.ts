/**
 * What happens to every response: errors, header fields, and the bodies of HEAD and
 * CONNECT.
 *
 * @module
 */
import type { Middleware } from "../http/context.ts";
import { INTERNAL_ERROR } from "../http/problem.ts";
import type { Log } from "../log.ts";
import { requestId } from "./access_log.ts";

/**
 * The header fields that scripts of other origins may read, besides those that
 * they always may (Fetch standard, "CORS-safelisted response-header name").
 */
const EXPOSED_HEADERS =
  "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits";

export interface RespondOptions {
  readonly log: Log;
  /** Whether every request comes over TLS. */
  readonly tls: boolean;
  /** The max-age of Strict-Transport-Security, in seconds. */
  readonly hstsMaxAge: number;
  /** The paths whose responses depend on Accept. */
  readonly negotiated: ReadonlySet<string>;
  /** Whether every origin may read the responses of a path, errors included. */
  readonly isForAnyOrigin: (path: string) => boolean;
}

/**
 * Makes the middleware after which no handler throws. An exception becomes a 500
 * response that tells nothing about the program; the log gets the class of the error
 * and where it was thrown, but not its message, which may contain a part of the
 * request.
 *
 * It adds the header fields of every response. Browsers must not guess a media type.
 * No cache may keep the response, except if it has another Cache-Control. A
 * response that depends on Accept says so (Vary). A request over TLS gets
 * Strict-Transport-Security. Web pages of every origin may read the API (CORS), since
 * it has no credentials that they could misuse.
 */
export function respond(
  { log, tls, hstsMaxAge, negotiated, isForAnyOrigin }: RespondOptions,
): Middleware {
  const hsts = `max-age=${hstsMaxAge}`;
  return (next) => async (request, context) => {
    let response: Response;
    try {
      response = await next(request, context);
    } catch (error) {
      const line = exceptionLine(error, context.route);
      log("error", line, requestId(request, context));
      response = INTERNAL_ERROR.toResponse(context.path);
    }
    cancelUnreadBody(request);
    // append() costs less than a new Response with a copy of all header fields.
    const { headers } = response;
    for (const [name, value] of context.rateLimitHeaders ?? []) {
      headers.append(name, value);
    }
    if (!headers.has("cache-control")) {
      headers.append("cache-control", "no-store");
    }
    headers.append("x-content-type-options", "nosniff");
    if (isForAnyOrigin(context.path)) {
      headers.append("access-control-allow-origin", "*");
      headers.append("access-control-expose-headers", EXPOSED_HEADERS);
    }
    if (negotiated.has(context.path)) headers.append("vary", "Accept");
    if (tls || (context.client.isProxied && isForwardedHttps(request))) {
      headers.append("strict-transport-security", hsts);
    }
    if (request.method === "HEAD") return await withoutBody(response);
    if (request.method === "CONNECT") return await endConnection(response);
    return response;
  };
}

/** The log line about an exception. */
export function exceptionLine(error: unknown, route = "a request"): string {
  return `Cannot answer ${route}: ${sourceOf(error)}`;
}

/** The class of an error and the line of code that threw it. */
function sourceOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  // The stack begins with the message, which may look like a stack frame.
  const { name } = error.constructor;
  const { message, stack = "" } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  const first = stack.includes(message) && /\n +(at .*)/.exec(frames);
  return first ? `${name} ${first[1]}` : name;
}

/**
 * Cancels a request body that no handler has read; after the response, `body`
 * would throw. Over HTTP/2, Deno keeps up to 1 MiB of it until the client has
 * read the response. Over HTTP/1.1, a cancelled body is skipped, and the
 * connection stays open for the next request. (Deno gives no access to the body
 * of GET and HEAD.)
 */
function cancelUnreadBody(request: Request): void {
  if (!request.bodyUsed) request.body?.cancel().catch(() => {});
}

/** The last of several values counts: each proxy may append what it sees. */
function isForwardedHttps({ headers }: Request): boolean {
  const field = headers.get("x-forwarded-proto") ?? "";
  const last = field.slice(field.lastIndexOf(",") + 1);
  return last.trim().toLowerCase() === "https";
}

/**
 * Removes the body of the response to HEAD and keeps its Content-Length (RFC
 * 9110, section 9.3.2). Without this Deno sends the body over HTTP/2.
 */
async function withoutBody(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null) return response;
  const { byteLength } = await response.arrayBuffer();
  headers.set("content-length", String(byteLength));
  return new Response(null, { status, headers });
}

/**
 * Ends the connection after the response to CONNECT, whatever its status.
 *
 * Deno reads no body of a CONNECT request. It takes the bytes that follow for the
 * next request on the connection, although a proxy sent them as a body (RFC 9110,
 * section 9.3.6). A proxy that shares its connections would then give the response
 * to another client. Deno offers no way to close a connection, and `Connection:
 * close` does not. But it closes it after a stream that is one byte shorter than
 * its Content-Length. Over HTTP/2, where each request has its own stream, that
 * ends only the stream.
 */
async function endConnection(response: Response): Promise<Response> {
  const { status, headers } = response;
  const body = await response.bytes();
  headers.set("content-length", String(body.length + 1));
  return new Response(ReadableStream.from([body]), { status, headers });
}
