/**
 * HEAD: the header of GET, without its body.
 *
 * @module
 */
import type { Handler } from "../routes/types.ts";

/**
 * Answers HEAD as GET, without the body and with the same Content-Length (RFC
 * 9110, section 9.3.2). Over HTTP/2 Deno would send the body.
 *
 * @param next the handler; it may answer HEAD with a body
 * @returns the handler with the layer around it
 *
 * @example
 * ```ts
 * import { head } from "./head.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = head(() => new Response("Hello"));
 * const request = new Request("http://localhost/", { method: "HEAD" });
 * const response = await handler(request, { path: "/", peer: "::1" });
 * assertEquals(response.body, null);
 * assertEquals(response.headers.get("content-length"), "5");
 * ```
 */
export function head(next: Handler): Handler {
  return (request, context) => {
    const answer = next(request, context);
    return request.method === "HEAD" ? withoutBody(answer) : answer;
  };
}

async function withoutBody(
  answer: Response | Promise<Response>,
): Promise<Response> {
  const response = await answer;
  const { status, headers, body } = response;
  if (body === null) return response;
  const { byteLength } = await response.arrayBuffer();
  headers.set("content-length", String(byteLength));
  return new Response(null, { status, headers });
}
