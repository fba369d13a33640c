/**
 * A client for the Redis serialization protocol, version 2 (RESP2), over TCP or
 * TLS. It sends commands and returns replies, and knows nothing about their
 * meaning.
 *
 * Source: https://redis.io/docs/latest/develop/reference/protocol-spec/
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";

/**
 * The reply to a command: a simple or bulk string, an integer, null, an error, or
 * an array of replies.
 */
export type Reply = string | number | null | ReplyError | Reply[];

/** The largest reply, in bytes, without its last line break. */
export const MAX_REPLY_BYTES = 16 * 1024;

/** The deepest nesting of arrays in a reply. */
const MAX_DEPTH = 8;

/**
 * An error reply. Do not print its message: it is the text of the server, which
 * may contain arguments of the command.
 */
export class ReplyError extends Error {
  /** @ignore */
  override name = "ReplyError";
}

/** The bytes received are not a reply, or the reply is too large. */
export class ProtocolError extends Error {
  /** The store recognizes the error by this name (redis.ts). */
  override name = "ProtocolError";
}

/** Thrown inside of the parser if the bytes end before the reply. */
const INCOMPLETE = Symbol("incomplete");

/** Decodes UTF-8. Each character of the argument is one byte. */
function decode(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Parses replies from a stream of bytes. A chunk may end anywhere in a reply. */
export class ReplyParser {
  /** Each character is one byte: integers are read faster from a string. */
  #bytes = "";
  /** Where the reply starts that is not complete yet. */
  #start = 0;
  /** Where the part begins that is parsed next. */
  #at = 0;

  /**
   * Takes the next bytes of the stream, and returns the replies that are
   * complete. The caller may overwrite the bytes afterwards.
   *
   * @throws {ProtocolError} if the bytes are not RESP2, or a reply has more than
   *   {@linkcode MAX_REPLY_BYTES} bytes
   */
  push(chunk: Uint8Array): Reply[] {
    this.#bytes = this.#bytes.slice(this.#start) +
      Buffer.from(chunk).toString("latin1");
    const replies: Reply[] = [];
    this.#at = 0;
    try {
      while (true) {
        this.#start = this.#at;
        replies.push(this.#reply(0));
      }
    } catch (error) {
      if (error !== INCOMPLETE) throw error;
    }
    return replies;
  }

  /** Parses the next reply, or the next item of an array. */
  #reply(depth: number): Reply {
    switch (this.#bytes[this.#at++]) {
      case undefined:
        throw INCOMPLETE;
      case "+":
        return decode(this.#line());
      case "-":
        return new ReplyError(decode(this.#line()));
      case ":":
        return this.#integer();
      case "$": {
        const length = this.#length();
        return length === -1 ? null : decode(this.#text(this.#at + length));
      }
      case "*": {
        const length = this.#length();
        if (length === -1) return null;
        if (depth === MAX_DEPTH) throw new ProtocolError("Nested too deep");
        const items: Reply[] = [];
        while (items.length < length) items.push(this.#reply(depth + 1));
        return items;
      }
      default:
        throw new ProtocolError("Unknown type of reply");
    }
  }

  /** Parses the rest of the line. */
  #line(): string {
    const end = this.#bytes.indexOf("\r", this.#at);
    return this.#text(end < 0 ? this.#bytes.length : end);
  }

  /**
   * Parses the text before `end`, where a line break must be. Every part of a
   * reply passes here, so that this is the only check of its size.
   */
  #text(end: number): string {
    if (end - this.#start > MAX_REPLY_BYTES) {
      throw new ProtocolError(`More than ${MAX_REPLY_BYTES} bytes`);
    }
    if (this.#bytes.length < end + 2) throw INCOMPLETE;
    if (!this.#bytes.startsWith("\r\n", end)) {
      throw new ProtocolError("No line break");
    }
    const text = this.#bytes.slice(this.#at, end);
    this.#at = end + 2;
    return text;
  }

  #integer(): number {
    const line = this.#line();
    // A number represents all integers of 15 digits exactly.
    if (!/^-?\d{1,15}$/.test(line)) throw new ProtocolError("Not an integer");
    return Number(line);
  }

  /** Parses the length of a string or an array; -1 means null. */
  #length(): number {
    const length = this.#integer();
    if (length < -1 || length > MAX_REPLY_BYTES) {
      throw new ProtocolError("Not a length");
    }
    return length;
  }
}

/** Encodes a command as an array of bulk strings. */
function encode(args: readonly string[]): string {
  const strings = args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`);
  return `*${args.length}\r\n${strings.join("")}`;
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
 */
export class RespClient {
  /** The commands that wait for a reply, in the order of sending. */
  readonly #pending: PromiseWithResolvers<Reply>[] = [];
  /** Encoded commands for the next write. */
  #outgoing = "";
  #isWriting = false;
  #end: Error | undefined;
  readonly #ended = Promise.withResolvers<Error>();
  /** Resolves with the reason when the connection ends. */
  readonly ended: Promise<Error> = this.#ended.promise;

  private constructor(
    private readonly connection: Deno.Conn,
    signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.close());
    this.#read();
  }

  /**
   * Connects to a server; with TLS the certificate is verified.
   *
   * @param signal closes the connection, also one that is not complete or failed
   * @throws what `Deno.connect`, `Deno.startTls` and the handshake throw
   */
  static async connect(
    { hostname, port, tls }: RespAddress,
    signal: AbortSignal,
  ): Promise<RespClient> {
    const tcp = await Deno.connect({ hostname, port, signal });
    // A command must not wait for the acknowledgement of the one before it.
    tcp.setNoDelay(true);
    if (!tls) return new RespClient(tcp, signal);
    const connection = await Deno.startTls(tcp, { hostname });
    signal.addEventListener("abort", () => connection[Symbol.dispose]());
    await connection.handshake();
    return new RespClient(connection, signal);
  }

  /**
   * Sends the name of a command and its arguments.
   *
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

  /** Ends the connection. Pending commands fail with the reason. */
  close(reason: Error = new Error("Closed")): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#outgoing = "";
    this.connection[Symbol.dispose](); // close() throws if it is closed
    for (const { reject } of this.#pending.splice(0)) reject(reason);
    this.#ended.resolve(reason);
  }

  async #write(): Promise<void> {
    try {
      while (this.#outgoing !== "") {
        const bytes = Buffer.from(this.#outgoing);
        this.#outgoing = "";
        for (let at = 0; at < bytes.length;) {
          at += await this.connection.write(bytes.subarray(at));
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
        const length = await this.connection.read(buffer);
        if (length === null) {
          throw new Deno.errors.UnexpectedEof("The server closed it");
        }
        const replies = parser.push(buffer.subarray(0, length));
        // Before a command is taken off: close() rejects those in the list.
        if (replies.length > this.#pending.length) {
          throw new ProtocolError("A reply without a command");
        }
        const pending = this.#pending.splice(0, replies.length);
        pending.forEach(({ resolve }, i) => resolve(replies[i]!));
      }
    } catch (error) {
      this.close(error as Error);
    }
  }
}
