import { assert, assertEquals } from "@std/assert";
import { ROOT } from "./helpers/program.ts";

const RUNBOOK = await Deno.readTextFile(`${ROOT}docs/runbook.md`);

/** The part of the runbook below a heading of the second level. */
function part(heading: string): string {
  const [, text = ""] = RUNBOOK.split(`\n## ${heading}\n`);
  return text.split("\n## ", 1)[0]!;
}

/** The texts of the runtime's files that can write to the log. */
function sources(folder = ""): string[] {
  return Array.from(Deno.readDirSync(ROOT + folder)).flatMap(
    ({ name, isDirectory }) => {
      const path = folder + name;
      if (name.endsWith(".ts")) return [Deno.readTextFileSync(ROOT + path)];
      const hasSources = /^(middleware|routes)(\/|$)/.test(path);
      return isDirectory && hasSources ? sources(`${path}/`) : [];
    },
  );
}

/** Makes the pattern of what a literal can become: `${...}` is any text. */
function patternOf(literal: string): RegExp {
  const constants = literal.split(/\$\{[^}]*\}|\$1/);
  return RegExp(`^${constants.map((text) => RegExp.escape(text)).join(".+")}$`);
}

/** The arguments of calls that pass on a message of another call. */
const PASSED_ON = [
  ...["line)", "line, requestId(", "error.message)"],
  "JSON.stringify({", // the access log
  'config === "help"', // not a line of the log
];

/** The messages that the program can write: the literals in its calls. */
function messages(): string[] {
  const calls = sources().flatMap((source) =>
    source.replace(/^ *(\*|\/\/).*$/gm, "")
      .split(/\b(?:log|warn|warnOnce|ConfigError|error)(?:\?\.)?\(/).slice(1)
  );
  return calls.flatMap((call) => {
    const args = call.replace(/^\s*("(info|access|warning|error)",\s*)?/, "");
    const [, , literal] = /^(["`])(.*?)\1/s.exec(args) ?? [];
    const isPassedOn = PASSED_ON.some((start) => args.startsWith(start));
    assert(isPassedOn !== (literal !== undefined), args.slice(0, 80));
    return literal ?? [];
  });
}

/**
 * Checks that both lists have the same texts. (A literal that is nearly all
 * `${...}`, such as that of a setting, has nothing more to compare.)
 */
function assertSame(literals: string[], quoted: string[]): void {
  const patterns = literals.map(patternOf);
  assertEquals(
    patterns.filter((pattern) => !quoted.some((text) => pattern.test(text))),
    [],
    "missing in docs/runbook.md",
  );
  assertEquals(
    quoted.filter((text) => !patterns.some((pattern) => pattern.test(text))),
    [],
    "not written by the program",
  );
}

Deno.test("docs/runbook.md has every message of the program, and no other", () => {
  const blocks = part("Log lines").matchAll(/^```text\n(.*?)\n```$/gms);
  const quoted = [...blocks].flatMap(([, lines]) => lines!.split("\n"));
  const literals = messages();
  assert(literals.length > 20, literals.join("\n"));
  // These two are the middle of `${name}: ${problem}; use ${setting.expected}`.
  const inner = ["needs a value", "VALUE is not allowed"];
  assertSame(literals, [...quoted, ...inner]);
});

Deno.test("docs/runbook.md has a section for every alert, and no other; each alert links to it", async () => {
  const rules = await Deno.readTextFile(`${ROOT}deploy/prometheus-rules.yaml`);
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) =>
    name!
  );
  const sections = [...part("Alerts").matchAll(/^### (\w+)$/gm)];
  assertEquals(sections.map(([, name]) => name), [...new Set(alerts)]);
  const links = [...rules.matchAll(/runbook: (\S+)/g)].map(([, link]) => link);
  assertEquals(
    links,
    alerts.map((name) => `docs/runbook.md#${name.toLowerCase()}`),
  );
});
