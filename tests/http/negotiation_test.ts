import { assert, assertEquals } from "@std/assert";
import {
  isIdentity,
  isJsonType,
  isStrict,
  preferredEncoding,
  prefers,
} from "../../http/negotiation.ts";
import { cases } from "../helpers/random.ts";
import { ask, postInit } from "../helpers/service.ts";
import { timeOf } from "../helpers/statistics.ts";

/** Whether a client prefers text to JSON. */
const prefersText = (accept: string) =>
  prefers(accept, "text/plain", ["application/json"]);

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

Deno.test("no header field makes a pattern search a part of it again and again", () => {
  const readers: ((value: string) => unknown)[] = [
    isIdentity,
    isJsonType,
    preferredEncoding,
    prefersText,
    isStrict,
    (value) => isStrict(`handling${value}`),
    (value) => isJsonType(`application/json;${value}`),
    (value) => prefersText(`text/plain;${value}`),
  ];
  const parts = ['"', "\\", " ", ";", ",", "=", "a", "a/b", "+"];
  const longer = (all: string[]) =>
    all.flatMap((one) => parts.map((two) => one + two));
  const pairs = longer(parts);
  const triples = longer(pairs).filter((_, i) => i % 10 < cases(10));
  const shapes = [...parts, ...pairs, ...triples];
  for (const read of readers) {
    for (const shape of shapes) {
      // 10,000 pairs, such as "; ", or as long.
      const long = shape.repeat(20_000 / shape.length);
      const short = long.slice(0, 1000);
      // One long value takes as long as 20 short ones, or 20 times as long if the
      // growth is quadratic. Other load only adds to a time, so the shortest of many
      // counts. Times below 0.1 ms say nothing.
      let [one, many] = [Infinity, Infinity];
      const isLinear = () => {
        one = Math.min(one, timeOf(() => read(long)));
        const again = () => {
          for (let i = 0; i < 20; i++) read(short);
        };
        many = Math.min(many, timeOf(again));
        return one < 6 * Math.max(many, 0.1);
      };
      assert(Array(50).keys().some(isLinear), `${read} ${shape}`);
    }
  }
});
