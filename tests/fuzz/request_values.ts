/**
 * Valid and invalid values of the parts of a request.
 *
 * @module
 */
import { CANARY } from "./oracle.ts";

export const METHODS =
  "GET HEAD PUT DELETE PATCH TRACE post Post pOST FOO P POSTX QUERY PRI SEARCH"
    .split(" ").concat("__proto__", "constructor", "!#$%&'*+-.^_`|~", "0");

export const INVALID_HOSTS = "a/b a?b a#b a@b a\\b / ? # @ \\".split(" ")
  .concat(
    [
      "",
      "a b",
      "a\tb",
      "a\xa0b",
      "x/api/pwgen/words?",
      "x/healthz?",
      `${CANARY}@a`,
    ],
  );
export const HOSTS =
  "a:99999 [::1] [::1 ] : a:b a:80:80 %61 a%2fb \xe5 \x80\xff .. a,b <a> a|b *"
    .split(" ").concat("-", "__proto__", CANARY, "a".repeat(60_000));

export const JSON_MEDIA_TYPES = [
  ...["application/json", "APPLICATION/JSON", "application/json; profile=x"],
  ...["application/json; charset=utf-8", "application/json;charset=UTF-8"],
  ...['application/json; charset="utf-8"', "application/problem+JSON"],
  'application/json ; a=b;; c="d;\\"e"; charset=Utf-8',
  "application/json; charset=utf-8; charset=UTF-8",
  ...['application/json; Charset="UTF-8"', 'application/json; charset="UTF8"'],
  "application/json;charset=utf8",
  "application/json ; a=b;charset=utf-8 ;",
  `application/json; a="${CANARY};charset=utf-16"`,
  'application/json; a="\\";b=\\""',
  ...["application/vnd.a+json", "application/a+b+json; charset=utf-8"],
  ...["application/json\t;\t;;a=b", "application/" + "+json".repeat(48)],
  "application/json" + "; ".repeat(110) + "a=b",
  "application/json" + ";charset=utf-8".repeat(17),
];
export const OTHER_MEDIA_TYPES = [
  // Values longer than the service reads.
  "application/json" + "; ".repeat(2000) + "a=b",
  "application/json" + ";charset=utf-8".repeat(2000),
  "application/" + "+json".repeat(5000),
  "application/json" + ";a=b".repeat(2000) + "@",
  "application/" + "a+".repeat(5000) + "json@",
  'application/json;a="' + "\\a".repeat(5000),
  ...["", CANARY, "*/*", "text/plain", "text/json", "application/jsonx"],
  ...["application/x-json", "application/+json", "application /json"],
  ...["application/json/x", "application/json, application/json"],
  ...["json", "application/json x", "application/json+xml"],
  ...["application/json; a=1, text/plain", "application/json; charset=utf-"],
  ...["application/json; charset=utf-16", "application/json; charset =utf-8"],
  "application/json; charset=latin1; charset=utf-8",
  "application/json; charset=utf-8; charset=utf-7",
  'application/json; charset="utf-8',
  ...["application/json; charset=", "application/json; charset"],
  ...["application/json charset=utf-8", "application/json;="],
  ...["application/json; a b=c", "application/json\xe5"],
  "application/x-www-form-urlencoded",
  `multipart/form-data; boundary=${CANARY}`,
];

export const VALID_FIELDS = [
  ...[`X-Note: ${CANARY}\r\n`, `${CANARY}: a\r\n`, "X: \x80\xff\xa0\r\n"],
  ...["X:a\tb\r\n", "X:\r\n", "X: a\n", "!#$%&'*+-.^_`|~: a\r\n"],
  "__proto__: a\r\nconstructor: b\r\ntoString: c\r\n",
  `Cookie: a=${CANARY}; a=${CANARY}\r\n`,
  `Authorization: Bearer ${CANARY}\r\n`,
  `Referer: http://a/?${CANARY}\r\nUser-Agent: ${CANARY}\r\n`,
  `Origin: http://${CANARY}\r\nAccess-Control-Request-Headers: ${CANARY}\r\n`,
  `Forwarded: for=${CANARY};host=${CANARY}\r\nX-Forwarded-Host: ${CANARY}\r\n`,
  ...["X-Forwarded-Proto: https\r\n", `X-Forwarded-Proto: ${CANARY}\r\n`],
  // Ids that the access log must not have, from a trusted proxy.
  ...[`X-Request-Id: "${CANARY}"\r\n`, `X-Request-Id: ${CANARY} 1\r\n`],
  `X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /${CANARY}\r\n`,
  `Accept: ${CANARY}\r\nAccept-Encoding: gzip, br, ${CANARY}\r\n`,
  `Range: bytes=0-0\r\nIf-None-Match: *\r\nIf-Match: "${CANARY}"\r\n`,
  "Connection: keep-alive, X-Forwarded-For, Content-Type\r\n",
  ...["Content-Encoding: identity\r\n", "Expect: nonsense\r\n"],
  ...["X: y\r\n".repeat(30), "X: " + "y".repeat(10_000) + "\r\n"],
  "x".repeat(10_000) + ": y\r\n",
];
export const INVALID_FIELDS = [
  ...["X: a\x01b\r\n", "X: a\0b\r\n", "X: a\x7fb\r\n", "X: a\r\n b\r\n"],
  ...["X: a\rb\r\n", `${CANARY}\r\n`, "X : a\r\n", ": a\r\n", "X(: a\r\n"],
  ...["\xc3\xa5: a\r\n", "X\0: a\r\n", "Host: other\r\n"],
  ...["Host: localhost\r\n", "Upgrade: websocket\r\nConnection: upgrade\r\n"],
];

export const INVALID_LENGTHS = [
  ...["2\r\nContent-Length: 3", "2, 2", "+2", "-1", "0x2", "", "1e3", "2.0"],
  ...["\xb2", CANARY, "18446744073709551616"],
  "2\r\nTransfer-Encoding: chunked",
];
export const INVALID_ENCODINGS = [
  ...["identity", "chunked, gzip", "xchunked", "chunked, chunked"],
  ...["chunked\r\nTransfer-Encoding: chunked", "", CANARY, "chunked;a=b"],
  "\x0bchunked",
];
export const INVALID_CHUNKS = [
  ...["g\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n"],
  ...["0x2\r\n{}\r\n0\r\n\r\n", "\r\n{}\r\n0\r\n\r\n"],
  "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
  "ffffffffffffffff\r\n{}\r\n0\r\n\r\n",
  ...["7fffffffffffffff\r\n{}", "2\r\n{}0\r\n\r\n", "1\r\n{}\r\n0\r\n\r\n"],
  ...["3\r\n{}\r\n0\r\n\r\n", "2\t;\r\n{}\r\n", "2\r\n{}\r\n", CANARY, ""],
  ...["2;\x01\n\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\n0\r\nnonsense\r\n\r\n"],
  ...[`2;${CANARY.repeat(2000)}\r\n{}\r\n0\r\n\r\n`, "2\n{}\n0\n\n"],
];

const INVALID_REQUEST_LINES = [
  "POST  /api/pwgen/words HTTP/1.1",
  "POST\t/api/pwgen/words HTTP/1.1",
  " POST /api/pwgen/words HTTP/1.1",
  "POST /api/pwgen/words HTTP/1.1 ",
  "POST /api/pwgen/words HTTP/1.2",
  "POST /api/pwgen/words HTTP/9",
  "POST /api/pwgen/words http/1.1",
  "POST /api/pwgen/words",
  "PO ST /api/pwgen/words HTTP/1.1",
  "PO(ST /api/pwgen/words HTTP/1.1",
  "P\0ST /api/pwgen/words HTTP/1.1",
  " /api/pwgen/words HTTP/1.1",
  "CONNECT /api/pwgen/words HTTP/1.1",
  ...["GET a:80 HTTP/1.1", "PRI * HTTP/2.0"],
  ...["OPTIONS ** HTTP/1.1", "GET * HTTP/1.1"],
];
export const INVALID_REQUESTS = [
  ...INVALID_REQUEST_LINES.map((line) => `${line}\r\nHost: a\r\n\r\n`),
  ...[`${CANARY}\r\n\r\n`, "\xff\xfe\xfd\r\n\r\n", "GET\r\n\r\n"],
  ...["GET /healthz\r\n\r\n", "\0".repeat(100) + "\r\n\r\n"],
  // The start of a TLS handshake.
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + "\0".repeat(500) + "\r\n\r\n",
  "POST /api/pwgen/words HTTP/1.1\r\n X: a\r\n\r\n",
];
