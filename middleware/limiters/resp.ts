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

/** A reply: a string, an integer, null, an error, or an array of these. */
export type Reply = string | number | null | ReplyError | Reply[];

/**
 * The largest reply, in bytes. A reply is parsed again with each chunk, so this and
 * the number of items limit the time for one that arrives byte by byte.
 */
export const MAX_REPLY_BYTES = 4096;

/** The most items of an array. No item may be an array. */
const MAX_ITEMS = 16;

/**
 * An error reply. Do not print its message: it is the text of the server, which
 * may contain arguments of the command.
 */
export class ReplyError extends Error {
  /** @ignore */
  override name = "ReplyError";
  /** The name of the command. */
  command = "";
}

/** The bytes received are not a reply. */
export class ProtocolError extends Error {
  /** @ignore */
  override name = "ProtocolError";
}

/** Decodes UTF-8. Each character of the argument is one byte. */
function decode(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/**
 * Parses the reply at `start`. Returns it and its end; undefined if more bytes must
 * arrive.
 */
function parse(
  bytes: string,
  start: number,
  isItem = false,
): [reply: Reply, end: number] | undefined {
  const type = bytes[start];
  if (type === undefined) return undefined;
  if (!"+-:$*".includes(type)) {
    throw new ProtocolError("unknown type of reply");
  }
  const lineEnd = bytes.indexOf("\r", start);
  let end = lineEnd + 2;
  if (lineEnd < 0 || end > bytes.length) return undefined;
  if (bytes[lineEnd + 1] !== "\n") throw new ProtocolError("no line break");
  const line = bytes.slice(start + 1, lineEnd);
  if (type === "+") return [decode(line), end];
  if (type === "-") return [new ReplyError(decode(line)), end];
  // A number represents all integers of 15 digits exactly.
  if (!/^-?\d{1,15}$/.test(line)) throw new ProtocolError("not an integer");
  const number = Number(line);
  if (type === ":") return [number, end];
  if (number === -1) return [null, end];
  if (number < 0) throw new ProtocolError("not a length");
  if (type === "$") {
    if (number > MAX_REPLY_BYTES) throw tooLarge();
    const text = bytes.slice(end, end += number);
    end += 2;
    if (end > bytes.length) return undefined;
    if (!bytes.startsWith("\r\n", end - 2)) {
      throw new ProtocolError("no line break");
    }
    return [decode(text), end];
  }
  if (isItem || number > MAX_ITEMS) {
    throw new ProtocolError("an array that is nested or too long");
  }
  const items: Reply[] = [];
  while (items.length < number) {
    const item = parse(bytes, end, true);
    if (item === undefined) return undefined;
    items.push(item[0]);
    end = item[1];
  }
  return [items, end];
}

/** Redis sends such a reply if another program has written a large value. */
function tooLarge(): RangeError {
  return new RangeError(`a reply has more than ${MAX_REPLY_BYTES} bytes`);
}

/** Parses replies from a stream of bytes. A chunk may end anywhere in a reply. */
export class ReplyParser {
  /** Each character is one byte: integers are read faster from a string. */
  #bytes = "";

  /**
   * Takes the next bytes of the stream, and returns the replies that are
   * complete. The caller may overwrite the bytes afterwards.
   *
   * @throws {ProtocolError} if the bytes are not RESP2
   * @throws {RangeError} if a reply has more than {@linkcode MAX_REPLY_BYTES} bytes
   */
  push(chunk: Uint8Array): Reply[] {
    const bytes = this.#bytes + Buffer.from(chunk).toString("latin1");
    const replies: Reply[] = [];
    let start = 0;
    while (true) {
      const parsed = parse(bytes, start);
      const end = parsed?.[1] ?? bytes.length;
      if (end - start > MAX_REPLY_BYTES) throw tooLarge();
      if (parsed === undefined) break;
      replies.push(parsed[0]);
      start = end;
    }
    this.#bytes = bytes.slice(start);
    return replies;
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
  readonly #pending: (PromiseWithResolvers<Reply> & { name: string })[] = [];
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
    this.#read().catch((error) => this.close(error));
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
   * @returns the reply
   * @throws {ReplyError} if the server replies with an error
   * @throws the reason why the connection ended before the reply; the server may
   *   have executed the command
   */
  send(...args: string[]): Promise<Reply> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    this.#outgoing += encode(args);
    if (!this.#isWriting) {
      this.#isWriting = true;
      // After this turn of the event loop: under load one write has 8 to 80
      // commands, and in a microtask it would have one.
      setImmediate(() => this.#write().catch((error) => this.close(error)));
    }
    const command = Promise.withResolvers<Reply>();
    this.#pending.push({ ...command, name: args[0]! });
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
    while (this.#outgoing !== "") {
      const bytes = Buffer.from(this.#outgoing);
      this.#outgoing = "";
      for (let at = 0; at < bytes.length;) {
        at += await this.connection.write(bytes.subarray(at));
      }
    }
    this.#isWriting = false;
  }

  async #read(): Promise<void> {
    const parser = new ReplyParser();
    const buffer = new Uint8Array(64 * 1024);
    while (this.#end === undefined) {
      const length = await this.connection.read(buffer);
      if (length === null) {
        throw new Deno.errors.UnexpectedEof("the server closed the connection");
      }
      const replies = parser.push(buffer.subarray(0, length));
      // Before a command is taken off: close() rejects those in the list.
      if (replies.length > this.#pending.length) {
        throw new ProtocolError("a reply without a command");
      }
      const pending = this.#pending.splice(0, replies.length);
      pending.forEach(({ resolve, reject, name }, i) => {
        const reply = replies[i]!;
        if (reply instanceof ReplyError) {
          reject(Object.assign(reply, { command: name }));
        } else resolve(reply);
      });
    }
  }
}
