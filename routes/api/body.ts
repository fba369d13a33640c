/**
 * Reads the JSON object in a request body, within limits of size, pieces and time.
 *
 * @module
 */
import type { Client } from "../../http/context.ts";
import { headerField, isIdentity, isJsonType } from "../../http/negotiation.ts";
import { Problem } from "../../http/problem.ts";
import { Deadlines } from "../../http/deadlines.ts";
import { InFlight, type InFlightLimit } from "../../http/in_flight.ts";

/** The properties are not validated yet. */
export type JsonObject = Record<string, unknown>;

export const MAX_BODY_BYTES = 16 * 1024;

/**
 * The maximum number of pieces in which a body without Content-Length is read. A
 * piece takes 10 us, so 16,384 pieces of one byte would take 160 ms, in which no
 * deadline is checked.
 */
const MAX_BODY_PIECES = 128;

/** Shorter than DRAIN_MS (main.ts), so that a drain can wait for every body. */
const BODY_DEADLINE_MS = 10_000;

/**
 * The maximum number of bodies that a handler waits for at one time. Each body
 * takes up to 16 KiB and one file descriptor. All together take 16 MiB, and a
 * quarter of the descriptors if the hard limit is 4,096. (Deno cannot stop reading
 * a body. So a late body keeps its memory and its descriptor until the connection
 * ends.) Ten clients of four networks are needed to take them all.
 */
export const MAX_PENDING_BODIES: InFlightLimit = {
  process: 1000,
  network: 250,
  client: 100,
};

const bodyError = (message: string) => Problem.ofFields({ $: [message] });
const EMPTY = bodyError(
  "The body is empty. It must be a JSON object, such as {}.",
);
const NOT_JSON = bodyError(
  "The body is blank or not JSON. It must be a JSON object, such as {}. Names and strings need double quotes, which cmd and PowerShell can remove: the page /docs has commands for both.",
);
const BYTE_ORDER_MARK = bodyError(
  "The body begins with a byte-order mark (U+FEFF). Send it without one (RFC 8259, section 8.1).",
);
const UTF_16 = bodyError(
  "The body is in UTF-16. Send it in UTF-8 (RFC 8259, section 8.1).",
);
const NOT_AN_OBJECT = bodyError("The body is JSON, but not an object.");
const INCOMPLETE = bodyError("The body broke off before its end.");
export const BODY_TIMEOUT: Problem = new Problem(
  408,
  `The body did not arrive within ${BODY_DEADLINE_MS / 1000} seconds.`,
);
export const TOO_MANY_PENDING_BODIES: Problem = new Problem(
  503,
  "Too many bodies are still arriving.",
  // By then, all bodies that are pending now have arrived or are late.
  { "retry-after": String(BODY_DEADLINE_MS / 1000) },
);
export const TOO_LARGE: Problem = new Problem(
  413,
  `The body is larger than ${MAX_BODY_BYTES} bytes.`,
);
export const TOO_MANY_PIECES: Problem = new Problem(
  413,
  `The body came in more than ${MAX_BODY_PIECES} pieces. Send it with Content-Length, or in larger pieces.`,
);
export const NOT_JSON_TYPE: Problem = new Problem(
  415,
  "The Content-Type of the body must be application/json (or application/*+json), in UTF-8.",
);

/** Accept-Encoding belongs to this status (RFC 9110, section 12.5.3). */
export const NOT_IDENTITY: Problem = new Problem(
  415,
  "The body must have no Content-Encoding (or identity).",
  { "accept-encoding": "identity" },
);

/** White space of JSON (RFC 8259, section 2). */
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Tells whether a body is only white space. It stops at the first other byte, and
 * at the limits of {@linkcode readWithoutLength}.
 */
async function isBlank(request: Request): Promise<boolean> {
  let [length, pieces] = [0, 0];
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES || ++pieces > MAX_BODY_PIECES) return false;
    if (chunk.some((byte) => !WHITE_SPACE.has(byte))) return false;
  }
  return true;
}

/** Reads a body without Content-Length, up to the limits of size and pieces. */
async function readWithoutLength(
  request: Request,
): Promise<string | Problem> {
  let [bytes, length, pieces] = [new Uint8Array(512), 0, 0];
  // `for await` takes twice the CPU time of a reader.
  const reader = request.body?.getReader();
  const refuse = async (problem: Problem) => {
    await reader?.cancel();
    return problem;
  };
  for (;;) {
    const piece = await reader?.read();
    if (piece?.value === undefined) {
      return DECODER.decode(bytes.subarray(0, length));
    }
    const start = length;
    length += piece.value.length;
    if (length > MAX_BODY_BYTES) return refuse(TOO_LARGE);
    if (++pieces > MAX_BODY_PIECES) return refuse(TOO_MANY_PIECES);
    if (length > bytes.length) {
      const size = Math.min(2 * length, MAX_BODY_BYTES);
      bytes = new Uint8Array(bytes.buffer.transfer(size));
    }
    bytes.set(piece.value, start);
  }
}

/** It keeps a byte-order mark, and replaces what is not UTF-8 by U+FFFD. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** Decoded as UTF-8, every second byte of ASCII in UTF-16 is NUL, also after a mark. */
const UTF_16_START = /^\ufffd{0,2}(?:\0[^\0]|[^\0]\0)/;

/** Parses the JSON of a body, or returns the problem. */
function parse(text: string, length?: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.startsWith("\ufeff")) return BYTE_ORDER_MARK;
    return UTF_16_START.test(text) ? UTF_16 : NOT_JSON;
  }
  // text() leaves out a byte-order mark, which takes three bytes.
  return length !== undefined && length !== text.length &&
      length === ENCODER.encode(text).length + 3
    ? BYTE_ORDER_MARK
    : value;
}

/**
 * Returns the Content-Length; undefined if it is missing, or not one number: the
 * values of two such fields are joined, such as "5, 5", and over HTTP/2 they can
 * differ. (Deno refuses Content-Length together with Transfer-Encoding: RFC 9112,
 * section 6.3.)
 */
function contentLength(headers: Headers): number | undefined {
  const length = headers.get("content-length");
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** A body that has not arrived yet. */
const NOT_YET = Symbol();

/** A body that came with its header has been read after so many microtasks. */
const MAX_TURNS = 4;

/** Reads the bodies of one handler, and limits how many are pending. */
export class BodyReader {
  readonly #pending = new InFlight(MAX_PENDING_BODIES);
  /** What ends the wait for each pending body. */
  readonly #deadlines: Deadlines<(problem: Problem) => void>;

  constructor(deadlineMs: number = BODY_DEADLINE_MS) {
    this.#deadlines = new Deadlines(
      deadlineMs,
      (settle) => settle(BODY_TIMEOUT),
    );
  }

  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Waits until each body has arrived, failed or timed out, also those of
   * requests that arrived in this turn of the event loop.
   */
  async drain(): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, 10));
    } while (this.pending > 0);
  }

  /**
   * Reads the JSON object in a request body, or returns the problem of the
   * request. The checks are in this order: Content-Length (413), empty body
   * (400), media type (415), reading (408, 413, 503), JSON (400).
   */
  async read(request: Request, client: Client): Promise<JsonObject | Problem> {
    const { headers } = request;
    const length = contentLength(headers);
    if (length === 0) return EMPTY;
    if (length !== undefined && length > MAX_BODY_BYTES) return TOO_LARGE;
    const isPlain = isIdentity(headers.get("content-encoding"));
    const isJson = isPlain &&
      isJsonType(headerField(headers, "content-type"));
    // text() costs less than reading the stream, and HTTP ends it at the length.
    const reading = !isJson
      ? isBlank(request)
      : length === undefined
      ? readWithoutLength(request)
      : request.text();
    let value: unknown = NOT_YET;
    const settle = (result: unknown) => value = result;
    const arrived = reading.then(settle, settle);
    // To give each body a deadline would cost 8 % of a request.
    for (let i = 0; i < MAX_TURNS && value === NOT_YET; i++) await undefined;
    if (value === NOT_YET) value = await this.#wait(arrived, client);
    // An empty body is 400 whatever its media type is, so it is read before 415.
    if (!isJson) {
      if (value === true) return EMPTY;
      return isPlain ? NOT_JSON_TYPE : NOT_IDENTITY;
    }
    if (value instanceof Error) return INCOMPLETE;
    if (typeof value === "string") value = parse(value, length);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as JsonObject | Problem
      : NOT_AN_OBJECT;
  }

  /** Waits for a body until its deadline, or not at all if too many are pending. */
  async #wait(arrived: Promise<unknown>, client: Client): Promise<unknown> {
    let place = this.#pending.take(client);
    if (place === undefined) {
      // The body may be in the socket already, so it gets a turn of the event loop.
      const turn = new Promise((resolve) => setTimeout(resolve, 0, NOT_YET));
      const value = await Promise.race([arrived, turn]);
      if (value !== NOT_YET) return value;
      place = this.#pending.take(client);
      if (place === undefined) return TOO_MANY_PENDING_BODIES;
    }
    using _ = place;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    arrived.then(resolve);
    this.#deadlines.add(resolve);
    const value = await promise;
    this.#deadlines.delete(resolve);
    return value;
  }
}
