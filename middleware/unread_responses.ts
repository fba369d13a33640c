/**
 * The limit of responses that clients have not read yet.
 *
 * @module
 */
import {
  type ConcurrencyLimit,
  exceeds,
  type Held,
} from "../routes/concurrency_limit.ts";
import { clientKey, type Proxies } from "./client.ts";
import type { Middleware } from "./compose.ts";
import { refuseWithoutBody } from "./request_budget.ts";

/**
 * The maximum number of unread responses at one time. The web page has 12 files, so
 * ten people behind one address can load it at once. An unread document takes
 * 48 kB, all together take 100 MB.
 */
export const MAX_UNREAD: ConcurrencyLimit = {
  process: 2048,
  network: 512,
  client: 128,
};

const REFUSAL = { status: 503, headers: { "retry-after": "10" } };

export interface UnreadLimit {
  readonly middleware: Middleware;
  /** The number of responses to all clients that are unread now. */
  unread(): number;
}

/**
 * Responds with 503 and an empty body while too many responses are unread
 * ({@linkcode MAX_UNREAD}). An HTTP/2 client can open many streams and read none
 * of them (RFC 9113, section 10.5). Without a limit 24,000 unread documents take
 * 1.2 GB.
 *
 * Every body becomes a stream, because Deno reports any other response as sent as
 * soon as the handler returns it. A small body matters too: Deno keeps up to
 * 1 MiB of the body of a GET request until the response is read, and nothing can
 * cancel that body.
 */
export function limitUnread(proxies: Proxies): UnreadLimit {
  const unread = new Set<Held>();
  const middleware: Middleware = (next) => async (request, context) => {
    const own = { client: clientKey(request, context.peer, proxies) };
    if (exceeds(unread, own, MAX_UNREAD)) {
      return refuseWithoutBody(REFUSAL, next, request, context);
    }
    unread.add(own);
    const finish = () => unread.delete(own);
    (context.info?.completed ?? Promise.resolve()).then(finish, finish);
    return asStream(await next(request, context));
  };
  return { middleware, unread: () => unread.size };
}

/**
 * Makes a body a stream. The response of static.ts has a Content-Length, and its
 * body is a stream already.
 */
async function asStream(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (response.body === null || headers.has("content-length")) return response;
  const body = new Uint8Array(await response.arrayBuffer());
  headers.set("content-length", String(body.length));
  return new Response(ReadableStream.from([body]), { status, headers });
}
