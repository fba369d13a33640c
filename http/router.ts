/**
 * The router: the path of the request line, then method, then handler.
 *
 * @module
 */
import type { Context, Handler, Middleware } from "./context.ts";
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

export function respondWith(problem: Problem): Handler {
  return async (_request, { path }) => problem.toResponse(path);
}

/**
 * What limits the requests of a client: `api` the rate limit, `site` the request
 * budget and the unread responses, `health` the same without a change of the status,
 * `open` only the request budget.
 */
export type Policy = "api" | "site" | "health" | "open";

/** The handlers of a path by method, each with its policy. */
export type Methods = Readonly<
  Record<string, readonly [policy: Policy, handler: Handler]>
>;

/**
 * Makes the handler that chooses by path, compared byte for byte, and method, and
 * sets path and route of the context. A path with GET also takes HEAD. An invalid
 * Host gets 400, and a method that the path does not have 405 with Allow.
 *
 * @param table the routes
 * @param options `policies` has the middleware of each policy, `unknownPath` handles
 *   a request to no path of the table, and `override` may return a handler that
 *   replaces that of the table
 */
export function router(
  table: Readonly<Record<string, Methods>>,
  { policies, unknownPath, override }: {
    policies: Readonly<Record<Policy, Middleware>>;
    unknownPath: Handler;
    override: (request: Request, context: Context) => Handler | undefined;
  },
): Handler {
  const routes = new Map(
    Object.entries(table).map(([path, handlers]) => {
      const byMethod = new Map(
        Object.entries(handlers).map(([method, [policy, handler]]) =>
          [method, policies[policy](handler)] as const
        ),
      );
      const get = byMethod.get("GET");
      if (get !== undefined) byMethod.set("HEAD", get);
      const methods = [...byMethod.keys()].join(", ");
      const refusal = respondWith(methodNotAllowed(methods));
      return [path, { byMethod, otherwise: policies.site(refusal) }];
    }),
  );
  const refuseHost = policies.site(respondWith(INVALID_HOST));
  return (request, context) => {
    // A request over HTTP/2 has no Host field: its authority is only in the URL.
    const host = request.headers.get("host");
    const isInvalid = host !== null && !isValidHost(host);
    context.path = requestPath(request.url, isInvalid ? host : "");
    if (isInvalid) return refuseHost(request, context);
    const route = routes.get(context.path);
    if (route !== undefined) context.route = context.path;
    const handler = override(request, context) ??
      route?.byMethod.get(request.method) ??
      route?.otherwise ?? unknownPath;
    return handler(request, context);
  };
}
