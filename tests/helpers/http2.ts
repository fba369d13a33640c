/**
 * Requests over HTTP/2 that fetch() does not send, and frames for connections that no
 * HTTP client makes.
 *
 * @module
 */
import { assert } from "@std/assert";
import { Buffer } from "node:buffer";
import type http2 from "node:http2";
import { CERT, type Running } from "./program.ts";

/** Sends a request, and reads the response. */
export function fetchHttp2(
  session: http2.ClientHttp2Session,
  fields: http2.OutgoingHttpHeaders,
  body?: string,
): Promise<{ status: number; length: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const stream = session.request(fields);
    const chunks: Buffer[] = [];
    let [status, length] = [NaN, undefined as string | undefined];
    stream.on("error", reject);
    stream.on("response", (headers) => {
      status = headers[":status"]!;
      length = headers["content-length"];
    });
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("end", () => {
      resolve({ status, length, body: Buffer.concat(chunks) });
    });
    stream.end(body);
  });
}

const encoder = new TextEncoder();

/** Types of frames (RFC 9113, section 6). */
const HEADERS = 1;
const SETTINGS = 4;
export const WINDOW_UPDATE = 8;
/** A setting (RFC 9113, section 6.5.2). */
export const INITIAL_WINDOW_SIZE = 4;
/** Flags of HEADERS, and of SETTINGS. */
const END_STREAM = 1;
const END_HEADERS = 4;

/** A frame (RFC 9113, section 4.1). */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: number[],
): number[] {
  const { length } = payload;
  return [
    length >> 16,
    length >> 8 & 255,
    length & 255,
    type,
    flags,
    stream >> 24,
    stream >> 16 & 255,
    stream >> 8 & 255,
    stream & 255,
    ...payload,
  ];
}

/** A string of less than 127 bytes, without Huffman coding (RFC 7541, 5.2). */
function text(value: string): number[] {
  const bytes = encoder.encode(value);
  return [bytes.length, ...bytes];
}

/** A GET request. The number of the stream is odd. */
export function get(
  stream: number,
  path: string,
  { isSecure, client }: { isSecure: boolean; client: string },
): number[] {
  return frame(HEADERS, END_STREAM | END_HEADERS, stream, [
    0x82, // :method GET
    isSecure ? 0x87 : 0x86, // :scheme
    0x01,
    ...text("localhost"), // :authority
    0x04,
    ...text(path), // :path
    0x00,
    ...text("x-forwarded-for"),
    ...text(client),
  ]);
}

/** The connection preface, with the payload of its SETTINGS frame. */
export function preface(settings: number[] = []): number[] {
  return [
    ...encoder.encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ...frame(SETTINGS, 0, 0, settings),
  ];
}

/** Connects to a service, with TLS for an https URL, and sends bytes. */
export async function send(
  { url, port }: Running,
  bytes: number[],
): Promise<Deno.Conn> {
  const connection = url.startsWith("https:")
    ? await Deno.connectTls({
      port,
      hostname: "localhost",
      caCerts: [await Deno.readTextFile(CERT)],
      alpnProtocols: ["h2"],
    })
    : await Deno.connect({ port, hostname: "127.0.0.1" });
  await write(connection, bytes);
  return connection;
}

/** Sends more bytes. */
async function write(connection: Deno.Conn, bytes: number[]): Promise<void> {
  const all = Uint8Array.from(bytes);
  for (let at = 0; at < all.length;) {
    at += await connection.write(all.subarray(at));
  }
}

/**
 * Reads the headers of responses. Returns how many responses have a body: such a
 * response does not end with its header.
 */
export async function readHeaders(
  connection: Deno.Conn,
  streams: number,
): Promise<number> {
  let [responses, withBody] = [0, 0];
  let rest = new Uint8Array();
  const buffer = new Uint8Array(65_536);
  while (responses < streams) {
    const length = await connection.read(buffer);
    assert(length !== null, "closed");
    rest = Uint8Array.of(...rest, ...buffer.subarray(0, length));
    while (rest.length >= 9) {
      const size = 9 + (rest[0]! << 16 | rest[1]! << 8 | rest[2]!);
      if (rest.length < size) break;
      if (rest[3] === HEADERS) {
        responses++;
        if ((rest[4]! & END_STREAM) === 0) withBody++;
      }
      rest = rest.subarray(size);
    }
  }
  return withBody;
}
