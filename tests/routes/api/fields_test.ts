import { assert, assertEquals } from "@std/assert";
import { CHARACTER_DEFAULTS } from "../../../generators/characters.ts";
import { SENTENCE_DEFAULTS } from "../../../generators/sentence.ts";
import { WORD_DEFAULTS } from "../../../generators/words.ts";
import { boolean, integer, validator } from "../../../routes/api/fields.ts";
import { API } from "../../../routes/api/mod.ts";
import { Problem } from "../../../routes/problem.ts";

Deno.test("the defaults of the API are those of the generators", () => {
  const defaults = Object.values(API).map(({ fields }) =>
    Object.fromEntries(
      Object.entries(fields)
        // These fields decide how the generator is called.
        .filter(([name]) =>
          !/^(minimumEntropy|count|passwordRules)$/.test(name)
        )
        .map(([name, field]) => [name, field.default]),
    )
  );
  const ofGenerators = [CHARACTER_DEFAULTS, WORD_DEFAULTS, SENTENCE_DEFAULTS];
  assertEquals<unknown>(defaults, ofGenerators);
});

Deno.test("validator() returns a new object for each request", () => {
  const validate = validator({ a: integer(1, 9, 5, "") });
  const first = validate({});
  assert(!(first instanceof Problem));
  first.a = 9;
  assertEquals(validate({}), { a: 5 });
});

Deno.test("validator() ignores only the case of ASCII letters", () => {
  // In JavaScript the lower case of the Kelvin sign is k, that of \u0130 is i.
  const validate = validator({ kit: boolean(true, "") });
  assertEquals(validate({ "\u212Ait": false }), { kit: true });
  assertEquals(validate({ "k\u0130t": false }), { kit: true });
  assertEquals(validate({ KIT: false }), { kit: false });
});

Deno.test("validator() calls the rule with undefined for each invalid value", () => {
  const received: unknown[] = [];
  const validate = validator(
    { a: integer(1, 9, 5, ""), b: integer(1, 9, 5, "") },
    (values) => void received.push({ ...values }),
  );
  validate({ a: null, b: 7 });
  validate({ a: 1, A: 1 });
  assertEquals(received, [{ a: undefined, b: 7 }, { a: undefined, b: 5 }]);
});

Deno.test("integer() reads -0 as 0", () => {
  assert(Object.is(integer(-5, 5, 0, "").read(-0), 0));
  assert(Object.is(integer(-5, 5, 0, "").read("-0"), 0));
  assertEquals(integer(-5, 5, 0, "").read("-5"), -5);
});
