import { assert, assertEquals } from "@std/assert";
import { API } from "../../routes/api/mod.ts";
import { preferredEncoding, prefers } from "../../routes/negotiation.ts";
import { WORDLISTS } from "../../wordlists/mod.ts";
import { exactBits } from "../helpers/entropy.ts";
import { expectedPhrases } from "../oracle.ts";
import {
  ask,
  FAILING,
  handlerFor,
  post,
  postInit,
  readErrors,
  service,
} from "../helpers/service.ts";

/** Whether a client prefers text to JSON. */
const prefersText = (accept: string | null) =>
  prefers(accept, "text/plain", ["application/json"]);

const PATH = "/api/pwgen/words";
const DOCUMENT = "/openapi/v1.json";

Deno.test("prefers() compares the qualities of text and JSON", () => {
  const text = [
    "text/plain",
    "text/*",
    "TEXT/Plain",
    "text/plain;charset=utf-8",
    'text/plain; Charset="UTF-8"; q=0.1',
    "text/plain;q=0.001",
    "text/plain, application/json;q=0.9",
    "application/json;q=0.9, text/plain;q=0.901",
    "text/plain, */*;q=0.1",
    "*/*, application/json;q=0.5", // */* gives text the quality 1
    "*/*;q=0.5, text/plain;q=0.6",
    "application/*;q=0.4, text/*;q=0.5",
    "text/*;q=0.1, text/plain;q=0.9, application/json;q=0.5",
    "text/plain;q=0.1, text/plain;charset=utf-8;q=0.9, application/json;q=0.5",
    "*/*, application/json;q=0", // all but JSON
    " , ,text/plain,, ",
    "text/plain;;q=1;",
    "text/plain ; q=1.000",
    "q/q, text/plain",
    'a/b;c="\\",;", text/plain',
    "text/plain;q=1;charset=utf-8", // the weight may come first
  ];
  const json = [
    null,
    "",
    " ",
    ",",
    "*/*",
    "application/json",
    "text/plain, */*", // a tie
    "text/plain, application/json",
    "text/plain;q=0.5, */*;q=0.5",
    "text/*, application/*",
    "text/html",
    "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
    "text/plain;q=0",
    "text/plain;q=0, application/json;q=0",
    "text/plain;q=0.5, application/json",
    "text/plain;format=flowed", // the response is no such text
    "text/plain;charset=iso-8859-1",
    "text/*, text/plain;q=0.1, application/json;q=0.2", // the exact range counts
    "text/plain;q=1, text/plain;charset=utf-8;q=0.1, application/json;q=0.5",
    "*/*;q=0.1, application/*",
    "image/png",
    // Not readable.
    "text/plain;q=1.1",
    "text/plain;q=0.1234",
    "text/plain;q=-1",
    "text/plain;q=",
    "text/plain;q",
    "text/plain;q=1;q=0.5",
    "text/plain text/plain",
    "text/plain, text",
    "text/plain, @/@",
    'text/plain;a="b',
    "text",
    "/plain",
    "text/",
    "text/plain;=",
    "text/plain\u00e5",
  ];
  for (const accept of text) assert(prefersText(accept), accept);
  for (const accept of json) assert(!prefersText(accept), `${accept}`);
});

/** The quality of a type for ranges without parameters, by trying each range. */
function qualityOf(type: string, ranges: readonly [string, number][]): number {
  for (const range of [type, `${type.split("/")[0]}/*`, "*/*"]) {
    const weights = ranges.filter(([name]) => name === range)
      .map(([, weight]) => weight);
    if (weights.length > 0) return Math.max(...weights);
  }
  return 0;
}

Deno.test("prefers() agrees with a second program for every list of three ranges", () => {
  const names = "text/plain text/* application/json application/* */* a/b"
    .split(" ");
  const ranges = names.flatMap((name) =>
    [0, 0.5, 1].map((weight): [string, number] => [name, weight])
  );
  let lists = 0;
  for (const first of ranges) {
    for (const second of ranges) {
      for (const third of ranges) {
        const list = [first, second, third];
        const accept = list.map(([name, q]) => `${name};q=${q}`).join(", ");
        assertEquals(
          prefersText(accept),
          qualityOf("text/plain", list) > qualityOf("application/json", list),
          accept,
        );
        lists++;
      }
    }
  }
  assertEquals(lists, 18 ** 3);
});

Deno.test("preferredEncoding() takes the acceptable coding with the greatest weight", () => {
  const expected: Record<string, (string | null)[]> = {
    br: [
      "br",
      "BR",
      "gzip, deflate, br, zstd", // Chrome and Firefox
      "gzip, br",
      "*",
      "*;q=0.001",
      "br;q=1.000, gzip;q=0.999",
      "br;q=0.5, identity;q=0.5, gzip;q=0.5", // a tie
      "identity;q=0.4, br;q=0.5",
      "gzip;q=0.1, *;q=0.2",
      "identity;q=0, br;q=0.001",
      "identity;q=0, *",
      "*;q=0, br",
      "br;Q=0.5",
      " , ,br,, ",
      "\tbr ;\tq=1\t",
      "br;q=0, br", // the last one counts
    ],
    gzip: [
      "gzip",
      "gzip, deflate", // Chrome over plain HTTP
      "gzip;q=0.5",
      "gzip, br;q=0.999",
      "br;q=0, gzip;q=0.1",
      "br;q=0, *",
      "gzip, *;q=0.5",
      "*;q=0, gzip;q=0.1",
      "identity;q=0, gzip;q=0.1",
      "identity;q=0.5, gzip;q=0.5",
    ],
    identity: [
      null,
      "",
      " ",
      ",",
      "identity",
      "deflate, zstd",
      "identity, br;q=0.9, gzip;q=0.9",
      "identity, *;q=0.5",
      "gzip;q=0.5, br;q=0, *", // * is for identity too
      "br;q=0",
      "br;q=0.000, gzip;q=0.",
      // Nothing is acceptable, so the field is ignored.
      "*;q=0",
      "identity;q=0",
      "identity;q=0, deflate",
      "identity;q=0, *;q=0",
      // Not readable.
      "br;q=1.1",
      "br;q=0.1234",
      "br;q=-1",
      "br;q=",
      "br;q",
      "br;",
      "br;level=1",
      "br;q=1;q=1",
      "br;q=1;level=1",
      "br; q = 1",
      'br;q="1"',
      "br gzip",
      "br/gzip",
      "br, @",
      "gzip, br\u00e5",
      "br,\u00a0",
    ],
  };
  for (const [encoding, fields] of Object.entries(expected)) {
    for (const field of fields) {
      assertEquals(preferredEncoding(field), encoding, `${field}`);
    }
  }
});

Deno.test("headerField() ignores a field of more than 1,000 characters", async () => {
  const etag = (await ask(DOCUMENT)).headers.get("etag")!;
  /** Path, field, a valid value, what prolongs it, and more of the request. */
  const cases: [string, string, string, string, RequestInit][] = [
    ["/", "accept-language", "sv", ", a", {}],
    [DOCUMENT, "accept-encoding", "br", ", a", {}],
    [DOCUMENT, "if-none-match", etag, ", a", {}],
    [PATH, "content-type", "application/json", ";a=b", {
      method: "POST",
      body: "{}",
    }],
    [PATH, "accept", "text/plain", ", a/b", postInit()],
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

Deno.test("a client that prefers text gets the password and nothing else", async () => {
  const body = { language: "en", numberLength: 0, separator: "-" };
  const response = await post(PATH, body, { accept: "text/plain" });
  const password = await response.text();
  assertEquals(response.status, 200);
  for (const word of password.split("-")) {
    assert(WORDLISTS.en.words.includes(word.toLowerCase()), word);
  }
  const { headers } = response;
  assertEquals(headers.get("content-type"), "text/plain; charset=utf-8");
  assertEquals(headers.get("vary"), "Accept");
  assertEquals(headers.get("cache-control"), "no-store");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("ratelimit-policy"), '"default";q=60;w=60');
  const { count } = expectedPhrases({
    ...{ language: "en", wordCount: 4, numberLength: 0 },
    numberPosition: "before",
  });
  assertEquals(headers.get("entropy-bits"), exactBits(count));
});

Deno.test("an error is problem+json, also for a client that prefers text", async () => {
  const response = await post(PATH, { casing: "x" }, { accept: "text/plain" });
  await readErrors(response, PATH, "casing");
});

Deno.test("every response of the three paths has Vary: Accept", async () => {
  const limited = await service("--rate-limit=1");
  const failing = await handlerFor([], FAILING);
  for (const path of Object.keys(API)) {
    const responses: [status: number, Promise<Response>][] = [
      [200, post(path, {})],
      [400, post(path, { numberLength: -1, length: -1 })],
      [400, post(path, "")],
      [405, ask(path)],
      [413, post(path, " ".repeat(20_000), { "content-length": "20000" })],
      [415, post(path, "{}", { "content-type": "text/plain" })],
      [204, ask(path, { method: "OPTIONS" })],
      [500, ask(path, postInit(), failing)],
    ];
    for (const [status, promise] of responses) {
      const response = await promise;
      assertEquals(response.status, status);
      assertEquals(response.headers.get("vary"), "Accept", `${status}`);
    }
  }
  const statuses = [];
  for (let i = 0; i < 2; i++) {
    const request = new Request(`http://localhost${PATH}`, postInit());
    const response = await limited.handler(request, "192.0.2.1");
    statuses.push(response.status);
    assertEquals(response.headers.get("vary"), "Accept");
  }
  assertEquals(statuses, [200, 429]);
  assertEquals((await ask("/healthz")).headers.get("vary"), null);
});
