import { assert, assertEquals } from "@std/assert";
import {
  MAX_BODY_BYTES,
  MAX_PENDING_BODIES,
  readJsonObject,
  TOO_MANY_PENDING_BODIES,
} from "../../../routes/api/body.ts";
import { Problem } from "../../../routes/problem.ts";
import {
  ask,
  post,
  readErrors,
  readPassword,
  readProblem,
} from "../../helpers/service.ts";

const PATH = "/api/pwgen/characters";
const encoder = new TextEncoder();

/** A body that comes in pieces, and then perhaps never ends. */
function stream(
  pieces: (string | Uint8Array)[],
  ends = true,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece !== undefined) {
        controller.enqueue(
          typeof piece === "string" ? encoder.encode(piece) : piece,
        );
      } else if (ends) controller.close();
      return ends || piece !== undefined ? undefined : new Promise(() => {});
    },
  });
}

function request(
  body: BodyInit | null,
  headers: Record<string, string> = { "content-type": "application/json" },
): Request {
  return new Request(`http://localhost${PATH}`, {
    method: "POST",
    headers,
    body,
  });
}

async function statusOf(
  body: BodyInit | null,
  headers?: Record<string, string>,
): Promise<number> {
  const read = await readJsonObject(request(body, headers), 50);
  return read instanceof Problem ? read.status : 200;
}

Deno.test("readJsonObject() takes application/json and application/*+json in UTF-8", async () => {
  for (
    const type of [
      "application/json",
      "APPLICATION/JSON",
      "application/json; charset=utf-8",
      "application/json;charset=UTF-8",
      'application/json; charset="utf-8"',
      "application/json; profile=x",
      "application/vnd.api+json",
      "application/problem+JSON; charset=Utf-8",
      "application/json; charset=utf-8; charset=UTF-8",
      'application/json ; a=b;; c="d;\\"e"; charset=utf-8',
    ]
  ) {
    assertEquals(await statusOf("{}", { "content-type": type }), 200, type);
  }
});

Deno.test("readJsonObject() refuses any other media type with 415, and none", async () => {
  for (
    const type of [
      "text/plain",
      "text/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "application/+json",
      "application/json+xml",
      "application/json, application/json",
      "application/json; charset=iso-8859-1",
      "application/json; charset=utf8",
      "application/json; charset=utf-16",
      "application/json; charset=",
      "application/json; charset",
      "application/json; charset =utf-8",
      "application/json; charset=utf-8; charset=latin1",
      'application/json; charset="utf-8',
      "application/json; a=1, text/plain",
      "application/json x",
      "json",
      "*/*",
      "",
    ]
  ) {
    assertEquals(await statusOf("{}", { "content-type": type }), 415, type);
  }
  const bytes = encoder.encode("{}"); // no Content-Type of its own
  assertEquals(await statusOf(bytes, {}), 415);
});

Deno.test("readJsonObject() answers an empty or blank body with 400, whatever the media type", async () => {
  const types = ["application/json", "text/plain", undefined];
  for (const type of types) {
    const headers: Record<string, string> = type
      ? { "content-type": type }
      : {};
    for (const blank of ["", " ", "\r\n\t "]) {
      const bytes = encoder.encode(blank);
      for (
        const body of [
          bytes,
          stream([...bytes].map((b) => Uint8Array.of(b))),
        ]
      ) {
        const response = await ask(PATH, { method: "POST", headers, body });
        const { $ } = await readErrors(response, PATH, "$");
        assert(/empty|blank/.test($![0]!));
      }
    }
    const response = await ask(PATH, { method: "POST", headers });
    await readErrors(response, PATH, "$");
    const announced = { ...headers, "content-length": "0" };
    const zero = await ask(PATH, { method: "POST", headers: announced });
    await readErrors(zero, PATH, "$");
  }
});

Deno.test("readJsonObject() regards only white space of JSON as blank", async () => {
  const plain = { "content-type": "text/plain" };
  for (
    const bytes of [
      [0x0b],
      [0xc2, 0xa0],
      [0x00],
    ]
  ) {
    assertEquals(await statusOf(Uint8Array.from(bytes), plain), 415);
  }
});

Deno.test("readJsonObject() stops reading blanks of another media type at 16 KiB", async () => {
  const plain = { "content-type": "text/plain" };
  const flood = stream(Array(17).fill(" ".repeat(1024)), false);
  const start = performance.now();
  const read = await readJsonObject(request(flood, plain));
  assert(read instanceof Problem && read.status === 415);
  assert(performance.now() - start < 5000, "waited for the end of the body");
});

Deno.test("readJsonObject() answers what is no JSON object with 400 under $", async () => {
  for (
    const text of [
      "[]",
      "[{}]",
      '"{}"',
      "1",
      "null",
      "true",
      "{",
      "{}}",
      "{'length':1}",
      "{length:1}",
      '{"length":1,}',
      "{}//",
      "NaN",
      "undefined",
      '{"length":01}',
      '{"a":"\n"}',
      "\u00a0",
      "\v",
      "{}\u00a0",
      "\u0000",
      "\ufeff\ufeff{}",
      "[".repeat(8000),
    ]
  ) {
    const { $ } = await readErrors(await post(PATH, text), PATH, "$");
    // The parser's own words would repeat a part of the body.
    assertEquals($!.length, 1);
    assert(
      /^The body is (blank or not JSON|JSON, but not an)/.test($![0]!),
      $![0],
    );
  }
});

Deno.test("readJsonObject() replaces bytes that are not UTF-8 with U+FFFD", async () => {
  const invalid = [
    [0xff],
    [0xc0, 0x80],
    [0xc3],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xf4, 0x90, 0x80, 0x80],
    [0x80],
  ];
  const json = (before: string, bytes: number[], after: string) =>
    Uint8Array.of(
      ...encoder.encode(before),
      ...bytes,
      ...encoder.encode(after),
    );
  for (const bytes of invalid) {
    for (const pad of ["", " "]) {
      // In what is ignored, in the value of a field, and outside of strings.
      const ignored = json('{"x":"', bytes, `"${pad}}`);
      await readPassword(await post(PATH, ignored), "characters");
      const value = json('{"length":"', bytes, `"${pad}}`);
      await readErrors(await post(PATH, value), PATH, "length");
      const outside = json("{", bytes, `${pad}}`);
      await readErrors(await post(PATH, outside), PATH, "$");
    }
  }
  const utf16 = Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0);
  await readErrors(await post(PATH, utf16), PATH, "$");
});

Deno.test("readJsonObject() treats bodies with and without Content-Length alike", async () => {
  const texts = ["{}", " {} ", "", " ", "[]", "null", '""', "{", "{}}", "no"];
  for (const text of [...texts, '{"length":"\xff"}']) {
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const read = async (headers = {}) => {
      const result = await readJsonObject(
        request(stream([bytes]), {
          "content-type": "application/json",
          ...headers,
        }),
      );
      return result instanceof Problem ? result.status : result;
    };
    const announced = await read({ "content-length": String(bytes.length) });
    assertEquals(announced, await read(), JSON.stringify(text));
  }
});

Deno.test("readJsonObject() takes a body of 16 KiB and none larger", async () => {
  const fits = "{}".padEnd(MAX_BODY_BYTES);
  assertEquals(MAX_BODY_BYTES, 16_384);
  for (
    const make of [(text: string) => text, (text: string) => stream([text])]
  ) {
    assertEquals(await statusOf(make(fits)), 200);
    const response = await ask(PATH, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: make(fits + " "),
    });
    // A Request of the same text has no Content-Length here: read, then judged.
    await readProblem(response, 413, PATH);
  }
  assertEquals(await statusOf(stream(Array(17).fill(" ".repeat(1024)))), 413);
});

Deno.test("readJsonObject() judges the announced size before it reads a byte, and before all else", async () => {
  for (
    const [type, length] of [
      ["application/json", "16385"],
      ["application/json", "9999999"],
      ["text/plain", "16385"],
    ] as const
  ) {
    const headers = { "content-type": type, "content-length": length };
    const unread = request(stream([], false), headers);
    assertEquals(await statusOf(stream([], false), headers), 413);
    const read = await readJsonObject(unread, 50);
    assert(read instanceof Problem && read.status === 413);
    assert(!unread.bodyUsed);
  }
});

Deno.test("readJsonObject() reads within its limit when Content-Length is no number", async () => {
  for (const length of ["20002, 20002", "5, 6", "", "-1", "1e9"]) {
    const headers = { "content-type": "application/json" };
    const big = request(stream([" ".repeat(20_000)], false), headers);
    big.headers.set("content-length", length);
    const read = await readJsonObject(big, 50);
    assert(read instanceof Problem && read.status === 413, length);
  }
});

Deno.test("readJsonObject() gives up with 408 on a body that does not arrive", async () => {
  assertEquals(await statusOf(stream([], false)), 408);
  assertEquals(await statusOf(stream(["{"], false)), 408);
  // The media type goes before: its body is judged by its first byte.
  const plain = { "content-type": "text/plain" };
  const start = performance.now();
  const read = await readJsonObject(request(stream(["x"], false), plain));
  assert(read instanceof Problem && read.status === 415);
  assert(performance.now() - start < 5000, "waited for the end of the body");
  assertEquals(await statusOf(stream([" "], false), plain), 415);
});

/** A body of which "{" is there, and what lets the rest come. */
function unfinished(): { reading: Promise<unknown>; finish: () => void } {
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  writer.write(encoder.encode("{"));
  const finish = () => {
    writer.write(encoder.encode("}"));
    writer.close();
  };
  return { reading: readJsonObject(request(body.readable)), finish };
}

Deno.test("readJsonObject() awaits 1,000 bodies at one time; further ones get 503, unless they are there", async () => {
  assertEquals(MAX_PENDING_BODIES, 1000);
  const awaited = Array.from({ length: MAX_PENDING_BODIES }, unfinished);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals(
    await readJsonObject(request(stream(["{"], false))),
    TOO_MANY_PENDING_BODIES,
  );
  assertEquals(TOO_MANY_PENDING_BODIES.headers, { "retry-after": "10" });
  // The media type goes before.
  const plain = { "content-type": "text/plain" };
  assertEquals(await statusOf(stream([" "], false), plain), 415);
  const pieces = ["{", ...Array(1000).fill(" "), "}"];
  for (const body of ["{}", stream(["{}"]), stream(pieces)]) {
    assertEquals(await readJsonObject(request(body)), {});
  }
  const [first, ...others] = awaited;
  first!.finish();
  assertEquals(await first!.reading, {});
  const next = unfinished();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals(
    await readJsonObject(request(stream(["{"], false))),
    TOO_MANY_PENDING_BODIES,
  );
  for (const { finish } of [next, ...others]) finish();
  for (const { reading } of [next, ...others]) {
    assertEquals(await reading, {});
  }
  assertEquals(await statusOf(stream(["{"], false)), 408);
});

Deno.test("readJsonObject() answers a body that breaks off with 400", async () => {
  const broken = new ReadableStream({
    pull: (controller) => controller.error(new Error("gone")),
  });
  const read = await readJsonObject(request(broken));
  assert(read instanceof Problem && read.errors?.$?.[0]?.includes("broke off"));
});

Deno.test("readJsonObject() takes a body in any pieces", async () => {
  const text = '{"length":12,"x":"å😀"}';
  const bytes = encoder.encode(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const body = stream([bytes.slice(0, cut), bytes.slice(cut)]);
    assertEquals(await readJsonObject(request(body)), JSON.parse(text));
  }
});
