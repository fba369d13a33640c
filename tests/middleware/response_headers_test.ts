import { assertEquals } from "@std/assert";
import { service } from "../helpers/service.ts";

const PATH = "/api/pwgen/words";

function request(method: string, path = PATH, headers = {}): Request {
  const body = method === "POST" ? { body: "{}" } : {};
  return new Request(`http://localhost${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...body,
  });
}

/** A request for each status, except those that take time. */
const ALL: [number, Request][] = [
  [200, request("POST")],
  [200, request("GET", "/healthz")],
  [204, request("OPTIONS")],
  [400, request("POST", PATH, { "content-length": "0" })],
  [404, request("GET", "/nothing")],
  [405, request("GET")],
  [413, request("POST", PATH, { "content-length": "16385" })],
  [415, request("POST", PATH, { "content-type": "text/plain" })],
  [429, request("POST")],
];

Deno.test("responseHeaders() adds security header fields to every response", async () => {
  const { handler } = await service("--rate-limit=4");
  for (const [status, request] of ALL) {
    const response = await handler(request, "192.0.2.1");
    assertEquals(response.status, status);
    const get = (name: string) => response.headers.get(name);
    assertEquals(get("cache-control"), "no-store");
    assertEquals(get("x-content-type-options"), "nosniff");
    assertEquals(get("strict-transport-security"), null);
    const isApi = request.url.endsWith(PATH);
    assertEquals(get("access-control-allow-origin"), isApi ? "*" : null);
    // No credentials, no cookies, no server name.
    assertEquals(get("access-control-allow-credentials"), null);
    assertEquals(get("set-cookie"), null);
    assertEquals(get("server"), null);
  }
});

Deno.test("responseHeaders() adds Strict-Transport-Security to a response over TLS", async () => {
  const sts = async (flags: string[], peer: string, headers = {}) => {
    const { handler } = await service(...flags);
    const response = await handler(request("POST", PATH, headers), peer);
    return response.headers.get("strict-transport-security");
  };
  const tls = ["--tls-cert=c", "--tls-key=k"];
  assertEquals(await sts(tls, "192.0.2.1"), "max-age=31536000");
  const proxied = ["--trusted-proxies=loopback"];
  const https = { "x-forwarded-proto": "https" };
  const cases: [string, string | null][] = [
    ["https", "max-age=31536000"],
    ["HTTPS", "max-age=31536000"],
    ...["http", "", "https, http", "httpsx"].map((proto) =>
      [proto, null] as [string, null]
    ),
  ];
  for (const [proto, expected] of cases) {
    const headers = { "x-forwarded-proto": proto };
    assertEquals(await sts(proxied, "127.0.0.1", headers), expected, proto);
  }
  assertEquals(await sts(proxied, "127.0.0.1"), null);
  // The field of another peer is ignored.
  assertEquals(await sts(proxied, "192.0.2.1", https), null);
  assertEquals(await sts([], "127.0.0.1", https), null);
});
