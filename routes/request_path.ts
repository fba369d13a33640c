/**
 * The path of the request line, and the check of the Host header field.
 *
 * `Request.url` joins the Host and the request line without escaping. So a Host
 * can forge a path: `POST /healthz` with `Host: x/api/pwgen/words?` looks like
 * `POST /api/pwgen/words`.
 *
 * @module
 */
import { Problem } from "./problem.ts";

export const INVALID_HOST: Problem = new Problem(
  400,
  "The Host header names no host.",
);

/**
 * Tells whether a Host header field is an authority (RFC 9110, section 7.2): it
 * is not empty, and contains no character that ends an authority in a URL, no
 * user information and no white space.
 */
export function isValidHost(host: string): boolean {
  return /^[^/?#@\\\s]+$/.test(host);
}

/**
 * Returns the path of the request line, not decoded, without the query string;
 * "/" if the request line has only an authority.
 *
 * @param url the URL of the request, as Deno.serve gives it
 * @param invalidHost the Host header field if it is not valid, otherwise empty
 */
export function requestPath(url: string, invalidHost: string): string {
  let start = url.indexOf("://") + 3;
  // A target in absolute form has its own authority, and the URL has no Host.
  if (url.startsWith(invalidHost, start)) start += invalidHost.length;
  start += url.slice(start).search(/[/?#\\]|$/);
  const query = url.indexOf("?", start);
  return url.slice(start, query < 0 ? undefined : query) || "/";
}
