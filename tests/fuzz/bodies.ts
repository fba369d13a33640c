/**
 * Random bodies, and what the API promises for a body. Each character is one byte.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { randomBody } from "../helpers/bodies.ts";
import type { Random } from "../helpers/random.ts";
import { type CostRefusal, type Kind, outcome, TABLES } from "../oracle.ts";

/** The requests contain it. The responses contain it only in a path. */
export const CANARY = "hunter2-4b1d-9e77";

export const MAX_BODY_BYTES = 16 * 1024;

const BYTE_ORDER_MARK = "\xef\xbb\xbf";

/** Encodes a text as UTF-8. */
export const utf8 = (text: string): string =>
  Buffer.from(text).toString("latin1");

/** The endpoint of a path. */
export const kindOf = (path: string): Kind => path.split("/").at(-1) as Kind;

/**
 * The outcomes that the contract permits, if the service has refused the request for
 * this cost, or for none: status and errors, such as "400 count", "refused" for the
 * empty 400 of the HTTP layer of Deno, "closed" for a connection that is closed without
 * a response.
 */
export type Permitted = (refusal?: CostRefusal) => readonly string[];

/** The outcomes that the contract permits for a body. */
export const outcomesOf =
  (path: string, body: string): Permitted => (refusal) => {
    if (body.length > MAX_BODY_BYTES) return ["413"];
    let errors: readonly string[] = ["$"];
    try {
      const value: unknown = JSON.parse(
        new TextDecoder().decode(Buffer.from(body, "latin1")),
      );
      if (
        typeof value === "object" && value !== null && !Array.isArray(value)
      ) {
        errors = outcome(kindOf(path), { ...value }, refusal).errors;
      }
    } catch {
      // It is no JSON.
    }
    const status = errors.length === 0 ? "200" : ["400", ...errors].join(" ");
    return [body.startsWith(BYTE_ORDER_MARK) ? "400 $" : status];
  };

/** Names that every object inherits, that JavaScript treats in a special way, ... */
const NAMES =
  "__proto__ constructor prototype toString valueOf hasOwnProperty toJSON then $"
    .split(" ").concat("", CANARY, "\\ud800", "\\udc00a", "length\\u0000")
    // The long s and the dotless i are not in ASCII, and \u006c is l.
    .concat(utf8("ca\u017fing"), utf8("cas\u0131ng"), "\\u006cength", "CoUnT");

/** Values that are valid for few fields, or no JSON. */
const VALUES = `null [] {} "" "5.0" "0x5" "${CANARY}" "\\ud800" "\\u0000" 1e400`
  .split(" ").concat("-0 1e-400 5e-324 9007199254740993 2147483648".split(" "))
  .concat(".5 1. +1 0x10 1_0 NaN undefined 'a' \"\0\" 05".split(" "))
  .concat(
    `{"${CANARY}":"${CANARY}"}`,
    '{"__proto__":{"length":0}}',
    '"\\u0665"',
  );

/** What UTF-8 does not permit (RFC 3629, sections 3 and 4). */
const NOT_UTF8 =
  // Bytes that start no character, overlong forms, surrogates, ...
  "\x80 \xbf \xfe \xff \xc0\x80 \xc1\xbf \xe0\x80\x80 \xf0\x80\x80\x80 \xed\xa0\x80"
    // ... code points above U+10FFFF, and incomplete characters.
    .split(" ").concat(
      "\xf4\x90\x80\x80 \xf8\x88\x80\x80\x80 \xc3 \xe2\x82 \xf0\x9f\x98".split(
        " ",
      ),
    );

const TOKENS =
  '{ } [ ] " : , \\ / \\u \\ud800 null true 0 - . e \0 \x7f "length": // \v \xa0'
    .split(" ").concat(" ", "\n", BYTE_ORDER_MARK, CANARY);

/** JSON of some fields, in which numbers have several forms. */
function fields(random: Random, path: string): string {
  return utf8(JSON.stringify(randomBody(random, kindOf(path))))
    .replace(/("unknown"|"x")/g, `"${CANARY}"`)
    .replace(
      /:\d+(?=[,}])/g,
      (number) => number + random.pick(["", ".0", "e0"]),
    );
}

/** JSON with more members. */
function members(random: Random, path: string): string {
  const names = [...NAMES, ...Object.keys(TABLES[kindOf(path)])];
  const more = Array.from(
    { length: 1 + random.below(3) },
    () => `"${random.pick(names)}":${random.pick(VALUES)}`,
  );
  const text = fields(random, path).slice(1, -1);
  return `{${
    [...text ? [text] : [], ...more].join(random.pick([",", ",\r\n"]))
  }}`;
}

/** JSON in which some bytes are changed, removed or added. */
function mutated(random: Random, path: string): string {
  let text = members(random, path);
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(text.length + 1);
    const end = at + random.pick([0, 0, 1, random.size(8), text.length]);
    const inserted = random.pick([
      "",
      random.pick(TOKENS),
      String.fromCharCode(random.below(256)),
      random.pick(NOT_UTF8).repeat(random.size(3)),
    ]);
    text = text.slice(0, at) + inserted + text.slice(end);
  }
  return text;
}

/** A value that is deep, or a number that is long. */
function large(random: Random, path: string): string {
  const name = random.pick([CANARY, ...Object.keys(TABLES[kindOf(path)])]);
  const [open, close] = random.pick([["[", "]"], ['{"a":', "}"], [
    "1",
    "",
  ]]) as [
    string,
    string,
  ];
  const room = MAX_BODY_BYTES - 60;
  const depth = random.size(Math.floor(room / (open.length + close.length)));
  const closed = random.pick([depth, depth, 0]);
  const value = open.repeat(depth) + "0" + close.repeat(closed);
  return random.pick([
    value,
    `{"${name}":${value}}`,
    `{"${name}":"${value}"}`,
    `{"${name}":5.${value}}`,
    `{"${name}":1E-${value}}`,
  ]);
}

/** As many names as fit. */
function manyNames(random: Random): string {
  const name = random.pick([() => "", (i: number) => `_${i.toString(36)}`]);
  let text = "{";
  for (let i = 0; text.length < MAX_BODY_BYTES - 60; i++) {
    text += `"${name(i)}":0,`;
  }
  return `${text}"z":0}`;
}

/** White space, in which there may be something else. */
function blank(random: Random): string {
  const blanks = Array.from(
    { length: random.below(random.pick([2, 20, 2000])) },
    () => random.pick([" ", "\t", "\r", "\n"]),
  ).join("");
  return random.pick(["", BYTE_ORDER_MARK]) + blanks +
    random.pick(["", "", "{}", ...TOKENS]);
}

/** A body of any kind. */
export function anyBody(random: Random, path: string): string {
  const common = [fields, members, mutated, mutated, mutated, large, blank];
  const make = random.below(100) === 0 ? manyNames : random.pick(common);
  return make(random, path).slice(0, MAX_BODY_BYTES);
}
