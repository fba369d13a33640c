/**
 * A client for the Redis serialization protocol, version 2 (RESP2), over TCP or
 * TLS. It sends commands and returns replies, and knows nothing about their
 * meaning.
 *
 * Source: https://redis.io/docs/latest/develop/reference/protocol-spec/
 *
 * @module
 */
import { setImmediate } from "node:timers";

/**
 * The reply to a command: a simple or bulk string, an integer, null, an error, or
 * an array of replies.
 */
export type Reply = string | number | null | ReplyError | Reply[];

/** The largest reply, in bytes. */
export const MAX_REPLY_BYTES = 16 * 1024;

/** The deepest nesting of arrays in a reply. */
const MAX_DEPTH = 8;

/**
 * An error reply. Do not print its message: it is the text of the server, which
 * may contain arguments of the command.
 *
 * @example
 * ```ts
 * import { ReplyError } from "./resp.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(new ReplyError("LOADING Redis is loading").code, "LOADING");
 * ```
 */
export class ReplyError extends Error {
  /** The name of the class. */
  override name = "ReplyError";
  /** The first word of the text, such as `NOSCRIPT`. */
  readonly code: string = this.message.split(" ", 1)[0]!;
}

/**
 * The bytes received are not a reply, or the reply is too large.
 *
 * @example
 * ```ts
 * import { ProtocolError, ReplyParser } from "./resp.ts";
 * import { assertThrows } from "@std/assert";
 *
 * const http = new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n");
 * assertThrows(() => new ReplyParser().push(http), ProtocolError);
 * ```
 */
export class ProtocolError extends Error {
  /** The name of the class. */
  override name = "ProtocolError";
}

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Parses replies from a stream of bytes. A chunk may end anywhere in a reply.
 *
 * @example
 * ```ts
 * import { ReplyParser } from "./resp.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const parser = new ReplyParser();
 * const bytes = new TextEncoder().encode("+OK\r\n*2\r\n:1\r\n$1\r\nx\r\n");
 * assertEquals(parser.push(bytes.subarray(0, 12)), ["OK"]);
 * assertEquals(parser.push(bytes.subarray(12)), [[1, "x"]]);
 * ```
 */
export class ReplyParser {
  /** The bytes that are not parsed yet. */
  #bytes = new Uint8Array();
  #at = 0;

  /**
   * Takes the next bytes of the stream.
   *
   * @param chunk the bytes; the caller may overwrite them afterwards
   * @returns the replies that are complete
   * @throws {ProtocolError} if the bytes are not RESP2, or a reply has more than
   *   {@linkcode MAX_REPLY_BYTES} bytes
   */
  push(chunk: Uint8Array): Reply[] {
    const rest = this.#bytes;
    this.#bytes = new Uint8Array(rest.length + chunk.length);
    this.#bytes.set(rest);
    this.#bytes.set(chunk, rest.length);
    const replies: Reply[] = [];
    let start = this.#at = 0;
    while (start < this.#bytes.length) {
      const reply = this.#reply(0);
      const end = reply === undefined ? this.#bytes.length : this.#at;
      if (end - start > MAX_REPLY_BYTES) throw tooLarge();
      if (reply === undefined) break;
      replies.push(reply);
      start = end;
    }
    this.#bytes = this.#bytes.slice(start);
    return replies;
  }

  /** Parses the next reply; undefined if it is not complete. */
  #reply(depth: number): Reply | undefined {
    if (this.#at === this.#bytes.length) return undefined;
    const type = String.fromCharCode(this.#bytes[this.#at++]!);
    switch (type) {
      case "+":
        return this.#line();
      case "-": {
        const line = this.#line();
        return line === undefined ? undefined : new ReplyError(line);
      }
      case ":":
        return this.#integer();
      case "$":
        return this.#bulkString();
      case "*":
        return this.#array(depth);
      default:
        throw new ProtocolError("Unknown type of reply");
    }
  }

  /** Parses the rest of the line. */
  #line(): string | undefined {
    const end = this.#bytes.indexOf(CARRIAGE_RETURN, this.#at);
    return end < 0 ? undefined : this.#text(end);
  }

  /** Parses the text before `end`, where a line break must be. */
  #text(end: number): string | undefined {
    if (this.#bytes.length < end + 2) return undefined;
    if (
      this.#bytes[end] !== CARRIAGE_RETURN || this.#bytes[end + 1] !== LINE_FEED
    ) throw new ProtocolError("No line break");
    const text = decoder.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end + 2;
    return text;
  }

  #integer(): number | undefined {
    const line = this.#line();
    if (line === undefined) return undefined;
    // A number represents all integers of 15 digits exactly.
    if (!/^-?\d{1,15}$/.test(line)) throw new ProtocolError("Not an integer");
    return Number(line);
  }

  /** Parses the length of a string or an array; -1 means null. */
  #length(): number | undefined {
    const length = this.#integer();
    if (length === undefined) return undefined;
    if (length < -1) throw new ProtocolError("Negative length");
    if (length > MAX_REPLY_BYTES) throw tooLarge();
    return length;
  }

  #bulkString(): string | null | undefined {
    const length = this.#length();
    if (length === undefined) return undefined;
    return length === -1 ? null : this.#text(this.#at + length);
  }

  #array(depth: number): Reply[] | null | undefined {
    const length = this.#length();
    if (length === undefined) return undefined;
    if (length === -1) return null;
    if (depth === MAX_DEPTH) throw new ProtocolError("Arrays nested too deep");
    const items: Reply[] = [];
    while (items.length < length) {
      const item = this.#reply(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
}

function tooLarge(): ProtocolError {
  return new ProtocolError(`A reply has more than ${MAX_REPLY_BYTES} bytes`);
}

/** Encodes a command as an array of bulk strings. */
function encode(args: readonly string[]): string {
  let text = `*${args.length}\r\n`;
  for (const arg of args) {
    text += `$${encoder.encode(arg).length}\r\n${arg}\r\n`;
  }
  return text;
}

/** The address of a server. */
export interface RespAddress {
  /** An IP address or a host name. */
  readonly hostname: string;
  /** The TCP port, 1 to 65,535. */
  readonly port: number;
  /** Whether it speaks TLS. */
  readonly tls: boolean;
}

/**
 * One connection with pipelining: replies arrive in the order of the commands.
 * All commands of one turn of the event loop are sent in one write.
 *
 * @example
 * ```ts
 * import { RespClient } from "./resp.ts";
 * import { assertEquals } from "@std/assert";
 *
 * using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
 * const { hostname, port } = listener.addr;
 * const client = await RespClient.connect(
 *   { hostname, port, tls: false },
 *   new AbortController().signal,
 * );
 * using server = await listener.accept();
 * const pong = client.send(["PING"]);
 * await server.write(new TextEncoder().encode("+PONG\r\n"));
 * assertEquals(await pong, "PONG");
 * client.close();
 * ```
 */
export class RespClient {
  readonly #connection: Deno.Conn;
  /** The commands that wait for a reply, in the order of sending. */
  readonly #pending: PromiseWithResolvers<Reply>[] = [];
  /** Encoded commands for the next write. */
  #outgoing = "";
  #isWriting = false;
  #end: Error | undefined;
  readonly #ended = Promise.withResolvers<Error>();
  /** Resolves with the reason when the connection ends. */
  readonly ended: Promise<Error> = this.#ended.promise;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
    this.#read();
  }

  /**
   * Connects to a server.
   *
   * @param address the address of the server
   * @param signal cancels the attempt to connect
   * @returns the connection; with TLS the certificate is verified
   * @throws what `Deno.connect`, `Deno.startTls` and the handshake throw
   */
  static async connect(
    { hostname, port, tls }: RespAddress,
    signal: AbortSignal,
  ): Promise<RespClient> {
    const tcp = await Deno.connect({ hostname, port, signal });
    // A command must not wait for the acknowledgement of the one before it.
    tcp.setNoDelay(true);
    if (!tls) return new RespClient(tcp);
    const connection = await Deno.startTls(tcp, { hostname });
    const cancel = () => connection.close();
    signal.addEventListener("abort", cancel);
    try {
      await connection.handshake();
    } catch (error) {
      if (!signal.aborted) cancel();
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
    return new RespClient(connection);
  }

  /**
   * Sends a command.
   *
   * @param args the name of the command and its arguments
   * @returns the reply, which may be a {@linkcode ReplyError}
   * @throws the reason why the connection ended before the reply; the server may
   *   have executed the command
   */
  send(args: readonly string[]): Promise<Reply> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    this.#outgoing += encode(args);
    if (!this.#isWriting) {
      this.#isWriting = true;
      // After this turn of the event loop: under load one write has 8 to 80
      // commands, and in a microtask it would have one.
      setImmediate(() => this.#write());
    }
    const command = Promise.withResolvers<Reply>();
    this.#pending.push(command);
    return command.promise;
  }

  /**
   * Ends the connection. Pending commands fail.
   *
   * @param reason the error with which the pending commands fail
   */
  close(reason: Error = new Error("Closed")): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#outgoing = "";
    this.#connection.close();
    for (const { reject } of this.#pending.splice(0)) reject(reason);
    this.#ended.resolve(reason);
  }

  async #write(): Promise<void> {
    try {
      while (this.#outgoing !== "") {
        const bytes = encoder.encode(this.#outgoing);
        this.#outgoing = "";
        for (let at = 0; at < bytes.length;) {
          at += await this.#connection.write(bytes.subarray(at));
        }
      }
      this.#isWriting = false;
    } catch (error) {
      this.close(error as Error);
    }
  }

  async #read(): Promise<void> {
    const parser = new ReplyParser();
    const buffer = new Uint8Array(64 * 1024);
    try {
      while (this.#end === undefined) {
        const length = await this.#connection.read(buffer);
        if (length === null) {
          throw new Deno.errors.UnexpectedEof("The server closed it");
        }
        const replies = parser.push(buffer.subarray(0, length));
        const pending = this.#pending.splice(0, replies.length);
        if (pending.length < replies.length) {
          throw new ProtocolError("A reply without a command");
        }
        pending.forEach(({ resolve }, i) => resolve(replies[i]!));
      }
    } catch (error) {
      this.close(error as Error);
    }
  }
}
