import { assert, assertEquals } from "@std/assert";
import { API } from "../../../routes/api/mod.ts";
import { REFUSALS } from "../../helpers/refusals.ts";
import { assertDescribed, DESCRIPTION } from "../../helpers/schema.ts";
import { ask, postInit } from "../../helpers/service.ts";
import { type Kind, TABLES } from "../../oracle.ts";

type JsonBody = Readonly<Record<string, unknown>>;

/** The errors of a request, by field. */
const errorsOf = (kind: Kind, body: JsonBody) =>
  API[`/api/pwgen/${kind}`]!.passwords(body).errors ?? {};

/** The bounds that a message states. */
function boundsIn(message: string): Record<string, number> {
  const patterns = {
    minimum: /^Must be (?:at least|from) (\d+)/,
    maximum: /^Must be (?:at most|from \d+ to|(?=0 when)) ?(\d+)/,
    length: /\blength at least (\d+)/,
  };
  const found = Object.entries(patterns)
    .map(([name, pattern]) => [name, pattern.exec(message)?.[1]] as const)
    .filter(([, number]) => number !== undefined);
  return Object.fromEntries(found.map(([name, text]) => [name, Number(text)]));
}

Deno.test("a request whose fields do not fit together is told what to change, with a reason and the bounds of the message", async () => {
  const { properties } = DESCRIPTION.components.schemas["FieldLimit"]!;
  // No list of the service leaves out a length between two others.
  const reasons = new Set<unknown>(["noLength"]);
  for (const { kind, body, messages } of REFUSALS) {
    const path = `/api/pwgen/${kind}`;
    const response = await ask(path, postInit(body));
    const text = await response.text();
    assertDescribed(response, text, path, "POST");
    const { errors, limits } = JSON.parse(text);
    const where = JSON.stringify([body, text]);
    const names = Object.keys(messages).sort();
    assertEquals(Object.keys(errors).sort(), names, where);
    assertEquals(Object.keys(limits).sort(), names, where);
    for (const [name, part] of Object.entries(messages)) {
      const [message, ...others] = errors[name];
      assert(message.includes(part), where);
      assertEquals(others, [], where);
      const { reason, ...bounds } = limits[name];
      assertEquals(bounds, boundsIn(message), where);
      reasons.add(reason);
    }
  }
  assertEquals(reasons, new Set(properties!["reason"]!.enum));
});

Deno.test("a problem has no limit for a field whose value by itself is not allowed", async () => {
  const rules = { passwordRules: "maxlength: 12" };
  const rows: [body: object, names?: string[]][] = [
    [{ length: 129 }],
    [{ ...rules, length: null }],
    [{ ...rules, length: "x", numbers: false }, ["numbers"]],
  ];
  for (const [body, names] of rows) {
    const response = await ask("/api/pwgen/characters", postInit(body));
    const { errors, limits } = await response.json();
    assert(errors.length.length > 0);
    assertEquals(limits && Object.keys(limits), names);
  }
});

Deno.test("no message repeats passwordRules", () => {
  const canary = "hunter";
  const texts = [`${canary}: 8`, `minlength: ${canary}`, `required: ${canary}`]
    .concat(`required: [${canary}`, `required: [${canary}-]`, canary)
    .concat(`allowed: [${canary}]; max-repeating: 1; minlength: 40`)
    .concat([...canary, "s", "-"].map((c) => `required: [${c}]`).join(";"));
  for (const passwordRules of texts) {
    const errors = errorsOf("characters", { passwordRules });
    assertEquals(Object.keys(errors), ["passwordRules"]);
    assert(!JSON.stringify(errors).includes(canary), passwordRules);
  }
});

/** Some valid values of a field. */
function valuesOf(kind: Kind, name: string): unknown[] {
  const row = TABLES[kind][name]!;
  if (row.type === "boolean") return [true, false];
  if (row.type === "integer") {
    const [min, max] = row.range;
    return [row.default, min, min + 1, 2, 20, max];
  }
  if (row.type === "string") return [...row.values];
  return [...row.valid, "-", "_!", "0123456789", "required: lower"]
    .filter((value) => value.length <= row.maxLength);
}

Deno.test("an error beside an invalid field is one whatever valid value the field has", () => {
  let beside = 0;
  for (const { kind, body } of REFUSALS) {
    for (const name of Object.keys(TABLES[kind])) {
      const others = Object.keys(errorsOf(kind, { ...body, [name]: null }))
        .filter((other) => other !== name);
      beside += others.length;
      for (const value of others.length > 0 ? valuesOf(kind, name) : []) {
        const valid = { ...body, [name]: value };
        const errors = Object.keys(errorsOf(kind, valid));
        // A value that is refused itself can hide another error.
        if (errors.includes(name)) continue;
        const missing = others.filter((other) => !errors.includes(other));
        assertEquals(missing, [], JSON.stringify([valid, name]));
      }
    }
  }
  assert(beside > 200, `${beside}`);
});
