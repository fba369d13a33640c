import { assert, assertEquals, assertMatch } from "@std/assert";
import { service } from "../helpers/service.ts";

const SECRET = "hunter2";

Deno.test("accessLog() writes time, method, route, status and milliseconds, nothing else", async () => {
  const { handler, logged } = await service("--access-log=json");
  const ask = async (method: string, path: string, body?: string) => {
    const init: RequestInit = { method, headers: { cookie: SECRET } };
    if (body !== undefined) init.body = body;
    const request = new Request(`http://localhost${path}`, init);
    const response = await handler(request, "192.0.2.77");
    await response.body?.cancel();
    return response.status;
  };
  const words = "/api/pwgen/words";
  const cases: [string, string, string | undefined, string | null][] = [
    ["POST", `${words}?password=${SECRET}`, `{"casing":"${SECRET}"}`, words],
    ["OPTIONS", words, undefined, words],
    ["POST", `/api/${SECRET}`, SECRET, null],
    ["DELETE", "/healthz/", undefined, null],
    [SECRET, words, undefined, words],
  ];
  for (const [method, path, body, route] of cases) {
    logged.length = 0;
    const status = await ask(method, path, body);
    assertEquals(logged.length, 1);
    const [line] = logged;
    assert(!line!.includes(SECRET) && !line!.includes("192.0.2"), line);
    const entry = JSON.parse(line!);
    assertEquals(Object.keys(entry), [
      "time",
      "method",
      "route",
      "status",
      "ms",
    ]);
    assertMatch(entry.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assertEquals(entry.method, method === SECRET ? "other" : method);
    assertEquals(entry.route, route);
    assertEquals(entry.status, status);
    assert(entry.ms >= 0 && entry.ms < 10_000);
  }
});

Deno.test("accessLog() leaves out health checks, and is off by default", async () => {
  const on = await service("--access-log=json");
  await on.handler(new Request("http://localhost/healthz"), "192.0.2.1");
  assertEquals(on.logged, []);
  const off = await service();
  await off.handler(new Request("http://localhost/x"), "192.0.2.1");
  assertEquals(off.logged, []);
});
