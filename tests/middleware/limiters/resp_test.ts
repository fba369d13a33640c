import { assert, assertEquals, assertRejects } from "@std/assert";
import { stub } from "@std/testing/mock";
import { setTimeout as pause } from "node:timers/promises";
import {
  ProtocolError,
  ReplyError,
  RespClient,
} from "../../../middleware/limiters/resp.ts";

const encoder = new TextEncoder();

/** A client, and the other end of its connection. */
async function connect({ tls = false } = {}) {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { hostname, port } = listener.addr;
  const controller = new AbortController();
  const [client, server] = await Promise.all([
    RespClient.connect({ hostname, port, tls }, controller.signal),
    listener.accept(),
  ]);
  listener.close();
  return {
    client,
    server,
    controller,
    [Symbol.asyncDispose]: async () => {
      client.close();
      server.close();
      await client.ended;
    },
  };
}

Deno.test("RespClient counts the bytes of a command, and matches replies in order, cut at any byte", async () => {
  await using pair = await connect();
  const bytes = encoder.encode("-ERR försök\r\n+b c\r\n+\r\n");
  for (let at = 0; at <= bytes.length; at++) {
    const replies = ["å", "b", "c"].map((text) =>
      pair.client.send("ECHO", text)
    );
    const settled = Promise.allSettled(replies);
    const buffer = new Uint8Array(1000);
    const length = await pair.server.read(buffer);
    assertEquals(
      new TextDecoder().decode(buffer.subarray(0, length!)),
      ["$2\r\nå", "$1\r\nb", "$1\r\nc"]
        .map((text) => `*2\r\n$4\r\nECHO\r\n${text}\r\n`).join(""),
    );
    await pair.server.write(bytes.subarray(0, at));
    await pause(1); // the client reads the first part
    await pair.server.write(bytes.subarray(at));
    const error = await assertRejects(() => replies[0]!, ReplyError);
    assertEquals([error.message, error.command], ["ERR försök", "ECHO"]);
    assertEquals([await replies[1], await replies[2]], ["b c", ""]);
    await settled;
  }
});

Deno.test("RespClient rejects pending and later commands after what is not a reply", async () => {
  const texts = [
    "HTTP/1.1 400 Bad Request\r\n",
    "\x15\x03\x01", // a record of TLS
    ":1\r\n",
    "+a\r\n\r\n",
    "+a\nb\r\n",
    "+OK\r\n".repeat(3), // no reply can be matched
    "+".padEnd(5000, "a"),
  ];
  for (const text of texts) {
    await using pair = await connect();
    const commands = [pair.client.send("A"), pair.client.send("B")];
    await pair.server.write(encoder.encode(text));
    for (const reply of commands) {
      await assertRejects(() => reply, ProtocolError);
    }
    assert(await pair.client.ended instanceof ProtocolError);
    await assertRejects(() => pair.client.send("C"), ProtocolError);
  }
});

Deno.test("the signal of RespClient does not wait until a command is sent, or for a TLS handshake", async () => {
  for (const tls of [false, true]) {
    await using pair = await connect({ tls });
    const stuck = pair.client.send("x".repeat(8 << 20));
    await pair.server.read(new Uint8Array(1)); // the write, or the handshake
    pair.controller.abort();
    await assertRejects(() => stuck, Error, "Closed");
  }
});

Deno.test("RespClient closes a connection whose signal was aborted before there was a client", async () => {
  const { connect: connectTcp } = Deno;
  const aborted = AbortSignal.abort();
  using _ = stub(
    Deno,
    "connect",
    (({ hostname, port }: Deno.ConnectOptions) =>
      connectTcp({ hostname: hostname!, port })) as typeof Deno.connect,
  );
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { hostname, port } = listener.addr;
  const address = { hostname, port, tls: false };
  const client = await RespClient.connect(address, aborted);
  (await listener.accept()).close();
  await assertRejects(() => client.send("A"), Error, "Closed");
});
