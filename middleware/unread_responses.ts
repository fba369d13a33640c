/**
 * A cap on documents that nobody reads.
 *
 * @module
 */
import { clientKey, type Proxies } from "./client.ts";
import type { Middleware } from "./types.ts";

/** Documents on their way at one time, in the process. */
export const MAX_UNREAD = 256;

/** Documents on their way at one time, to one client. */
export const MAX_UNREAD_OF_CLIENT = 32;

/** How clients are told apart. */
export interface UnreadResponsesOptions {
  /** Whose X-Forwarded-For is believed. */
  readonly proxies: Proxies;
}

/**
 * Answers 503 with an empty body while too many documents have not been read:
 * {@linkcode MAX_UNREAD} in the process, {@linkcode MAX_UNREAD_OF_CLIENT} by one
 * client. An HTTP/2 client can open many streams and read none (RFC 9113,
 * section 10.5); without a cap 24,000 unread documents take 1.2 GB.
 *
 * It counts only what is sent as a stream: Deno takes any other body as sent
 * when it is handed over.
 *
 * @param options how clients are told apart
 * @returns the layer
 *
 * @example
 * ```ts
 * import { NO_PROXIES } from "./client.ts";
 * import { limitUnread } from "./unread_responses.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = limitUnread({ proxies: NO_PROXIES })(() => new Response());
 * const request = new Request("http://localhost/");
 * const connection = { completed: new Promise<void>(() => {}) };
 * const ask = async () =>
 *   (await handler(request, { path: "/", peer: "::1", connection })).status;
 * for (let i = 0; i < 32; i++) assertEquals(await ask(), 200);
 * assertEquals(await ask(), 503);
 * ```
 */
export function limitUnread({ proxies }: UnreadResponsesOptions): Middleware {
  let unread = 0;
  const ofClients = new Map<string, number>();
  return (next) => (request, context) => {
    const { high, low } = clientKey(request, context.peer, proxies);
    const client = `${high}:${low}`;
    const ofClient = ofClients.get(client) ?? 0;
    if (unread >= MAX_UNREAD || ofClient >= MAX_UNREAD_OF_CLIENT) {
      return new Response(null, { status: 503 });
    }
    unread++;
    ofClients.set(client, ofClient + 1);
    const finish = () => {
      unread--;
      const left = ofClients.get(client)! - 1;
      if (left === 0) ofClients.delete(client);
      else ofClients.set(client, left);
    };
    (context.connection?.completed ?? Promise.resolve()).then(finish, finish);
    return next(request, context);
  };
}
