/**
 * Plants faults in a copy of the tree, one at a time, and prints which test file
 * finds each: how much do the tests protect? tools/faults.txt has the faults:
 * mutations, which --new SEED has chosen, and fixes of the history taken back.
 * A fault is found again by the text of its lines, wherever they are now.
 *
 * Usage: deno run -A tools/faults.ts [--only N]... [--from N] [--jobs N]
 * Print other mutations: deno run -A tools/faults.ts --new SEED
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { stripTypeScriptTypes } from "node:module";
import { parseArgs } from "node:util";
import { ROOT } from "../tests/helpers/program.ts";
import { Random } from "../tests/helpers/random.ts";

const LIST = `${ROOT}tools/faults.txt`;
const MUTATIONS = 60;

/** The time for fast and for slow tests, in seconds. A hang counts as found. */
const LIMITS_S = ["200", "600"] as const;

/** The files that can have a fault. */
const RUNTIME =
  /^(?!std\.d\.ts|.*\/texts\.js)([a-z]+\.ts|(generators|middleware|routes|wordlists)\/.*\.[jt]s)$/;

/** The tests of the running program, and what only some folders need. */
const PROGRAM_TESTS = [
  ...["tests/app_test.ts", "tests/server_test.ts", "tests/generate_test.ts"],
];
const STORE_TEST = "tests/store_test.ts";
const FUZZ_TEST = "tests/fuzz/fuzz_test.ts";
const PAGE_TEST = "tests/routes/site/page/page_test.ts";
const SLOW =
  /^tests\/(deploy|fuzz|tools)\/|(abuse|slow_clients|telemetry|recipes|runbook|server|store|page|docs)_test/;

interface Fault {
  readonly number: string;
  /** The path and the line when the fault was chosen. */
  readonly place: string;
  readonly kind: string;
  /** The lines of the list by their first character, as in a diff. */
  readonly lines: Readonly<Record<" " | "-" | "+" | "=", readonly string[]>>;
}

function readList(text: string): Fault[] {
  return text.split(/^@ /m).slice(1).map((entry) => {
    const [header, ...lines] = entry.trimEnd().split("\n");
    const [number = "", place = "", ...kind] = header!.split(" ");
    const of = (sign: string) =>
      lines.filter((line) => line[0] === sign).map((line) => line.slice(1));
    return {
      number,
      place,
      kind: kind.join(" "),
      lines: { " ": of(" "), "-": of("-"), "+": of("+"), "=": of("=") },
    };
  });
}

async function output(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args, cwd: ROOT })
    .output();
  return new TextDecoder().decode(stdout);
}

const paths = (await output("git", "ls-files")).trim().split("\n");
/** The lines of the runtime, by path. */
const runtime = new Map(
  paths.filter((path) => RUNTIME.test(path)).map((path) => [
    path,
    Deno.readTextFileSync(ROOT + path).split("\n"),
  ]),
);

/** The last line with text before a line. */
function contextOf(lines: readonly string[], index: number): string {
  return lines.slice(0, index).findLast((line) => line.trim()) ?? "";
}

/** The place of a fault in the tree of today, or why it has none. */
function find({ place, lines: { " ": [context], "-": old } }: Fault) {
  const isSame = (a = "", b = "") => a.trim() === b.trim();
  const hits = [...runtime].flatMap(([path, lines]) =>
    [...lines.keys()].filter((index) =>
      old.every((line, i) => isSame(lines[index + i], line))
    ).map((index) => ({ path, index, lines }))
  );
  const near = hits.filter(({ lines, index }) =>
    isSame(contextOf(lines, index), context)
  );
  const same = near.filter(({ path }) => place.startsWith(`${path}:`));
  return [hits, near, same].find(({ length }) => length === 1)?.[0] ??
    (hits.length === 0 ? "gone" : "unclear");
}

/** Runs test files; returns the first that fails. */
async function failing(
  folder: string,
  files: readonly string[],
): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const limit = LIMITS_S[files.some((file) => SLOW.test(file)) ? 1 : 0];
  const child = new Deno.Command("timeout", {
    args: [
      ...["--kill-after=5", limit, Deno.execPath(), "test"],
      ...["--frozen", "--no-check", "--allow-all", "--fail-fast", "--parallel"],
      ...files,
    ],
    cwd: folder,
    env: { NO_COLOR: "1", DENO_JOBS: "2" },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const text = new Response(child.stdout).text();
  const { code, success } = await child.status;
  // What a failed test has left behind; timeout(1) leads a process group.
  await new Deno.Command("kill", { args: ["-9", "--", `-${child.pid}`] })
    .output();
  if (success) return undefined;
  if (code === 124) return `${files.join(" ")} (hang)`;
  const [, failed] = /^\.\/(tests.* => .*) \.\.\. FAILED/m.exec(await text) ??
    [];
  return failed ?? files.join(" ");
}

/** The runtime modules that each test file loads, by path. */
async function modulesOf(test: string): Promise<Set<string>> {
  const { modules } = JSON.parse(await output("deno", "info", "--json", test));
  const loaded = new Set([`file://${ROOT}${test}`]);
  for (const specifier of loaded) {
    const module = modules.find((module: { specifier: string }) =>
      module.specifier === specifier
    );
    for (const { code, assertionType } of module?.dependencies ?? []) {
      // A file that is read as text is not part of the test.
      if (code?.specifier && !assertionType) loaded.add(code.specifier);
    }
  }
  return loaded;
}

/** The test files that can find a fault in a file, in stages. */
function stagesFor(
  path: string,
  tests: ReadonlyMap<string, ReadonlySet<string>>,
): string[][] {
  const mirrored = `tests/${path.replace(/\.[jt]s$/, "_test.ts")}`;
  // What loads less is nearer.
  const importing = [...tests].filter(([test, modules]) =>
    modules.has(`file://${ROOT}${path}`) && !SLOW.test(test)
  ).sort(([, a], [, b]) => a.size - b.size).map(([test]) => test);
  const stages = [[mirrored], importing];
  if (/^routes\/site\/page\/.*\.js$/.test(path)) stages.push([PAGE_TEST]);
  else {
    stages.push(PROGRAM_TESTS);
    if (path.startsWith("middleware/limiters/")) stages.push([STORE_TEST]);
    stages.push([FUZZ_TEST]);
  }
  const run = new Set<string>();
  return stages.map((files) => {
    const stage = files.filter((file) => tests.has(file) && !run.has(file));
    stage.forEach((file) => run.add(file));
    return stage;
  });
}

/** A copy of the tree, with a shorter fuzz test. */
async function copyTree(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "faults-" });
  const files = "git ls-files -z --cached --others --exclude-standard";
  await output("sh", "-c", `${files} | xargs -0 cp --parents -t ${folder}`);
  const fuzz = `${folder}/${FUZZ_TEST}`;
  if (paths.includes(FUZZ_TEST)) {
    const text = await Deno.readTextFile(fuzz);
    await Deno.writeTextFile(fuzz, text.replace("100_000;", "30_000;"));
  }
  return folder;
}

/** Plants a fault; returns the first test that fails. */
async function plant(
  { path, index, lines }: { path: string; index: number; lines: string[] },
  { "-": old, "+": changed }: Fault["lines"],
  tests: ReadonlyMap<string, ReadonlySet<string>>,
  folder: string,
): Promise<string> {
  const faulty = lines.toSpliced(index, old.length, ...changed);
  await Deno.writeTextFile(`${folder}/${path}`, faulty.join("\n"));
  let found: string | undefined;
  for (const stage of stagesFor(path, tests)) {
    found ??= await failing(folder, stage);
  }
  await Deno.writeTextFile(`${folder}/${path}`, lines.join("\n"));
  return found ?? "NOT FOUND";
}

/** Plants faults; prints a row for each, then the numbers by folder. */
async function plantAll(faults: Fault[], jobs: number): Promise<void> {
  const tests = new Map<string, Set<string>>();
  for (const path of paths.filter((path) => path.endsWith("_test.ts"))) {
    tests.set(path, await modulesOf(path));
  }
  const counts: Record<string, Record<string, number>> = {};
  const queue = faults.values();
  const work = async () => {
    const folder = await copyTree();
    for (const fault of queue) {
      const { number, kind, lines } = fault;
      const start = performance.now();
      const found = find(fault);
      const isPlaced = typeof found !== "string";
      const place = isPlaced ? `${found.path}:${found.index + 1}` : fault.place;
      const result = lines["="].length > 0
        ? "equal"
        : isPlaced
        ? await plant(found, lines, tests, folder)
        : found;
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const [[old = ""], [changed = ""]] = [lines["-"], lines["+"]];
      const change = `${old.trim()} -> ${changed.trim()}`;
      console.log([number, place, kind, change, result, seconds].join(" | "));
      const count = counts[place.replace(/[^/]*$/, "") || "./"] ??= {};
      const outcome = result.startsWith("tests/") ? "found" : result;
      count[outcome] = (count[outcome] ?? 0) + 1;
    }
    await Deno.remove(folder, { recursive: true });
  };
  await Promise.all(Array.from({ length: jobs }, work));
  console.table(counts);
}

/** Comments, imports, exports of other files, and types. */
const NO_CODE =
  /^ *\/\*[^]*?\*\/$|^ *\/\/.*$|^import [^]*?;$|^export (type )?[{*][^]*?;$|^(export )?interface [^]*?^}|^(export )?(declare|type) [^]*?;$(?=\n(\n|\S))/gm;

/** Strings, regular expressions and comments in a line. */
const NO_OPERATORS =
  /"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|`[^`]*`|\/(\\.|[^/\\ ])+\/[a-z]*| \/\/ .*/g;
const OPERATOR = /(?<= )([<>]=?|[+-]|&&|\|\||[!=]==)(?= |$)/g;
const OPPOSITE: Record<string, string> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+" },
  ...{ "&&": "||", "||": "&&", "===": "!==", "!==": "===" },
};
const INTEGER = /(?<![\w.$#])\d[\d_]*(?![\w.])/g;
const CONDITION =
  /^( *(?:\} else )?if )\((.*)\)( \{| return.*;| continue;| break;| throw .*;)$/;
const STATEMENT = /^ +(?!const |let |return |readonly |type )\w.*;$/;

/** The changes of one line, by kind; an empty list removes the line. */
function mutations(line: string, before: string): Map<string, string[][]> {
  const kinds = new Map<string, string[][]>();
  const add = (kind: string, ...changed: string[]) =>
    kinds.set(kind, [...kinds.get(kind) ?? [], changed]);
  const code = line.replace(NO_OPERATORS, (text) => "_".repeat(text.length));
  const replaced = (index: number, old: string, changed: string) =>
    line.slice(0, index) + changed + line.slice(index + old.length);
  for (const { 0: old, index } of code.matchAll(OPERATOR)) {
    const kind = /[<>]/.test(old) ? "bound" : "operator";
    add(kind, replaced(index, old, OPPOSITE[old]!));
  }
  for (const { 0: old, index } of code.matchAll(INTEGER)) {
    const next = Number(old.replaceAll("_", "")) + 1;
    add("constant", replaced(index, old, String(next)));
  }
  const [, start, condition, end] = CONDITION.exec(line) ?? [];
  if (start) {
    add("negated condition", `${start}(!(${condition}))${end}`);
    add("removed condition", `${start}(true)${end}`);
  }
  if (STATEMENT.test(line) && /([;{}]|\*\/)$|^ *\/\/|^$/.test(before)) {
    add("removed line");
  }
  return kinds;
}

function parses(text: string): boolean {
  try {
    return stripTypeScriptTypes(text, { mode: "transform" }) !== "";
  } catch {
    return false;
  }
}

/** Prints mutations of lines of code at equal distances. */
function choose(seed: number): void {
  const random = new Random(seed);
  const code = [...runtime].flatMap(([path, lines]) =>
    lines.join("\n").replace(NO_CODE, (text) => text.replace(/.+/g, ""))
      .split("\n").flatMap((line, index) =>
        line.trim() ? [{ path, index, line, lines }] : []
      )
  );
  const share = code.length / MUTATIONS;
  let next = 0;
  for (let number = 1; number <= MUTATIONS; number++) {
    next = Math.max(
      next,
      Math.floor((number - 1) * share) + random.below(share),
    );
    for (let isChosen = false; !isChosen; next++) {
      const { path, index, line, lines } = code[next % code.length]!;
      const context = contextOf(lines, index);
      const kinds = mutations(line, context);
      if (kinds.size === 0) continue;
      const [kind, all] = random.pick([...kinds]);
      const changed = random.pick(all);
      isChosen = parses(lines.toSpliced(index, 1, ...changed).join("\n"));
      if (!isChosen) continue;
      console.log(`@ ${number} ${path}:${index + 1} ${kind}\n ${context}`);
      console.log(
        [`-${line}`, ...changed.map((line) => `+${line}`)].join("\n"),
      );
    }
  }
}

const { values } = parseArgs({
  options: {
    new: { type: "string" },
    only: { type: "string", multiple: true },
    from: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
  },
});
if (values.new) choose(Number(values.new));
else {
  const faults = readList(await Deno.readTextFile(LIST)).filter(({ number }) =>
    values.only
      ? values.only.includes(number)
      : Number(number) >= Number(values.from)
  );
  await plantAll(faults, Number(values.jobs));
}
