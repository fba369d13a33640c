/**
 * A reverse proxy that strips a prefix of the path.
 *
 * @module
 */

/**
 * Starts a proxy on a free port. It serves nothing outside of the prefix.
 *
 * @param target the origin of the service
 * @param prefix the prefix, such as "/pw"
 * @returns the server
 */
export function prefixProxy(
  target: string,
  prefix: string,
): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith(`${prefix}/`)) {
        return new Response(null, { status: 404 });
      }
      const { method } = request;
      const headers = new Headers(request.headers);
      // fetch() decodes a compressed body, but keeps Content-Encoding.
      headers.set("accept-encoding", "identity");
      return await fetch(target + pathname.slice(prefix.length), {
        method,
        headers,
        body: method === "POST" ? await request.bytes() : null,
        redirect: "manual",
      });
    },
  );
}
