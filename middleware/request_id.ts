/**
 * The id of a request, with which its lines in the logs of proxy and service can be
 * found.
 *
 * @module
 */
import type { Proxies } from "./client.ts";

// The ids of common proxies (UUIDs, hexadecimal digits, base64) match. No match
// needs an escape in JSON or in a shell, and two fields, joined by a comma, do not
// match.
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/**
 * Takes the id of a request from X-Request-Id, if a trusted proxy sends it. The id
 * has 1 to 128 characters: letters, digits and `_ . : / + = @ -`. Other values,
 * and those of other peers, are ignored.
 *
 * @param request the request
 * @param peer the address at the other end of the socket
 * @param proxies the trusted proxies
 * @returns the id; undefined without one
 */
export function requestId(
  request: Request,
  peer: string,
  proxies: Proxies,
): string | undefined {
  const id = request.headers.get("x-request-id") ?? "";
  return proxies.trusts(peer) && REQUEST_ID.test(id) ? id : undefined;
}
