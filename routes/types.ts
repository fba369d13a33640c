/**
 * What a request is answered by.
 *
 * @module
 */

/** What is known of a request besides the `Request` itself. */
export interface Context {
  /** The path of the request line, as it was sent, without the query string. */
  readonly path: string;
  /** The address at the other end of the socket. */
  readonly peer: string;
  /** Settles when the answer has been sent; nothing where no server sends it. */
  readonly connection?: { readonly completed: Promise<void> } | undefined;
  /** The Host header field; nothing where there is none. */
  readonly host?: string | null;
  /** The path in the table of routes; undefined where none matches. */
  route?: string;
  /** What the answer says of caching; "no-store" where it says nothing. */
  cacheControl?: string;
  /** Header fields that the answer has, whatever becomes of the request. */
  fields?: readonly (readonly [name: string, value: string])[];
}

/** Answers a request. */
export type Handler = (
  request: Request,
  context: Context,
) => Response | Promise<Response>;
