/**
 * The access log. It logs that a request happened, never its content.
 *
 * @module
 */
import type { Middleware } from "./compose.ts";

// A method may be any token (RFC 9110, section 9.1), and so may contain a secret.
const METHODS = "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE".split(
  " ",
);

/** Options of the access log. */
export interface AccessLogOptions {
  /** Writes one line. */
  readonly log: (line: string) => void;
  /** The routes whose requests are not logged. */
  readonly except: readonly string[];
}

/**
 * Writes one line of JSON per request: time, method, route, status and duration
 * in milliseconds. The route is the path in the routing table, or null if no
 * route matches. The line contains no address, no path as sent, no query string,
 * no body and no password.
 *
 * @param options the log and the routes to leave out
 * @returns the layer
 *
 * @example
 * ```ts
 * import { accessLog } from "./access_log.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const lines: string[] = [];
 * const layer = accessLog({ log: (line) => lines.push(line), except: [] });
 * const handler = layer(() => new Response());
 * await handler(new Request("http://localhost/?a=b"), { path: "/", peer: "::1" });
 * const { method, route, status } = JSON.parse(lines[0]!);
 * assertEquals([method, route, status], ["GET", null, 200]);
 * ```
 */
export function accessLog({ log, except }: AccessLogOptions): Middleware {
  return (next) => async (request, context) => {
    const start = performance.now();
    const response = await next(request, context);
    const { route } = context;
    if (route === undefined || !except.includes(route)) {
      log(JSON.stringify({
        time: new Date().toISOString(),
        method: METHODS.includes(request.method) ? request.method : "other",
        route: route ?? null,
        status: response.status,
        ms: Math.round((performance.now() - start) * 1000) / 1000,
      }));
    }
    return response;
  };
}
