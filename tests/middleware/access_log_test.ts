import { assertEquals } from "@std/assert";
import { service } from "../helpers/service.ts";

Deno.test("requestId() takes no id with another character", async () => {
  const flags = ["--access-log=json", "--trusted-proxies=192.0.2.1"];
  const { handler, logged } = await service(...flags);
  // All other characters that a field may have: RFC 9110, section 5.5.
  for (let code = 0x20; code < 0x100; code++) {
    const character = String.fromCharCode(code);
    if (code === 0x7f || /[\w.:/+=@-]/.test(character)) continue;
    const headers = { "x-request-id": `a${character}b` };
    const request = new Request("http://localhost/docs", { headers });
    await handler(request, "192.0.2.1");
    assertEquals(JSON.parse(logged.pop()!).requestId, undefined, character);
  }
});
