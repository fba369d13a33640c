/**
 * The router: which handler answers a request, by path and method.
 *
 * @module
 */
import type { Handler, Middleware } from "./context.ts";
import { respondWith } from "./handlers.ts";
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

export interface RouterOptions {
  /** Surrounds the handler of every request with a valid Host. */
  readonly around: Middleware;
  /** Surrounds the refusal of a method. */
  readonly refused: Middleware;
  readonly unknownPath: Handler;
  readonly invalidHost: Handler;
}

/** A path of the routing table, ready for requests. */
interface PathRoutes {
  readonly byMethod: ReadonlyMap<string, Route>;
  /** Refuses all other methods: 405 with Allow. */
  readonly otherwise: Route;
}

function pathRoutes(
  path: string,
  { around: aroundPath = (handler) => handler, ...methods }: Methods,
  { around, refused }: RouterOptions,
): PathRoutes {
  const surround = (cell: Handler | Route): Route => {
    const { handler, route } = typeof cell === "function"
      ? { handler: cell, route: path }
      : cell;
    return { handler: around(aroundPath(handler)), route };
  };
  const byMethod = new Map(
    Object.entries(methods as Record<string, Handler | Route>)
      .map(([method, cell]) => [method, surround(cell)]),
  );
  const get = byMethod.get("GET");
  if (get !== undefined) byMethod.set("HEAD", get);
  const allow = [...byMethod.keys()].join(", ");
  const refusal = refused(respondWith(methodNotAllowed(allow)));
  return { byMethod, otherwise: surround(refusal) };
}

/**
 * Makes the function that finds who answers a request: by the path of the request line,
 * which is compared byte for byte, and then by method.
 *
 * @param table the routes
 * @returns the function; it returns that path too
 */
export function router(
  table: RoutingTable,
  options: RouterOptions,
): (request: Request) => [path: string, Route] {
  const paths = new Map(
    Object.entries(table)
      .map(([path, methods]) => [path, pathRoutes(path, methods, options)]),
  );
  const invalidHost = { handler: options.invalidHost, route: undefined };
  const unknownPath = {
    handler: options.around(options.unknownPath),
    route: undefined,
  };
  return (request) => {
    // A request over HTTP/2 has no Host field: its authority is only in the URL.
    const host = request.headers.get("host");
    const isInvalid = host !== null && !isValidHost(host);
    const path = requestPath(request.url, isInvalid ? host : "");
    if (isInvalid) return [path, invalidHost];
    const routes = paths.get(path);
    if (routes === undefined) return [path, unknownPath];
    return [path, routes.byMethod.get(request.method) ?? routes.otherwise];
  };
}
