/**
 * Random request bodies, from the tables of the oracle.
 *
 * @module
 */
import { type Kind, type Row, TABLES } from "../oracle.ts";
import type { Random } from "./random.ts";

/** Rules: common, narrow, rare and broken ones. */
const RULES = [
  "minlength: 8; maxlength: 16; required: upper; required: digit;",
  "required: lower, upper; allowed: [-!0Ol]; max-consecutive: 2",
  "allowed: digit; max-sequential: 3; minlength: 4; maxlength: 6",
  "required: [01]; required: [Il|]; required: [a]; allowed: [!-~ ]",
  "required: [!]; required: [#]; allowed: lower; minlength: 2",
  "required: digit; required: digit; required: upper; allowed: lower",
  "required: digit; required: [9876543210]; max-consecutive: 2",
  "required: [abc]; required: [abc]; allowed: lower; max-sequential: 2",
  "required: lower, upper; required: lower; required: lower; minlength: 3",
  "allowed: [abcd]; max-repeating: 1",
  "allowed: lower; max-repeating: 1; minlength: 106",
  "allowed: [lI]; maxlength: 30; minlength: 30",
  // Too narrow for some lengths.
  "required: [a]; required: [1]; required: [-]; required: [A]; allowed: [x]",
  "allowed: [acegikmoqsuwy]; max-consecutive: 2; required: [c]",
  ";",
  "required: []",
  [..."abcdef1"].map((c) => `required: [${c}2]`).join("; "),
];

/** Invalid values of a field, by what the message says about them. */
export function invalidValues(row: Row): Record<string, unknown[]> {
  const ofAnyType = {
    "null": [null],
    "an array": [[], [5]],
    "an object": [{}, { a: 1 }],
  };
  if (row.type === "boolean") {
    return {
      ...ofAnyType,
      "a string": ["", "x", " true", "truefalse"],
      // Tools that need no programming send these.
      "a string: write true or false without quotes": ["true", "True", "FALSE"],
      "a number": [0, 1, -1, 5.5, Infinity],
    };
  }
  if (row.type === "string" || row.type === "text") {
    const others = row.type === "text" ? row.invalid : [
      "x",
      ...row.values.filter((text) => /^[a-z]/.test(text)).flatMap((text) => [
        text.toUpperCase(),
        text.charAt(0).toUpperCase() + text.slice(1),
        ` ${text}`,
        `${text} `,
        `${text}\u0000`,
      ]),
    ];
    return {
      ...ofAnyType,
      "another string": [...others],
      "a number": [0, -1, 5, 5.5, Infinity],
      "a boolean": [true],
    };
  }
  const [low, high] = row.range;
  const beyond = [low - 1, high + 1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1];
  const notQuite = ["", "x", " 5", "5 ", "05", "+5", "5.0", "5e0", "0x5", "٥"];
  const others = ["5\n", "-01", "--1", "-", "9".repeat(400), "Infinity", "NaN"];
  return {
    ...ofAnyType,
    "a boolean": [true, false],
    "a string that is not such an integer": [
      ...notQuite,
      ...others,
      ...beyond.map(String),
    ],
    "an integer out of range": beyond,
    "a number that is not an integer": [1.5, low + 0.5, Infinity, NaN],
  };
}

/** A value of a field, which is valid with this probability in percent. */
function valueFor(
  random: Random,
  name: string,
  row: Row,
  valid: number,
): unknown {
  if (random.below(100) >= valid) {
    return random.pick(Object.values(invalidValues(row)).flat());
  }
  switch (row.type) {
    case "boolean":
      return random.below(2) === 0;
    case "string":
      return random.pick(row.values);
    case "text":
      return random.pick([
        "",
        "",
        ...name === "passwordRules" ? RULES : row.valid,
      ]);
    case "integer": {
      const [low, high] = row.range;
      const value = low + random.below(random.size(high - low + 1));
      return random.below(4) === 0 ? String(value) : value;
    }
  }
}

/** A request body with some of the fields. */
export function randomBody(
  random: Random,
  kind: Kind,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const share = random.pick([10, 40, 90]);
  const valid = random.pick([100, 100, 90]);
  for (const [name, row] of Object.entries(TABLES[kind])) {
    if (random.below(100) >= share) continue;
    const spelled = random.pick([name, name, name.toUpperCase()]);
    body[spelled] = valueFor(random, name, row, valid);
    if (random.below(200) === 0) body[name.toLowerCase()] = body[spelled];
  }
  if (random.below(20) === 0) {
    for (const [name, { type }] of Object.entries(TABLES[kind])) {
      if (type === "boolean") body[name] = false;
    }
  }
  if (random.below(4) === 0) body["unknown"] = random.pick([null, 1, {}, "x"]);
  return body;
}
