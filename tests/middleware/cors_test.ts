import { assertEquals } from "@std/assert";
import { ask, handlerFor, postInit, service } from "../helpers/service.ts";

const WORDS = "/api/pwgen/words";
const API = [WORDS, "/api/pwgen/characters", "/api/pwgen/sentence"];

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

Deno.test("cors() lets every origin read the API and its document, errors included", async () => {
  const { handler } = await service("--rate-limit=4");
  const failing = await handlerFor([], {
    log: () => {},
    limiter: { size: 0, evicted: 0, admit: () => Promise.reject("broken") },
  });
  for (const path of API) {
    const peer = `192.0.2.${path.length}`;
    const requests: [number, RequestInit, typeof handler?][] = [
      [200, postInit()],
      [400, postInit("")],
      [413, postInit("{}", { "content-length": "16385" })],
      [415, postInit("{}", { "content-type": "text/plain" })],
      [429, postInit()],
      [405, {}],
      [500, postInit(), failing],
      [400, { headers: { host: "a/b" } }],
    ];
    for (const [status, init, chosen = handler] of requests) {
      const request = new Request(`http://localhost${path}`, init);
      const response = await chosen(request, peer);
      assertEquals(response.status, status);
      assertEquals(corsFields(response), OPEN, `${path} ${status}`);
    }
  }
  const document = "/openapi/v1.json";
  const first = await ask(document);
  const known = { headers: { "if-none-match": first.headers.get("etag")! } };
  const others = [known, { method: "HEAD" }, { method: "POST" }];
  const responses = [first];
  for (const init of others) responses.push(await ask(document, init));
  assertEquals(responses.map(({ status }) => status), [200, 304, 200, 405]);
  for (const response of responses) assertEquals(corsFields(response), OPEN);
});

Deno.test("cors() lets no other origin read anything else", async () => {
  const { handler } = await service("--metrics=on");
  for (
    const path of [
      ...["/", "/page/page.js", "/docs", "/docs/", "/healthz", "/metrics"],
      ...["/nowhere", `${WORDS}/`, "/api/pwgen", "/openapi/v1.json/"],
    ]
  ) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      const response = await ask(path, { method }, handler);
      await response.body?.cancel();
      assertEquals(corsFields(response), [], `${method} ${path}`);
    }
  }
});

Deno.test("preflight() permits POST with Content-Type", async () => {
  for (const path of API) {
    const response = await ask(path, {
      method: "OPTIONS",
      headers: {
        origin: "https://example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    assertEquals(response.status, 204);
    assertEquals(await response.text(), "");
    assertEquals(response.headers.get("allow"), "POST, OPTIONS");
    assertEquals(corsFields(response), [
      ["access-control-allow-headers", "Content-Type"],
      ["access-control-allow-methods", "POST, OPTIONS"],
      OPEN[0],
      OPEN[1],
      ["access-control-max-age", "86400"],
    ]);
  }
});
