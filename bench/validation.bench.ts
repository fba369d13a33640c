/**
 * What it costs to validate a request body: `deno task bench`.
 *
 * @module
 */
import { CHARACTER_FIELDS } from "../routes/characters.ts";
import { type Fields, validator } from "../routes/fields.ts";
import { WORD_FIELDS } from "../routes/words.ts";

function full(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.default]),
  );
}

for (
  const [name, fields] of [
    ["characters", CHARACTER_FIELDS],
    ["words", WORD_FIELDS],
  ] as const
) {
  const validate = validator<Fields>(fields);
  const body = full(fields);
  const strings = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === "number" ? String(value) : value,
    ]),
  );
  Deno.bench(`validate ${name}: no field`, () => {
    validate({});
  });
  Deno.bench(`validate ${name}: every field`, () => {
    validate(body);
  });
  Deno.bench(`validate ${name}: every field, integers as strings`, () => {
    validate(strings);
  });
  Deno.bench(`validate ${name}: one bad field`, () => {
    validate({ ...body, [Object.keys(fields)[0]!]: null });
  });
}
