/**
 * A client for the Redis serialization protocol, version 2 (RESP2), over TCP or TLS.
 * It sends commands whose reply is one line, a status or an error.
 *
 * Source: https://redis.io/docs/latest/develop/reference/protocol-spec/
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";

/** The longest reply, in characters. */
const MAX_REPLY_LENGTH = 4096;

/**
 * An error reply. Do not print its message: it is the text of the server, which
 * may contain arguments of the command.
 */
export class ReplyError extends Error {
  /** @ignore */
  override name = "ReplyError";

  /** Makes an error from the text of the reply and the name of the command. */
  constructor(message: string, readonly command: string) {
    super(message);
  }
}

/** The bytes received are not a reply. */
export class ProtocolError extends Error {
  /** @ignore */
  override name = "ProtocolError";
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
  readonly #pending: (PromiseWithResolvers<string> & { name: string })[] = [];
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
    if (signal.aborted) this.close();
    this.#read().catch((error) => this.close(error));
  }

  /**
   * Connects to a server. With TLS, a certificate that is not valid ends the
   * connection.
   *
   * @param signal closes the connection, or cancels the attempt to connect
   * @throws what `Deno.connect` and `Deno.startTls` throw
   */
  static async connect(
    { hostname, port, tls }: RespAddress,
    signal: AbortSignal,
  ): Promise<RespClient> {
    const tcp = await Deno.connect({ hostname, port, signal });
    // A command must not wait for the acknowledgement of the one before it.
    tcp.setNoDelay(true);
    return new RespClient(
      tls ? await Deno.startTls(tcp, { hostname }) : tcp,
      signal,
    );
  }

  /**
   * Sends the name of a command and its arguments.
   *
   * @returns the reply
   * @throws {ReplyError} if the server replies with an error
   * @throws the reason why the connection ended before the reply; the server may
   *   have executed the command
   */
  send(...args: string[]): Promise<string> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    this.#outgoing += encode(args);
    if (!this.#isWriting) {
      this.#isWriting = true;
      // After this turn of the event loop: under load one write has 8 to 80
      // commands, and in a microtask it would have one.
      setImmediate(() => this.#write().catch((error) => this.close(error)));
    }
    const command = Promise.withResolvers<string>();
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
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(64 * 1024);
    let text = "";
    while (this.#end === undefined) {
      const length = await this.connection.read(buffer);
      if (length === null) {
        throw new Deno.errors.UnexpectedEof("the server closed the connection");
      }
      text += decoder.decode(buffer.subarray(0, length), { stream: true });
      if (/(^|\n)[^+-]/.test(text)) {
        throw new ProtocolError("neither a status nor an error");
      }
      const replies = text.split("\r\n");
      text = replies.pop()!;
      if (text.length > MAX_REPLY_LENGTH) throw new ProtocolError("too long");
      // Before commands leave the list: close() rejects those in it.
      if (replies.length > this.#pending.length) {
        throw new ProtocolError("a reply without a command");
      }
      const pending = this.#pending.splice(0, replies.length);
      pending.forEach(({ resolve, reject, name }, i) => {
        const reply = replies[i]!;
        if (reply.startsWith("+")) resolve(reply.slice(1));
        else reject(new ReplyError(reply.slice(1), name));
      });
    }
  }
}
