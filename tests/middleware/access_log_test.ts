import { assert, assertEquals } from "@std/assert";
import { service } from "../helpers/service.ts";

const SECRET = "hunter2";

Deno.test("accessLog() logs only time, level, method, route, status and milliseconds", async () => {
  const { handler, logged } = await service("--access-log=json");
  const words = "/api/pwgen/words";
  const cases: [string, string, string | null, string | null][] = [
    ["POST", `${words}?password=${SECRET}`, `{"casing":"${SECRET}"}`, words],
    ["OPTIONS", words, null, words],
    ["POST", `/api/${SECRET}`, SECRET, null],
    ["DELETE", "/healthz/", null, null],
    [SECRET, words, null, words],
  ];
  for (const [method, path, body, route] of cases) {
    logged.length = 0;
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { "cookie": SECRET, "x-request-id": SECRET },
      body,
    });
    const { status } = await handler(request, "127.0.0.77");
    assertEquals(logged.length, 1);
    const [line] = logged;
    assert(!line!.includes(SECRET) && !line!.includes("127.0.0"), line);
    const entry = JSON.parse(line!);
    assertEquals(
      Object.keys(entry).join(),
      "time,level,method,route,status,ms",
    );
    assertEquals(new Date(entry.time).toISOString(), entry.time);
    assertEquals(entry.level, "info");
    assertEquals(entry.method, method === SECRET ? "other" : method);
    assertEquals(entry.route, route);
    assertEquals(entry.status, status);
    assert(entry.ms >= 0);
  }
});

Deno.test("accessLog() logs neither health checks nor metrics, and is off by default", async () => {
  const cases: [string, string[]][] = [
    ["/healthz", ["--access-log=json"]],
    ["/metrics", ["--access-log=json", "--metrics=on"]],
    ["/x", []],
  ];
  for (const [path, flags] of cases) {
    const { handler, logged } = await service(...flags);
    await handler(new Request(`http://localhost${path}`), "192.0.2.1");
    assertEquals(logged, []);
  }
});
