/**
 * Measures the time to validate a request body and to count its passwords:
 * `deno task bench`.
 *
 * @module
 */
import { characters } from "../routes/api/characters.ts";
import type { Fields } from "../routes/api/fields.ts";
import { words } from "../routes/api/words.ts";

// Six sets, and ranges of many lengths. Rules that are too narrow are counted again.
const six = [..."abcAB0"].map((c) => `required: [${c}]`).join("; ");
const worst = `minlength: 128; ${six}; allowed: unicode; max-consecutive:`;
const RULES = {
  typical:
    "minlength: 8; maxlength: 20; required: lower; required: upper; required: digit; allowed: [-_!]; max-consecutive: 2",
  worst: `${worst} 3`,
  "worst, too narrow": `${worst} 1`,
};
for (const [name, passwordRules] of Object.entries(RULES)) {
  Deno.bench(`passwordRules: ${name}`, () => {
    characters.passwords({ passwordRules });
  });
}

function full(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.default]),
  );
}

for (const { type: name, fields, passwords } of [characters, words]) {
  const body = full(fields);
  const strings = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === "number" ? String(value) : value,
    ]),
  );
  Deno.bench(`validate ${name}: no field`, () => {
    passwords({});
  });
  Deno.bench(`validate ${name}: every field`, () => {
    passwords(body);
  });
  Deno.bench(`validate ${name}: every field, integers as strings`, () => {
    passwords(strings);
  });
  Deno.bench(`validate ${name}: one bad field`, () => {
    passwords({ ...body, [Object.keys(fields)[0]!]: null });
  });
}
