/**
 * The limit of responses that clients have not read yet.
 *
 * @module
 */
import type { Middleware } from "../http/context.ts";
import type { InFlight, InFlightLimit } from "../http/in_flight.ts";

/** What an unread response takes besides its body, in bytes. */
const RESPONSE_BYTES = 8000;

/** How often a body is in memory: in the stream, and in the buffer of the socket. */
const COPIES = 2;

/**
 * How much unread responses may take together, in bytes. The web page takes 100 kB
 * with its six files, so fifteen people behind one address can load it at once, and
 * two of a network that is full.
 */
export const MAX_UNREAD: InFlightLimit = {
  process: 12_000_000,
  network: 3_000_000,
  client: 1_500_000,
  neighbour: 200_000,
};

/**
 * Empty, since problem details would be one more unread body: over HTTP/2 a small
 * unread response takes 5 kB, and one without a body 1.3 kB.
 */
const TOO_MANY_UNREAD = { status: 503, headers: { "retry-after": "10" } };

/**
 * Responds with 503 and no body while too many responses are unread ({@linkcode
 * MAX_UNREAD}). An HTTP/2 client can open many streams and read none of them (RFC
 * 9113, section 10.5). Without a limit 24,000 unread documents take 1.2 GB.
 *
 * Every body becomes a stream, because Deno reports any other response as sent as
 * soon as the handler returns it. A small body matters too: Deno keeps up to 1 MiB
 * of the body of a GET request until the response is read, and nothing can cancel
 * that body.
 * The handler takes a place before the work begins, and gives it back when the
 * response is sent.
 */
export function limitUnread(unread: InFlight): Middleware {
  return (next) => async (request, context) => {
    const place = unread.take(context.client, RESPONSE_BYTES);
    if (place === undefined) return new Response(null, TOO_MANY_UNREAD);
    const giveBack = () => place[Symbol.dispose]();
    (context.info?.completed ?? Promise.resolve()).then(giveBack, giveBack);
    const response = await asStream(await next(request, context));
    place.add(COPIES * Number(response.headers.get("content-length")));
    return response;
  };
}

/**
 * Makes a body a stream. The response of static.ts has a Content-Length, and its
 * body is a stream already.
 */
async function asStream(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (response.body === null || headers.has("content-length")) return response;
  const body = await response.bytes();
  headers.set("content-length", String(body.length));
  return new Response(ReadableStream.from([body]), { status, headers });
}
