import { assert, assertEquals } from "@std/assert";
import {
  isJsonType,
  isStrict,
  preferredEncoding,
  prefers,
} from "../../http/negotiation.ts";
import { cases } from "../helpers/random.ts";
import { ask, postInit } from "../helpers/service.ts";
import { timeOf } from "../helpers/statistics.ts";

/** Whether a client prefers text to JSON. */
const prefersText = (accept: string | null) =>
  prefers(accept, "text/plain", ["application/json"]);

const PATH = "/api/pwgen/words";
const DOCUMENT = "/openapi/v1.json";

Deno.test("prefers() reads parameters, and no list that breaks the grammar", () => {
  const text = [
    "TEXT/Plain",
    'text/plain; Charset="UTF-8"; q=0.1',
    "text/plain;q=0.001",
    "application/json;q=0.9, text/plain;q=0.901",
    "text/plain;q=0.1, text/plain;charset=utf-8;q=0.9, application/json;q=0.5",
    // Of equal ranges the greater weight counts, and the most specific range first.
    "text/plain;q=0.2, application/json;q=0.5, text/plain;q=0.9",
    "text/plain;q=0.9, application/json;q=0.5, text/plain;q=0.2",
    "text/*;q=0.5, application/*;q=0.1, */*",
    "text/plain, application/json;q=0, */*",
    " , ,text/plain,, ",
    "text/plain;;q=1;",
    "text/plain ; q=1.000",
    'a/b;c="\\",;", text/plain',
    "text/plain;q=1;charset=utf-8", // the weight may come first
  ];
  const json = [
    null,
    "",
    ",",
    "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
    "text/plain;format=flowed", // the response is no such text
    "text/plain;charset=iso-8859-1",
    "text/plain;q=1, text/plain;charset=utf-8;q=0.1, application/json;q=0.5",
    "text/plain;q=0.5, */*",
    "text/*, text/plain;q=0.1, application/*;q=0.5",
    // Not readable.
    "text/plain;q=1.1",
    "text/plain;q=0.1234",
    "text/plain;q=",
    "text/plain;q",
    "text/plain;q=1;q=0.5",
    "text/plain text/plain",
    "text/plain, text",
    "text/plain, @/@",
    'text/plain;a="b',
    "/plain",
    "text/plain;=",
    "text/plain\u00e5",
  ];
  for (const accept of text) assert(prefersText(accept), accept);
  for (const accept of json) assert(!prefersText(accept), `${accept}`);
});

Deno.test("preferredEncoding() takes the acceptable coding with the greatest weight", () => {
  const expected: Record<string, (string | null)[]> = {
    br: [
      "gzip, deflate, br, zstd", // Chrome and Firefox
      "*",
      "br;q=0.5, identity;q=0.5, gzip;q=0.5", // a tie
      "identity;q=0.4, br;q=0.5",
      "gzip;q=0.1, *;q=0.2",
      "*;q=0, br",
      "BR;Q=0.5",
      " , ,br,, ",
      "\tbr ;\tq=1\t",
      "br;q=0, br", // the last one counts
    ],
    gzip: [
      "gzip, deflate", // Chrome over plain HTTP
      "gzip, br;q=0.999",
      "br;q=0, *",
      "*;q=0, gzip;q=0.1",
      "identity;q=0.5, gzip;q=0.5",
    ],
    identity: [
      null,
      "",
      "deflate, zstd",
      "identity, br;q=0.9, gzip;q=0.9",
      "gzip;q=0.5, br;q=0, *", // * is for identity too
      // Nothing is acceptable, so the field is ignored.
      "identity;q=0, deflate",
      "identity;q=0, *;q=0",
      // Not readable.
      "br;q=1.1",
      "br;q=",
      "br;",
      "br;level=1",
      "br;q=1;q=1",
      'br;q="1"',
      "br gzip",
      "gzip, br\u00e5",
    ],
  };
  for (const [encoding, fields] of Object.entries(expected)) {
    for (const field of fields) {
      assertEquals(preferredEncoding(field), encoding, `${field}`);
    }
  }
});

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
      const [short, long] = [shape.repeat(400), shape.repeat(6000)];
      // One long value takes as long as 15 short ones, or 15 times as long if the
      // growth is quadratic. Other load only adds to a time, so the shortest of many
      // counts. Times below 0.1 ms say nothing.
      let [one, many] = [Infinity, Infinity];
      const isLinear = () => {
        one = Math.min(one, timeOf(() => read(long)));
        const again = () => {
          for (let i = 0; i < 15; i++) read(short);
        };
        many = Math.min(many, timeOf(again));
        return one < 6 * Math.max(many, 0.1);
      };
      assert(Array(50).keys().some(isLinear), `${read} ${shape}`);
    }
  }
});
