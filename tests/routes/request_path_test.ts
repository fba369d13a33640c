import { assertEquals } from "@std/assert";
import { requestPath } from "../../routes/request_path.ts";
import { readProblem, service } from "../helpers/service.ts";

/** A POST as Deno.serve makes its URL: Host and request line end to end. */
function post(host: string, target: string): Request {
  return {
    method: "POST",
    url: `http://${host}${target}`,
    headers: new Headers({ "content-type": "application/json", host }),
  } as unknown as Request;
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
    assertEquals(requestPath(url, host), path, `${url} ${host}`);
  }
});

Deno.test("requireValidHost() refuses an invalid Host; the path is that of the target", async () => {
  const { handler } = await service();
  for (
    const host of [
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
    assertEquals(requestPath(request.url, host), "/healthz");
    const response = await handler(request, "192.0.2.1");
    await readProblem(response, 400, "/healthz");
  }
});

Deno.test("requireValidHost() refuses a POST only after the rate limiter has counted it", async () => {
  const { handler } = await service("--rate-limit=1");
  const path = "/api/pwgen/words";
  for (const status of [400, 429]) {
    const response = await handler(post("a/b?", path), "192.0.2.1");
    assertEquals(response.headers.get("ratelimit"), '"default";r=0;t=60');
    await readProblem(response, status, path);
  }
});
