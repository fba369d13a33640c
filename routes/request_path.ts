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

function isValidHost(host: string | null | undefined): boolean {
  return !NOT_IN_HOST.test(host ?? "");
}

/**
 * Responds with 400 to a request whose Host header field is not a host. The
 * rate limit stands outside of it, so that such a request counts.
 *
 * @param next the handler of all other requests
 * @returns the handler with the middleware around it
 *
 * @example
 * ```ts
 * import { requireValidHost } from "./request_path.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = requireValidHost(async () => new Response());
 * const request = new Request("http://localhost/");
 * const context = { path: "/", peer: "::1", host: "a/b" };
 * assertEquals((await handler(request, context)).status, 400);
 * ```
 */
export function requireValidHost(next: Handler): Handler {
  return async (request, context) =>
    isValidHost(context.host)
      ? next(request, context)
      : INVALID_HOST.toResponse(context.path);
}

/**
 * Returns the path of the request line, not decoded, without the query string.
 *
 * @param url the URL of the request, as Deno.serve gives it
 * @param host the Host header field, or null without one
 * @returns the path; "/" if the request line has only an authority
 *
 * @example
 * ```ts
 * import { requestPath } from "./request_path.ts";
 * import { assertEquals } from "@std/assert";
 *
 * // Host: a.example
 * assertEquals(requestPath("http://a.example/b/c?d=e", "a.example"), "/b/c");
 * // An absolute-form target, whose host differs from Host
 * assertEquals(requestPath("http://b.example/c", "a.example"), "/c");
 * // A forged Host
 * assertEquals(requestPath("http://x/api?/healthz", "x/api?"), "/healthz");
 * ```
 */
export function requestPath(url: string, host: string | null): string {
  const authority = url.indexOf("://") + 3;
  let end = authority + (host ?? "").length;
  if (
    host === null || !url.startsWith(host, authority) ||
    // The host of an absolute-form target may begin with the text of Host.
    (isValidHost(host) && !"/?".includes(url.charAt(end)))
  ) {
    end = authority + url.slice(authority).search(/[/?#\\]|$/);
  }
  const query = url.indexOf("?", end);
  return url.slice(end, query < 0 ? undefined : query) || "/";
}
