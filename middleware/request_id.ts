/**
 * The id of a request, with which its lines in the logs of proxy and service can be
 * found.
 *
 * @module
 */
import type { Proxies } from "./client.ts";

/**
 * The ids of common proxies (UUIDs, hexadecimal digits, base64) match. No match
 * needs an escape in JSON or in a shell. Two fields, which are joined by a comma,
 * do not match.
 */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/**
 * Returns X-Request-Id if a trusted proxy sends it and it is a
 * {@linkcode REQUEST_ID}; otherwise undefined.
 */
export function requestId(
  request: Request,
  peer: string,
  proxies: Proxies,
): string | undefined {
  const id = request.headers.get("x-request-id") ?? "";
  return proxies.trusts(peer) && REQUEST_ID.test(id) ? id : undefined;
}
