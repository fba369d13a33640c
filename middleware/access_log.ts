/**
 * The access log. It logs that a request happened, never its content.
 *
 * @module
 */
import type { Context, Middleware } from "../http/context.ts";
import type { Log } from "../log.ts";

// A method may be any token (RFC 9110, section 9.1), and so may contain a secret.
const METHOD = /^(CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|TRACE)$/;

/**
 * Writes one line of JSON per request: time, level, method, route, status, duration in
 * milliseconds and, if there is one, the id of the request. The route is the path
 * in the routing table, or null if no route matches. The line contains no
 * address, no path as sent, no query string, no body and no password.
 *
 * @param except the routes whose requests are not logged
 */
export function accessLog(log: Log, except: readonly string[]): Middleware {
  return (next) => async (request, context) => {
    const start = performance.now();
    const response = await next(request, context);
    const { route } = context;
    if (route === undefined || !except.includes(route)) {
      const line = JSON.stringify({
        time: new Date().toISOString(),
        level: "info",
        method: METHOD.test(request.method) ? request.method : "other",
        route: route ?? null,
        status: response.status,
        ms: Math.round((performance.now() - start) * 1000) / 1000,
        // JSON.stringify() leaves out undefined.
        requestId: requestId(request, context),
      });
      log("access", line);
    }
    return response;
  };
}

/**
 * The ids of common proxies (UUIDs, hexadecimal digits, base64) match. No match
 * needs an escape in JSON or in a shell. Two fields, which are joined by a comma,
 * do not match.
 */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/**
 * Returns X-Request-Id, which finds the lines of a request in the logs of proxy and
 * service. Only that of a trusted proxy counts.
 */
export function requestId(
  request: Request,
  { client }: Context,
): string | undefined {
  const id = request.headers.get("x-request-id") ?? "";
  return client.isProxied && REQUEST_ID.test(id) ? id : undefined;
}
