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

/** A value of a field, which is valid with this probability in percent. */
function valueFor(
  random: Random,
  name: string,
  row: Row,
  valid: number,
): unknown {
  if (random.below(100) >= valid) {
    return random.pick([
      null,
      [],
      {},
      "",
      "x",
      1.5,
      " 5",
      "05",
      "+5",
      [5],
      -2,
      2 ** 31,
      true,
      ...row.type === "integer" ? [row.range[1] + 1, row.range[0] - 1] : [],
      ...row.type === "string" ? ["SV", "Title", "sv "] : [],
      ...row.type === "text" ? row.invalid : [],
    ]);
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
