/**
 * A JSON object out of a request, within limits of size and time.
 *
 * @module
 */
import { isUtf8 } from "node:buffer";
import { Problem } from "./problem.ts";

/** The largest body that is read, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;

/** How long a body may take to arrive, in milliseconds. */
export const BODY_DEADLINE_MS = 10_000;

/**
 * How many bodies are awaited at one time. Each holds a buffer of up to 16 KiB
 * and a file descriptor: 16 MiB together, and a quarter of the descriptors where
 * the hard limit is 4,096, to which Deno raises its own. (Those given up go on
 * being read until their connection ends: Deno has no way to stop that.)
 */
export const MAX_AWAITED_BODIES = 1000;

const EMPTY = Problem.of({
  $: ["The body is empty. It must be a JSON object, such as {}."],
});
const NOT_UTF8 = Problem.of({ $: ["The body is not valid UTF-8."] });
const NOT_JSON = Problem.of({ $: ["The body is not JSON."] });
const BLANK_OR_NOT_JSON = Problem.of({
  $: ["The body is blank or not JSON. It must be a JSON object, such as {}."],
});
const NOT_AN_OBJECT = Problem.of({
  $: ["The body is JSON, but not an object, such as {}."],
});
const BROKEN_OFF = Problem.of({
  $: ["The body broke off before its end."],
});
/** The body did not come in time. */
export const LATE: Problem = new Problem(
  408,
  `The body did not arrive within ${BODY_DEADLINE_MS / 1000} seconds.`,
);
/** Too many bodies are awaited already; by the deadline those are gone. */
export const CROWDED: Problem = new Problem(
  503,
  "Too many bodies are on their way at this time.",
  { headers: { "retry-after": String(BODY_DEADLINE_MS / 1000) } },
);
/** The body is too large. */
export const TOO_LARGE: Problem = new Problem(
  413,
  `The body is larger than ${MAX_BODY_BYTES} bytes.`,
);
/** The body is announced as something else than JSON. */
export const NOT_JSON_TYPE: Problem = new Problem(
  415,
  "The Content-Type of the body must be application/json (or application/*+json), in UTF-8.",
);

// Media type and parameters as RFC 9110 has them, sections 5.6.2 to 5.6.6.
const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const JSON_TYPE = new RegExp(
  `^application/(?:json|${TOKEN}\\+json)(?=[ \\t;]|$)`,
  "i",
);
// Read piece by piece from where the last one ended, and no blank can belong to
// two of them: else a header field of a hundred bytes keeps the process busy
// for hours.
const PARAMETER = new RegExp(
  `[ \\t]*(?:;[ \\t]*(?:(${TOKEN})=(${TOKEN}|${QUOTED}))?|$)`,
  "y",
);

/** Whether a Content-Type header field announces JSON in UTF-8. */
function isJsonType(contentType: string | null): boolean {
  if (contentType === "application/json") return true; // nearly always
  const type = JSON_TYPE.exec(contentType ?? "")?.[0];
  if (type === undefined) return false;
  PARAMETER.lastIndex = type.length;
  while (PARAMETER.lastIndex < contentType!.length) {
    const parameter = PARAMETER.exec(contentType!);
    if (parameter === null) return false;
    const [, name, value] = parameter;
    if (
      name?.toLowerCase() === "charset" && !/^("?)utf-8\1$/i.test(value!)
    ) return false;
  }
  return true;
}

// White space of JSON (RFC 8259, section 2).
const BLANK = /^[ \t\n\r]*$/;
const BLANK_BYTES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Whether nothing but white space comes. Reads no further than it must. */
async function isBlank(request: Request): Promise<boolean> {
  let at = 0;
  let marks = 0; // bytes of a leading byte-order mark
  for await (const chunk of request.body ?? []) {
    for (const byte of chunk) {
      if (at === marks && byte === BYTE_ORDER_MARK[at]) marks++;
      else if (!BLANK_BYTES.has(byte)) return false;
      if (++at > MAX_BODY_BYTES) return false;
    }
  }
  return marks === 0 || marks === BYTE_ORDER_MARK.length;
}

/** Reads a body whose length was not announced. */
async function readUnannounced(
  request: Request,
): Promise<Uint8Array | Problem> {
  const bytes = new Uint8Array(MAX_BODY_BYTES);
  let length = 0;
  for await (const chunk of request.body ?? []) {
    if (length + chunk.length > MAX_BODY_BYTES) return TOO_LARGE;
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

/** The bodies that did not come along with the header and are still awaited. */
const awaited = new Set<Promise<unknown>>();

/**
 * Waits until no body is on its way: each has arrived, or failed to.
 *
 * @returns settled when there is none
 *
 * @example
 * ```ts
 * import { bodiesArrived } from "./body.ts";
 *
 * await bodiesArrived();
 * ```
 */
export async function bodiesArrived(): Promise<void> {
  while (awaited.size > 0) await Promise.all(awaited);
}

/**
 * Waits for what is being read, but not for ever.
 *
 * A body that came along with the header is there after two turns of the
 * microtask queue. Setting a timer costs more than parsing the body, so it is
 * set only for a body that is still missing then.
 *
 * Where too many are awaited already, a body gets one turn of the event loop
 * instead of the deadline: it may be there in many pieces, which take more than
 * two turns, or in the socket.
 */
async function inTime<T>(
  reading: Promise<T>,
  deadlineMs: number,
): Promise<T | Problem> {
  let outcome: T | Problem | undefined;
  const done = reading.then(
    (value) => outcome = value,
    () => outcome = BROKEN_OFF,
  );
  for (let turn = 0; turn < 4; turn++) {
    await undefined;
    if (outcome !== undefined) return outcome;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Problem>((resolve) => {
    timer = awaited.size < MAX_AWAITED_BODIES
      ? setTimeout(resolve, deadlineMs, LATE)
      : setTimeout(resolve, 0, CROWDED);
  });
  const arrival = Promise.race([done, late]);
  awaited.add(arrival);
  try {
    return await arrival;
  } finally {
    awaited.delete(arrival);
    clearTimeout(timer);
  }
}

/**
 * The length that the header promises; undefined for none that can be relied
 * on. Given twice it arrives here as "5, 5", over HTTP/2 even as "5, 6". Beside
 * Transfer-Encoding (RFC 9112, 6.3) it does not arrive at all: such a request
 * is refused before any handler.
 */
function announcedLength(headers: Headers): number | undefined {
  const length = headers.get("content-length");
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined;
}

const utf8 = new TextDecoder(); // skips a leading byte-order mark

/**
 * Reads the JSON object that a request carries. The checks come in this order:
 * announced size (413), emptiness (400), media type (415), the reading itself
 * (408, 413, 503), UTF-8 and JSON (400).
 *
 * @param request the request; its body is used up
 * @param deadlineMs how long the body may take to arrive, in milliseconds
 * @returns the object, or the problem that keeps it from being read
 *
 * @example
 * ```ts
 * import { readJsonObject } from "./body.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const request = new Request("http://localhost/", {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: '{"length":12}',
 * });
 * assertEquals(await readJsonObject(request), { length: 12 });
 * ```
 */
export async function readJsonObject(
  request: Request,
  deadlineMs: number = BODY_DEADLINE_MS,
): Promise<Record<string, unknown> | Problem> {
  const { headers } = request;
  const announced = announcedLength(headers);
  if (announced !== undefined && announced > MAX_BODY_BYTES) return TOO_LARGE;
  if (announced === 0) return EMPTY;
  if (!isJsonType(headers.get("content-type"))) {
    const blank = await inTime(isBlank(request), deadlineMs);
    return blank === true ? EMPTY : NOT_JSON_TYPE;
  }

  const value = announced !== undefined && announced <= MAX_TINY_BYTES
    ? await inTime(readTiny(request), deadlineMs)
    : parse(
      await inTime(
        // Asking for `request.body` would make a stream, which costs more than
        // all the rest of the reading.
        announced === undefined ? readUnannounced(request) : request.bytes(),
        deadlineMs,
      ),
    );
  if (value instanceof Problem) return value;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : NOT_AN_OBJECT;
}

/**
 * A body of at most four bytes has no room for an object beside a byte-order
 * mark, nor for a name or a text: what in it is not UTF-8 is not JSON either, so
 * that for it `Request.json`, which is lenient, is exact. That one call costs
 * less than bytes do by a tenth of the whole request, and `{}` is what everyone
 * sends who wants the defaults.
 */
const MAX_TINY_BYTES = 4;

function readTiny(request: Request): Promise<unknown> {
  return request.json().catch((error) => {
    if (error instanceof SyntaxError) return BLANK_OR_NOT_JSON;
    throw error;
  });
}

/** Reads JSON out of bytes, strictly. */
function parse(bytes: Uint8Array | Problem): unknown {
  if (bytes instanceof Problem) return bytes;
  // The check and the lenient decoder together take half the time of the
  // strict decoder.
  if (!isUtf8(bytes)) return NOT_UTF8;
  const text = utf8.decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would repeat a part of the body.
    return BLANK.test(text) ? EMPTY : NOT_JSON;
  }
}
