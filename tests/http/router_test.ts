import { assertEquals, assertStringIncludes } from "@std/assert";
import { isValidHost, requestPath } from "../../http/router.ts";
import { ask, readProblem } from "../helpers/service.ts";

Deno.test("router() knows neither folders nor inherited names", async () => {
  await readProblem(await ask("/page"), 404, "/page");
  await readProblem(await ask("/constructor"), 404, "/constructor");
});

Deno.test("router() redirects /docs/ to /docs, without the query string", async () => {
  const { status, headers } = await ask("/docs/?length=hunter2");
  assertEquals([status, headers.get("location")], [308, "../docs"]);
});

Deno.test("router() refuses other methods with 405 and Allow, and names /docs", async () => {
  const allowed = {
    "/api/pwgen/words": "POST, OPTIONS",
    "/healthz": "GET, OPTIONS, HEAD",
    "/": "GET, OPTIONS, HEAD",
    "/docs": "GET, HEAD",
  };
  for (const [path, methods] of Object.entries(allowed)) {
    for (const method of ["PUT", "BREW", "constructor"]) {
      const response = await ask(path, { method });
      assertEquals(response.headers.get("allow"), methods);
      const { detail } = await readProblem(response, 405, path);
      assertStringIncludes(detail, "the page /docs describes the API");
    }
  }
});

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
