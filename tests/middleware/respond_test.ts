import { assertEquals } from "@std/assert";
import { ask, postInit, service } from "../helpers/service.ts";

const PATH = "/api/pwgen/words";

Deno.test("respond() adds Strict-Transport-Security to a response over TLS", async () => {
  const year = "max-age=31536000";
  const tls = ["--tls-cert=c", "--tls-key=k"];
  const proxied = ["--trusted-proxies=loopback"];
  const cases: [string[], peer: string, proto: string, string | null][] = [
    [tls, "192.0.2.1", "", year],
    [[...tls, "--hsts-max-age=0"], "192.0.2.1", "", "max-age=0"],
    [[...tls, "--hsts-max-age=300"], "192.0.2.1", "", "max-age=300"],
    [["--hsts-max-age=0"], "127.0.0.1", "", null],
    [proxied, "127.0.0.1", "https", year],
    [proxied, "127.0.0.1", "HTTPS", year],
    [proxied, "127.0.0.1", "http", null],
    [proxied, "127.0.0.1", "", null],
    [proxied, "127.0.0.1", "https, http", null],
    [proxied, "127.0.0.1", "http , HTTPS ", year],
    [proxied, "127.0.0.1", "httpsx", null],
    // The field of another peer is ignored.
    [proxied, "192.0.2.1", "https", null],
    [[], "127.0.0.1", "https", null],
  ];
  for (const [flags, peer, proto, expected] of cases) {
    const { handler } = await service(...flags);
    const fields = { "x-forwarded-proto": proto };
    for (const path of [PATH, "/nowhere"]) {
      const url = `http://localhost${path}`;
      const sent = new Request(url, postInit("{}", fields));
      const { headers } = await handler(sent, peer);
      const actual = headers.get("strict-transport-security");
      assertEquals(actual, expected, `${flags} ${peer} ${proto} ${path}`);
    }
  }
});

const API = [PATH, "/api/pwgen/characters", "/api/pwgen/sentence"];

/** The CORS header fields of a response. */
function corsFields({ headers }: Response): [string, string][] {
  return [...headers].filter(([name]) => name.startsWith("access-control-"));
}

const OPEN: [string, string][] = [
  ["access-control-allow-origin", "*"],
  [
    "access-control-expose-headers",
    "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits",
  ],
];

Deno.test("respond() lets no other origin read anything else", async () => {
  const { handler } = await service("--metrics=on");
  for (
    const path of [
      "/",
      "/page/page.js",
      "/docs",
      "/docs/",
      "/healthz",
      "/metrics",
      "/nowhere",
      "/api",
      "/openapi/v1.json/",
    ]
  ) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      const response = await ask(path, { method }, handler);
      await response.body?.cancel();
      assertEquals(corsFields(response), [], `${method} ${path}`);
    }
  }
});

Deno.test("respond() lets every origin read that a path below /api/ is unknown", async () => {
  for (const path of [`${PATH}/`, "/api/pwgen", "/api/pwgen/wrods"]) {
    for (const method of ["GET", "POST"]) {
      const response = await ask(path, { method });
      await response.body?.cancel();
      assertEquals(response.status, 404);
      assertEquals(corsFields(response), OPEN, `${method} ${path}`);
    }
  }
});

Deno.test("preflight() permits POST with Content-Type and Prefer", async () => {
  for (const path of API) {
    const response = await ask(path, {
      method: "OPTIONS",
      headers: {
        origin: "https://example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, prefer",
      },
    });
    assertEquals(response.status, 204);
    assertEquals(await response.text(), "");
    assertEquals(response.headers.get("allow"), "POST, OPTIONS");
    assertEquals(corsFields(response), [
      ["access-control-allow-headers", "Content-Type, Prefer"],
      ["access-control-allow-methods", "POST, OPTIONS"],
      OPEN[0],
      OPEN[1],
      ["access-control-max-age", "86400"],
    ]);
  }
});
