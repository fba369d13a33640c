import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { generate } from "../../cli/generate.ts";
import metadata from "../../deno.json" with { type: "json" };
import { tempDir } from "../helpers/files.ts";
import {
  end,
  onLinux,
  onUnix,
  type Program,
  ROOT,
  spawn,
} from "../helpers/program.ts";
import { post } from "../helpers/service.ts";
import { flagOf, KINDS, outcome, TABLES } from "../oracle.ts";

/** The arguments of Deno in the task: it has no permission. */
const TASK_ARGS = metadata.tasks.generate.command.split(" ").slice(1);

/** The ways to run the command, all without a permission. */
const WAYS = [
  ["task", "-q", "generate"],
  ["run", "--quiet", "--frozen", "--no-prompt", "main.ts", "generate"],
];

Deno.test("deno task generate, and main.ts generate, print passwords or what is wrong", async () => {
  const env = { PWGEN_RATE_LIMIT: "nonsense" }; // for the service alone
  for (const way of WAYS) {
    const run = (...args: string[]) =>
      end(spawn(Deno.execPath(), [...way, ...args], env));
    const { code, stdout, stderr } = await run(
      "words",
      "--language",
      "en",
      "--count=2",
      "--entropy",
    );
    assertEquals([code, stderr], [
      0,
      `${outcome("words", { language: "en" }).bits}\n`,
    ]);
    assertMatch(stdout, /^(\d\d([A-Z][a-z]+){4}\n){2}$/);
    const bad = await run("words", "--count=-1");
    assertEquals([bad.code, bad.stdout], [2, ""]);
    assertMatch(bad.stderr, /^--count: .*\n$/);
  }
});

Deno.test("generate() takes strings with a leading dash", () => {
  const digits = ["--no-lowercase", "--no-uppercase", "--no-numbers"];
  const set = ["characters", ...digits, "--special-character-set", "-."];
  assertMatch(generate(set).stdout, /^[-.]{20}\n$/);
  const words = ["words", "--separator"];
  assertMatch(generate([...words, "-"]).stdout, /^\d\d(-\p{L}+){4}\n$/u);
  // No allowed value begins with two, so this is another flag.
  const { stderr } = generate([...words, "--json"]);
  assertMatch(stderr, /^generate words: --separator: needs a value; /);
});

Deno.test("generate --version prints the version, and -n is --count", () => {
  for (const args of [["--version"], ["words", "--version"]]) {
    assertEquals(generate(args), {
      stdout: `${metadata.version}\n`,
      stderr: "",
      status: 0,
    });
  }
  for (const n of [["-n", "3"], ["-n=3"]]) {
    assertMatch(generate(["words", ...n]).stdout, /^(\d\d\p{L}+\n){3}$/u);
  }
  assertMatch(generate(["words", "-n", "101"]).stderr, /^--count: 0 to 100; /);
  const twice = ["words", "-n", "1", "--count", "1"];
  assertMatch(generate(twice).stderr, /: --count: given more than once; /);
});

Deno.test("the command that docs/clients.md installs prints passwords in any folder, and has no permission", async () => {
  const document = await Deno.readTextFile(`${ROOT}docs/clients.md`);
  const [, line] = /^ *deno install (.*)$/m.exec(document)!;
  await using folder = await tempDir();
  const args = [
    "install",
    "--quiet",
    "--root",
    folder.path,
    ...line!.split(" "),
  ];
  const installed = await end(spawn(Deno.execPath(), args));
  assertEquals([installed.code, installed.stderr], [0, ""]);
  const name = Deno.build.os === "windows" ? "pwgen-api.cmd" : "pwgen-api";
  const run = spawn(`${folder.path}/bin/${name}`, ["words", "-n", "2"], {}, {
    cwd: folder.path,
  });
  const { code, stdout, stderr } = await end(run);
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^(\d\d\p{L}+\n){2}$/u);
  const script = await Deno.readTextFile(`${folder.path}/bin/${name}`);
  assertNotMatch(script, /--allow|-A\b/);
});

Deno.test("generate() says in one line what is wrong", () => {
  const kinds = "generate: the first argument must be one of characters, ";
  // tests/config_test.ts has more arguments that are not allowed.
  const cases: [args: string, ...parts: string[]][] = [
    [
      "words --count=x --word-count=11 --separator=123",
      '--count: 0 to 100. --word-count: 1 to 10; got 11. --separator: "" or "-" or "." or "_" or " " or ","\n',
    ],
    [
      "characters --no-lowercase --no-uppercase --no-numbers --no-special-characters",
      "generate: At least one of ",
    ],
    [
      "words --minimum-length=31 --maximum-length=30",
      "--minimum-length: at most 30, the --maximum-length. --maximum-length: ",
    ],
    ["words --wordCount=5", "generate words: --wordCount: unknown flag; "],
    ["words --no-count", "generate words: --no-count: unknown flag; "],
    ["words --json=", "generate words: --json: takes no value; "],
    ["words --replace-swedish-characters=true", "generate words: --replace-"],
    ["characters --numbers --no-numbers", "generate characters: --numbers: "],
    ["constructor", kinds],
    ["--count 5", kinds],
  ];
  for (const [line, ...parts] of cases) {
    const { stdout, stderr, status } = generate(line.split(" "));
    assertEquals([status, stdout], [2, ""], stderr);
    assertMatch(stderr, /^.+\n$/);
    assert(stderr.startsWith(parts[0]!), stderr);
    for (const part of parts) assert(stderr.includes(part), stderr);
  }
});

Deno.test("generate --json prints what the API returns, and --entropy the bits", async () => {
  for (const kind of KINDS) {
    for (const body of [{}, { count: 3, minimumEntropy: 60 }]) {
      const args = Object.entries(body).map(([name, value]) =>
        `${flagOf(name)}=${value}`
      );
      const { stdout, stderr } = generate(
        [kind, "--json", "--entropy", ...args],
      );
      assertEquals(stderr, `${outcome(kind, body).bits}\n`);
      assertMatch(stdout, /^\{.*\}\n$/);
      const printed = JSON.parse(stdout);
      const json = await (await post(`/api/pwgen/${kind}`, body)).json();
      assertEquals(Object.keys(printed), Object.keys(json));
      assertEquals(printed.type, kind);
      assertEquals(printed.length, [...printed.password].length);
      assertEquals(printed.passwords?.length, json.passwords?.length);
    }
  }
});

Deno.test("generate --help lists each field of a kind", () => {
  for (const args of [[], ["--help"], ["-h"]]) {
    const { status, stdout } = generate(args);
    assertEquals(status, 0);
    // Examples first, without a server and in the executable.
    const examples = stdout.matchAll(/^deno task generate (\w[^<>\n]*)$/gm);
    for (const [, example] of [...examples]) {
      assertEquals(generate(example!.split(" ")).stderr, "", example);
    }
    assertMatch(stdout, /^deno task generate words\n[^]*characters\|words\|se/);
  }
  for (const kind of KINDS) {
    const { stdout } = generate([kind, "--help", "--count=1"]);
    const listed = [...stdout.matchAll(/^ {2}(--\S+)(?: (.+))?\n {6}(.+)$/gm)];
    const table = Object.entries(TABLES[kind]);
    const own = ["--json", "--entropy"];
    assertEquals(
      listed.map(([, flag]) => flag).sort(),
      [...table.map(([name]) => flagOf(name)), ...own, "--version", "--help"]
        .sort(),
    );
    for (const [name, row] of table) {
      const [, , values, text] = listed.find(([, flag]) =>
        flag === flagOf(name)
      )!;
      const expected = row.type === "boolean"
        ? undefined
        : row.type === "text"
        ? "TEXT"
        : row.type === "integer"
        ? row.range.join("-")
        : row.values.map((value) => `"${value}"`).join("|");
      assertEquals(values, expected);
      const value = JSON.stringify(row.default);
      assert(text!.endsWith(`. Default: ${value}`), text);
      assertNotMatch(text!, /response|`[a-z]+[A-Z]/);
    }
  }
});

/** Runs a line of the shell, in which "$@" is the command. */
function shell(line: string, ...args: string[]): Program {
  const command = [Deno.execPath(), ...TASK_ARGS, ...args];
  return spawn("sh", ["-c", line, "sh", ...command]);
}

onUnix.test("deno task generate exits as SIGPIPE ends a program if its reader closes the pipe, without an error", async () => {
  // Blank lines, until the reader has closed the pipe.
  const closed =
    "trap '' PIPE; while echo; do :; done 2>/dev/null; trap - PIPE";
  const line = `{ ${closed}; "$@"; echo "$?" >&2; } | true`;
  const many = ["characters", "--length=128", "--count=100"];
  for (const args of [["words"], many, ["words", "--entropy"]]) {
    assertEquals((await end(shell(line, ...args))).stderr, "141\n");
  }
});

onLinux.test("deno task generate exits with 1 if the disk is full", async () => {
  const cases: [redirections: string, args: string[], stderr: RegExp][] = [
    [">/dev/full", [], /^generate: Cannot write the passwords: .*\n$/],
    [">/dev/full 2>/dev/full", [], /^$/],
    ["2>/dev/full", ["--entropy"], /^$/],
  ];
  for (const [redirections, args, expected] of cases) {
    const line = `"$@" ${redirections}`;
    const { code, stderr } = await end(shell(line, "words", ...args));
    assertEquals(code, 1, line);
    assertMatch(stderr, expected);
  }
});
