/**
 * An HTTP/1.1 connection of raw bytes, for requests that no HTTP client sends.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { CERT } from "./program.ts";

/** The decoders of the content codings that the service uses. */
export const DECODERS: Record<string, (body: Uint8Array) => Uint8Array> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** The request to continue with HTTP/2 (RFC 7540, section 3.2). */
export const UPGRADE_TO_HTTP2 = [
  "Connection: Upgrade, HTTP2-Settings",
  "Upgrade: h2c",
  "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
];

/** A response. Its status is NaN if it does not start as HTTP/1.x does. */
export interface RawResponse {
  readonly status: number;
  /** The status line and the header fields. */
  readonly head: string;
  readonly headers: Headers;
  /** The body without its content coding. */
  readonly body: string;
}

/** A TCP connection to a service on this machine, with or without TLS. */
export class RawConnection {
  readonly #socket: Deno.Conn;
  readonly #chunk = new Uint8Array(65_536);
  #received = Buffer.alloc(0);

  private constructor(socket: Deno.Conn) {
    this.#socket = socket;
  }

  static async connect(port: number): Promise<RawConnection> {
    const socket = await Deno.connect({ port, hostname: "127.0.0.1" });
    // Nagle's algorithm would delay the second of two short writes.
    socket.setNoDelay();
    return new RawConnection(socket);
  }

  static async connectTls(port: number): Promise<RawConnection> {
    const caCerts = [await Deno.readTextFile(CERT)];
    const options = { port, hostname: "localhost", caCerts };
    return new RawConnection(await Deno.connectTls(options));
  }

  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    for (let at = 0; at < bytes.length;) {
      at += await this.#socket.write(bytes.subarray(at));
    }
  }

  /** Tells the service that no more data follows. */
  async closeWrite(): Promise<void> {
    await this.#socket.closeWrite();
  }

  /** Reads the response to a GET or POST request; 100 (Continue) is one too. */
  async read(): Promise<RawResponse> {
    const response = await this.#parse("GET");
    assert(response !== undefined, "closed without a response");
    return response;
  }

  /**
   * Reads the next response, except 100 (Continue).
   *
   * @param method the method of the request
   * @returns the response, or undefined if the connection is closed
   */
  async next(method: string): Promise<RawResponse | undefined> {
    const response = await this.#parse(method);
    return response?.status === 100 ? await this.#parse(method) : response;
  }

  /** Returns all that has arrived when a header is complete, or at the end. */
  async readHead(): Promise<string> {
    while (!this.#received.includes("\r\n\r\n") && await this.#receive());
    return this.#received.toString("latin1");
  }

  /** Returns all that arrives until the service closes the connection. */
  async readToEnd(): Promise<string> {
    while (await this.#receive());
    return this.#received.toString("latin1");
  }

  async #parse(method: string): Promise<RawResponse | undefined> {
    let headLength: number;
    while ((headLength = this.#received.indexOf("\r\n\r\n")) < 0) {
      if (await this.#receive()) continue;
      assertEquals(this.#received.toString("latin1"), "", "incomplete header");
      return undefined;
    }
    const head = this.#received.toString("latin1", 0, headLength);
    const [statusLine, ...lines] = head.split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(statusLine!)?.[1]);
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers.append(line.slice(0, colon), line.slice(colon + 1));
    }
    assertEquals(headers.has("transfer-encoding"), false);
    const hasBody = method !== "HEAD" && status >= 200 &&
      status !== 204 && status !== 304;
    const length = hasBody ? Number(headers.get("content-length")) : 0;
    const end = headLength + 4 + length;
    while (this.#received.length < end) {
      assert(await this.#receive(), "incomplete body");
    }
    const received = this.#received.subarray(headLength + 4, end);
    const decode = DECODERS[headers.get("content-encoding") ?? ""];
    const body = new TextDecoder("utf-8", { fatal: true }).decode(
      hasBody && decode ? decode(received) : received,
    );
    this.#received = this.#received.subarray(end);
    return { status, head, headers, body };
  }

  /** Waits for more data. Returns false if the connection is closed. */
  async #receive(): Promise<boolean> {
    const length = await this.#socket.read(this.#chunk).catch(ignoreClosed);
    if (!length) return false;
    const chunk = this.#chunk.subarray(0, length);
    this.#received = Buffer.concat([this.#received, chunk]);
    return true;
  }

  [Symbol.dispose](): void {
    try {
      this.#socket.close();
    } catch {
      // It is closed already.
    }
  }
}

/** Handles the error of a closed connection, and throws every other error. */
export function ignoreClosed(error: unknown): void {
  const {
    ConnectionReset,
    BrokenPipe,
    NotConnected,
    BadResource,
    Interrupted,
    UnexpectedEof,
  } = Deno.errors;
  const closed = [ConnectionReset, BrokenPipe, NotConnected, BadResource]
    .concat(Interrupted, UnexpectedEof);
  if (!closed.some((type) => error instanceof type)) throw error;
}
