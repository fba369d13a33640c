import { assert, assertEquals } from "@std/assert";
import { generate } from "../../../generate.ts";
import { type Kind, KINDS, outcome, type Row, TABLES } from "../../oracle.ts";
import { Random, withSeed } from "../../helpers/random.ts";
import { JSON_TYPE, post, readErrors } from "../../helpers/service.ts";

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
  ...["allowed: [lI]; maxlength: 30; minlength: 30", ";", "required: []"],
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
      ...[null, [], {}, "", "x", 1.5, " 5", "05", "+5", [5], -2, 2 ** 31, true],
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
        ...["", ""],
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
function bodyFor(random: Random, kind: Kind): Record<string, unknown> {
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

/** The arguments of the command line for a body; undefined if it has none. */
function argumentsFor(kind: Kind, body: Record<string, unknown>) {
  const args: string[] = [kind];
  for (const [name, value] of Object.entries(body)) {
    if (name === "unknown") continue;
    if (!(name in TABLES[kind])) return undefined; // other spellings
    const flag = name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
    const { type } = TABLES[kind][name]!;
    // On the command line a number is a text.
    if (type === "text" && typeof value !== "string") return undefined;
    if (type === "boolean") {
      if (typeof value !== "boolean") return undefined;
      args.push(value ? `--${flag}` : `--no-${flag}`);
    } else if (typeof value !== "string" && typeof value !== "number") {
      return undefined;
    } else args.push(`--${flag}=${value}`);
  }
  return args;
}

Deno.test(
  "the API and the command line do what the oracle says",
  withSeed(async (next) => {
    const random = new Random(next() * 2 ** 32);
    const seen: Record<string, number> = {};
    for (let i = 0; i < 6000; i++) {
      const kind = random.pick(KINDS);
      const body = bodyFor(random, kind);
      const where = `${kind} ${JSON.stringify(body)}`;
      const expected = outcome(kind, body);
      const path = `/api/pwgen/${kind}`;
      const response = await post(path, body);
      const copy = response.clone();
      const answer = await response.json();
      const { password, passwords = [password] } = answer;
      const errors = Object.keys(answer.errors ?? {}).sort();
      assertEquals(errors, expected.errors, where);
      for (const name of errors.length > 0 ? errors : ["none"]) {
        seen[name] = (seen[name] ?? 0) + 1;
      }
      const args = argumentsFor(kind, body);
      const command = args && generate([...args, "--entropy"]);
      const type = response.headers.get("content-type");
      if (errors.length > 0) {
        await readErrors(copy, path, ...expected.errors);
        assertEquals(response.headers.get("entropy-bits"), null);
        // The command line converts text to a number, as the API does.
        if (command) assertEquals(command.status, 2, where);
        continue;
      }
      assertEquals([response.status, type], [200, JSON_TYPE], where);
      // A client of version 1.0.0 knows these members.
      const more = expected.listed === undefined ? [] : ["passwords"];
      const names = ["password", "length", "type", ...more];
      assertEquals(Object.keys(answer), names, where);
      assertEquals(response.headers.get("entropy-bits"), expected.bits, where);
      assertEquals(passwords.length, expected.listed ?? 1, where);
      assertEquals([answer.type, answer.length, passwords[0]], [
        ...[kind, password.length, password],
      ]);
      const printed = command?.stdout.split("\n").slice(0, -1) ?? [];
      assertEquals(
        command?.stderr ?? `${expected.bits}\n`,
        `${expected.bits}\n`,
      );
      if (command) assertEquals(printed.length, passwords.length, where);
      for (const each of [...passwords, ...printed]) {
        assert(expected.permits(each), `${where}: ${each}`);
      }
    }
    // Every error was caused, and every field in particular.
    for (const kind of KINDS) {
      for (const name of ["none", "$", ...Object.keys(TABLES[kind])]) {
        assert(seen[name]! > 5, `${name}: ${JSON.stringify(seen)}`);
      }
    }
  }),
);
