/**
 * A JSON object out of a request, within limits of size and time.
 *
 * @module
 */
import { headerField } from "./header_field.ts";
import { Problem } from "./problem.ts";

/** A JSON object, its members not yet looked at. */
export type JsonObject = Record<string, unknown>;

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
 * A body that came along with the header is there after a few turns of the
 * microtask queue. Setting a timer costs more than parsing the body, so it is
 * set only for a body that is still missing then.
 *
 * Where too many are awaited already, a body gets one turn of the event loop
 * instead of the deadline: it may be there in many pieces, which take more
 * turns, or in the socket.
 *
 * One promise, and not an async function a step, which would be a twentieth of
 * the whole request.
 */
function inTime<T>(
  reading: Promise<T>,
  finish: (read: T | Problem) => JsonObject | Problem,
  deadlineMs: number,
): Promise<JsonObject | Problem> {
  let settled = false;
  let settle!: (read: T | Problem) => void;
  const outcome = new Promise<JsonObject | Problem>((resolve) => {
    settle = (read) => {
      if (settled) return;
      settled = true;
      resolve(finish(read));
    };
  });
  reading.then(
    settle,
    (error) =>
      settle(error instanceof SyntaxError ? BLANK_OR_NOT_JSON : BROKEN_OFF),
  );
  (async () => {
    for (let turn = 0; turn < 4; turn++) {
      await undefined;
      if (settled) return;
    }
    const timer = awaited.size < MAX_AWAITED_BODIES
      ? setTimeout(settle, deadlineMs, LATE)
      : setTimeout(settle, 0, CROWDED);
    awaited.add(outcome);
    await outcome;
    awaited.delete(outcome);
    clearTimeout(timer);
  })();
  return outcome;
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
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
const REPLACEMENT_CHARACTER = "\ufffd";

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

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
export function readJsonObject(
  request: Request,
  deadlineMs: number = BODY_DEADLINE_MS,
): Promise<JsonObject | Problem> {
  const { headers } = request;
  const announced = announcedLength(headers);
  if (announced !== undefined && announced > MAX_BODY_BYTES) {
    return Promise.resolve(TOO_LARGE);
  }
  if (announced === 0) return Promise.resolve(EMPTY);
  if (!isJsonType(headerField(headers, "content-type"))) {
    const finish = (blank: boolean | Problem) =>
      blank === true ? EMPTY : NOT_JSON_TYPE;
    return inTime(isBlank(request), finish, deadlineMs);
  }
  if (announced === undefined) {
    return inTime<Uint8Array | Problem>(
      readUnannounced(request),
      parse,
      deadlineMs,
    );
  }
  // Asking for `request.body` would make a stream, which costs more than all the
  // rest of the reading.
  return announced <= MAX_TINY_BYTES
    ? inTime<unknown>(request.json(), asObject, deadlineMs)
    : inTime(request.bytes(), parse, deadlineMs);
}

/**
 * A body of at most four bytes has no room for an object beside a byte that is
 * not UTF-8, or beside a byte-order mark: `Request.json`, which is lenient,
 * accepts exactly what the strict way accepts, and what it refuses differs in
 * its message alone. That one call costs less than bytes do by a tenth of the
 * whole request, and `{}` is what everyone sends who wants the defaults.
 */
const MAX_TINY_BYTES = 4;

/** Reads a JSON object out of bytes, strictly. */
function parse(bytes: Uint8Array | Problem): JsonObject | Problem {
  if (bytes instanceof Problem) return bytes;
  const text = utf8.decode(bytes);
  // What is not UTF-8 leaves a replacement character, and where there is none
  // the strict decoder, which takes twice as long, has nothing to find.
  if (text.includes(REPLACEMENT_CHARACTER) && !isUtf8(bytes)) return NOT_UTF8;
  try {
    return asObject(JSON.parse(text));
  } catch {
    // The parser's message would repeat a part of the body.
    return BLANK.test(text) ? EMPTY : NOT_JSON;
  }
}

function asObject(value: unknown): JsonObject | Problem {
  if (value instanceof Problem) return value;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : NOT_AN_OBJECT;
}
