/**
 * The kinds of request bodies. Each character of a body is one byte.
 *
 * @module
 */
import type { Schema } from "../helpers/schema.ts";
import type { Random } from "../helpers/random.ts";
import {
  BODY_ERROR,
  BYTE_ORDER_MARK,
  CANARY,
  FIELDS,
  MAX_BODY_BYTES,
} from "./oracle.ts";

/** A body, and the expected names under `errors` if the kind knows them. */
type FuzzBody = readonly [body: string, errors?: readonly string[]];
export type BodyKind = (random: Random, path: string) => FuzzBody;

/** Encodes a text as UTF-8, with one character per byte. */
export function utf8(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

const INVALID_VALUES =
  `null true [] {} [5] "" "05" "5.0" 5.5 -1 2147483648 1e400 "${CANARY}"`
    .split(" ").concat('" 5"', `{"${CANARY}":"${CANARY}"}`, '"\\u0665"');

function randomField(random: Random, path: string): [string, Schema] {
  return random.pick(Object.entries(FIELDS.get(path)!));
}

/** A field that does not take every text. */
function strictField(random: Random, path: string): [string, Schema] {
  return random.pick(
    Object.entries(FIELDS.get(path)!)
      .filter(([name]) => name !== "excludeCharacters"),
  );
}

/** Rules: valid ones, too narrow ones, too many, and broken ones. */
const RULES = [
  ...["", "minlength: 8; maxlength: 16; required: upper; required: digit;"],
  "required: lower, upper; allowed: [-!0Ol]; max-consecutive: 2",
  "allowed: digit; max-sequential: 3; minlength: 4; maxlength: 6",
  "required: [01]; required: [Il|]; required: [a]; allowed: [!-~ ]",
  "required: [-]; required: [-!#]; required: digit; maxlength: 60",
  "allowed: [ab]; max-repeating: 1",
  "required: digit; required: digit; allowed: lower",
  "required: digit; required: digit; max-repeating: 2",
  "allowed: [lI]; maxlength: 30; minlength: 30",
  // So few strings meet these that the limit of count is 15.
  "allowed: lower; max-repeating: 1; minlength: 106",
  ..."abcdefg".split("").map((_, i) =>
    [..."abcdefg"].slice(0, i + 1).map((c) => `required: [${c}1]`).join("; ")
  ),
  ...["required: [a-z]", "minlength: 9; maxlength: 8", "required: []", ";"],
];

/** The strings of fields that take many. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  passwordRules: RULES,
  specialCharacterSet: ["", "!", "|", "-_.", "\"'`\\|", "!!", "a", " "],
  excludeCharacters: ["", "!0O", "0123456789", " ", "a".repeat(129)],
};

/** JSON of a value, which is invalid with this probability in percent. */
function randomValue(
  random: Random,
  [name, schema]: [string, Schema],
  invalid = 5,
): string {
  if (random.below(100) < invalid) return random.pick(INVALID_VALUES);
  const texts = TEXTS[name];
  // Most other fields must have their defaults with passwordRules.
  if (texts) return JSON.stringify(random.pick([...texts, "", "", ""]));
  if (schema.enum) return JSON.stringify(random.pick(schema.enum));
  if (schema.minimum === undefined) return random.pick(["true", "false"]);
  const value = schema.minimum +
    random.below(schema.maximum! - schema.minimum + 1);
  return random.pick([`${value}`, `"${value}"`, `${value}.0`, `${value}e0`]);
}

/** A JSON object with some of the fields of an endpoint. */
export function randomObject(
  random: Random,
  path: string,
  invalid?: number,
): string {
  const members = Object.entries(FIELDS.get(path)!)
    .filter(() => random.below(2) === 0)
    .map((field) => `"${field[0]}":${randomValue(random, field, invalid)}`);
  if (random.below(4) === 0) members.push(`"${CANARY}":"${CANARY}"`);
  return `{${members.join(random.pick([",", ", ", ",\r\n\t"]))}}`;
}

const TOKENS =
  '{ } [ ] " : , \\ / \\u \\ud800 null true 0 - . e \0 \x7f \xff \xc3'
    .split(" ").concat(
      [" ", "\n", '"length":', '"casing":', BYTE_ORDER_MARK, CANARY],
    );

/** Changes a few printable characters of a text. */
function mutateText(random: Random, text: string): string {
  for (let count = 1 + random.below(3); count > 0; count--) {
    const start = random.below(text.length + 1);
    const end = start + random.below(3);
    const c = String.fromCharCode(32 + random.below(95));
    text = text.slice(0, start) + c + text.slice(end);
  }
  return text;
}

function mutate(random: Random, text: string): string {
  for (let count = 1 + random.below(4); count > 0; count--) {
    const start = random.below(text.length);
    const end = start + random.size(8);
    const [before, after] = [text.slice(0, start), text.slice(start)];
    const flipBit = () => (after.charCodeAt(0) || 0) ^ (1 << random.below(8));
    const mutations = [
      () => before + String.fromCharCode(flipBit()) + after.slice(1),
      () => before + text.slice(end),
      () => before + random.pick(TOKENS) + after,
      () => before,
      () => text.slice(0, end) + after,
      () => before + String.fromCharCode(random.below(256)) + after.slice(1),
    ];
    text = random.pick(mutations)();
  }
  return text;
}

/** Bytes that UTF-8 does not permit (RFC 3629, sections 3 and 4). */
const NOT_UTF8 = [
  // Bytes that start no character.
  ..."\x80 \xbf \xfe \xff".split(" "),
  // Overlong forms.
  ..."\xc0\x80 \xc0\xaf \xc1\xbf \xe0\x80\x80 \xe0\x9f\xbf".split(" "),
  ..."\xf0\x80\x80\x80 \xf0\x8f\xbf\xbf".split(" "),
  // Surrogates, alone and in a pair.
  ..."\xed\xa0\x80 \xed\xbf\xbf \xed\xa0\xbd\xed\xb8\x80".split(" "),
  // Code points above U+10FFFF, and forms of five and six bytes.
  ..."\xf4\x90\x80\x80 \xf5\x80\x80\x80 \xf8\x88\x80\x80\x80".split(" "),
  "\xfc\x84\x80\x80\x80\x80",
  // Incomplete characters.
  ..."\xc3 \xe2\x82 \xf0\x9f\x98 \xc3(".split(" "),
];

/** Names that every object inherits, or that have a meaning in JavaScript. */
const INHERITED_NAMES =
  "__proto__ constructor prototype toString valueOf hasOwnProperty $ toJSON"
    .split(" ").concat("__defineGetter__", "isPrototypeOf", "then", "");

const NUMBERS = "-0 1e-400 5e-324 9007199254740993 .5 1. +1 0x10 1_0 Infinity"
  .split(" ").concat("NaN");

/** The kinds of bodies by name, with the weight of each. */
export const BODY_KINDS: Record<string, [weight: number, BodyKind]> = {
  "mutated JSON": [
    260,
    (random, path) => [mutate(random, randomObject(random, path))],
  ],
  "fields": [80, (random, path) => [randomObject(random, path, 25)]],
  "password rules": [40, (random, path) => {
    const fields = Object.entries(FIELDS.get(path)!).filter(([name]) =>
      /^(length|exclude[A-Z]\w*|minimumEntropy|count)$/.test(name) &&
      random.below(2) === 0
    );
    const members = fields.map((field) =>
      `"${field[0]}":${randomValue(random, field, 0)}`
    );
    const rules = random.pick(RULES);
    const changed = random.below(3) === 0 ? mutateText(random, rules) : rules;
    members.push(`"passwordRules":${JSON.stringify(changed)}`);
    return [`{${members}}`];
  }],
  "deep nesting": [40, (random, path) => {
    const [name] = randomField(random, path);
    const [prefix, suffix, errors] = random.pick<[string, string, string[]]>([
      ["", "", [...BODY_ERROR]],
      [`{"${CANARY}":`, "}", []],
      [`{"${name}":`, "}", [name]],
    ]);
    const [open, close] = random.pick<[string, string]>([
      ["[", "]"],
      ['{"a":', "}"],
      ['[{"length":', "}]"],
    ]);
    const room = MAX_BODY_BYTES - prefix.length - suffix.length - 4;
    const depth = random.size(Math.floor(room / (open.length + close.length)));
    if (random.below(3) === 0) {
      const most = Math.floor(room / open.length);
      return [prefix + open.repeat(random.pick([depth, most])), BODY_ERROR];
    }
    const nested = open.repeat(depth) + "null" + close.repeat(depth);
    // An object without any known field is valid.
    const isObject = prefix === "" && open.startsWith("{");
    return [prefix + nested + suffix, isObject ? [] : errors];
  }],
  "huge numbers": [50, (random, path) => {
    const [name] = randomField(random, path);
    const count = random.size(MAX_BODY_BYTES - 100);
    const digits = random.pick(["9", "1", "0", "10"]).repeat(count)
      .slice(0, count);
    const number = random.pick([
      ...[digits, `1${digits}00000`, `-${digits}`, `0.${digits}1`],
      ...[`5.${digits}`, `1e${digits}`, `1E-${digits}`, `${digits}e-${count}`],
      ...NUMBERS,
    ]);
    const value = random.pick([number, number, `"${number}"`]);
    return [`{"${name}":${value}}`];
  }],
  "lone surrogates": [40, (random, path) => {
    const [name, { enum: values }] = strictField(random, path);
    const units = "\\ud83d \\udE00 \\uDBFF \\uffff \\ufeff a".split(" ");
    const text = Array.from(
      { length: random.size(40) },
      () => random.pick(units),
    ).join("");
    return random.pick<FuzzBody>([
      [`{"\\ud800${text}":"${text}"}`, []],
      [`{"${name}":"\\udfff${text}"}`, [name]],
      [`{"${name}\\udc00":null,"${text}\\ud800${name}":{}}`, []],
      [`{"${name}":"${values?.[0] ?? 5}${text}\\ud800"}`, [name]],
    ]);
  }],
  "not UTF-8": [60, (random, path) => {
    const text = randomObject(random, path).slice(0, -1) + `,"a":"b"}`;
    const at = random.below(text.length + 1);
    const bytes = random.pick(NOT_UTF8).repeat(random.size(3));
    return [text.slice(0, at) + bytes + text.slice(at)];
  }],
  "NUL": [25, (random, path) => {
    const [name] = strictField(random, path);
    return random.pick<FuzzBody>([
      [`{"${name}":"\0"}`, BODY_ERROR],
      [`{"${name}\0":1}`, BODY_ERROR],
      ["{}\0", BODY_ERROR],
      ["\0{}", BODY_ERROR],
      ["\0".repeat(random.size(MAX_BODY_BYTES)), BODY_ERROR],
      [`{"${name}\\u0000":null}`, []],
      [`{"${name}":"\\u0000"}`, [name]],
      ["{\0}", BODY_ERROR],
    ]);
  }],
  "inherited names": [50, (random, path) => {
    const [name, schema] = randomField(random, path);
    const inherited = random.pick(INHERITED_NAMES);
    const value = random.pick([
      "null",
      `{"${name}":null}`,
      `{"__proto__":{"${name}":"${CANARY}"}}`,
      `"${CANARY}"`,
      "1e999",
      "[]",
    ]);
    return random.pick<FuzzBody>([
      [`{"${inherited}":${value}}`, []],
      [`{"${inherited}":${value},"${name}":null}`, [name]],
      [`{"${name}":{"${inherited}":${value}}}`, [name]],
      [`{"${name}":["${inherited}"]}`, [name]],
      [`{"${inherited}":${value},"${name}":${
        randomValue(random, [name, schema], 0)
      }}`],
    ]);
  }],
  "many names": [8, (random, path) => {
    const [name] = randomField(random, path);
    const last = random.pick<FuzzBody>([
      ['"z":0}', []],
      [`"${name}":[]}`, [name]],
    ]);
    // There is room for 3,274 empty names, or for 1,700 to 2,000 others.
    const radix = random.pick([10, 16, 36]);
    const isEmpty = random.below(3) === 0;
    let text = "{";
    for (let i = 0; text.length < MAX_BODY_BYTES - 60; i++) {
      text += isEmpty ? '"":0,' : `"_${i.toString(radix)}":0,`;
    }
    return [text + last[0], last[1]!];
  }],
  "duplicate names": [40, (random, path) => {
    const [name, schema] = randomField(random, path);
    const value = randomValue(random, [name, schema], 0);
    const other = random.pick([
      name.toUpperCase(),
      `\\u00${(name.charCodeAt(0) ^ 32).toString(16)}${name.slice(1)}`,
    ]);
    return random.pick<FuzzBody>([
      [`{"${name}":${value},"${other}":${value}}`, [name]],
      [`{"${other}":null,"${name}":${value}}`, [name]],
      [`{"${name}":null,"${name}":${value}}`],
      [`{"${name}":${value},"${name}":null}`, [name]],
      // The Kelvin sign, the long s and the dotless i are not in ASCII.
      [utf8(`{"wordC\u212aount":0,"ca\u017fing":0,"cas\u0131ng":0}`), []],
    ]);
  }],
  "byte-order marks": [25, (random, path) =>
    random.pick<FuzzBody>([
      [BYTE_ORDER_MARK + randomObject(random, path)],
      [BYTE_ORDER_MARK + "{}", []],
      [BYTE_ORDER_MARK + BYTE_ORDER_MARK + "{}", BODY_ERROR],
      ["{}" + BYTE_ORDER_MARK, BODY_ERROR],
      [` ${BYTE_ORDER_MARK}{}`, BODY_ERROR],
      [BYTE_ORDER_MARK, BODY_ERROR],
      [`${BYTE_ORDER_MARK} \r\n`, BODY_ERROR],
      ["\xef\xbb", BODY_ERROR],
      ["\xff\xfe{\0}\0", BODY_ERROR],
      ["\xfe\xff\0{\0}", BODY_ERROR],
      ["\0\0\xfe\xff\0\0\0{\0\0\0}", BODY_ERROR],
    ])],
  "blank": [25, (random) => {
    const blanks = Array.from(
      { length: random.below(random.pick([2, 20, 2000])) },
      () => random.pick([" ", "\t", "\r", "\n"]),
    ).join("");
    const other = random.pick(["", "\v", "\f", "\xa0", utf8("\u2028\u00a0")]);
    return [blanks + other, BODY_ERROR];
  }],
  "no object": [20, (random, path) => {
    const text = randomObject(random, path);
    const bodies = [
      ...INVALID_VALUES.filter((value) => !value.startsWith("{")),
      ...[`[${text}]`, JSON.stringify(text), text + text, `(${text})`],
      ...[`${text};`, `a=${CANARY}`, `<a>${CANARY}</a>`, "{'length':5}"],
      ...["{length:5}", '{"length":5,}', '{"length":5}//', "undefined"],
    ];
    return [random.pick(bodies), BODY_ERROR];
  }],
};

/** A body of any kind. */
export function randomBody(random: Random, path: string): string {
  return random.pickWeighted(Object.values(BODY_KINDS))(random, path)[0];
}
