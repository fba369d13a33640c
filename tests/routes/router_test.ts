import { assertEquals } from "@std/assert";
import { requestPath } from "../../routes/request_path.ts";
import {
  ask,
  post,
  readPassword,
  readProblem,
  service,
} from "../helpers/service.ts";

const PATHS = ["characters", "words", "sentence"].map((name) =>
  `/api/pwgen/${name}`
);
const JSON_TYPE = { "content-type": "application/json" };

Deno.test("router() knows the paths byte for byte", async () => {
  for (const path of PATHS) {
    await readPassword(await post(path, {}), path.split("/").pop()!);
    for (
      const other of [
        path + "/",
        path.toUpperCase(),
        path.replace("pwgen", "Pwgen"),
        path.replace("w", "%77"),
        path.replace("/pwgen", "//pwgen"),
        "/" + path,
        path + "%20",
        path + ";x",
        path.slice(0, -1),
      ]
    ) {
      await readProblem(await post(other, {}), 404, other);
    }
  }
  await readProblem(await ask("/page"), 404, "/page");
  await readProblem(await ask("/constructor"), 404, "/constructor");
});

Deno.test("router() answers other methods with 405 and Allow", async () => {
  for (const path of PATHS) {
    for (const method of ["GET", "PUT", "PATCH", "DELETE", "BREW"]) {
      const response = await ask(path, { method });
      assertEquals(response.headers.get("allow"), "POST, OPTIONS");
      await readProblem(response, 405, path);
    }
  }
  for (const method of ["POST", "OPTIONS", "constructor"]) {
    const response = await ask("/healthz", { method });
    assertEquals(response.headers.get("allow"), "GET, HEAD");
    await readProblem(response, 405, "/healthz");
  }
});

Deno.test("router() does not repeat a path of more than 200 characters", async () => {
  for (const [length, repeats] of [[200, true], [201, false]] as const) {
    const path = `/${"x".repeat(length - 1)}`;
    const { instance } = await (await ask(path)).json();
    assertEquals(instance, repeats ? path : null);
  }
});

Deno.test("router() never reads a query string", async () => {
  for (const path of PATHS) {
    for (const query of ["?", "?length=3", "?wordCount=x&language=en", "?/"]) {
      await readPassword(await post(path + query, {}), path.split("/").pop()!);
    }
    const response = await post(`${path}?length=3`, { casing: 1, length: 0 });
    assertEquals((await response.json()).instance, path);
  }
});

Deno.test("router() refuses a Host that is no host, under the path of the request line", async () => {
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
    // As Deno.serve hands it over: Host and request line end to end.
    const request = {
      method: "POST",
      url: `http://${host}/healthz?q`,
      headers: new Headers({ ...JSON_TYPE, host }),
    } as unknown as Request;
    assertEquals(requestPath(request.url, host), "/healthz");
    const { handler } = await service();
    const response = await handler(request, "192.0.2.1");
    await readProblem(response, 400, "/healthz");
  }
});

Deno.test("router() counts a POST whose Host is no host like any other", async () => {
  const { handler } = await service("--rate-limit=1");
  for (const status of [400, 429]) {
    const request = {
      method: "POST",
      url: `http://a/b?${PATHS[0]}`,
      headers: new Headers({ ...JSON_TYPE, host: "a/b?" }),
    } as unknown as Request;
    const response = await handler(request, "192.0.2.1");
    assertEquals(response.headers.get("ratelimit"), '"default";r=0;t=60');
    await readProblem(response, status, PATHS[0]!);
  }
});

Deno.test("requestPath() leaves the path as it was sent", () => {
  const of = (url: string, host = "localhost") => requestPath(url, host);
  assertEquals(of("http://localhost/a/../b//c%41?d=/e"), "/a/../b//c%41");
  assertEquals(of("http://localhost/a#b?c"), "/a#b");
  assertEquals(of("http://localhost"), "/");
  // No fragment belongs in a request line, and no path hides behind one.
  assertEquals(of("http://b#/api/pwgen/words"), "#/api/pwgen/words");
  assertEquals(of("http://b\\c/api/pwgen/words"), "\\c/api/pwgen/words");
  assertEquals(of("http://other?x=/y", "localhost"), "/");
  assertEquals(of("http://[::1]:8000/a", "[::1]:8000"), "/a");
  // Host is no part of an absolute-form target's authority.
  assertEquals(of("http://evil/a", "ev"), "/a");
  assertEquals(of("http://evil/a", "x/y?"), "/a");
  assertEquals(requestPath("http://localhost/a?b", null), "/a");
  assertEquals(of("http://localhost:80/a", "localhost"), "/a");
  assertEquals(of("http:///a", ""), "/a");
});

Deno.test("health() answers GET and HEAD", async () => {
  const response = await ask("/healthz");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(await response.json(), { status: "ok" });
  assertEquals((await ask("/healthz", { method: "HEAD" })).status, 200);
  assertEquals((await ask("/healthz?deep=true")).status, 200);
});
