import { assert, assertEquals, assertMatch } from "@std/assert";
import { handlerFor, service } from "../helpers/service.ts";

const SECRET = "hunter2";

Deno.test("accessLog() logs only time, method, route, status and milliseconds", async () => {
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
    assertEquals(Object.keys(entry).join(), "time,method,route,status,ms");
    assertMatch(entry.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assertEquals(entry.method, method === SECRET ? "other" : method);
    assertEquals(entry.route, route);
    assertEquals(entry.status, status);
    assert(entry.ms >= 0 && entry.ms < 10_000);
  }
});

Deno.test("accessLog() does not log health checks, and is off by default", async () => {
  const cases: [string, string[]][] = [
    ["/healthz", ["--access-log=json"]],
    ["/x", []],
  ];
  for (const [path, flags] of cases) {
    const { handler, logged } = await service(...flags);
    await handler(new Request(`http://localhost${path}`), "192.0.2.1");
    assertEquals(logged, []);
  }
});

Deno.test("accessLog() logs the request id of a trusted proxy, and of no other peer", async () => {
  const proxy = "192.0.2.1";
  const flags = ["--access-log=json", `--trusted-proxies=${proxy}`];
  const { handler, logged } = await service(...flags);
  /** The member requestId of the line for a request. */
  const idOf = async (peer: string, headers: HeadersInit) => {
    logged.length = 0;
    await handler(new Request("http://localhost/docs", { headers }), peer);
    const entry = JSON.parse(logged[0]!);
    const hasId = Object.hasOwn(entry, "requestId");
    const names = "time,method,route,status,ms" + (hasId ? ",requestId" : "");
    assertEquals(Object.keys(entry).join(), names);
    return entry.requestId;
  };

  const uuid = "7f4df9b7-1d6f-4b5f-9c0e-1f7a4d2f9a10";
  const allowed = [uuid, "Root=1-67891233:abc/_.+@x", "a", "x".repeat(128)];
  for (const id of allowed) {
    const headers = { "x-request-id": id };
    assertEquals(await idOf(proxy, headers), id);
    for (const peer of ["192.0.2.2", "::1", "127.0.0.1"]) {
      assertEquals(await idOf(peer, headers), undefined);
      // Only the peer counts, whatever the client claims.
      const forwarded = { ...headers, "x-forwarded-for": proxy };
      assertEquals(await idOf(peer, forwarded), undefined);
    }
  }

  // All other characters that a field may have: RFC 9110, section 5.5.
  for (let code = 0x20; code < 0x100; code++) {
    const character = String.fromCharCode(code);
    if (code === 0x7f || /[\w.:/+=@-]/.test(character)) continue;
    const headers = { "x-request-id": `a${character}b` };
    assertEquals(await idOf(proxy, headers), undefined, character);
  }
  assertEquals(await idOf(proxy, {}), undefined);
  for (const id of ["", "x".repeat(129)]) {
    assertEquals(await idOf(proxy, { "x-request-id": id }), undefined);
  }
  const twice = ["a", "b"].map((id): [string, string] => ["x-request-id", id]);
  assertEquals(await idOf(proxy, twice), undefined);
});

Deno.test("accessLog() gives its request id to the line of an internal error", async () => {
  const lines: [level: string, requestId: string | undefined][] = [];
  const handler = await handlerFor(
    ["--access-log=json", "--trusted-proxies=192.0.2.1"],
    {
      log: (level, _line, requestId) => lines.push([level, requestId]),
      limiter: { size: 0, evicted: 0, admit: () => Promise.reject(SECRET) },
    },
  );
  for (const peer of ["192.0.2.1", "192.0.2.2"]) {
    const request = new Request("http://localhost/api/pwgen/words", {
      method: "POST",
      headers: { "x-request-id": "the-request" },
    });
    assertEquals((await handler(request, peer)).status, 500);
  }
  assertEquals(lines, [
    ["error", "the-request"],
    ["access", undefined], // the line contains it
    ["error", undefined],
    ["access", undefined],
  ]);
});
