import type { Handler } from "../routes/context.ts";

/**
 * Ends the connection after the response to CONNECT, whatever its status is.
 *
 * Deno reads no body of a CONNECT request. It takes the bytes that follow for the
 * next request on the connection, although a proxy sent them as a body (RFC 9110,
 * section 9.3.6). A proxy that shares its connections would then give the response
 * to another client. Deno offers no way to close a connection, and `Connection:
 * close` does not. But it closes it after a stream that is one byte shorter than
 * its Content-Length. Over HTTP/2, where each request has its own stream, that
 * ends only the stream.
 */
export function endConnect(next: Handler): Handler {
  return (request, context) => {
    const response = next(request, context);
    return request.method === "CONNECT" ? cutShort(response) : response;
  };
}

async function cutShort(pending: Promise<Response>): Promise<Response> {
  const response = await pending;
  const { status, headers } = response;
  const body = await response.bytes();
  headers.set("content-length", String(body.length + 1));
  return new Response(ReadableStream.from([body]), { status, headers });
}
