import type { Handler } from "../routes/context.ts";

/**
 * Removes the body of the response to HEAD and keeps its Content-Length (RFC
 * 9110, section 9.3.2). Without this Deno sends the body over HTTP/2.
 */
export function head(next: Handler): Handler {
  return (request, context) => {
    const response = next(request, context);
    return request.method === "HEAD" ? withoutBody(response) : response;
  };
}

async function withoutBody(pending: Promise<Response>): Promise<Response> {
  const response = await pending;
  const { status, headers, body } = response;
  if (body === null) return response;
  const { byteLength } = await response.arrayBuffer();
  headers.set("content-length", String(byteLength));
  return new Response(null, { status, headers });
}
