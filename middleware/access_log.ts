/**
 * The access log: that something was asked, never what.
 *
 * @module
 */
import type { Middleware } from "./types.ts";

// Any token may stand as a method, a secret too.
const METHODS = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "TRACE",
]);

/** What the access log is not to mention. */
export interface AccessLogOptions {
  /** Writes one line. */
  readonly log: (line: string) => void;
  /** The routes whose requests are not logged. */
  readonly except: readonly string[];
}

/**
 * Writes one JSON line a request: time, method, route, status, milliseconds. The
 * route is the path in the table of routes, null where none matches. There is
 * no address, no path as sent, no query, no body and nothing generated in it.
 *
 * @param options where to write, and what of
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
        method: METHODS.has(request.method) ? request.method : "other",
        route: route ?? null,
        status: response.status,
        ms: Math.round((performance.now() - start) * 1000) / 1000,
      }));
    }
    return response;
  };
}
