import { assertEquals, assertStringIncludes } from "@std/assert";
import { isValidHost, requestPath } from "../../routes/router.ts";
import { ask, readProblem, service } from "../helpers/service.ts";

/** A POST as Deno.serve makes its URL: Host and request line end to end. */
function post(host: string, target: string): Request {
  return {
    method: "POST",
    url: `http://${host}${target}`,
    headers: new Headers({ "content-type": "application/json", host }),
  } as unknown as Request;
}

/** The path of a request with any Host; null without one. */
function pathOf(url: string, host: string | null): string {
  return requestPath(url, host === null || isValidHost(host) ? "" : host);
}

Deno.test("requestPath() leaves the path as it was sent", () => {
  const cases: [string, string | null, string][] = [
    ["http://localhost/a/../b//c%41?d=/e", "localhost", "/a/../b//c%41"],
    ["http://localhost/a#b?c", "localhost", "/a#b"],
    ["http://localhost", "localhost", "/"],
    ["http://localhost/a?b", null, "/a"],
    ["http://localhost:80/a", "localhost", "/a"],
    ["http://[::1]:8000/a", "[::1]:8000", "/a"],
    ["http:///a", "", "/a"],
    // A request line has no fragment, and no path hides behind one.
    ["http://b#/api/pwgen/words", "localhost", "#/api/pwgen/words"],
    ["http://b\\c/api/pwgen/words", "localhost", "\\c/api/pwgen/words"],
    ["http://other?x=/y", "localhost", "/"],
    // The authority of an absolute-form target does not depend on Host.
    ["http://evil/a", "ev", "/a"],
    ["http://evil/a", "x/y?", "/a"],
    ["http://evil/a", "x/yyyy?", "/a"],
  ];
  for (const [url, host, path] of cases) {
    assertEquals(pathOf(url, host), path, `${url} ${host}`);
  }
});

Deno.test("an invalid Host is refused; the path is that of the target", async () => {
  const { handler } = await service();
  for (
    const host of [
      "",
      "x/api/pwgen/words?",
      "x/api/pwgen/words#",
      "x?",
      "user@localhost",
      "a\\b",
      "a b",
      "a\tb",
    ]
  ) {
    const request = post(host, "/healthz?q");
    assertEquals(pathOf(request.url, host), "/healthz");
    const response = await handler(request, "192.0.2.1");
    await readProblem(response, 400, "/healthz");
  }
});

Deno.test("a request without Host is served, as every request of HTTP/2 is", async () => {
  const { handler } = await service();
  const response = await handler(
    new Request("http://localhost/healthz"),
    "192.0.2.1",
  );
  assertEquals(response.status, 200);
  await response.body?.cancel();
});

Deno.test("the Host is checked first, and its refusal does not count", async () => {
  const { handler, logged } = await service(
    ...["--rate-limit=1", "--metrics=on", "--access-log=json"],
  );
  for (const path of ["/api/pwgen/words", "/openapi/v1.json", "/nowhere"]) {
    for (let i = 0; i < 3; i++) {
      const response = await handler(post("a/b?", path), "192.0.2.1");
      const { headers } = response;
      assertEquals(headers.get("ratelimit"), null);
      assertEquals(headers.get("cache-control"), "no-store");
      assertEquals(headers.get("x-content-type-options"), "nosniff");
      await readProblem(response, 400, path);
      const { route, status } = JSON.parse(logged.pop()!);
      assertEquals([route, status], [null, 400]);
    }
  }
  const admitted = await handler(post("a", "/api/pwgen/words"), "192.0.2.1");
  assertEquals(admitted.headers.get("ratelimit"), '"default";r=0;t=60');
  const metrics = await ask("/metrics", {}, handler);
  assertStringIncludes(
    await metrics.text(),
    'pwgen_requests_total{route="other",status="400"} 9\n',
  );
});
