import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  BodyReader,
  MAX_BODY_BYTES,
  MAX_BODY_PIECES,
  MAX_PENDING_BODIES,
  NOT_JSON_TYPE,
  TOO_MANY_PENDING_BODIES,
  TOO_MANY_PIECES,
} from "../../../routes/api/body.ts";
import { clientOf } from "../../../middleware/client.ts";
import type { Client } from "../../../routes/context.ts";
import { Problem } from "../../../routes/problem.ts";
import {
  JSON_MEDIA_TYPES,
  OTHER_MEDIA_TYPES,
} from "../../fuzz/request_values.ts";
import { RawConnection } from "../../helpers/connection.ts";
import { serve } from "../../helpers/program.ts";
import { post, readErrors, readProblem } from "../../helpers/service.ts";

const JSON_TYPE = { "content-type": "application/json" };
const PLAIN = { "content-type": "text/plain" };
const encoder = new TextEncoder();
/** Its deadline is short. */
const bodies = new BodyReader(50);

/** A body that arrives in pieces; without `ends` it never ends. */
function stream(
  pieces: (string | Uint8Array)[],
  ends = true,
  cancel: () => void = () => {},
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    cancel,
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
  headers: Record<string, string> = JSON_TYPE,
): Request {
  return new Request("http://localhost/", { method: "POST", headers, body });
}

let clients = 0;
/** A client that has no pending bodies. */
const anyone = () => clientOf(`10.0.${++clients >> 8}.${clients & 255}`, null);

async function statusOf(
  body: BodyInit | null,
  headers?: Record<string, string>,
): Promise<number> {
  const read = await bodies.read(request(body, headers), anyone());
  return read instanceof Problem ? read.status : 200;
}

Deno.test("BodyReader takes JSON in UTF-8, and refuses any other media type with 415", async () => {
  const cases = { 200: JSON_MEDIA_TYPES, 415: OTHER_MEDIA_TYPES };
  for (const [status, types] of Object.entries(cases)) {
    for (const type of types) {
      const actual = await statusOf("{}", { "content-type": type });
      assertEquals(actual, Number(status), type);
    }
  }
  const bytes = encoder.encode("{}"); // no Content-Type of its own
  assertEquals(await statusOf(bytes, {}), 415);
  // Only the white space of JSON is blank.
  for (const text of ["\v", "\u00a0", "\0"]) {
    assertEquals(await statusOf(text, PLAIN), 415);
  }
});

Deno.test("BodyReader stops reading another media type at a byte that decides", async () => {
  const blank = Array(16).fill(" ".repeat(1024));
  assertEquals(await statusOf(stream(blank), PLAIN), 400);
  // White space beyond 16 KiB, and a first byte that is not white space.
  for (const pieces of [Array(17).fill(" ".repeat(1024)), ["x"]]) {
    const cancelled = Promise.withResolvers<void>();
    const body = stream(pieces, false, cancelled.resolve);
    assertEquals(await statusOf(body, PLAIN), 415);
    await cancelled.promise;
  }
  assertEquals(await statusOf(stream([" "], false), PLAIN), 415);
});

Deno.test("BodyReader refuses a body that is not a JSON object with 400, with and without Content-Length", async () => {
  const texts = ["", " ", "[]", '"{}"', "1", "null", "true", "{", "{}}", "NaN"]
    .concat("{a:1}", '{"a":1,}', "{}//", '{"a":01}', '{"a":"\n"}', "{}\u00a0")
    .concat("\u00a0", "\v", "\0", "\ufeff\ufeff{}", "[".repeat(8000));
  for (const text of texts) {
    const bytes = encoder.encode(text);
    const length = { "content-length": String(bytes.length) };
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, ...length }]) {
      const read = await bodies.read(
        request(stream([bytes]), headers),
        anyone(),
      );
      assert(read instanceof Problem && read.status === 400, text);
      // The message of the parser would repeat a part of the body.
      const { $: [message, ...others] = [] } = read.errors!;
      assertMatch(
        message!,
        /^The body (is (empty|blank|JSON, but not an)|begins with a byte-order)/,
      );
      assertEquals(others, []);
    }
  }
  const path = "/api/pwgen/words";
  await readErrors(await post(path, "[]"), path, "$");
});

Deno.test("BodyReader refuses a byte-order mark by its name, with and without Content-Length", async () => {
  await using service = await serve();
  const head =
    "POST /api/pwgen/words HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
  const announced = (body: string) =>
    `Content-Length: ${encoder.encode(body).length}\r\n\r\n${body}`;
  const chunked = (body: string) =>
    `Transfer-Encoding: chunked\r\n\r\n${
      encoder.encode(body).length.toString(16)
    }\r\n${body}\r\n0\r\n\r\n`;
  const bodies = {
    ...{ "\ufeff{}": true, "\ufeff": true, "\ufeff\ufeff{}": true },
    ...{ " \ufeff{}": false, "{\ufeff}": false, "{}\ufeff": false },
  };
  for (const [body, isMark] of Object.entries(bodies)) {
    for (const send of [announced, chunked]) {
      using connection = await RawConnection.connect(service.port);
      await connection.write(head + send(body));
      const response = await connection.read();
      assertEquals(response.status, 400);
      const { $: [message] } = JSON.parse(response.body).errors;
      assertEquals(message.includes("byte-order mark"), isMark, message);
    }
  }
  // Deno removes the mark from a body that arrives later than its header.
  using connection = await RawConnection.connect(service.port);
  await connection.write(
    `${head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
  );
  assertEquals((await connection.read()).status, 100);
  await connection.write("\ufeff{}");
  assertEquals((await connection.read()).status, 200);
});

Deno.test("BodyReader refuses a Content-Encoding with 415 that names it", async () => {
  for (const coding of ["gzip", "br", "identity, gzip", "x".repeat(300)]) {
    const response = await post("/api/pwgen/words", "{}", {
      "content-encoding": coding,
    });
    const { detail } = await readProblem(response, 415, "/api/pwgen/words");
    assertMatch(detail, /Content-Encoding/);
    assertEquals(response.headers.get("accept-encoding"), "identity");
  }
  for (const coding of ["identity", "IDENTITY , identity", ""]) {
    const headers = { ...JSON_TYPE, "content-encoding": coding };
    assertEquals(await statusOf("{}", headers), 200);
  }
  // The order of the checks.
  const gzip = { ...JSON_TYPE, "content-encoding": "gzip" };
  assertEquals(await statusOf("", gzip), 400);
  assertEquals(await statusOf(" ".repeat(16_385), gzip), 415);
  const large = { ...gzip, "content-length": "16385" };
  assertEquals(await statusOf(" ".repeat(16_385), large), 413);
});

Deno.test("BodyReader takes at most 16 KiB, with and without Content-Length", async () => {
  assertEquals(MAX_BODY_BYTES, 16_384);
  for (const [size, status] of [[16_384, 200], [16_385, 413]] as const) {
    const text = "{}".padEnd(size);
    const announced = { ...JSON_TYPE, "content-length": String(size) };
    for (const headers of [JSON_TYPE, announced]) {
      assertEquals(await statusOf(text, headers), status);
      assertEquals(await statusOf(stream([text]), headers), status);
    }
  }
  assertEquals(await statusOf(stream(Array(17).fill(" ".repeat(1024)))), 413);
});

Deno.test("BodyReader takes at most 128 pieces without Content-Length, and no more of an endless body", async () => {
  const most = ["{}", ...Array(MAX_BODY_PIECES - 1).fill(" ")];
  assertEquals(await bodies.read(request(stream(most)), anyone()), {});
  for (const headers of [undefined, PLAIN]) {
    let pieces = 0;
    // Each piece is there at once, so no timer of a deadline can fire.
    const endless = new ReadableStream({
      pull(controller) {
        pieces++;
        controller.enqueue(encoder.encode(" "));
      },
    }, { highWaterMark: 0 });
    const result = await bodies.read(request(endless, headers), anyone());
    assertEquals(result, headers ? NOT_JSON_TYPE : TOO_MANY_PIECES);
    assertEquals(pieces, MAX_BODY_PIECES + 1);
  }
});

Deno.test("BodyReader checks Content-Length first, and reads no byte of a larger body", async () => {
  for (const type of ["application/json", "text/plain"]) {
    for (const length of ["16385", "9999999"]) {
      const headers = { "content-type": type, "content-length": length };
      const unread = request(stream([], false), headers);
      const read = await bodies.read(unread, anyone());
      assert(read instanceof Problem && read.status === 413);
      assert(!unread.bodyUsed);
    }
  }
});

Deno.test("BodyReader responds with 408 if the body does not arrive in time", async () => {
  assertEquals(await statusOf(stream([], false)), 408);
  assertEquals(await statusOf(stream(["{"], false)), 408);
  assertEquals(bodies.pending, 0);
});

Deno.test("BodyReader refuses a body that breaks off with 400", async () => {
  const broken = new ReadableStream({
    pull: (controller) => controller.error(new Error("gone")),
  });
  const read = await bodies.read(request(broken), anyone());
  assert(read instanceof Problem && read.errors?.$?.[0]?.includes("broke off"));
});

/** A body of which only "{" has arrived, and a function that completes it. */
function unfinished(
  bodies: BodyReader,
  client: Client = anyone(),
): { reading: Promise<unknown>; finish: () => void } {
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  writer.write(encoder.encode("{"));
  const finish = () => {
    writer.write(encoder.encode("}"));
    writer.close();
  };
  return { reading: bodies.read(request(body.readable), client), finish };
}

Deno.test("BodyReader waits for 1,000 bodies at most; it refuses more with 503", async () => {
  assertEquals(MAX_PENDING_BODIES.process, 1000);
  const bodies = new BodyReader();
  const start = () => unfinished(bodies);
  const awaited = Array.from({ length: MAX_PENDING_BODIES.process }, start);
  const assertRefused = async () => {
    const late = bodies.read(request(stream(["{"], false)), anyone());
    assertEquals(await late, TOO_MANY_PENDING_BODIES);
    assertEquals(bodies.pending, MAX_PENDING_BODIES.process);
  };
  await assertRefused();
  assertEquals(TOO_MANY_PENDING_BODIES.headers, { "retry-after": "10" });
  // The media type is checked first.
  const other = await bodies.read(
    request(stream([" "], false), PLAIN),
    anyone(),
  );
  assert(other instanceof Problem && other.status === 415);
  // A body that has arrived already does not wait.
  const blanks = Array(MAX_BODY_PIECES - 2).fill(" ");
  const pieces = ["{", ...blanks, "}"];
  for (const body of ["{}", stream(["{}"]), stream(pieces)]) {
    assertEquals(await bodies.read(request(body), anyone()), {});
  }
  const [first, ...others] = awaited;
  first!.finish();
  assertEquals(await first!.reading, {});
  // Of many bodies above the maximum, the oldest stay as soon as there is room.
  const [next, ...excess] = [start(), start(), start()];
  for (const { reading } of excess) {
    assertEquals(await reading, TOO_MANY_PENDING_BODIES);
  }
  await assertRefused();
  for (const { finish } of [next!, ...others]) finish();
  for (const { reading } of [next!, ...others]) {
    assertEquals(await reading, {});
  }
  assertEquals(bodies.pending, 0);
});

Deno.test("BodyReader waits for 100 bodies of a client and 250 of an IPv6 /48 at most", async () => {
  const bodies = new BodyReader();
  const begun: ReturnType<typeof unfinished>[] = [];
  /** Begins bodies; returns how many are refused. */
  const begin = async (address: string, count: number) => {
    let refused = 0;
    const before = bodies.pending;
    const client = clientOf(address, null);
    for (let i = 0; i < count; i++) begun.push(unfinished(bodies, client));
    for (const { reading } of begun.slice(-count)) {
      reading.then((result) => {
        if (result === TOO_MANY_PENDING_BODIES) refused++;
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(bodies.pending, before + count - refused);
    return refused;
  };
  // All at once, while the process waits for few bodies, and one more.
  assertEquals(await begin("192.0.2.1", 130), 30);
  assertEquals(await begin("::ffff:192.0.2.1", 1), 1);
  // IPv4 addresses are no network.
  for (const address of ["192.0.2.2", "192.0.3.3", "198.51.100.1"]) {
    assertEquals(await begin(address, 110), 10);
  }
  // The clients of a /48 are its /64.
  assertEquals(await begin("2001:db8:1:1::1", 101), 1);
  assertEquals(await begin("2001:db8:1:2::1", 101), 1);
  assertEquals(await begin("2001:db8:1:1::2", 1), 1);
  assertEquals(await begin("2001:db8:1:ffff::1", 60), 10);
  assertEquals(await begin("2001:db8:2:1::1", 60), 0);
  assertEquals(await begin("2001:db9:1:1::1", 60), 0);
  // A body that has arrived already does not wait.
  const arrived = request("{}");
  assertEquals(await bodies.read(arrived, clientOf("192.0.2.1", null)), {});
  // A client whose body has ended may begin another one.
  begun[0]!.finish();
  await begun[0]!.reading;
  assertEquals(await begin("192.0.2.1", 2), 1);
  for (const { finish, reading } of begun.slice(1)) {
    finish();
    await reading;
  }
});

Deno.test("BodyReader refuses none of 5,000 bodies that have arrived", async () => {
  const bodies = new BodyReader();
  const read = (_: unknown, i: number) =>
    bodies.read(request(i % 2 ? "{}" : stream(["{", "}"])), anyone());
  const results = await Promise.all(Array.from({ length: 5000 }, read));
  assert(results.every((result) => !(result instanceof Problem)));
});

Deno.test("BodyReader.drain() waits for every body, also for one that begins in the same turn", async () => {
  const bodies = new BodyReader();
  await bodies.drain();
  const [one, other] = [unfinished(bodies), unfinished(bodies)];
  let isDrained = false;
  const drained = bodies.drain().then(() => isDrained = true);
  const last = unfinished(bodies);
  for (const { reading, finish } of [one, last, other]) {
    await new Promise((resolve) => setTimeout(resolve));
    assert(!isDrained);
    finish();
    await reading;
  }
  await drained;
  assertEquals(bodies.pending, 0);
});
