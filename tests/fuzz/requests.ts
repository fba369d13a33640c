/**
 * The kinds of requests, apart from those with an unusual body only.
 *
 * @module
 */
import type { Random } from "../helpers/random.ts";
import { randomBody, randomObject, utf8 } from "./bodies.ts";
import {
  BODY_ERROR,
  CANARY,
  expectedOutcomes,
  MAX_BODY_BYTES,
  OK,
  type Outcome,
} from "./oracle.ts";
import {
  clientAddress,
  type RequestKind,
  type RequestParts,
  requestText,
} from "./request_parts.ts";
import {
  HOSTS,
  INVALID_CHUNKS,
  INVALID_ENCODINGS,
  INVALID_FIELDS,
  INVALID_HOSTS,
  INVALID_LENGTHS,
  INVALID_REQUESTS,
  JSON_MEDIA_TYPES,
  METHODS,
  OTHER_MEDIA_TYPES,
  VALID_FIELDS,
} from "./request_values.ts";

const CHUNKED = "Transfer-Encoding: chunked\r\n";
const NO_BODY = { length: "Content-Length: 0\r\n", body: "" };
const REFUSED = { responses: [["refused"]], after: "end" } as const;
/** An incomplete body. The connection may close before the service responds. */
const INCOMPLETE: Outcome[] = [{ status: 400, errors: BODY_ERROR }, "closed"];

/** The only permitted response is one of this status. */
function respondsWith(status: number): RequestParts {
  return { responses: [[{ status }]] };
}

/** The most chunks of a body, below MAX_BODY_PIECES: TCP can split a chunk. */
const MAX_CHUNKS = 100;

/** Splits a body into chunks of random sizes. */
function encodeChunks(random: Random, body: string): string {
  const largest = random.pick([1, 2, 7, 1000, MAX_BODY_BYTES]);
  let text = "";
  for (let at = 0, chunks = 1; at < body.length; chunks++) {
    const size = chunks === MAX_CHUNKS ? Infinity : 1 + random.below(largest);
    const piece = body.slice(at, at + size);
    const hex = piece.length.toString(16);
    const shown = random.pick([hex, hex, hex.toUpperCase(), `000${hex}`]);
    const extension = random.below(8) === 0 ? `;a=${CANARY};b="c d"` : "";
    text += `${shown}${extension}\r\n${piece}\r\n`;
    at += piece.length;
  }
  const trailer = random.pick(["", "", "", `X-Note: ${CANARY}\r\n`]);
  return `${text}0\r\n${trailer}\r\n`;
}

/** Other spellings of a path, and other paths. */
function unknownPaths(random: Random, path: string): string[] {
  const at = 1 + random.below(path.length - 1);
  const [before, after] = [path.slice(0, at), path.slice(at)];
  const hex = path.charCodeAt(at).toString(16);
  const slash = path.lastIndexOf("/");
  const [parent, name] = [path.slice(0, slash), path.slice(slash + 1)];
  return [
    ...[`${path}/`, `/${path}`, `/.${path}`, `/x/..${path}`],
    ...["/./", "/x/../", "//", "%2f", "\\"].map((slash) =>
      parent + slash + name
    ),
    `${before}%${hex}${after.slice(1)}`,
    before + after.charAt(0).toUpperCase() + after.slice(1) + "/",
    ...[path.toUpperCase(), before, `${path}#${CANARY}`, `${path}%23`],
    ...[`${path}%3F${CANARY}`, `${path};a=b`, `${path}%00`, `${path}%20`],
    path + utf8("\u00e5\u{1f600}\u2028"),
    `/${CANARY}/__proto__/constructor`,
    ...['/"<script>&\\{}|^`[]', `//other${path}`, "/%", "/%zz%"],
    ...["/" + "a/".repeat(4000), "/" + "../".repeat(4000), "//", "/*"],
  ].filter((target) => target !== "/");
}

/** The kinds of requests by name, with the weight of each. */
export const REQUEST_KINDS: Record<string, [weight: number, RequestKind]> = {
  "chunked": [60, (random, path) => {
    const body = randomBody(random, path);
    return {
      length: CHUNKED,
      body: encodeChunks(random, body),
      responses: [expectedOutcomes(path, body)],
    };
  }],
  "invalid chunks": [20, (random) => ({
    length: CHUNKED,
    body: random.pick(INVALID_CHUNKS),
    responses: [INCOMPLETE],
    after: "half-close",
  })],
  "length too long": [15, (random, path) => {
    const body = randomBody(random, path);
    const missing = 1 + random.below(MAX_BODY_BYTES - body.length + 1);
    const length = body.length + missing;
    const tooLarge: Outcome[] = [{ status: 413 }, "closed"];
    return {
      length: `Content-Length: ${length}\r\n`,
      body,
      responses: [length > MAX_BODY_BYTES ? tooLarge : INCOMPLETE],
      after: "half-close",
    };
  }],
  "length too short": [15, (random, path, index) => {
    const body = randomObject(random, path);
    const sent = body.slice(0, random.below(body.length));
    // The rest is the next request: an invalid or a valid one.
    const isValid = random.below(2) !== 0;
    const rest = isValid
      ? requestText(index, path, {})
      : `${body.slice(sent.length)}\r\n\r\n`;
    return {
      length: `Content-Length: ${sent.length}\r\n`,
      body: sent + rest,
      responses: [expectedOutcomes(path, sent), [isValid ? OK : "refused"]],
      after: isValid ? "continue" : "end",
    };
  }],
  "lengths": [20, (random) => {
    if (random.below(4) === 0) {
      const same = random.pick(["2\r\nContent-Length: 2", "02", "0000002"]);
      return { length: `Content-Length: ${same}\r\n` };
    }
    const length = `Content-Length: ${random.pick(INVALID_LENGTHS)}\r\n`;
    return { length, ...REFUSED };
  }],
  "transfer encodings": [20, (random) => {
    const isValid = random.below(4) === 0;
    const encodings = isValid
      ? ["CHUNKED", "gzip, chunked", " chunked "]
      : INVALID_ENCODINGS;
    return {
      length: `Transfer-Encoding: ${random.pick(encodings)}\r\n`,
      body: "2\r\n{}\r\n0\r\n\r\n",
      ...(isValid ? respondsWith(200) : REFUSED),
    };
  }],
  "too large": [15, (random) => {
    const size = MAX_BODY_BYTES + random.size(20_000);
    const body = `{"a":"${CANARY}"`.padEnd(
      size,
      random.pick([" ", "[", "\xff"]),
    );
    const chunk = `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    return {
      ...random.pick<RequestParts>([
        { body },
        { body: "", length: `Content-Length: ${size}\r\n` },
        { body: "{", length: "Content-Length: 9007199254740993\r\n" },
        { body: "{", length: "Content-Length: 18446744073709551613\r\n" },
        { body: chunk, length: CHUNKED },
      ]),
      contentType: random.pick([
        "Content-Type: application/json; a=b\r\n",
        "Content-Type: application/json\r\n",
      ]),
      // The service may close the connection before it has the whole request.
      responses: [[{ status: 413 }, "closed"]],
      after: "end",
    };
  }],
  "media types": [50, (random, path) => {
    const isJson = random.below(2) === 0;
    const type = random.pick(isJson ? JSON_MEDIA_TYPES : OTHER_MEDIA_TYPES);
    const body = random.pick(["{}", randomObject(random, path), CANARY]);
    return {
      contentType: `Content-Type: ${type}\r\n`,
      body,
      ...(isJson ? {} : { ...respondsWith(415), after: "end" }),
    };
  }],
  "no media type, two media types or no body": [15, (random) => {
    const blank = " \t\r\n".repeat(random.below(20));
    const invalid = { responses: [[{ status: 400, errors: BODY_ERROR }]] };
    const field = "Content-Type: application/json\r\n";
    return {
      ...random.pick<RequestParts>([
        { contentType: "", ...respondsWith(415) },
        { contentType: field + field, ...respondsWith(415) },
        { fields: "Content-Encoding: gzip\r\n", ...respondsWith(415) },
        { contentType: "", body: blank, ...invalid },
        { contentType: "Content-Type: a\r\n", body: blank, ...invalid },
        { contentType: "", body: "", length: "", ...invalid },
      ]),
      after: "end",
    };
  }],
  "hosts": [35, (random, path) =>
    random.pick<RequestParts>([
      { host: "" },
      { host: `Host: ${random.pick(HOSTS)}\r\n` },
      {
        host: `Host: ${random.pick(INVALID_HOSTS)}\r\n`,
        target: random.pick([path, path, "/healthz", `/${CANARY}`, "/"]),
        method: random.pick(["POST", "OPTIONS", "GET"]),
        ...respondsWith(400),
        ...NO_BODY,
      },
    ])],
  "header fields": [50, (random, path) => {
    const fields = Array.from(
      { length: 1 + random.below(4) },
      () => random.pick(VALID_FIELDS),
    ).join("");
    const query = random.pick(["", `?${CANARY}`, "?length=0&a=%00"]);
    return { fields, target: path + query };
  }],
  "invalid header fields": [
    25,
    (random) => ({ fields: random.pick(INVALID_FIELDS), ...REFUSED }),
  ],
  "header too large": [1, (random, path) => ({
    target: random.pick([path, path, `/${"a".repeat(65_536)}`]),
    fields: random.pick([
      "X: " + "y".repeat(450_000) + "\r\n",
      "x".repeat(70_000) + ": y\r\n",
    ]),
    responses: [["refused", "closed"]],
    after: "end",
  })],
  "expectations": [15, (random, path) => ({
    body: randomBody(random, path),
    fields: "Expect: 100-continue\r\n",
  })],
  "client addresses": [20, (random, _path, index) => {
    const hops = ["127.0.0.1", "::1", "127.9.9.9"];
    const left = random.pick([CANARY, "1.2.3", "::", "", "\xff", "999.1.1.1"]);
    const right = random.pick(["", `, ${random.pick(hops)}`]);
    const count = random.pick([1, 1, 1000]);
    const hex = [index >> 16, index & 65_535].map((n) => n.toString(16));
    const client = random.pick([
      clientAddress(index),
      `::ffff:${clientAddress(index)}`,
      `2001:db8:${hex.join(":")}::1`,
      `${clientAddress(index)}:${random.below(65_536)}`,
      `[2001:db8:${hex.join(":")}::1]:443`,
      `[2001:db8:${hex.join(":")}::1]`,
    ]);
    const entries = `${left},`.repeat(count) + ` \t${client}${right}`;
    return { forwardedFor: `X-Forwarded-For: ${entries}\r\n` };
  }],
  // All of these share one client, which may send 60 requests per minute.
  "no client address": [6, (random, path) => {
    const body = randomBody(random, path);
    const invalid = [
      ...[CANARY, "", "1.2.3.4:a", "10.0.0.1%eth0", "[::1", "\xff", ","],
      ...["::".repeat(5000), "1.".repeat(9000), ",".repeat(9000)],
    ];
    const field = `X-Forwarded-For: ${random.pick(invalid)}\r\n`;
    return {
      forwardedFor: random.pick(["", field]),
      body,
      responses: [[...expectedOutcomes(path, body), { status: 429 }]],
      after: "end",
    };
  }],
  "methods": [40, (random, path) => {
    const method = random.pick([...METHODS, CANARY, "M".repeat(5000)]);
    const isHealth = random.below(3) === 0;
    const isKnown = isHealth && (method === "GET" || method === "HEAD");
    return {
      method,
      target: (isHealth ? "/healthz" : path) +
        random.pick(["", `?${CANARY}`]),
      ...respondsWith(isKnown ? 200 : 405),
      ...NO_BODY,
    };
  }],
  "preflights": [10, () => ({
    method: "OPTIONS",
    fields: `Origin: ${CANARY}\r\nAccess-Control-Request-Method: ${CANARY}\r\n`,
    ...respondsWith(204),
    ...NO_BODY,
  })],
  "documents": [4, (random) => {
    const [tag, status] = random.pick<[string, number]>([
      [`"${CANARY}"`, 200],
      ["*", 304],
      [`W/"${CANARY}", `.repeat(500), 200],
    ]);
    return {
      method: random.pick(["GET", "HEAD"]),
      target: "/openapi/v1.json",
      fields: `If-None-Match: ${tag}\r\n`,
      ...respondsWith(status),
      ...NO_BODY,
    };
  }],
  // A regular expression with bad backtracking takes exponential or quadratic
  // time for these fields.
  "slow header fields": [2, (random, _path, index) => {
    const blanks = random.pick([" ", "\t", "\xa0", " ,"]).repeat(25_000);
    const unsupported = (parameters: string): RequestParts => ({
      contentType: `Content-Type: application/json;${parameters}\r\n`,
      ...respondsWith(415),
      after: "end",
    });
    return random.pick<RequestParts>([
      unsupported(` ${"; ".repeat(999)}@`),
      unsupported(`${blanks}@`),
      unsupported(`${" ".repeat(50_000)}a=b`),
      { forwardedFor: `X-Forwarded-For: ${blanks}${clientAddress(index)}\r\n` },
      {
        method: "GET",
        target: "/openapi/v1.json",
        fields: `If-None-Match: "${CANARY}${blanks}"\r\n`,
        ...NO_BODY,
        ...respondsWith(200),
      },
    ]);
  }],
  "paths": [50, (random, path) => ({
    target: random.pick(unknownPaths(random, path)) +
      random.pick(["", `?${CANARY}`, `?${path}`]),
    method: random.pick(["POST", "GET", "HEAD", "OPTIONS", "post"]),
    ...respondsWith(404),
    ...NO_BODY,
  })],
  "request targets": [30, (random, path) => ({
    path,
    ...random.pick<RequestParts>([
      {
        target: random.pick([
          ...[`${path}?`, `${path}?${CANARY}#${CANARY}`],
          ...[`${path}?${utf8("\u00e5")}`, `http://other${path}`],
          ...[`HTTPS://other:1${path}?${CANARY}`, `ftp://[::1]${path}`],
          `http://${CANARY}@other${path}`,
        ]),
      },
      {
        target: random.pick([
          ...["/?", `/?${path}`, "http://other", `http://other?${path}`],
          `http://other/?${path}`,
        ]),
        path: "/",
        ...respondsWith(405),
        ...NO_BODY,
      },
      {
        target: random.pick([
          ...["", "*", "?", "#", "\\", path.slice(1), `x:${path}`],
          ...[`http:${path}`, `${path} ?`, `${path}\t`, `${path}\0`],
          ...[`${path}\x7f`, `${path}\xe5`, "/\xc0\xaf"],
        ]),
        ...REFUSED,
      },
    ]),
  })],
  "last requests of a connection": [10, (random, path) => ({
    body: randomBody(random, path),
    ...random.pick<RequestParts>([
      { version: "HTTP/1.0" },
      { fields: "Connection: close\r\n" },
    ]),
    after: "end",
  })],
  "invalid requests": [20, (random) => ({
    replace: () => random.pick(INVALID_REQUESTS),
    ...REFUSED,
  })],
  "incomplete header": [10, (random) => ({
    replace: (text) => text.slice(0, random.below(70)),
    responses: [["refused", "closed"]],
    after: "half-close",
  })],
  "client disconnects": [15, (random, path) => ({
    body: randomBody(random, path),
    replace: (text) =>
      random.below(2) === 0 ? text : text.slice(0, random.below(text.length)),
    responses: [],
    after: "close",
  })],
  // Each takes ten seconds, so only the first requests are of this kind.
  "body never sent": [0, (random) => ({
    ...random.pick<RequestParts>([
      { length: "Content-Length: 20\r\n", body: "{" },
      { length: "Content-Length: 20\r\n", body: "" },
      { length: CHUNKED, body: "2\r\n{}\r\n" },
      { length: CHUNKED, body: "5\r\n{" },
    ]),
    ...respondsWith(408),
    after: "wait",
  })],
};
