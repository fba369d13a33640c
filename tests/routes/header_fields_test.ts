import { assert, assertEquals } from "@std/assert";
import { ask, postInit } from "../helpers/service.ts";

const DOCUMENT = "/openapi/v1.json";
const WORDS = "/api/pwgen/words";

Deno.test("headerField() ignores a field of more than 1,000 characters", async () => {
  const etag = (await ask(DOCUMENT)).headers.get("etag")!;
  /** Path, field, a valid value, what prolongs it, and more of the request. */
  const cases: [string, string, string, string, RequestInit][] = [
    ["/", "accept-language", "sv", ", a", {}],
    [DOCUMENT, "accept-encoding", "br", ", a", {}],
    [DOCUMENT, "if-none-match", etag, ", a", {}],
    [WORDS, "content-type", "application/json", ";a=b", {
      method: "POST",
      body: "{}",
    }],
    [WORDS, "accept", "text/plain", ", a/b", postInit()],
  ];
  for (const [path, field, value, more, init] of cases) {
    /** What the field changes in a response. */
    const response = async (value?: string) => {
      const headers = new Headers(init.headers);
      if (value !== undefined) headers.set(field, value);
      const response = await ask(path, { ...init, headers });
      await response.body?.cancel();
      const names = ["content-language", "content-encoding", "content-type"];
      const fields = names.map((name) => response.headers.get(name));
      return [response.status, ...fields];
    };
    const [read, unread] = [await response(value), await response()];
    assert(String(read) !== String(unread), field);
    assertEquals(await response(value.padEnd(1000, more)), read, field);
    assertEquals(await response(value.padEnd(1001, more)), unread, field);
  }
});
