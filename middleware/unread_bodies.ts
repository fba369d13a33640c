/**
 * Cancels a request body that no handler has read; after the response, `body`
 * would throw. Over HTTP/2, Deno keeps up to 1 MiB of it until the client has
 * read the response. Over HTTP/1.1, a cancelled body is skipped, and the
 * connection stays open for the next request. (Deno gives no access to the body
 * of GET and HEAD.)
 */
export function cancelUnreadBody(request: Request): void {
  if (!request.bodyUsed) request.body?.cancel().catch(() => {});
}
