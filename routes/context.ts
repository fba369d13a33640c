/**
 * The types of a request handler.
 *
 * @module
 */

/**
 * The key of a client: 64 bits in two int32s. In a hash table two numbers take a
 * tenth of the time of a new string.
 */
export interface ClientKey {
  /** The first 32 bits. */
  readonly high: number;
  /** The last 32 bits. */
  readonly low: number;
}

/** The state of a request besides the `Request` itself. */
export interface Context {
  /** The path of the request line, as sent, without the query string. */
  readonly path: string;
  /** Whether the Host header field is no host. */
  readonly hasInvalidHost?: boolean;
  /** The address at the other end of the socket. */
  readonly peer: string;
  /** From Deno.serve: settles when the response is sent. Undefined in tests. */
  readonly info?: { readonly completed: Promise<void> } | undefined;
  /** The path in the routing table; undefined if no route matches. */
  route?: string;
  /** Set by the rate limit, or by the exemption from it: the client. */
  client?: ClientKey;
  /** Set by a handler: whether the request has the field `count`. */
  isBatch?: boolean;
  /** Set by a handler: Cache-Control. Undefined means "no-store". */
  cacheControl?: string;
  /** Set by a middleware: header fields of the response, whatever its status is. */
  responseHeaders?: readonly (readonly [name: string, value: string])[];
}

/** Handles a request. */
export type Handler = (
  request: Request,
  context: Context,
) => Promise<Response>;
