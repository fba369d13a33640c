/**
 * The types of a request handler.
 *
 * @module
 */

/** The client of a request. */
export interface Client {
  /** Its address, as in middleware/address.ts. */
  readonly address: readonly [number, number, number, number];
  /**
   * The IPv4 address, or the first 64 bits of an IPv6 address, since one host has
   * a whole /64 to itself: two int32s, as text.
   */
  readonly key: string;
  /** The first 48 bits of an IPv6 address, which a site usually has (RFC 6177). */
  readonly network: string | undefined;
  /** Whether the rate limit does not apply to it. */
  readonly isExempt: boolean;
  /** Whether a trusted proxy sent the request, so that its header fields count. */
  readonly isProxied: boolean;
  /** Why many clients may be behind the address. */
  readonly doubt:
    | "proxy is not trusted"
    | "proxy names no client"
    | "may be a proxy"
    | undefined;
}

/** What is known of a request besides the `Request` itself; `app.ts` makes it. */
export interface Context {
  /** The address at the other end of the socket; undefined if it has none. */
  readonly peer?: string | undefined;
  /** The path of the request line, as sent, without the query string. */
  readonly path: string;
  /** The path in the routing table; undefined if no route matches. */
  readonly route?: string | undefined;
  /** Who sent the request. */
  readonly client: Client;
  /** From Deno.serve: settles when the response is sent. Undefined in tests. */
  readonly info?: { readonly completed: Promise<void> } | undefined;
  /**
   * Header fields of the response, whatever its status. Only the rate limit sets them,
   * and a response with status 500 needs them too.
   */
  rateLimitHeaders?: readonly (readonly [name: string, value: string])[];
}

/** Makes a handler that does something before or after another handler. */
export type Middleware = (next: Handler) => Handler;

/** Handles a request. */
export type Handler = (
  request: Request,
  context: Context,
) => Promise<Response>;
