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
  const { handler } = await service();
  const failing = await handlerFor([], {
    log: () => {},
    limiter: { size: 0, evicted: 0, admit: () => Promise.reject("broken") },
  });
  const invalidHost = { headers: { host: "a/b" } };
  const statuses = new Set<number>();
  for (const path of [...API, "/openapi/v1.json"]) {
    for (const init of [{}, { method: "HEAD" }, postInit(), invalidHost]) {
      for (const chosen of [handler, failing]) {
        const response = await ask(path, init, chosen);
        assertEquals(corsFields(response), OPEN);
        statuses.add(response.status);
      }
    }
  }
  assertEquals([...statuses].sort(), [200, 400, 405, 500]);
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
