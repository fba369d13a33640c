/**
 * The router: which handler answers a request, by path and method.
 *
 * @module
 */
import type { Handler, Middleware } from "./context.ts";
import { compose, respondWith } from "./handlers.ts";
import { Problem } from "./problem.ts";

export const INVALID_HOST: Problem = new Problem(
  400,
  "The Host header is invalid.",
);

/**
 * Tells whether a Host header field is an authority (RFC 9110, section 7.2): it
 * is not empty, and contains no character that ends an authority in a URL, no
 * user information and no white space.
 */
function isValidHost(host: string): boolean {
  return /^[^/?#@\\\s]+$/.test(host);
}

/**
 * Returns the path of the request line, not decoded, without the query string;
 * "/" if the request line has only an authority.
 *
 * `Request.url` joins the Host and the request line without escaping. So a Host
 * can forge a path: `POST /healthz` with `Host: x/api/pwgen/words?` looks like
 * `POST /api/pwgen/words`.
 *
 * @param url the URL of the request, as Deno.serve gives it
 * @param invalidHost the Host header field if it is not valid, otherwise empty
 */
function requestPath(url: string, invalidHost: string): string {
  let start = url.indexOf("://") + 3;
  // A target in absolute form has its own authority, and the URL has no Host.
  if (url.startsWith(invalidHost, start)) start += invalidHost.length;
  start += url.slice(start).search(/[/?#\\]|$/);
  const query = url.indexOf("?", start);
  return url.slice(start, query < 0 ? undefined : query) || "/";
}

export function methodNotAllowed(methods: string): Problem {
  return new Problem(
    405,
    `This path takes ${methods}; the page /docs describes the API.`,
    { allow: methods },
  );
}

/** Who answers a request. */
export interface Route {
  readonly handler: Handler;
  /** The path in the routing table that the request counts as; undefined if none. */
  readonly route: string | undefined;
}

/** A path of the routing table: its handlers by method. GET is also that of HEAD. */
export interface Methods {
  readonly GET?: Handler;
  readonly POST?: Handler;
  /** With a route, such a request counts as one to that path. */
  readonly OPTIONS?: Handler | Route;
  /** Surrounds all of them, and the refusal of other methods. */
  readonly around?: Middleware;
}

export type RoutingTable = Readonly<Record<string, Methods>>;

/**
 * Makes the function that finds who answers a request: by the path of the request line,
 * compared byte for byte, and then by method. A method that the path does not have gets
 * 405 with Allow.
 *
 * @param table the routes
 * @param options `around` surrounds the handler of every request with a valid Host, and
 *   `refused` that of a 405; the others handle requests without a path in the table
 * @returns the function; it returns the path too
 */
export function router(
  table: RoutingTable,
  { around, refused, unknownPath, invalidHost }: {
    around: Middleware;
    refused: Middleware;
    unknownPath: Handler;
    invalidHost: Handler;
  },
): (request: Request) => [path: string, Route] {
  const paths = new Map(
    Object.entries(table).map(([path, { around: inner, ...methods }]) => {
      const surround = compose(around, inner);
      const byMethod = new Map<string, Route>();
      const entries = Object.entries<Handler | Route>(methods);
      if (methods.GET) entries.push(["HEAD", methods.GET]);
      for (const [method, cell] of entries) {
        const [handler, route] = "route" in cell
          ? [cell.handler, cell.route]
          : [cell, path];
        byMethod.set(method, { handler: surround(handler), route });
      }
      const refusal = methodNotAllowed([...byMethod.keys()].join(", "));
      const handler = surround(refused(respondWith(refusal)));
      return [path, { byMethod, otherwise: { handler, route: path } }];
    }),
  );
  const refuseHost = { handler: invalidHost, route: undefined };
  const refusePath = { handler: around(unknownPath), route: undefined };
  return (request) => {
    // A request over HTTP/2 has no Host field: its authority is only in the URL.
    const host = request.headers.get("host");
    const isInvalid = host !== null && !isValidHost(host);
    const path = requestPath(request.url, isInvalid ? host : "");
    if (isInvalid) return [path, refuseHost];
    const row = paths.get(path);
    const route = row?.byMethod.get(request.method) ?? row?.otherwise;
    return [path, route ?? refusePath];
  };
}
