/**
 * The path of the request line, and the check of the Host header field.
 *
 * `Request.url` joins the Host and the request line without escaping. So a Host
 * can forge a path: `POST /healthz` with `Host: x/api/pwgen/words?` looks like
 * `POST /api/pwgen/words`.
 *
 * @module
 */
import type { Handler } from "./context.ts";
import { Problem } from "./problem.ts";

/** The response to a request whose Host header field is not a host. */
export const INVALID_HOST: Problem = new Problem(
  400,
  "The Host header names no host.",
);

// A Host is an authority (RFC 9110, section 7.2). It contains no character that
// ends an authority in a URL, no user information and no white space.
const NOT_IN_HOST = /[/?#@\\\s]/;

/**
 * Responds with 400 to a request whose Host header field is not a host.
 *
 * @param next the handler of all other requests
 * @returns the handler with the middleware around it
 */
export function requireValidHost(next: Handler): Handler {
  return async (request, context) =>
    NOT_IN_HOST.test(request.headers.get("host") ?? "")
      ? INVALID_HOST.toResponse(context.path)
      : next(request, context);
}

/**
 * Returns the path of the request line, not decoded, without the query string.
 *
 * @param url the URL of the request, as Deno.serve gives it
 * @param host the Host header field, or null without one
 * @returns the path; "/" if the request line has only an authority
 */
export function requestPath(url: string, host: string | null): string {
  const authority = url.indexOf("://") + 3;
  // The URL contains such a Host as it was sent, unless the request line has an
  // authority of its own.
  const isForged = host !== null && NOT_IN_HOST.test(host) &&
    url.startsWith(host, authority);
  const start = authority +
    (isForged ? host.length : url.slice(authority).search(/[/?#\\]|$/));
  const query = url.indexOf("?", start);
  return url.slice(start, query < 0 ? undefined : query) || "/";
}
