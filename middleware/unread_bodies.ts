/**
 * Request bodies that no handler reads.
 *
 * @module
 */
import type { Handler } from "../routes/context.ts";

/**
 * Cancels a request body that the handler did not read. Over HTTP/2, Deno keeps up
 * to 1 MiB of it until the client has read the response. Over HTTP/1.1, a cancelled
 * body is skipped, and the connection stays open for the next request. (Deno gives
 * no access to the body of GET and HEAD.)
 *
 * @param next the handler
 * @returns the handler with the middleware around it
 */
export function cancelUnreadBody(next: Handler): Handler {
  return async (request, context) => {
    const response = await next(request, context);
    // After the response, `request.body` would throw.
    if (!request.bodyUsed) request.body?.cancel().catch(() => {});
    return response;
  };
}
