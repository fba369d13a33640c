import { assert, assertEquals } from "@std/assert";
import { generate } from "../../../generate.ts";
import { randomBody } from "../../helpers/bodies.ts";
import { type Kind, KINDS, outcome, TABLES } from "../../oracle.ts";
import { Random, withSeed } from "../../helpers/random.ts";
import { JSON_TYPE, post, readErrors } from "../../helpers/service.ts";

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
      const body = randomBody(random, kind);
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
