import { assertEquals } from "@std/assert";
import { FAILING, handlerFor, postInit, service } from "../helpers/service.ts";

Deno.test("requestId() takes the id of a trusted proxy, and of no other peer", async () => {
  const proxy = "192.0.2.1";
  const flags = ["--access-log=json", `--trusted-proxies=${proxy}`];
  const { handler, logged } = await service(...flags);
  /** The member requestId of the line for a request. */
  const idOf = async (peer: string, headers: HeadersInit) => {
    logged.length = 0;
    await handler(new Request("http://localhost/docs", { headers }), peer);
    const entry = JSON.parse(logged[0]!);
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

Deno.test("requestId() gives the id to the line of an internal error", async () => {
  const lines: [level: string, requestId: string | undefined][] = [];
  const handler = await handlerFor(["--trusted-proxies=192.0.2.1"], {
    log: (level, _line, requestId) => lines.push([level, requestId]),
    ...FAILING,
  });
  const headers = { "x-request-id": "the-request" };
  for (const peer of ["192.0.2.1", "192.0.2.2"]) {
    const init = postInit("{}", headers);
    const request = new Request("http://localhost/api/pwgen/words", init);
    assertEquals((await handler(request, peer)).status, 500);
  }
  assertEquals(lines, [["error", "the-request"], ["error", undefined]]);
});
