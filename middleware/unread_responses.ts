/**
 * The limit of documents that clients have not read yet.
 *
 * @module
 */
import { exceeds, type Held, type Shares } from "../routes/share.ts";
import { clientKey, type Proxies } from "./client.ts";
import type { Middleware } from "./compose.ts";

/** The maximum number of unread documents at one time. */
export const MAX_UNREAD: Shares = { process: 256, network: 64, client: 16 };

/** The limit of unread documents. */
export interface UnreadLimit {
  /** The middleware that applies the limit. */
  readonly middleware: Middleware;
  /**
   * Counts the unread documents.
   *
   * @returns how many documents of all clients are unread now
   */
  unread(): number;
}

/**
 * Responds with 503 and an empty body while too many documents are unread
 * ({@linkcode MAX_UNREAD}). An HTTP/2 client can open many streams and read none of them (RFC
 * 9113, section 10.5). Without a limit 24,000 unread documents take 1.2 GB.
 *
 * Only responses whose body is a stream stay in the count. Deno reports every
 * other response as sent as soon as the handler returns it.
 *
 * @param proxies the proxies whose X-Forwarded-For is believed
 * @returns the middleware, and a function that counts the unread documents
 */
export function limitUnread(proxies: Proxies): UnreadLimit {
  const unread = new Set<Held>();
  const middleware: Middleware = (next) => async (request, context) => {
    const own = { client: clientKey(request, context.peer, proxies) };
    if (exceeds(unread, own, MAX_UNREAD)) {
      return new Response(null, { status: 503 });
    }
    unread.add(own);
    const finish = () => unread.delete(own);
    (context.info?.completed ?? Promise.resolve()).then(finish, finish);
    return next(request, context);
  };
  return { middleware, unread: () => unread.size };
}
