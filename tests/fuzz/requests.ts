/**
 * Random requests, and what the contract permits as their responses.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Random } from "../helpers/random.ts";
import { KINDS } from "../oracle.ts";
import {
  anyBody,
  CANARY,
  MAX_BODY_BYTES,
  outcomesOf,
  type Permitted,
  utf8,
} from "./bodies.ts";

/** A request. */
export interface FuzzRequest {
  /** One character for each byte. */
  readonly text: string;
  readonly method: string;
  /** The path of the request line: `instance` of a problem. */
  readonly path: string;
  /** What is permitted for each response, in order. */
  readonly responses: readonly Permitted[];
  /**
   * What the client does next: it sends another request on the connection, it sends
   * nothing more, it closes its side, or it closes the connection before the response.
   */
  readonly after: "continue" | "end" | "half-close" | "close";
}

/** The parts of a request that are not as usual. */
interface Parts {
  method?: string;
  target?: string;
  version?: string;
  host?: string;
  /** Header fields, each with its end of line. */
  fields?: string;
  length?: string;
  body?: string;
  path?: string;
  responses?: FuzzRequest["responses"];
  after?: FuzzRequest["after"];
  /** Replaces the text of the whole request. */
  replace?: (text: string) => string;
}

const HOSTS =
  "a:99999 [::1] [::1 ] : a:b a:80:80 %61 a%2fb \xe5 \x80\xff .. a,b <a> a|b *"
    .split(" ").concat("-", "__proto__", CANARY, "a".repeat(60_000));
const INVALID_HOSTS = "a/b a?b a#b a@b a\\b / ? # @ \\ x/healthz?"
  .split(" ").concat("", "a b", "a\tb", "a\xa0b", "x/api/pwgen/words?");

const METHODS =
  "GET HEAD PUT DELETE PATCH TRACE post Post pOST FOO P POSTX QUERY PRI SEARCH"
    .split(" ").concat("__proto__", "constructor", "!#$%&'*+-.^_`|~", CANARY)
    .concat("M".repeat(5000));

const FIELDS = [
  `X-Note: ${CANARY}\r\n`,
  `${CANARY}: a\r\n`,
  "X: \x80\xff\xa0\r\n",
  "X:a\tb\r\n",
  "X:\r\n",
  "X: a\n",
  "!#$%&'*+-.^_`|~: a\r\n",
  "__proto__: a\r\nconstructor: b\r\ntoString: c\r\n",
  `Cookie: a=${CANARY}; a=${CANARY}\r\nAuthorization: Bearer ${CANARY}\r\n`,
  `Referer: http://a/?${CANARY}\r\nUser-Agent: ${CANARY}\r\n`,
  `Origin: http://${CANARY}\r\nAccess-Control-Request-Headers: ${CANARY}\r\n`,
  `Forwarded: for=${CANARY};host=${CANARY}\r\nX-Forwarded-Host: ${CANARY}\r\n`,
  `X-Forwarded-Proto: ${CANARY}\r\n`,
  // Ids that the access log must not have, from a trusted proxy.
  `X-Request-Id: "${CANARY}"\r\n`,
  `X-Request-Id: ${CANARY} 1\r\n`,
  `X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /${CANARY}\r\n`,
  `Accept: ${CANARY}\r\nAccept-Encoding: gzip, br, ${CANARY}\r\n`,
  `Range: bytes=0-0\r\nIf-None-Match: *\r\nIf-Match: "${CANARY}"\r\n`,
  "Connection: keep-alive, X-Forwarded-For, Content-Type\r\n",
  "Content-Encoding: identity\r\n",
  "Expect: nonsense\r\n",
  "Expect: 100-continue\r\n",
  "X: y\r\n".repeat(30),
  "X: " + "y".repeat(10_000) + "\r\n",
  "x".repeat(10_000) + ": y\r\n",
];
const INVALID_FIELDS = [
  "X: a\x01b\r\n",
  "X: a\0b\r\n",
  "X: a\x7fb\r\n",
  "X: a\r\n b\r\n",
  "X: a\rb\r\n",
  `${CANARY}\r\n`,
  "X : a\r\n",
  ": a\r\n",
  "X(: a\r\n",
  "\xc3\xa5: a\r\n",
  "X\0: a\r\n",
  "Host: other\r\n",
  "Host: localhost\r\n",
  "Upgrade: websocket\r\nConnection: upgrade\r\n",
];

const CHUNKED = "Transfer-Encoding: chunked\r\n";
/** Fields about the length of the body that RFC 9112, section 6.3, refuses. */
const INVALID_LENGTHS = [
  "2\r\nContent-Length: 3",
  "2, 2",
  "+2",
  "-1",
  "0x2",
  "",
  "1e3",
  "2.0",
  "\xb2",
  CANARY,
  "18446744073709551616",
  `2\r\n${CHUNKED.trim()}`,
].map((value) => `Content-Length: ${value}\r\n`).concat(
  ["identity", "chunked, gzip", "xchunked", "chunked, chunked", "", CANARY]
    .concat(`chunked\r\n${CHUNKED.trim()}`, "chunked;a=b", "\x0bchunked")
    .map((value) => `Transfer-Encoding: ${value}\r\n`),
);
const INVALID_CHUNKS = [
  "g\r\n{}\r\n0\r\n\r\n",
  "-2\r\n{}\r\n0\r\n\r\n",
  "0x2\r\n{}\r\n0\r\n\r\n",
  "\r\n{}\r\n0\r\n\r\n",
  "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
  "7fffffffffffffff\r\n{}",
  "2\r\n{}0\r\n\r\n",
  "1\r\n{}\r\n0\r\n\r\n",
  "3\r\n{}\r\n0\r\n\r\n",
  "2\t;\r\n{}\r\n",
  "2\r\n{}\r\n",
  CANARY,
  "",
  "2\n{}\n0\n\n",
  "2;\x01\n\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}\r\n0\r\nnonsense\r\n\r\n",
  `2;${CANARY.repeat(2000)}\r\n{}\r\n0\r\n\r\n`,
];

/** Requests that are none. */
const INVALID_REQUESTS = [
  "POST  / HTTP/1.1",
  "POST\t/ HTTP/1.1",
  " POST / HTTP/1.1",
  " / HTTP/1.1",
  "POST / HTTP/1.1 ",
  "POST / HTTP/1.2",
  "POST / HTTP/9",
  "POST / http/1.1",
  "POST /",
  "PO ST / HTTP/1.1",
  "PO(ST / HTTP/1.1",
  "P\0ST / HTTP/1.1",
  "GET a:80 HTTP/1.1",
  "PRI * HTTP/2.0",
  "OPTIONS ** HTTP/1.1",
  "GET * HTTP/1.1",
  "CONNECT /api/pwgen/words HTTP/1.1",
].map((line) => `${line}\r\nHost: a\r\n\r\n`).concat(
  [`${CANARY}\r\n\r\n`, "\xff\xfe\xfd\r\n\r\n", "GET\r\n\r\n"],
  ["GET /healthz\r\n\r\n", "\0".repeat(100) + "\r\n\r\n"],
  // The start of a TLS handshake.
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + "\0".repeat(500) + "\r\n\r\n",
  "POST /api/pwgen/words HTTP/1.1\r\n X: a\r\n\r\n",
);

/** Other spellings of a path, and other paths. */
function otherPaths(random: Random, path: string): string[] {
  const at = 1 + random.below(path.length - 1);
  const [before, after] = [path.slice(0, at), path.slice(at)];
  const hex = path.charCodeAt(at).toString(16);
  return [
    `${path}/`,
    `/${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `${path}%20`,
    ...["/./", "/x/../", "//", "%2f", "\\"].map((slash) =>
      path.replace(/\/(?=\w+$)/, () => slash)
    ),
    `${before}%${hex}${after.slice(1)}`,
    before + after.charAt(0).toUpperCase() + after.slice(1) + "/",
    path.toUpperCase(),
    `${before}x`,
    `${path}#${CANARY}`,
    `${path}%23`,
    `${path}%3F${CANARY}`,
    `${path};a=b`,
    `${path}%00`,
    `//other${path}`,
    path + utf8("\u00e5\u{1f600}\u2028"),
    `/${CANARY}/__proto__/constructor`,
    '/"<script>&\\{}|^`[]',
    "/%",
    "/%zz%",
    "//",
    "/*",
    "/" + "a/".repeat(4000),
    "/" + "../".repeat(4000),
  ];
}

/** Splits a body into chunks, fewer than the service takes: TCP can split one. */
function encodeChunks(random: Random, body: string): string {
  const largest = random.pick([1, 2, 7, 1000, MAX_BODY_BYTES]);
  let text = "";
  for (let at = 0, chunks = 1; at < body.length; chunks++) {
    const size = chunks === 100 ? Infinity : 1 + random.below(largest);
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

const announced = (length: number) => `Content-Length: ${length}\r\n`;
const only = (...outcomes: string[]) => ({ responses: [() => outcomes] });
/** No body, or one that would be a request if the service did not skip it. */
const unread = (random: Random, client: string): Parts =>
  random.below(2) === 0
    ? { body: "" }
    : { body: textOf(client, "/api/pwgen/words", {}), after: "end" };
const REFUSED = { ...only("refused"), after: "end" } as const;

/** Kinds of requests. The client with this address is a new one. */
const REQUESTS: ((random: Random, path: string, client: string) => Parts)[] = [
  (random, path) => {
    const body = anyBody(random, path);
    const responses = [outcomesOf(path, body)];
    return { body: encodeChunks(random, body), length: CHUNKED, responses };
  },
  (random) => ({
    length: CHUNKED,
    body: random.pick(INVALID_CHUNKS),
    // The connection may close before the service responds.
    ...only("400 $", "closed"),
    after: "half-close",
  }),
  // A body that is shorter than its Content-Length.
  (random, path) => {
    const body = anyBody(random, path);
    const length = body.length + 1 + random.below(MAX_BODY_BYTES);
    const status = length > MAX_BODY_BYTES ? "413" : "400 $";
    return {
      body,
      length: announced(length),
      after: "half-close",
      ...only(status, "closed"),
    };
  },
  // A body that is longer: its rest is the next request, an invalid or a valid one.
  (random, path, client) => {
    const body = anyBody(random, path);
    const sent = body.slice(0, random.below(body.length));
    const isValid = random.below(2) === 0;
    const rest = isValid ? textOf(client, path, {}) : "}\r\n\r\n";
    return {
      length: announced(sent.length),
      body: sent + rest,
      responses: [
        outcomesOf(path, sent),
        () => [isValid ? "200" : "refused"],
      ],
      after: isValid ? "continue" : "end",
    };
  },
  (random) =>
    random.pick<Parts>([
      { length: random.pick(INVALID_LENGTHS), ...REFUSED },
      { length: "Content-Length: 02\r\n" },
      { length: "Content-Length: 2\r\nContent-Length: 2\r\n" },
      ...["CHUNKED", "gzip, chunked", " chunked "].map((coding) => ({
        length: `Transfer-Encoding: ${coding}\r\n`,
        ...only("200"),
        body: "2\r\n{}\r\n0\r\n\r\n",
      })),
    ]),
  (random) => {
    const size = MAX_BODY_BYTES + random.size(20_000);
    const body = `{"a":"${CANARY}"`.padEnd(
      size,
      random.pick([" ", "[", "\xff"]),
    );
    const chunk = `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    return {
      ...random.pick<Parts>([
        { body },
        { body: "", length: announced(size) },
        { body: "{", length: "Content-Length: 18446744073709551613\r\n" },
        { body: chunk, length: CHUNKED },
      ]),
      // The service may close the connection before it has the whole request.
      ...only("413", "closed"),
      after: "end",
    };
  },
  (random, path, client) =>
    random.pick<Parts>([
      { host: "" },
      { host: `Host: ${random.pick(HOSTS)}\r\n` },
      {
        host: `Host: ${random.pick(INVALID_HOSTS)}\r\n`,
        target: random.pick([path, path, "/healthz", `/${CANARY}`, "/"]),
        method: random.pick(["POST", "OPTIONS", "GET"]),
        ...only("400"),
        ...unread(random, client),
      },
      {
        // A target in absolute form does not depend on Host.
        host: `Host: ${random.pick(INVALID_HOSTS)}\r\n`,
        target: `http://other${path}`,
        path,
        ...only("400"),
        ...unread(random, client),
      },
    ]),
  (random, path) => ({
    fields: random.pick(FIELDS) + random.pick(FIELDS),
    target: path + random.pick(["", `?${CANARY}`, "?length=0&a=%00"]),
  }),
  (random) => ({ fields: random.pick(INVALID_FIELDS), ...REFUSED }),
  (random, path, client) => {
    const isHealth = random.below(3) === 0;
    const method = random.pick([...METHODS, "OPTIONS"]);
    const known = isHealth
      ? { GET: "200", HEAD: "200", OPTIONS: "204" }
      : { OPTIONS: "204" };
    const status = new Map(Object.entries(known)).get(method) ?? "405";
    const target = isHealth ? "/healthz" : path;
    return {
      method,
      target: `${target}?a`,
      ...only(status),
      ...unread(random, client),
    };
  },
  (random, path, client) => ({
    target: random.pick(otherPaths(random, path)) +
      random.pick(["", `?${CANARY}`, `?${path}`]),
    method: random.pick(["POST", "GET", "HEAD", "OPTIONS", "post"]),
    ...only("404"),
    ...unread(random, client),
  }),
  (random, path, client) =>
    random.pick<Parts>([
      {
        path,
        target: random.pick([
          `${path}?`,
          `${path}?${CANARY}#${CANARY}`,
          `${path}?${utf8("\u00e5")}`,
          `http://other${path}`,
          `HTTPS://other:1${path}?${CANARY}`,
          `ftp://[::1]${path}`,
          `http://${CANARY}@other${path}`,
        ]),
      },
      {
        target: random.pick([
          "/?",
          `/?${path}`,
          "http://other",
          `http://other?${path}`,
        ]),
        path: "/",
        ...only("405"),
        ...unread(random, client),
      },
      // No path hides behind a fragment, which a request line does not have.
      ...["#", "\\"].map((sign) => ({
        target: `http://other${sign}${path}`,
        path: sign + path,
        ...only("404"),
        ...unread(random, client),
      })),
      {
        target: random.pick([
          "",
          "*",
          "?",
          "#",
          "\\",
          path.slice(1),
          `x:${path}`,
          `http:${path}`,
          `${path} ?`,
          `${path}\t`,
          `${path}\0`,
          `${path}\x7f`,
          `${path}\xe5`,
          "/\xc0\xaf",
        ]),
        ...REFUSED,
      },
    ]),
  (random, path) => ({
    body: anyBody(random, path),
    ...random.pick<Parts>([
      { version: "HTTP/1.0" },
      { fields: "Connection: close\r\n" },
    ]),
    after: "end",
  }),
  (random) => ({ replace: () => random.pick(INVALID_REQUESTS), ...REFUSED }),
  (random) => ({
    replace: (text) => text.slice(0, random.below(70)),
    ...only("refused", "closed"),
    after: "half-close",
  }),
  (random, path) => ({
    body: anyBody(random, path),
    replace: (text) => text.slice(0, random.below(2 * text.length)),
    responses: [],
    after: "close",
  }),
];

function textOf(client: string, endpoint: string, parts: Parts): string {
  const { method = "POST", target = endpoint, version = "HTTP/1.1" } = parts;
  const { host = "Host: localhost\r\n", fields = "", body = "{}" } = parts;
  const { length = announced(body.length) } = parts;
  return `${method} ${target} ${version}\r\n${host}X-Forwarded-For: ${client}\r\n` +
    `Content-Type: application/json\r\n${fields}${length}\r\n${body}`;
}

/** Makes a request. Every second one is unusual in its body only. */
export function fuzzRequest(random: Random, index: number): FuzzRequest {
  const endpoint = `/api/pwgen/${random.pick(KINDS)}`;
  const client = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const parts = random.below(2) === 0
    ? { body: anyBody(random, endpoint) }
    : random.pick(REQUESTS)(random, endpoint, client);
  const text = textOf(client, endpoint, parts);
  const { method = "POST", target = endpoint, after = "continue" } = parts;
  const { body = "{}", responses = [outcomesOf(endpoint, body)] } = parts;
  const { path = Buffer.from(target.split("?")[0]!, "latin1").toString() } =
    parts;
  return {
    text: parts.replace?.(text) ?? text,
    method,
    path,
    responses,
    after,
  };
}
