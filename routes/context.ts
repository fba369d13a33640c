/**
 * The types of a request handler.
 *
 * @module
 */

/** What a handler knows about a request besides the `Request` itself. */
export interface Context {
  /** The path of the request line, as sent, without the query string. */
  readonly path: string;
  /** The address at the other end of the socket. */
  readonly peer: string;
  /** Settles when the response is sent; undefined without a server. */
  readonly connection?: { readonly completed: Promise<void> } | undefined;
  /** The Host header field; null or undefined without one. */
  readonly host?: string | null;
  /** The path in the routing table; undefined if no route matches. */
  route?: string;
  /** The Cache-Control of the response; undefined means "no-store". */
  cacheControl?: string;
  /** Header fields of the response, whatever its status is. */
  responseHeaders?: readonly (readonly [name: string, value: string])[];
}

/** Handles a request. */
export type Handler = (
  request: Request,
  context: Context,
) => Response | Promise<Response>;
