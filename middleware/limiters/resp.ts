/**
 * A client for the Redis serialization protocol, version 2 (RESP2), over TCP or
 * TLS. It sends commands and returns replies; it does not know what they mean.
 *
 * Source: https://redis.io/docs/latest/develop/reference/protocol-spec/
 *
 * @module
 */
import { setImmediate } from "node:timers";

/**
 * What a server answers to a command: a simple or bulk string, an integer, null,
 * an error, or an array of replies.
 */
export type Reply = string | number | null | ReplyError | Reply[];

/** The most bytes that one reply may have. */
export const MAX_REPLY_BYTES = 16 * 1024;

/** How deep arrays may be nested in a reply. */
const MAX_DEPTH = 8;

/**
 * An error reply. The message is the server's text, which may repeat arguments
 * of the command: do not print it.
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
const MINUS = 45;
const ZERO = 48;

/** The first byte of a reply tells its type. */
const Type = {
  SIMPLE_STRING: 43, // +
  ERROR: 45, // -
  INTEGER: 58, // :
  BULK_STRING: 36, // $
  ARRAY: 42, // *
} as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Reads replies from a stream of bytes that may be cut anywhere.
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
  /** What is read, beginning with a reply that has not arrived completely. */
  #bytes = new Uint8Array();
  #at = 0;

  /**
   * Takes the next bytes of the stream.
   *
   * @param chunk the bytes; they may be overwritten afterwards
   * @returns the replies that are complete now
   * @throws {ProtocolError} if this is not RESP2, or a reply has more than
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

  /** Reads the reply at the current place; undefined if it is not complete. */
  #reply(depth: number): Reply | undefined {
    if (this.#at === this.#bytes.length) return undefined;
    switch (this.#bytes[this.#at++]) {
      case Type.SIMPLE_STRING:
        return this.#line();
      case Type.ERROR: {
        const line = this.#line();
        return line === undefined ? undefined : new ReplyError(line);
      }
      case Type.INTEGER:
        return this.#integer();
      case Type.BULK_STRING:
        return this.#bulkString();
      case Type.ARRAY:
        return this.#array(depth);
      default:
        throw new ProtocolError("Unknown type of reply");
    }
  }

  /** Reads up to the end of the line. */
  #line(): string | undefined {
    const end = this.#bytes.indexOf(CARRIAGE_RETURN, this.#at);
    return end < 0 ? undefined : this.#text(end);
  }

  /** Reads up to `end`, where a line break must be. */
  #text(end: number): string | undefined {
    if (this.#bytes.length < end + 2) return undefined;
    if (
      this.#bytes[end] !== CARRIAGE_RETURN || this.#bytes[end + 1] !== LINE_FEED
    ) throw new ProtocolError("No line break");
    const text = decoder.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end + 2;
    return text;
  }

  /** Reads digits up to the end of the line. By hand: it is most of a reply. */
  #integer(): number | undefined {
    const bytes = this.#bytes;
    const isNegative = bytes[this.#at] === MINUS;
    const first = isNegative ? this.#at + 1 : this.#at;
    let value = 0;
    let at = first;
    for (; bytes[at] !== CARRIAGE_RETURN; at++) {
      if (at === bytes.length) return undefined;
      const digit = bytes[at]! - ZERO;
      // 15 digits are exact in a number.
      if (digit < 0 || digit > 9 || at - first === 15) {
        throw new ProtocolError("Not an integer");
      }
      value = 10 * value + digit;
    }
    if (at + 1 === bytes.length) return undefined;
    if (at === first || bytes[at + 1] !== LINE_FEED) {
      throw new ProtocolError("Not an integer");
    }
    this.#at = at + 2;
    return isNegative ? -value : value;
  }

  /** Reads the length of a string or an array; -1 stands for null. */
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

/** A command as an array of bulk strings. */
function encode(args: readonly string[]): string {
  let text = `*${args.length}\r\n`;
  for (const arg of args) text += `$${byteLength(arg)}\r\n${arg}\r\n`;
  return text;
}

/** The length in UTF-8. Nearly every argument is ASCII, and needs no encoder. */
function byteLength(text: string): number {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) return encoder.encode(text).length;
  }
  return text.length;
}

/** A command whose reply has not arrived. */
interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (reason: Error) => void;
}

/** Where a server listens. */
export interface RespAddress {
  /** An IP address or a host name. */
  readonly hostname: string;
  /** The TCP port, 1 to 65,535. */
  readonly port: number;
  /** Whether it speaks TLS. */
  readonly tls: boolean;
}

/**
 * One connection. Commands are answered in the order in which they were sent
 * (pipelining); those of one turn of the event loop are sent in one write.
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
  /** In the order in which they were sent. */
  readonly #waiting: Waiting[] = [];
  /** Commands that wait for the write under way to end. */
  #outgoing = "";
  #isWriting = false;
  #end: Error | undefined;
  #onEnd!: (reason: Error) => void;
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<Error> = new Promise((resolve) =>
    this.#onEnd = resolve
  );

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
    this.#read();
  }

  /**
   * Connects to a server.
   *
   * @param address where it listens
   * @param signal gives up while there is no connection
   * @returns the connection; with TLS the certificate has been verified
   * @throws what `Deno.connect`, `Deno.startTls` and the handshake throw
   */
  static async connect(
    { hostname, port, tls }: RespAddress,
    signal: AbortSignal,
  ): Promise<RespClient> {
    const tcp = await Deno.connect({ hostname, port, signal });
    // A command must not wait until the one before it is acknowledged.
    tcp.setNoDelay(true);
    if (!tls) return new RespClient(tcp);
    const connection = await Deno.startTls(tcp, { hostname });
    const giveUp = () => connection.close();
    signal.addEventListener("abort", giveUp);
    try {
      await connection.handshake();
    } catch (error) {
      if (!signal.aborted) giveUp();
      throw error;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
    return new RespClient(connection);
  }

  /**
   * Sends a command.
   *
   * @param args its name and its arguments
   * @returns the reply, which may be a {@linkcode ReplyError}
   * @throws the reason why the connection ended before the reply arrived; the
   *   command may have been executed
   */
  send(args: readonly string[]): Promise<Reply> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    this.#outgoing += encode(args);
    if (!this.#isWriting) {
      this.#isWriting = true;
      // Once for all commands of this turn of the event loop: 8 to 80 in a write
      // under load, where a microtask finds one.
      setImmediate(() => this.#write());
    }
    return new Promise((resolve, reject) =>
      this.#waiting.push({ resolve, reject })
    );
  }

  /**
   * Ends the connection. Commands without a reply fail.
   *
   * @param reason what they fail with
   */
  close(reason: Error = new Error("Closed")): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#outgoing = "";
    this.#connection.close();
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    this.#onEnd(reason);
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
        const waiting = this.#waiting.splice(0, replies.length);
        if (waiting.length < replies.length) {
          throw new ProtocolError("A reply without a command");
        }
        waiting.forEach(({ resolve }, i) => resolve(replies[i]!));
      }
    } catch (error) {
      this.close(error as Error);
    }
  }
}
