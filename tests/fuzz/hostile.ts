/**
 * Hostile requests by the number: each is made from a seed and its index alone,
 * with the answers that the contract permits.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Schema } from "../../routes/site/openapi/types.ts";
import { departures, DESCRIPTION } from "../helpers/schema.ts";

/**
 * What may come of a request: an answer of the service, by its status and for
 * a validation failure the names under `errors`; "refused": the empty 400 that
 * the HTTP layer gives before any handler; "cut": the connection closed without
 * an answer.
 */
export type Outcome =
  | { readonly status: number; readonly errors?: readonly string[] }
  | "refused"
  | "cut";

/** A request and what may come of it. */
export interface Hostile {
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly method: string;
  /** The path of the request line: `instance` of a problem. */
  readonly path: string;
  /** For each answer that follows, in order, every outcome that is right. */
  readonly answers: readonly (readonly Outcome[])[];
  /**
   * How the connection goes on. "on": with the next request. "end": nothing
   * follows. "half": the client says at once that nothing follows. "leave": the
   * client is gone before the answer. "wait": it says and does nothing more.
   */
  readonly then: "on" | "end" | "half" | "leave" | "wait";
}

/** In what is sent, everywhere; in what comes back, nowhere but in a path. */
export const MARK = "hunter2-4b1d-9e77";

/** Random numbers that a seed and an index settle: mulberry32. */
export class Dice {
  #state: number;

  constructor(seed: number, index = 0) {
    // Spread, so that neighbours have nothing in common.
    this.#state = Math.imul(
      seed ^ Math.imul(index + 1, 0x9e3779b1),
      0x85ebca6b,
    );
  }

  /** From 0 up to `n`, without it. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor(((t ^ (t >>> 14)) >>> 0) / 2 ** 32 * n);
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }

  /** A size: each power of two up to `max` is as likely as the next. */
  size(max: number): number {
    return Math.min(max, 1 + this.below(2 ** this.below(Math.log2(max) + 2)));
  }
}

/** Characters up to U+00FF as one byte each. */
export function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** UTF-8, in characters of one byte each. */
function utf8(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

const PATHS = Object.keys(DESCRIPTION.paths).filter((path) =>
  DESCRIPTION.paths[path]!["post"] !== undefined
);
const MAX = 16 * 1024;

/** What each path takes, by the names in lower case. */
const FIELDS = new Map(PATHS.map((path) => {
  const { requestBody } = DESCRIPTION.paths[path]!["post"]!;
  const { $ref } = requestBody!.content["application/json"]!.schema;
  const { properties = {} } = DESCRIPTION.components
    .schemas[$ref!.split("/").at(-1)!]!;
  return [path, properties];
}));

function lower(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const BODY = ["$"];

/**
 * The names under `errors` that the contract demands for a body that is sent as
 * JSON; none for one that is answered with a password. It is made from the
 * description and the table of decisions, not from the validators.
 */
export function demanded(path: string, body: Uint8Array): string[] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return BODY;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return BODY;
  }
  const given = new Map<string, unknown[]>();
  for (const [name, of] of Object.entries(value)) {
    given.set(lower(name), [...given.get(lower(name)) ?? [], of]);
  }
  const errors = new Set<string>();
  const good: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(FIELDS.get(path)!)) {
    const values = given.get(lower(name)) ?? [schema.default];
    if (values.length > 1 || !isTaken(values[0], schema)) errors.add(name);
    else good[name] = values[0];
  }
  // What no field can tell alone. A field at fault is no part of it.
  if (
    Number(good["wordCount"]) === 1 &&
    ["between", "all"].includes(good["numberPosition"] as string)
  ) {
    errors.add("numberPosition");
  }
  const classes =
    "lowercase uppercase numbers specialCharacters swedishCharacters";
  if (classes.split(" ").every((name) => good[name] === false)) errors.add("$");
  return [...errors];
}

/** Whether a field takes a value. No schema says a range of strings. */
function isTaken(value: unknown, schema: Schema): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return departures(value, schema).length === 0 &&
    (typeof value !== "string" || schema.minimum === undefined ||
      (Number(value) >= minimum && Number(value) <= maximum));
}

const BYTE_ORDER_MARK = "\xef\xbb\xbf";

/** The outcomes for a body that is sent as JSON. */
function outcomes(path: string, body: string): Outcome[] {
  if (body.length > MAX) return [{ status: 413 }];
  const errors = demanded(path, latin1(body));
  const refused = { status: 400, errors: BODY };
  // Whether a byte-order mark is skipped or refused is open.
  return [
    errors.length === 0 ? OK : { status: 400, errors },
    ...(body.startsWith(BYTE_ORDER_MARK) ? [refused] : []),
  ];
}

// Bodies. Each kind gives one, and the names under `errors` where it knows them
// without looking at what it made.

type Body = readonly [body: string, errors?: readonly string[]];
type BodyKind = (dice: Dice, path: string) => Body;

const NONSENSE = [
  "null",
  "true",
  "[]",
  "{}",
  "[5]",
  '""',
  '" 5"',
  '"05"',
  '"5.0"',
  "5.5",
  "-1",
  "2147483648",
  "1e400",
  `"${MARK}"`,
  `{"${MARK}":"${MARK}"}`,
  '"\\u0665"',
];

function fieldOf(dice: Dice, path: string): [string, Schema] {
  return dice.pick(Object.entries(FIELDS.get(path)!));
}

/** A value as JSON, mostly one that the field takes. */
function valueOf(dice: Dice, schema: Schema, nonsense = 5): string {
  if (dice.below(100) < nonsense) return dice.pick(NONSENSE);
  if (schema.enum) return JSON.stringify(dice.pick(schema.enum));
  if (schema.minimum === undefined) return dice.pick(["true", "false"]);
  const value = schema.minimum +
    dice.below(schema.maximum! - schema.minimum + 1);
  return dice.pick([`${value}`, `"${value}"`, `${value}.0`, `${value}e0`]);
}

function settings(dice: Dice, path: string, nonsense?: number): string {
  const members = Object.entries(FIELDS.get(path)!)
    .filter(() => dice.below(2) === 0)
    .map(([name, schema]) => `"${name}":${valueOf(dice, schema, nonsense)}`);
  if (dice.below(4) === 0) members.push(`"${MARK}":"${MARK}"`);
  return `{${members.join(dice.pick([",", ", ", ",\r\n\t"]))}}`;
}

const TOKENS =
  '{ } [ ] " : , \\ / \\u \\ud800 null true 0 - . e \0 \x7f \xff \xc3'
    .split(" ").concat(
      " ",
      "\n",
      '"length":',
      '"casing":',
      "\xef\xbb\xbf",
      MARK,
    );

function mutated(dice: Dice, text: string): string {
  for (let left = 1 + dice.below(4); left > 0; left--) {
    const at = dice.below(text.length);
    const to = at + dice.size(8);
    const [before, after] = [text.slice(0, at), text.slice(at)];
    switch (dice.below(6)) {
      case 0: {
        const flipped = (after.charCodeAt(0) || 0) ^ (1 << dice.below(8));
        text = before + String.fromCharCode(flipped) + after.slice(1);
        break;
      }
      case 1:
        text = before + text.slice(to);
        break;
      case 2:
        text = before + dice.pick(TOKENS) + after;
        break;
      case 3:
        text = before;
        break;
      case 4:
        text = text.slice(0, to) + after;
        break;
      case 5:
        text = before + String.fromCharCode(dice.below(256)) + after.slice(1);
    }
  }
  return text;
}

/** What UTF-8 does not permit (RFC 3629, sections 3 and 4). */
const NOT_UTF8 = [
  "\x80",
  "\xbf",
  "\xfe",
  "\xff",
  // Overlong.
  "\xc0\x80",
  "\xc0\xaf",
  "\xc1\xbf",
  "\xe0\x80\x80",
  "\xe0\x9f\xbf",
  "\xf0\x80\x80\x80",
  "\xf0\x8f\xbf\xbf",
  // Surrogates, alone and in a pair.
  "\xed\xa0\x80",
  "\xed\xbf\xbf",
  "\xed\xa0\xbd\xed\xb8\x80",
  // Beyond U+10FFFF, and longer than there is.
  "\xf4\x90\x80\x80",
  "\xf5\x80\x80\x80",
  "\xf8\x88\x80\x80\x80",
  "\xfc\x84\x80\x80\x80\x80",
  // Broken off.
  "\xc3",
  "\xe2\x82",
  "\xf0\x9f\x98",
  "\xc3(",
];

const INHERITED = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "isPrototypeOf",
  "toJSON",
  "then",
  "",
  "$",
];

const BODIES: Record<string, [share: number, kind: BodyKind]> = {
  "mutated JSON": [260, (dice, path) => [mutated(dice, settings(dice, path))]],
  "fields": [80, (dice, path) => [settings(dice, path, 25)]],
  "deep nesting": [40, (dice, path) => {
    const [name] = fieldOf(dice, path);
    const [start, end, errors] = dice.pick(
      [
        ["", "", BODY],
        [`{"${MARK}":`, "}", []],
        [`{"${name}":`, "}", [name]],
      ] as const,
    );
    const [open, close] = dice.pick(
      [["[", "]"], ['{"a":', "}"], [
        '[{"length":',
        "}]",
      ]] as const,
    );
    const room = MAX - start.length - end.length - 4;
    const depth = dice.size(Math.floor(room / (open.length + close.length)));
    if (dice.below(3) === 0) {
      const most = Math.floor(room / open.length);
      return [start + open.repeat(dice.pick([depth, most])), BODY];
    }
    // An object of objects, and no field in it: that is settings.
    const known = start === "" && open.startsWith("{") ? [] : errors;
    return [
      start + open.repeat(depth) + "null" + close.repeat(depth) + end,
      known,
    ];
  }],
  "huge numbers": [50, (dice, path) => {
    const [name] = fieldOf(dice, path);
    const many = dice.size(MAX - 100);
    const digits = dice.pick(["9", "1", "0", "10"]).repeat(many).slice(0, many);
    const number = dice.pick([
      digits,
      `1${digits}00000`,
      `-${digits}`,
      `0.${digits}1`,
      `5.${digits}`,
      `1e${digits}`,
      `1E-${digits}`,
      `${digits}e-${many}`,
      "-0",
      "1e-400",
      "5e-324",
      "9007199254740993",
      ".5",
      "1.",
      "+1",
      "0x10",
      "1_0",
      "Infinity",
      "NaN",
    ]);
    const value = dice.pick([number, number, `"${number}"`]);
    return [`{"${name}":${value}}`];
  }],
  "lone surrogates": [40, (dice, path) => {
    const [name, { enum: values }] = fieldOf(dice, path);
    const text = Array.from(
      { length: dice.size(40) },
      () =>
        dice.pick(["\\ud83d", "\\udE00", "\\uDBFF", "\\uffff", "\\ufeff", "a"]),
    )
      .join("");
    return dice.pick<Body>([
      [`{"\\ud800${text}":"${text}"}`, []],
      [`{"${name}":"\\udfff${text}"}`, [name]],
      [`{"${name}\\udc00":null,"${text}\\ud800${name}":{}}`, []],
      [`{"${name}":"${values?.[0] ?? 5}${text}\\ud800"}`, [name]],
    ]);
  }],
  "not UTF-8": [60, (dice, path) => {
    const text = settings(dice, path).slice(0, -1) + `,"a":"b"}`;
    const at = dice.below(text.length + 1);
    const bad = dice.pick(NOT_UTF8).repeat(dice.size(3));
    return [text.slice(0, at) + bad + text.slice(at)];
  }],
  "NUL": [25, (dice, path) => {
    const [name] = fieldOf(dice, path);
    return dice.pick<Body>([
      [`{"${name}":"\0"}`, BODY],
      [`{"${name}\0":1}`, BODY],
      ["{}\0", BODY],
      ["\0{}", BODY],
      ["\0".repeat(dice.size(MAX)), BODY],
      [`{"${name}\\u0000":null}`, []],
      [`{"${name}":"\\u0000"}`, [name]],
      ["{\0}", BODY],
    ]);
  }],
  "inherited names": [50, (dice, path) => {
    const [name, schema] = fieldOf(dice, path);
    const evil = dice.pick(INHERITED);
    const value = dice.pick([
      "null",
      `{"${name}":null}`,
      `{"__proto__":{"${name}":"${MARK}"}}`,
      `"${MARK}"`,
      "1e999",
      "[]",
    ]);
    return dice.pick<Body>([
      [`{"${evil}":${value}}`, []],
      [`{"${evil}":${value},"${name}":null}`, [name]],
      [`{"${name}":{"${evil}":${value}}}`, [name]],
      [`{"${name}":["${evil}"]}`, [name]],
      [`{"${evil}":${value},"${name}":${valueOf(dice, schema, 0)}}`],
    ]);
  }],
  "many names": [8, (dice, path) => {
    const [name] = fieldOf(dice, path);
    const tail = dice.pick<[string, string[]]>([['"z":0}', []], [
      `"${name}":[]}`,
      [name],
    ]]);
    // As many as there is room for: 3,274 empty ones, or 1,700 to 2,000 others.
    const base = dice.pick([10, 16, 36]);
    const empty = dice.below(3) === 0;
    let text = "{";
    for (let i = 0; text.length < MAX - 60; i++) {
      text += empty ? '"":0,' : `"_${i.toString(base)}":0,`;
    }
    return [text + tail[0], tail[1]];
  }],
  "names twice": [40, (dice, path) => {
    const [name, schema] = fieldOf(dice, path);
    const value = valueOf(dice, schema, 0);
    const other = dice.pick([
      name.toUpperCase(),
      `\\u00${(name.charCodeAt(0) ^ 32).toString(16)}${name.slice(1)}`,
    ]);
    return dice.pick<Body>([
      [`{"${name}":${value},"${other}":${value}}`, [name]],
      [`{"${other}":null,"${name}":${value}}`, [name]],
      [`{"${name}":null,"${name}":${value}}`],
      [`{"${name}":${value},"${name}":null}`, [name]],
      // Not the same in ASCII: the Kelvin sign, the long s, a dotless i.
      [utf8(`{"wordC\u212aount":0,"ca\u017fing":0,"cas\u0131ng":0}`), []],
    ]);
  }],
  "byte-order marks": [25, (dice, path) => {
    const mark = BYTE_ORDER_MARK;
    return dice.pick<Body>([
      [mark + settings(dice, path)],
      [mark + "{}", []],
      [mark + mark + "{}", BODY],
      ["{}" + mark, BODY],
      [` ${mark}{}`, BODY],
      [mark, BODY],
      [`${mark} \r\n`, BODY],
      ["\xef\xbb", BODY],
      ["\xff\xfe{\0}\0", BODY],
      ["\xfe\xff\0{\0}", BODY],
      ["\0\0\xfe\xff\0\0\0{\0\0\0}", BODY],
    ]);
  }],
  "blank": [25, (dice) => {
    const blanks = Array.from(
      { length: dice.below(dice.pick([2, 20, 2000])) },
      () => dice.pick([" ", "\t", "\r", "\n"]),
    ).join("");
    const other = dice.pick(["", "\v", "\f", "\xa0", utf8("\u2028\u00a0")]);
    return [blanks + other, BODY];
  }],
  "no object": [20, (dice, path) => {
    const text = settings(dice, path);
    return [
      dice.pick([
        ...NONSENSE.filter((value) => !value.startsWith("{")),
        `[${text}]`,
        JSON.stringify(text),
        `${text}${text}`,
        `(${text})`,
        `${text};`,
        `a=${MARK}`,
        `<a>${MARK}</a>`,
        `{'length':5}`,
        "{length:5}",
        '{"length":5,}',
        '{"length":5}//',
        "undefined",
      ]),
      BODY,
    ];
  }],
};

// Requests. A part that is left out of one is as everybody sends it.

interface Parts {
  method?: string;
  target?: string;
  version?: string;
  /** The header fields, each with its end of line. */
  host?: string;
  from?: string;
  type?: string;
  more?: string;
  length?: string;
  body?: string;
  path?: string;
  answers?: Hostile["answers"];
  then?: Hostile["then"];
}

type Request = Required<Omit<Hostile, "kind">>;
type RequestKind = (dice: Dice, index: number, path: string) => Request;

/** A client that was never seen before. */
function client(index: number): string {
  return `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
}

function build(index: number, path: string, parts: Parts): Request {
  const { method = "POST", target = path, version = "HTTP/1.1" } = parts;
  const { host = `Host: localhost\r\n`, more = "", body = "{}" } = parts;
  const { from = `X-Forwarded-For: ${client(index)}\r\n` } = parts;
  const { type = "Content-Type: application/json\r\n" } = parts;
  const { length = `Content-Length: ${body.length}\r\n` } = parts;
  return {
    bytes: latin1(
      `${method} ${target} ${version}\r\n${host}${from}${type}${more}${length}\r\n${body}`,
    ),
    method,
    path: parts.path ?? Buffer.from(target.split("?")[0]!, "latin1").toString(),
    answers: parts.answers ?? [outcomes(path, body)],
    then: parts.then ?? "on",
  };
}

const OK: Outcome = { status: 200 };
const REFUSED = { answers: [["refused"]], then: "end" } as const;
const LAST = { then: "end" } as const;
const CHUNKED = "Transfer-Encoding: chunked\r\n";
/** A body that broke off: the service may say so if it still can. */
const BROKEN: Outcome[] = [{ status: 400, errors: BODY }, "cut"];

function anyBody(dice: Dice, path: string): Body {
  const kinds = Object.values(BODIES);
  let left = dice.below(kinds.reduce((sum, [share]) => sum + share, 0));
  const [, kind] = kinds.find(([share]) => (left -= share) < 0)!;
  return kind(dice, path);
}

/** A body in chunks that are cut anywhere. */
function chunked(dice: Dice, body: string): string {
  const largest = dice.pick([1, 2, 7, 1000, MAX]);
  let text = "";
  for (let at = 0; at < body.length;) {
    // Each chunk of one byte costs the service as much as a small request.
    const room = body.length > 500 ? Math.max(largest, 100) : largest;
    const piece = body.slice(at, at + 1 + dice.below(room));
    const size = piece.length.toString(16);
    const shown = dice.pick([size, size, size.toUpperCase(), `000${size}`]);
    const extension = dice.below(8) === 0 ? `;a=${MARK};b="c d"` : "";
    text += `${shown}${extension}\r\n${piece}\r\n`;
    at += piece.length;
  }
  const trailer = dice.pick(["", "", "", `X-Note: ${MARK}\r\n`]);
  return `${text}0\r\n${trailer}\r\n`;
}

const METHODS =
  "GET HEAD PUT DELETE PATCH TRACE post Post pOST FOO P POSTX QUERY PRI SEARCH __proto__ constructor !#$%&'*+-.^_`|~ 0"
    .split(" ");

const NOT_HOSTS = "a/b a?b a#b a@b a\\b / ? # @ \\".split(" ").concat(
  ["a b", "a\tb", "a\xa0b", "x/api/pwgen/words?", "x/healthz?", `${MARK}@a`],
);
const HOSTS =
  "a:99999 [::1] [::1 ] : a:b a:80:80 %61 a%2fb \xe5 \x80\xff .. a,b <a> a|b * - __proto__"
    .split(" ").concat("", MARK, "a".repeat(60_000));

const JSON_TYPES = [
  "APPLICATION/JSON",
  "application/json;charset=utf-8",
  'application/json; Charset="UTF-8"',
  "application/json ; a=b;charset=utf-8 ;",
  `application/json; a="${MARK};charset=utf-16"`,
  'application/json; a="\\";b=\\""',
  "application/vnd.a+json",
  "application/a+b+json; charset=utf-8",
  "application/json\t;\t;;a=b",
  "application/json" + "; ".repeat(400) + "a=b",
  "application/json" + ";charset=utf-8".repeat(70),
  "application/" + "+json".repeat(190),
];
const OTHER_TYPES = [
  "",
  // Longer than what is read.
  "application/json" + "; ".repeat(2000) + "a=b",
  "application/json" + ";charset=utf-8".repeat(2000),
  "application/" + "+json".repeat(5000),
  "text/plain",
  "text/json",
  "application/jsonx",
  "application/x-json",
  "application/+json",
  "application /json",
  "application/json/x",
  "application/json, application/json",
  "application/json; charset=utf-16",
  "application/json; charset=latin1; charset=utf-8",
  "application/json; charset=utf-8; charset=utf-7",
  'application/json; charset="utf-8',
  "application/json; charset=",
  "application/json; charset",
  "application/json charset=utf-8",
  "application/json;=",
  "application/json; a b=c",
  "application/json\xe5",
  "*/*",
  "application/x-www-form-urlencoded",
  `multipart/form-data; boundary=${MARK}`,
  MARK,
  "application/json" + ";a=b".repeat(2000) + "@",
  "application/" + "a+".repeat(5000) + "json@",
  'application/json;a="' + "\\a".repeat(5000),
];

const GOOD_LINES = [
  `X-Note: ${MARK}\r\n`,
  `${MARK}: a\r\n`,
  "X: \x80\xff\xa0\r\n",
  "X:a\tb\r\n",
  "X:\r\n",
  "__proto__: a\r\nconstructor: b\r\ntoString: c\r\n",
  "!#$%&'*+-.^_`|~: a\r\n",
  `Cookie: a=${MARK}; a=${MARK}\r\n`,
  `Authorization: Bearer ${MARK}\r\n`,
  `Referer: http://a/?${MARK}\r\nUser-Agent: ${MARK}\r\n`,
  `Origin: http://${MARK}\r\nAccess-Control-Request-Headers: ${MARK}\r\n`,
  `Forwarded: for=${MARK};host=${MARK}\r\nX-Forwarded-Host: ${MARK}\r\n`,
  "X-Forwarded-Proto: https\r\n",
  `X-Forwarded-Proto: ${MARK}\r\n`,
  `X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /${MARK}\r\n`,
  `Accept: ${MARK}\r\nAccept-Encoding: gzip, br, ${MARK}\r\n`,
  "Content-Encoding: gzip\r\n",
  `Range: bytes=0-0\r\nIf-None-Match: *\r\nIf-Match: "${MARK}"\r\n`,
  "Connection: keep-alive, X-Forwarded-For, Content-Type\r\n",
  "Expect: nonsense\r\n",
  "X: y\r\n".repeat(30),
  "X: " + "y".repeat(10_000) + "\r\n",
  "x".repeat(10_000) + ": y\r\n",
  "X: a\n",
];
const BAD_LINES = [
  "X: a\x01b\r\n",
  "X: a\0b\r\n",
  "X: a\x7fb\r\n",
  "X: a\r\n b\r\n",
  "X: a\rb\r\n",
  `${MARK}\r\n`,
  "X : a\r\n",
  ": a\r\n",
  "\xc3\xa5: a\r\n",
  "X(: a\r\n",
  "X\0: a\r\n",
  "Host: other\r\n",
  "Host: localhost\r\n",
  "Upgrade: websocket\r\nConnection: upgrade\r\n",
];

const LENGTHS = [
  "2\r\nContent-Length: 3",
  "2, 2",
  "+2",
  "-1",
  "0x2",
  "",
  "1e3",
  "2.0",
  "\xb2",
  MARK,
  "18446744073709551616",
  "2\r\nTransfer-Encoding: chunked",
];
const ENCODINGS = [
  "identity",
  "chunked, gzip",
  "xchunked",
  "chunked, chunked",
  "chunked\r\nTransfer-Encoding: chunked",
  "",
  MARK,
  "chunked;a=b",
  "\x0bchunked",
];
const BAD_CHUNKS = [
  "g\r\n{}\r\n0\r\n\r\n",
  "-2\r\n{}\r\n0\r\n\r\n",
  "0x2\r\n{}\r\n0\r\n\r\n",
  "\r\n{}\r\n0\r\n\r\n",
  "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
  "ffffffffffffffff\r\n{}\r\n0\r\n\r\n",
  "7fffffffffffffff\r\n{}",
  "2\r\n{}0\r\n\r\n",
  "1\r\n{}\r\n0\r\n\r\n",
  "3\r\n{}\r\n0\r\n\r\n",
  "2\t;\r\n{}\r\n",
  "2;\x01\n\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}\r\n",
  "2\r\n{}\r\n0\r\nnonsense\r\n\r\n",
  `2;${MARK.repeat(2000)}\r\n{}\r\n0\r\n\r\n`,
  "2\n{}\n0\n\n",
  MARK,
  "",
];

const GARBAGE = [
  `${MARK}\r\n\r\n`,
  "\xff\xfe\xfd\r\n\r\n",
  "\0".repeat(100) + "\r\n\r\n",
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + "\0".repeat(500) + "\r\n\r\n",
  "GET\r\n\r\n",
  "GET /healthz\r\n\r\n",
  "POST /api/pwgen/words\r\nHost: a\r\n\r\n",
  "POST  /api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  "POST\t/api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  " POST /api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  "POST /api/pwgen/words HTTP/1.1 \r\nHost: a\r\n\r\n",
  "POST /api/pwgen/words HTTP/1.2\r\nHost: a\r\n\r\n",
  "POST /api/pwgen/words HTTP/9\r\nHost: a\r\n\r\n",
  "POST /api/pwgen/words http/1.1\r\nHost: a\r\n\r\n",
  "POST /api/pwgen/words HTTP/1.1\r\n X: a\r\n\r\n",
  "PO ST /api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  "PO(ST /api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  " /api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  "P\0ST /api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  "CONNECT /api/pwgen/words HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
  "PRI * HTTP/2.0\r\nHost: a\r\n\r\n",
  "OPTIONS ** HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
];

const NO_BODY = { length: "Content-Length: 0\r\n", body: "" };

const REQUESTS: Record<string, [share: number, kind: RequestKind]> = {
  "chunked": [60, (dice, index, path) => {
    const [body] = anyBody(dice, path);
    return build(index, path, {
      length: CHUNKED,
      body: chunked(dice, body),
      answers: [outcomes(path, body)],
      path,
    });
  }],
  "bad chunks": [20, (dice, index, path) =>
    build(index, path, {
      length: CHUNKED,
      body: dice.pick(BAD_CHUNKS),
      answers: [BROKEN],
      then: "half",
    })],
  "length too long": [15, (dice, index, path) => {
    const [body] = anyBody(dice, path);
    const missing = 1 + dice.below(MAX - body.length + 1);
    const length = body.length + missing;
    return build(index, path, {
      length: `Content-Length: ${length}\r\n`,
      body,
      answers: [length > MAX ? [{ status: 413 }, "cut"] : BROKEN],
      then: "half",
    });
  }],
  "length too short": [15, (dice, index, path) => {
    const body = settings(dice, path);
    const sent = body.slice(0, dice.below(body.length));
    const answers = [outcomes(path, sent), ["refused" as const]];
    // What is left over is the next request: nonsense, or a whole one.
    const length = `Content-Length: ${sent.length}\r\n`;
    const rest = `${body.slice(sent.length)}\r\n\r\n`;
    const first = build(index, path, { body: sent });
    const second = build(index, path, {});
    return dice.below(2) === 0
      ? build(index, path, { length, body: sent + rest, answers, ...LAST })
      : {
        ...first,
        bytes: Buffer.concat([first.bytes, second.bytes]),
        answers: [...first.answers, ...second.answers],
      };
  }],
  "lengths": [20, (dice, index, path) => {
    const length = dice.below(4);
    if (length === 0) {
      const same = dice.pick(["2\r\nContent-Length: 2", "02", "0000002"]);
      return build(index, path, { length: `Content-Length: ${same}\r\n` });
    }
    return build(index, path, {
      length: `Content-Length: ${dice.pick(LENGTHS)}\r\n`,
      ...REFUSED,
    });
  }],
  "transfer encodings": [20, (dice, index, path) => {
    const body = "2\r\n{}\r\n0\r\n\r\n";
    if (dice.below(4) === 0) {
      const encoding = dice.pick(["CHUNKED", "gzip, chunked", " chunked "]);
      const length = `Transfer-Encoding: ${encoding}\r\n`;
      return build(index, path, { length, body, answers: [[OK]] });
    }
    return build(index, path, {
      length: `Transfer-Encoding: ${dice.pick(ENCODINGS)}\r\n`,
      body,
      ...REFUSED,
    });
  }],
  "too large": [15, (dice, index, path) => {
    const size = MAX + dice.size(20_000);
    const body = `{"a":"${MARK}"`.padEnd(size, dice.pick([" ", "[", "\xff"]));
    // It may have closed before all of this was sent, and then nothing is heard.
    const answers: Outcome[][] = [[{ status: 413 }, "cut"]];
    return build(index, path, {
      ...dice.pick<Parts>([
        { body },
        { body: "", length: `Content-Length: ${size}\r\n` },
        { body: "{", length: "Content-Length: 9007199254740993\r\n" },
        { body: "{", length: "Content-Length: 18446744073709551613\r\n" },
        {
          body: `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
          length: CHUNKED,
        },
        { body: "400\r\n".padEnd(1029) + "\r\n", length: CHUNKED },
      ].slice(0, 5)),
      type: dice.pick([undefined, "Content-Type: application/json\r\n"]) ??
        "Content-Type: application/json; a=b\r\n",
      answers,
      ...LAST,
    });
  }],
  "media types": [50, (dice, index, path) => {
    const good = dice.below(2) === 0;
    const type = dice.pick(good ? JSON_TYPES : OTHER_TYPES);
    const body = dice.pick(["{}", settings(dice, path), MARK]);
    return build(index, path, {
      type: `Content-Type: ${type}\r\n`,
      body,
      answers: [good ? outcomes(path, body) : [{ status: 415 }]],
      then: good ? "on" : "end",
    });
  }],
  "media type missing, twice or of nothing": [15, (dice, index, path) => {
    const blank = " \t\r\n".repeat(dice.below(20));
    const empty = [[{ status: 400, errors: BODY }]];
    const field = "Content-Type: application/json\r\n";
    return build(index, path, {
      ...dice.pick<Parts>([
        { type: "", answers: [[{ status: 415 }]] },
        { type: field + field, answers: [[{ status: 415 }]] },
        { type: "", body: blank, answers: empty },
        { type: "Content-Type: a\r\n", body: blank, answers: empty },
        { type: "", body: "", length: "", answers: empty },
      ]),
      then: "end",
    });
  }],
  "hosts": [35, (dice, index, path) => {
    const parts = dice.pick<Parts>([
      { host: "", answers: [[OK]] },
      { host: `Host: ${dice.pick(HOSTS)}\r\n`, answers: [[OK]] },
      {
        host: `Host: ${dice.pick(NOT_HOSTS)}\r\n`,
        answers: [[{ status: 400 }]],
        target: dice.pick([path, path, "/healthz", `/${MARK}`, "/"]),
        method: dice.pick(["POST", "OPTIONS", "GET"]),
        ...NO_BODY,
      },
    ]);
    return build(index, path, parts);
  }],
  "header fields": [50, (dice, index, path) => {
    const more = Array.from(
      { length: 1 + dice.below(4) },
      () => dice.pick(GOOD_LINES),
    ).join("");
    const target = dice.pick([
      path,
      `${path}?${MARK}`,
      `${path}?length=0&a=%00`,
    ]);
    return build(index, path, { more, target });
  }],
  "bad header fields": [
    25,
    (dice, index, path) =>
      build(index, path, { more: dice.pick(BAD_LINES), ...REFUSED }),
  ],
  "header too large": [1, (dice, index, path) =>
    build(index, path, {
      target: dice.pick([path, path, `/${"a".repeat(65_536)}`]),
      more: dice.pick([
        "X: " + "y".repeat(450_000) + "\r\n",
        "x".repeat(70_000) + ": y\r\n",
      ]),
      answers: [["refused", "cut"]],
      ...LAST,
    })],
  "expectations": [15, (dice, index, path) => {
    const [body] = anyBody(dice, path);
    return build(index, path, { more: "Expect: 100-continue\r\n", body });
  }],
  "forwarded": [20, (dice, index, path) => {
    const hops = ["127.0.0.1", "::1", "127.9.9.9"];
    const left = dice.pick([MARK, "1.2.3", "::", "", "\xff", "999.1.1.1"]);
    const right = dice.pick(["", `, ${dice.pick(hops)}`]);
    const many = dice.pick([1, 1, 1000]);
    const who = dice.pick([
      client(index),
      `::ffff:${client(index)}`,
      `2001:db8:${(index >> 16).toString(16)}:${
        (index & 65_535).toString(16)
      }::1`,
    ]);
    const entry = `${left},`.repeat(many) + ` \t${who}${right}`;
    return build(index, path, { from: `X-Forwarded-For: ${entry}\r\n` });
  }],
  // All of these are the same client, which has 60 requests a minute.
  "forwarded by nobody": [6, (dice, index, path) => {
    const [body] = anyBody(dice, path);
    const nobody = [
      MARK,
      "",
      "1.2.3.4:80",
      "10.0.0.1%eth0",
      "[::1]",
      "\xff",
      ",",
    ]
      .concat("::".repeat(5000), "1.".repeat(9000), ",".repeat(9000));
    const field = `X-Forwarded-For: ${dice.pick(nobody)}\r\n`;
    return build(index, path, {
      from: dice.pick(["", field]),
      body,
      answers: [[...outcomes(path, body), { status: 429 }]],
      ...LAST,
    });
  }],
  "methods": [40, (dice, index, path) => {
    const method = dice.pick([...METHODS, MARK, "M".repeat(5000)]);
    const own = dice.below(3) === 0;
    const target = own ? "/healthz" : path;
    const got = own && (method === "GET" || method === "HEAD");
    return build(index, path, {
      method,
      target: target + dice.pick(["", `?${MARK}`]),
      answers: [[{ status: got ? 200 : 405 }]],
      ...NO_BODY,
    });
  }],
  "preflights": [10, (_dice, index, path) =>
    build(index, path, {
      method: "OPTIONS",
      more: `Origin: ${MARK}\r\nAccess-Control-Request-Method: ${MARK}\r\n`,
      answers: [[{ status: 204 }]],
      ...NO_BODY,
    })],
  "documents": [4, (dice, index, path) => {
    const [tag, status] = dice.pick(
      [
        [`"${MARK}"`, 200],
        ["*", 304],
        [`W/"${MARK}", `.repeat(500), 200],
      ] as const,
    );
    return build(index, path, {
      method: dice.pick(["GET", "HEAD"]),
      target: "/openapi/v1.json",
      more: `If-None-Match: ${tag}\r\n`,
      answers: [[{ status }]],
      ...NO_BODY,
    });
  }],
  // What takes a careless pattern longer than it takes to send: with the number
  // of parts twice as long for each, with blanks the square of their number.
  "header fields to ponder": [2, (dice, index, path) => {
    const blanks = dice.pick([" ", "\t", "\xa0", " ,"]).repeat(25_000);
    const refused = { answers: [[{ status: 415 }]], ...LAST } as const;
    return build(
      index,
      path,
      dice.pick<Parts>([
        {
          type: `Content-Type: application/json${"; ".repeat(1000)}@\r\n`,
          ...refused,
        },
        {
          type: `Content-Type: application/json;${blanks}@\r\n`,
          ...refused,
        },
        {
          type: `Content-Type: application/json;${" ".repeat(50_000)}a=b\r\n`,
          ...refused,
        },
        { from: `X-Forwarded-For: ${blanks}${client(index)}\r\n` },
        {
          method: "GET",
          target: "/openapi/v1.json",
          more: `If-None-Match: "${MARK}${blanks}"\r\n`,
          answers: [[OK]],
          ...NO_BODY,
        },
      ]),
    );
  }],
  "paths": [50, (dice, index, path) => {
    const at = 1 + dice.below(path.length - 1);
    const [before, after] = [path.slice(0, at), path.slice(at)];
    const hex = path.charCodeAt(at).toString(16);
    const target = dice.pick([
      `${path}/`,
      `/${path}`,
      `/.${path}`,
      `/x/..${path}`,
      path.replace(/\/(?=\w+$)/, "/./"),
      path.replace(/\/(?=\w+$)/, "/x/../"),
      path.replace(/\/(?=\w+$)/, "//"),
      path.replace(/\/(?=\w+$)/, "%2f"),
      path.replace(/\/(?=\w+$)/, "\\"),
      `${before}%${hex}${after.slice(1)}`,
      before + after.charAt(0).toUpperCase() + after.slice(1) + "/",
      path.toUpperCase(),
      before,
      `${path}#${MARK}`,
      `${path}%23`,
      `${path}%3F${MARK}`,
      `${path};a=b`,
      `${path}%00`,
      `${path}%20`,
      path + utf8("\u00e5\u{1f600}\u2028"),
      `/${MARK}/__proto__/constructor`,
      '/"<script>&\\{}|^`[]',
      `//other${path}`,
      "/%",
      "/%zz%",
      "/" + "a/".repeat(4000),
      "/" + "../".repeat(4000),
      "//",
      "/*",
    ].filter((target) => target !== "/"));
    return build(index, path, {
      target: target + dice.pick(["", `?${MARK}`, `?${path}`]),
      method: dice.pick(["POST", "GET", "HEAD", "OPTIONS", "post"]),
      answers: [[{ status: 404 }]],
      ...NO_BODY,
    });
  }],
  "request targets": [30, (dice, index, path) => {
    const good = dice.pick([
      `${path}?`,
      `${path}?${MARK}#${MARK}`,
      `${path}?${utf8("\u00e5")}`,
      `http://other${path}`,
      `HTTPS://other:1${path}?${MARK}`,
      `http://${MARK}@other${path}`,
      `ftp://[::1]${path}`,
    ]);
    return build(index, path, {
      path,
      ...dice.pick<Parts>([
        { target: good },
        {
          target: dice.pick([
            "/?",
            `/?${path}`,
            "http://other",
            `http://other?${path}`,
            `http://other/?${path}`,
          ]),
          path: "/",
          answers: [[{ status: 405 }]],
          ...NO_BODY,
        },
        {
          target: dice.pick([
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
    });
  }],
  "versions": [10, (dice, index, path) => {
    const [body] = anyBody(dice, path);
    return build(index, path, {
      ...dice.pick<Parts>([
        { version: "HTTP/1.0", ...LAST },
        { more: "Connection: close\r\n", ...LAST },
      ]),
      body,
    });
  }],
  "garbage": [20, (dice, index, path) => ({
    ...build(index, path, REFUSED),
    bytes: latin1(dice.pick(GARBAGE)),
  })],
  "broken off": [10, (dice, index, path) => {
    const { bytes } = build(index, path, { body: settings(dice, path) });
    // In the header: in a body it is "length too long".
    const header = bytes.length - 30;
    return {
      ...build(index, path, {}),
      bytes: bytes.slice(0, dice.below(Math.min(header, 70))),
      answers: [["refused", "cut"]],
      then: "half",
    };
  }],
  "gone": [15, (dice, index, path) => {
    const [body] = anyBody(dice, path);
    const { bytes } = build(index, path, { body });
    const cut = dice.below(2) === 0 ? bytes.length : dice.below(bytes.length);
    return {
      ...build(index, path, { answers: [], then: "leave" }),
      bytes: bytes.slice(0, cut),
    };
  }],
  "never there": [0, (dice, index, path) =>
    build(index, path, {
      ...dice.pick<Parts>([
        { length: "Content-Length: 20\r\n", body: "{" },
        { length: "Content-Length: 20\r\n", body: "" },
        { length: CHUNKED, body: "2\r\n{}\r\n" },
        { length: CHUNKED, body: "5\r\n{" },
      ]),
      answers: [[{ status: 408 }]],
      then: "wait",
    })],
};

const SHARES = Object.entries({
  ...REQUESTS,
  ...Object.fromEntries(
    Object.entries(BODIES).map((
      [name, [share, kind]],
    ): [string, [number, RequestKind]] => [name, [
      share,
      (dice, index, path) => {
        const [body, errors] = kind(dice, path);
        const request = build(index, path, { body });
        // What the kind knows is what the description demands.
        if (errors !== undefined) {
          const [[only]] = request.answers as [[Outcome]];
          assertEquals(
            only,
            errors.length === 0 ? OK : { status: 400, errors },
            `${name}: ${body}`,
          );
        }
        return request;
      },
    ]]),
  ),
});
const ALL_SHARES = SHARES.reduce((sum, [, [share]]) => sum + share, 0);

/** The first ones are those that take ten seconds. */
const SLOW = 24;

/** The names of all kinds. */
export const KINDS: readonly string[] = SHARES.map(([kind]) => kind);

/** Makes the request of a number. */
export function hostile(seed: number, index: number): Hostile {
  const dice = new Dice(seed, index);
  let left = dice.below(2 ** 32) / 2 ** 32 * ALL_SHARES;
  const [kind, [, make]] = index < SLOW
    ? ["never there", REQUESTS["never there"]!] as const
    : SHARES.find(([, [share]]) => (left -= share) < 0)!;
  return { kind, ...make(dice, index, dice.pick(PATHS)) };
}
