/**
 * The id of a request, with which its lines in the logs of proxy and service can be
 * found.
 *
 * @module
 */
import type { Proxies } from "./client.ts";
import type { Middleware } from "./compose.ts";

// The ids of common proxies (UUIDs, hexadecimal digits, base64) match. No match
// needs an escape in JSON or in a shell, and two fields, joined by a comma, do not
// match.
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/**
 * Takes the id of a request from X-Request-Id, if a trusted proxy sends it. The id
 * has 1 to 128 characters: letters, digits and `_ . : / + = @ -`. Other values,
 * and those of other peers, are ignored.
 *
 * @param proxies the trusted proxies
 * @returns the middleware
 */
export function requestId(proxies: Proxies): Middleware {
  return (next) => async (request, context) => {
    if (proxies.trusts(context.peer)) {
      const id = request.headers.get("x-request-id") ?? "";
      if (REQUEST_ID.test(id)) context.requestId = id;
    }
    return await next(request, context);
  };
}
