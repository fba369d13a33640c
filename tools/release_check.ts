/**
 * Checks that the tree can be released: all files are committed, the changelog
 * has the version, every check passes, and docs/strength.md has the current
 * tables. Also prints the measurements, for a comparison with the documents.
 * Usage: deno task release:check
 *
 * @module
 */
// deno-lint-ignore-file no-console
import metadata from "../deno.json" with { type: "json" };
import { changelogSection } from "./changelog.ts";
import { ROOT } from "../tests/helpers/program.ts";

/** The tasks that must pass. */
const CHECKS = [
  ...["ci:lint", "deploy:lint", "openapi:lint", "openapi:client"],
  ...["page:audit", "test:outside", "coverage"],
];

/** The tasks that print the tables of docs/strength.md. */
const TABLES = ["entropy", "wordlists"];

/** The tasks that measure, with the documents that have their results. */
const MEASURED = [
  ["bench:start", "docs/performance.md"],
  ["bench:memory", "docs/rate-limiting.md"],
  ["bench:http", "docs/performance.md"],
  ["bench:growth", "docs/performance.md"],
  ["bench:store", "docs/rate-limiting.md"],
] as const;

/** Runs a command; returns what it prints, or undefined if it fails. */
async function textOf(
  command: string,
  ...args: string[]
): Promise<string | undefined> {
  const { success, stdout } = await new Deno.Command(command, {
    args,
    cwd: ROOT,
    stderr: "null",
  }).output();
  return success ? new TextDecoder().decode(stdout) : undefined;
}

/** Runs a task, which prints to the terminal; ends the program if it fails. */
async function mustPass(task: string): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "-q", task],
    cwd: ROOT,
    stdin: "null",
  }).spawn().status;
  if (!success) refuse(`deno task ${task} fails`);
}

function refuse(reason: string): never {
  console.error(`Cannot release ${metadata.version}: ${reason}`);
  Deno.exit(1);
}

/** A text without the padding that the formatter adds to a table. */
const unpadded = (text: string) =>
  text.replace(/ +/g, " ").replace(/-{3,}/g, "---");

const uncommitted = await textOf("git", "status", "--porcelain");
if (uncommitted === undefined) refuse("git status fails");
if (uncommitted !== "") refuse(`there are uncommitted files\n${uncommitted}`);

const changelog = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
const date = new RegExp(`^## \\[${metadata.version}\\] - (.*)$`, "m")
  .exec(changelog)?.[1];
try {
  changelogSection(changelog, metadata.version);
} catch (error) {
  refuse((error as Error).message);
}
const [, unreleased = ""] = /## \[Unreleased\]\n([^]*?)\n## /.exec(changelog) ??
  [];
if (unreleased.trim() !== "") refuse("CHANGELOG.md has something unreleased");

const strength = unpadded(await Deno.readTextFile(`${ROOT}docs/strength.md`));
for (const name of TABLES) {
  const text = await textOf(Deno.execPath(), "task", "-q", name);
  if (text === undefined) refuse(`deno task ${name} fails`);
  // Samples of words follow after an empty line.
  const [table = ""] = unpadded(text).split("\n\n");
  for (const line of table.trim().split("\n")) {
    if (!strength.includes(line)) {
      refuse(`docs/strength.md lacks a line of deno task ${name}: ${line}`);
    }
  }
}

for (const name of CHECKS) {
  console.log(`deno task ${name}`);
  await mustPass(name);
}
for (const [name, document] of MEASURED) {
  console.log(`deno task ${name}, to be compared with ${document}`);
  await mustPass(name);
}
console.log(`${metadata.version} of ${date} can be released.`);
