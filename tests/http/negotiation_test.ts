import { assert, assertEquals } from "@std/assert";
import { isStrict } from "../../http/negotiation.ts";
import { ask, postInit } from "../helpers/service.ts";

const PATH = "/api/pwgen/words";
const DOCUMENT = "/openapi/v1.json";

Deno.test("isStrict() takes the first handling of Prefer (RFC 7240)", () => {
  const strict = [
    "handling=strict",
    "Handling = Strict",
    'handling="strict"',
    "respond-async, wait=10,handling=strict; a=b",
    "handling=strict;",
    'a="handling=lenient, b", handling=strict',
    ",, handling=strict",
    "handling=strict, handling=lenient",
  ];
  const lenient = [
    null,
    "",
    "handling",
    "handling=lenient",
    "handling=",
    "strict",
    "handling=lenient, handling=strict",
    "xhandling=strict",
    "handling=strictly",
    'a="b, handling=strict"',
    "handling=strict x",
    "handling, handling=strict",
  ];
  for (const prefer of strict) assert(isStrict(prefer), prefer);
  for (const prefer of lenient) assert(!isStrict(prefer), `${prefer}`);
});

Deno.test("headerField() ignores a field of more than 256 characters", async () => {
  const etag = (await ask(DOCUMENT)).headers.get("etag")!;
  /** Path, field, a valid value, what prolongs it, and more of the request. */
  const cases: [string, string, string, string, RequestInit][] = [
    ["/", "accept-language", "sv", ",", {}],
    [DOCUMENT, "accept-encoding", "br", ",", {}],
    [DOCUMENT, "if-none-match", etag, ",", {}],
    [PATH, "content-type", "application/json", ";", {
      method: "POST",
      body: "{}",
    }],
    [PATH, "accept", "text/plain", ",", postInit()],
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
    assertEquals(await response(value.padEnd(256, more)), read, field);
    assertEquals(await response(value.padEnd(257, more)), unread, field);
  }
});
