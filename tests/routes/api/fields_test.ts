import { assert, assertEquals } from "@std/assert";
import { boolean, integer, validator } from "../../../routes/api/fields.ts";

const TEXTS = { description: "", label: { en: "", sv: "" } };
const digit = integer({ ...TEXTS, range: [1, 9], default: 5 });

Deno.test("validator() returns new values for each request", () => {
  const validate = validator({ a: digit });
  validate({}).values.a = 9;
  assertEquals(validate({}).values, { a: 5 });
});

Deno.test("validator() ignores only the case of ASCII letters", () => {
  // In JavaScript the lower case of the Kelvin sign is k, that of \u0130 is i.
  const validate = validator({ kit: boolean({ ...TEXTS, default: true }) });
  assertEquals(validate({ "\u212Ait": false }).values, { kit: true });
  assertEquals(validate({ "k\u0130t": false }).values, { kit: true });
  assertEquals(validate({ KIT: false }).values, { kit: false });
});

Deno.test("validator() gives an invalid field its default, and says which were sent", () => {
  const validate = validator({ a: digit, b: digit, c: digit });
  const { values, errors, sent } = validate({ a: null, b: 7, B: 8 });
  assertEquals(values, { a: 5, b: 5, c: 5 });
  assertEquals(Object.keys(errors), ["a", "b"]);
  assertEquals([...sent], ["a", "b"]);
});

Deno.test("integer() reads -0 as 0", () => {
  const { read } = integer({ ...TEXTS, range: [-5, 5], default: 0 });
  assert(Object.is(read(-0), 0));
  assert(Object.is(read("-0"), 0));
  assertEquals(read("-5"), -5);
});
