import { assert, assertEquals } from "@std/assert";
import { boolean, integer, validator } from "../../../routes/api/fields.ts";
import { Problem } from "../../../routes/problem.ts";

Deno.test("validator() gives each request values of its own", () => {
  const validate = validator({ a: integer(1, 9, 5, "") });
  const first = validate({});
  assert(!(first instanceof Problem));
  first.a = 9;
  assertEquals(validate({}), { a: 5 });
});

Deno.test("validator() takes only ASCII letters for each other", () => {
  // The Kelvin sign and the dotted capital I lower to k and i in JavaScript.
  const validate = validator({ kit: boolean(true, "") });
  assertEquals(validate({ "\u212Ait": false }), { kit: true });
  assertEquals(validate({ "k\u0130t": false }), { kit: true });
  assertEquals(validate({ KIT: false }), { kit: false });
});

Deno.test("validator() leaves values undefined for the rule where they are not acceptable", () => {
  const heard: unknown[] = [];
  const validate = validator(
    { a: integer(1, 9, 5, ""), b: integer(1, 9, 5, "") },
    (values) => void heard.push({ ...values }),
  );
  validate({ a: null, b: 7 });
  validate({ a: 1, A: 1 });
  assertEquals(heard, [{ a: undefined, b: 7 }, { a: undefined, b: 5 }]);
});

Deno.test("integer() reads minus nought as nought", () => {
  assert(Object.is(integer(-5, 5, 0, "").read(-0), 0));
  assert(Object.is(integer(-5, 5, 0, "").read("-0"), 0));
  assertEquals(integer(-5, 5, 0, "").read("-5"), -5);
});
