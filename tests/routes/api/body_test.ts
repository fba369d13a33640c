import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { Buffer } from "node:buffer";
import { RawConnection } from "../../helpers/connection.ts";
import { fakeIntervals } from "../../helpers/fake_time.ts";
import { serve } from "../../helpers/program.ts";
import { ask, postInit, readErrors, service } from "../../helpers/service.ts";

const PATH = "/api/pwgen/words";
const JSON_TYPE = { "content-type": "application/json" };
const PLAIN = { "content-type": "text/plain" };
const encoder = new TextEncoder();

/** A body that arrives in pieces; each is there at once. */
const stream = (pieces: Iterable<string>) =>
  ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());

async function statusOf(
  body: BodyInit | null,
  headers: Record<string, string> = JSON_TYPE,
): Promise<number> {
  return (await ask(PATH, { method: "POST", headers, body })).status;
}

Deno.test("a body of only white space is empty, whatever its media type is", async () => {
  const blanks = (count: number) => stream(Array(count).fill(" ".repeat(1024)));
  assertEquals(await statusOf(null, {}), 400);
  // Bytes have no Content-Type of their own.
  assertEquals(await statusOf(encoder.encode("{}"), {}), 415);
  assertEquals(await statusOf(" \t\r\n", PLAIN), 400);
  assertEquals(await statusOf(blanks(16), PLAIN), 400);
  assertEquals(await statusOf(blanks(17), PLAIN), 415);
  // Only the white space of JSON is blank.
  for (const text of ["\v", "\u00a0", "\0"]) {
    assertEquals(await statusOf(text, PLAIN), 415);
  }
});

Deno.test("a body that is not a JSON object gets 400, with and without Content-Length", async () => {
  const texts = ["", " ", "[]", '"{}"', "1", "null", "true", "{", "{}}", "NaN"]
    .concat("{a:1}", '{"a":1,}', "{}//", '{"a":01}', '{"a":"\n"}', "{}\u00a0")
    .concat("\u00a0", "\v", "\0", "\ufeff\ufeff{}", "[".repeat(8000));
  for (const text of texts) {
    const { length } = encoder.encode(text);
    for (const fields of [{}, { "content-length": String(length) }]) {
      const init = { ...postInit("", fields), body: stream([text]) };
      const { $: [message] = [] } = await readErrors(
        await ask(PATH, init),
        ...[PATH, "$"] as const,
      );
      // The message of the parser would repeat a part of the body.
      assertMatch(
        message!,
        /^The body (is (empty|blank|JSON, but not an)|begins with a byte-order)/,
      );
    }
  }
  const body = new ReadableStream({
    pull: (controller) => controller.error(new Error("gone")),
  });
  const broken = await ask(PATH, { ...postInit(), body });
  const { $: [message] = [] } = await readErrors(broken, PATH, "$");
  assertMatch(message!, /broke off/);
});

Deno.test("a byte-order mark, and UTF-16, get 400 that names it, however the body comes", async () => {
  await using service = await serve();
  using connection = await RawConnection.connect(service.port);
  /** Each character of a body is a byte. */
  const bodies: Record<string, string[]> = {
    "byte-order mark": ["\xef\xbb\xbf{}"],
    "UTF-16": ["\xff\xfe{\0}\0", "\xfe\xff\0{\0}", "{\0}\0", "\0{\0}"],
    "not JSON": [" \xef\xbb\xbf{}", "\0", "\0\0{}", "\xff\xff{}", "{}{\0"],
  };
  for (
    const [named, body] of Object.entries(bodies).flatMap(([named, bodies]) =>
      bodies.map((body) => [named, body] as const)
    )
  ) {
    const { length } = body;
    for (
      const [field, sent] of [
        [`Content-Length: ${length}`, body],
        ["Transfer-Encoding: chunked", `${length}\r\n${body}\r\n0\r\n\r\n`],
      ]
    ) {
      const head =
        `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${field}\r\n\r\n`;
      // A body can come with its header, or later.
      for (const parts of [[`${head}${sent}`], [head, sent!]]) {
        for (const part of parts) {
          await connection.write(Buffer.from(part, "latin1"));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const response = await connection.read();
        assertEquals(response.status, 400);
        const { $: [message] } = JSON.parse(response.body).errors;
        assertStringIncludes(message, named);
      }
    }
  }
});

Deno.test("a body has at most 16 KiB, and without Content-Length at most 128 pieces", async () => {
  for (const [size, status] of [[16_384, 200], [16_385, 413]] as const) {
    const text = `{${" ".repeat(size - 2)}}`;
    const announced = { ...JSON_TYPE, "content-length": String(size) };
    for (const headers of [JSON_TYPE, announced]) {
      assertEquals(await statusOf(text, headers), status);
      for (const pieces of [[text], text.match(/.{1,300}/g)!]) {
        assertEquals(await statusOf(stream(pieces), headers), status);
      }
    }
  }
  const pieces = (count: number) =>
    stream(["{}", ...Array(count - 1).fill(" ")]);
  assertEquals(await statusOf(pieces(128)), 200);
  assertEquals(await statusOf(pieces(129)), 413);
});

Deno.test("no more is read of an endless body than is needed", async () => {
  const cases: [Record<string, string>, status: number, pieces: number][] = [
    [{ ...JSON_TYPE, "content-length": "16385" }, 413, 0],
    [{ ...PLAIN, "content-length": "16385" }, 413, 0],
    [JSON_TYPE, 413, 129],
    [PLAIN, 415, 129],
  ];
  for (const [headers, status, expected] of cases) {
    let pieces = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pieces++;
        controller.enqueue(encoder.encode(" "));
      },
    }, { highWaterMark: 0 });
    assertEquals(await statusOf(endless, headers), status);
    assertEquals(pieces, expected);
  }
});

/** Sends bodies of which only "{" has arrived; a call completes the next one. */
async function slowBodies() {
  const { handler, drain } = await service("--rate-limit=10000");
  const statuses: number[] = [];
  const waiting: (() => Promise<number>)[] = [];
  /** Returns how many are refused. */
  const begin = async (address: string, count: number, media = JSON_TYPE) => {
    const before = statuses.length;
    for (let i = 0; i < count; i++) {
      const body = new TransformStream<Uint8Array, Uint8Array>();
      const writer = body.writable.getWriter();
      writer.write(encoder.encode(media === JSON_TYPE ? "{" : " "));
      const init = { ...postInit("", media), body: body.readable };
      const response = handler(
        new Request(`http://localhost${PATH}`, init),
        address,
      )
        .then(({ status }) => {
          statuses.push(status);
          return status;
        });
      waiting.push(() => {
        writer.write(encoder.encode("}")).catch(() => {});
        writer.close().catch(() => {});
        return response;
      });
    }
    // Turns of the event loop, and no time, since the machine can be busy.
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    return statuses.length - before;
  };
  return { handler, drain, begin, waiting, statuses };
}

Deno.test("the service waits for 100 bodies of a client, 250 of an IPv6 /48 and 1,000 in all; more get 503", async () => {
  using _time = fakeIntervals();
  const { handler, begin, waiting, statuses } = await slowBodies();
  // All at once, while the process waits for few bodies, and one more.
  assertEquals(await begin("192.0.2.1", 130), 30);
  assertEquals(await begin("::ffff:192.0.2.1", 1), 1);
  // The clients of a /48 are its /64.
  assertEquals(await begin("2001:db8:1:1::1", 101), 1);
  assertEquals(await begin("2001:db8:1:2::1", 101), 1);
  assertEquals(await begin("2001:db8:1:ffff::1", 60), 10);
  assertEquals(await begin("2001:db8:2:1::1", 60), 0);
  // IPv4 addresses are no network.
  for (let i = 2; i < 7; i++) assertEquals(await begin(`192.0.2.${i}`, 101), 1);
  assertEquals(await begin("192.0.2.7", 100), 10);
  assertEquals(new Set(statuses), new Set([503]));
  // The media type is checked first, and a body that has arrived does not wait.
  const send = (body: BodyInit, headers = JSON_TYPE) =>
    handler(
      new Request(`http://localhost${PATH}`, {
        ...postInit("", headers),
        body,
      }),
      "192.0.2.1",
    );
  const late = send(new ReadableStream());
  assertEquals((await late).headers.get("retry-after"), "10");
  for (const body of ["{}", stream(["{", ...Array(126).fill(" "), "}"])]) {
    assertEquals((await send(body)).status, 200);
  }
  // As soon as one has ended, another one may begin.
  assertEquals(await waiting[0]!(), 200);
  assertEquals(await begin("192.0.2.8", 3), 2);
  const ended = await Promise.all(waiting.map((finish) => finish()));
  assertEquals(ended.filter((status) => status === 200).length, 1001);
});

Deno.test("a body gets 408 after its 10 s, at most 11 s; one that began later has its own", async () => {
  using time = fakeIntervals();
  const { begin, statuses } = await slowBodies();
  await begin("192.0.2.1", 1);
  time.pass(5000);
  await begin("192.0.2.1", 1);
  for (const [ms, late] of [[5000, 0], [1000, 1], [4000, 1], [1000, 2]]) {
    time.pass(ms!);
    await begin("192.0.2.1", 0);
    assertEquals(statuses, Array(late).fill(408));
  }
});

Deno.test("drain() waits for every body, also for one that begins in the same turn", async () => {
  using _time = fakeIntervals();
  const { begin, drain, waiting } = await slowBodies();
  await drain();
  const one = begin("192.0.2.1", 2);
  let isDrained = false;
  const drained = drain().then(() => isDrained = true);
  await Promise.all([one, begin("192.0.2.1", 1)]);
  for (const finish of waiting) {
    await new Promise((resolve) => setTimeout(resolve));
    assert(!isDrained);
    assertEquals(await finish(), 200);
  }
  await drained;
});
