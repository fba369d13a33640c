import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { spy } from "@std/testing/mock";
import {
  MAX_REPLY_BYTES,
  ProtocolError,
  type Reply,
  ReplyError,
  ReplyParser,
  RespClient,
} from "../../../middleware/limiters/resp.ts";
import { onRedis, startRedis } from "../../helpers/redis.ts";

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

/** Checks that the replies do not depend on where the bytes are cut. */
function assertReplies(bytes: Uint8Array, expected: unknown[]): void {
  assertEquals(parse(bytes), expected);
  for (let at = 0; at <= bytes.length; at++) {
    assertEquals(parse(bytes.subarray(0, at), bytes.subarray(at)), expected);
  }
  assertEquals(parse(...singleBytes(bytes)), expected);
}

Deno.test("ReplyParser reads every type of reply, cut at any byte", () => {
  assertReplies(
    encoder.encode(
      "+OK\r\n:0\r\n:-42\r\n:999999999999999\r\n$-1\r\n$0\r\n\r\n$6\r\nå\r\nö\r\n" +
        "*-1\r\n*0\r\n*3\r\n:1\r\n*2\r\n$1\r\nx\r\n-ERR no\r\n+y\r\n-NOAUTH first\r\n",
    ),
    [
      ...["OK", 0, -42, 999999999999999, null, "", "å\r\nö"],
      ...[null, [], [1, ["x", "-ERR no"], "y"]],
      "-NOAUTH first",
    ],
  );
});

onRedis.test("ReplyParser reads the replies of Redis, cut at any byte", async () => {
  await using redis = await startRedis();
  using connection = await Deno.connect({ port: redis.port });
  // Only commands whose reply is the same in every run. PONG is the last reply.
  await connection.write(encoder.encode(
    "SET k åäö\r\nGET k\r\nGET none\r\nINCR n\r\nDECRBY n 5\r\nLPUSH l a b\r\n" +
      "LRANGE l 0 -1\r\nLRANGE none 0 -1\r\nLLEN k\r\nnonsense\r\n" +
      "EVAL \"return {1,{2,'x',false},redis.error_reply('MY own')}\" 0\r\n" +
      "BLPOP none 0.01\r\nPING\r\n",
  ));
  let bytes = new Uint8Array();
  const buffer = new Uint8Array(4096);
  while (!new TextDecoder().decode(bytes).includes("+PONG")) {
    const length = (await connection.read(buffer))!;
    bytes = new Uint8Array([...bytes, ...buffer.subarray(0, length)]);
  }
  const replies = parse(bytes);
  const [wrongType, unknown] = replies.splice(8, 2) as string[];
  assert(wrongType!.startsWith("-WRONGTYPE "), wrongType);
  assert(unknown!.startsWith("-ERR unknown command"), unknown);
  assertEquals(replies, [
    ...["OK", "åäö", null, 1, -4, 2, ["b", "a"], []],
    [1, [2, "x", null], "-MY own"],
    ...[null, "PONG"],
  ]);
  assertReplies(bytes, parse(bytes));
});

const HOSTILE: Record<string, string> = {
  "HTTP": "HTTP/1.1 400 Bad Request\r\n",
  "SSH": "SSH-2.0-OpenSSH_9.2\r\n",
  "a TLS alert": "\x15\x03\x01\0\x02",
  "a type of RESP3": "%1\r\n+a\r\n:1\r\n",
  "a length that is too great": `$${MAX_REPLY_BYTES + 1}\r\n`,
  "a length beyond all numbers": "$99999999999999999999\r\n",
  "a negative length": "$-2\r\n",
  "a length that is none": "$a\r\n",
  "no length": "$\r\n",
  "a minus alone": ":-\r\n",
  "an empty integer": ":\r\n",
  "a fraction": ":1.5\r\n",
  "an integer that a number cannot hold": ":9999999999999999\r\n",
  "a string that goes on after its length": "$3\r\nabcdef\r\n",
  "a line that ends with CR alone": "+a\rb",
  "an integer that ends with CR alone": ":1\rb",
  "an array that is too long": "*99999999\r\n",
  "an array of negative length": "*-2\r\n",
  "arrays nested without end": "*1\r\n".repeat(9),
  "a line without end": "+" + "a".repeat(MAX_REPLY_BYTES),
  "digits without end": ":" + "1".repeat(MAX_REPLY_BYTES),
  "an array without end": `*${MAX_REPLY_BYTES}\r\n` +
    ":1\r\n".repeat(MAX_REPLY_BYTES / 4),
  "a whole reply that is too large": `*2\r\n` +
    `$${MAX_REPLY_BYTES - 9}\r\n${"a".repeat(MAX_REPLY_BYTES - 9)}\r\n:1\r\n`,
};

for (const [name, text] of Object.entries(HOSTILE)) {
  Deno.test(`ReplyParser and RespClient refuse ${name}`, async () => {
    const bytes = encoder.encode(text);
    for (const pieces of [[bytes], singleBytes(bytes)]) {
      assertThrows(() => parse(...pieces), ProtocolError);
    }
    await using pair = await connect();
    const reply = pair.client.send("PING");
    pair.server.write(bytes).catch(() => {}); // it may be closed on the way
    await assertRejects(() => reply, ProtocolError);
    assert(await pair.client.ended instanceof ProtocolError);
    await assertRejects(() => pair.client.send("PING"), ProtocolError);
  });
}

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

Deno.test("RespClient sends the commands of one turn in one write, and matches replies", async () => {
  await using pair = await connect();
  // The server cannot see how many writes the client makes.
  const connections = Object.getPrototypeOf(Object.getPrototypeOf(pair.server));
  using writes = spy(connections as Deno.Conn, "write");
  const texts = Array.from({ length: 100 }, (_, i) => `å${i}`);
  const replies = texts.map((text) => pair.client.send("ECHO", text));
  const buffer = new Uint8Array(65_536);
  const length = await pair.server.read(buffer);
  const sent = new TextDecoder().decode(buffer.subarray(0, length!));
  const expected = texts.map((text) =>
    `*2\r\n$4\r\nECHO\r\n$${encoder.encode(text).length}\r\n${text}\r\n`
  );
  assertEquals(sent, expected.join(""));
  assertEquals(writes.calls.length, 1);
  await pair.server.write(encoder.encode("-ERR first\r\n"));
  for (let i = 1; i < 100; i++) {
    await pair.server.write(encoder.encode(`:${i}\r\n`));
  }
  const error = await assertRejects(() => replies[0]!, ReplyError, "ERR first");
  assertEquals(error.command, "ECHO");
  assertEquals(
    await Promise.all(replies.slice(1)),
    Array.from({ length: 99 }, (_, i) => i + 1),
  );
});

Deno.test("RespClient rejects pending commands when the server closes the connection", async () => {
  await using pair = await connect();
  const [first, second] = [pair.client.send("A"), pair.client.send("B")];
  await pair.server.write(encoder.encode("+OK\r\n+not who"));
  assertEquals(await first, "OK");
  pair.server.closeWrite();
  await assertRejects(() => second, Deno.errors.UnexpectedEof);
  assert(await pair.client.ended instanceof Deno.errors.UnexpectedEof);
});

Deno.test("RespClient closes the connection on a reply without a command", async () => {
  await using pair = await connect();
  await pair.server.write(encoder.encode("+OK\r\n"));
  assert(await pair.client.ended instanceof ProtocolError);
});

Deno.test("RespClient rejects pending commands if there are more replies than commands", async () => {
  await using pair = await connect();
  const commands = [pair.client.send("A"), pair.client.send("B")];
  // In one chunk: no reply can be matched.
  await pair.server.write(encoder.encode("+OK\r\n+OK\r\n+OK\r\n"));
  for (const reply of commands) {
    await assertRejects(() => reply, ProtocolError);
  }
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
