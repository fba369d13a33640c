/**
 * The limits of all that is not the API: requests in a minute, and responses that
 * clients have not read yet.
 *
 * @module
 */
import {
  type ConcurrencyLimit,
  exceeds,
  type Held,
} from "../routes/concurrency_limit.ts";
import type { Context, Handler } from "../routes/context.ts";
import { HEALTH } from "../routes/health.ts";
import type { Middleware } from "./compose.ts";
import { type RateLimiter, WINDOW_MS } from "./limiters/sliding_window.ts";

/** The maximum number of requests of a client in a window. */
export const REQUEST_BUDGET = 600;

/**
 * The maximum number of unread responses at one time. The web page has six files, so
 * ten people behind one address can load it at once. An unread document takes
 * 48 kB, all together take 100 MB.
 */
export const MAX_UNREAD: ConcurrencyLimit = {
  process: 2048,
  network: 512,
  client: 128,
};

const OVER_BUDGET = {
  status: 429,
  headers: { "retry-after": String(WINDOW_MS / 1000) },
};
const TOO_MANY_UNREAD = { status: 503, headers: { "retry-after": "10" } };

/**
 * Refuses a request with an empty body. Over HTTP/2 an unread small response takes
 * 5 kB, and one without a body 1.3 kB. Only the health check keeps its status, so
 * that no client can make it fail for a load balancer.
 */
async function refuse(
  refusal: ResponseInit,
  next: Handler,
  request: Request,
  context: Context,
): Promise<Response> {
  if (context.path !== HEALTH) return new Response(null, refusal);
  const { status } = await next(request, context);
  return new Response(null, { status });
}

/** Responds with 429 to a client that is above {@linkcode REQUEST_BUDGET}. */
export function requestBudget(limiter: RateLimiter): Middleware {
  return (next) => async (request, context) => {
    const { admitted } = await limiter.admit(context.client.key);
    return admitted
      ? await next(request, context)
      : await refuse(OVER_BUDGET, next, request, context);
  };
}

export interface UnreadLimit {
  readonly middleware: Middleware;
  /** The number of responses to all clients that are unread now. */
  unread(): number;
}

/**
 * Responds with 503 while too many responses are unread ({@linkcode MAX_UNREAD}).
 * An HTTP/2 client can open many streams and read none of them (RFC 9113, section
 * 10.5). Without a limit 24,000 unread documents take 1.2 GB.
 *
 * Every body becomes a stream, because Deno reports any other response as sent as
 * soon as the handler returns it. A small body matters too: Deno keeps up to
 * 1 MiB of the body of a GET request until the response is read, and nothing can
 * cancel that body.
 */
export function limitUnread(): UnreadLimit {
  const unread = new Set<Held>();
  const middleware: Middleware = (next) => async (request, context) => {
    const own = { client: context.client };
    if (exceeds(unread, own, MAX_UNREAD)) {
      return refuse(TOO_MANY_UNREAD, next, request, context);
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
