import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  MAX_REPLY_BYTES,
  ProtocolError,
  type Reply,
  ReplyError,
  ReplyParser,
  RespClient,
} from "../../../middleware/limiters/resp.ts";

const encoder = new TextEncoder();

/** Replies that can be compared: an error as its text after "-". */
function comparable(replies: Reply[]): unknown[] {
  return replies.map((reply) =>
    reply instanceof ReplyError
      ? `-${reply.message}`
      : Array.isArray(reply)
      ? comparable(reply)
      : reply
  );
}

/** Parses bytes that arrive in pieces. */
function parse(...pieces: Uint8Array[]): unknown[] {
  const parser = new ReplyParser();
  // A connection reuses its buffer, so no reply may refer to it.
  return comparable(pieces.flatMap((piece) => {
    const buffer = piece.slice();
    const replies = parser.push(buffer);
    buffer.fill(0);
    return replies;
  }));
}

function singleBytes(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

Deno.test("ReplyParser reads every type of reply, cut at any byte", () => {
  const bytes = encoder.encode(
    "+OK\r\n:0\r\n:-42\r\n:999999999999999\r\n$-1\r\n$0\r\n\r\n$6\r\nå\r\nö\r\n" +
      "*-1\r\n*0\r\n*4\r\n:1\r\n$1\r\nx\r\n-ERR no\r\n+y\r\n-NOAUTH first\r\n",
  );
  const expected = [
    ...["OK", 0, -42, 999999999999999, null, "", "å\r\nö"],
    ...[null, [], [1, "x", "-ERR no", "y"]],
    "-NOAUTH first",
  ];
  for (let at = 0; at <= bytes.length; at++) {
    assertEquals(parse(bytes.subarray(0, at), bytes.subarray(at)), expected);
  }
  assertEquals(parse(...singleBytes(bytes)), expected);
});

const HOSTILE: Record<string, string> = {
  "HTTP": "HTTP/1.1 400 Bad Request\r\n",
  "a type of RESP3": "%1\r\n+a\r\n:1\r\n",
  "a negative length": "$-2\r\n",
  "an empty integer": ":\r\n",
  "a fraction": ":1.5\r\n",
  "an integer that a number cannot hold": ":9999999999999999\r\n",
  "a string that goes on after its length": "$3\r\nabcdef\r\n",
  "an integer that ends with CR alone": ":1\rb",
  // Refused before its items arrive: each chunk would parse all of them again.
  "an array that is too long": "*17\r\n",
  "an array of negative length": "*-2\r\n",
  "an array in an array": "*1\r\n*1\r\n",
};

const TOO_LARGE: Record<string, string> = {
  "a length that is too great": `$${MAX_REPLY_BYTES + 1}\r\n`,
  "a line without end": "+" + "a".repeat(MAX_REPLY_BYTES),
  "digits without end": ":" + "1".repeat(MAX_REPLY_BYTES),
  "a whole reply that is too large": `*2\r\n` +
    `$${MAX_REPLY_BYTES - 9}\r\n${"a".repeat(MAX_REPLY_BYTES - 9)}\r\n:1\r\n`,
};

/** That the parser throws an error of this class, also for single bytes. */
function assertRefused(
  texts: Record<string, string>,
  error: new (message: string) => Error,
) {
  for (const [name, text] of Object.entries(texts)) {
    const bytes = encoder.encode(text);
    for (const pieces of [[bytes], singleBytes(bytes)]) {
      assertThrows(() => parse(...pieces), error, "", name);
    }
  }
}

Deno.test("ReplyParser refuses what is no reply", () => {
  assertRefused(HOSTILE, ProtocolError);
});

Deno.test("ReplyParser refuses a reply that is too large, which is no error of the protocol", () => {
  assertRefused(TOO_LARGE, RangeError);
});

Deno.test("ReplyParser reads many replies that together exceed MAX_REPLY_BYTES", () => {
  const bytes = encoder.encode(":1\r\n".repeat(MAX_REPLY_BYTES));
  assertEquals(parse(bytes).length, MAX_REPLY_BYTES);
});

/** A client, and the other end of its connection. */
async function connect() {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { hostname, port } = listener.addr;
  const { signal } = new AbortController();
  const [client, server] = await Promise.all([
    RespClient.connect({ hostname, port, tls: false }, signal),
    listener.accept(),
  ]);
  listener.close();
  return {
    client,
    server,
    [Symbol.asyncDispose]: async () => {
      client.close();
      server.close();
      await client.ended;
    },
  };
}

Deno.test("RespClient counts the bytes of a command, and matches replies in order", async () => {
  await using pair = await connect();
  const replies = ["å", "b"].map((text) => pair.client.send("ECHO", text));
  const buffer = new Uint8Array(1000);
  const length = await pair.server.read(buffer);
  assertEquals(
    new TextDecoder().decode(buffer.subarray(0, length!)),
    "*2\r\n$4\r\nECHO\r\n$2\r\nå\r\n*2\r\n$4\r\nECHO\r\n$1\r\nb\r\n",
  );
  await pair.server.write(encoder.encode("-ERR first\r\n+b\r\n"));
  const error = await assertRejects(() => replies[0]!, ReplyError, "ERR first");
  assertEquals([error.command, await replies[1]], ["ECHO", "b"]);
});

Deno.test("RespClient rejects pending and later commands if there are more replies than commands", async () => {
  await using pair = await connect();
  const commands = [pair.client.send("A"), pair.client.send("B")];
  // In one chunk: no reply can be matched.
  await pair.server.write(encoder.encode("+OK\r\n+OK\r\n+OK\r\n"));
  for (const reply of commands) {
    await assertRejects(() => reply, ProtocolError);
  }
  assert(await pair.client.ended instanceof ProtocolError);
  await assertRejects(() => pair.client.send("C"), ProtocolError);
});

Deno.test("close() of RespClient does not wait until the server has read a command", async () => {
  await using pair = await connect();
  const large = "x".repeat(8 << 20);
  const stuck = pair.client.send(large);
  await pair.server.read(new Uint8Array(1)); // the write has begun
  pair.client.close(new Error("Enough"));
  await assertRejects(() => stuck, Error, "Enough");
});

Deno.test("connect() of RespClient can be cancelled during the TLS handshake", async () => {
  // The server accepts the connection and sends nothing.
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { hostname, port } = listener.addr;
  const controller = new AbortController();
  const connecting = RespClient.connect(
    { hostname, port, tls: true },
    controller.signal,
  );
  using server = await listener.accept();
  await server.read(new Uint8Array(1)); // the handshake has begun
  controller.abort();
  await assertRejects(() => connecting, Deno.errors.Interrupted);
});
