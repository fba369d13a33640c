import { assertEquals } from "@std/assert";
import { isValidHost, requestPath } from "../../routes/router.ts";
import { readProblem, service } from "../helpers/service.ts";

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

Deno.test("an invalid Host is refused before it counts; the path is that of the target", async () => {
  const path = "/api/pwgen/words";
  const { handler, logged } = await service(
    ...["--rate-limit=1", "--access-log=json"],
  );
  for (
    const host of [
      "",
      "x/api/pwgen/words?",
      "x/api/pwgen/words#",
      "user@localhost",
      "a\\b",
      "a b",
      "a\tb",
    ]
  ) {
    const request = post(host, `${path}?q`);
    assertEquals(pathOf(request.url, host), path);
    await readProblem(await handler(request, "192.0.2.1"), 400, path);
    const { route, status } = JSON.parse(logged.pop()!);
    assertEquals([route, status], [null, 400]);
  }
  const admitted = await handler(post("a", path), "192.0.2.1");
  assertEquals(admitted.headers.get("ratelimit"), '"default";r=0;t=60');
});
