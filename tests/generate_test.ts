import { assert, assertEquals, assertMatch } from "@std/assert";
import { generate } from "../generate.ts";
import metadata from "../deno.json" with { type: "json" };
import {
  end,
  isInstalled,
  onUnix,
  type Program,
  spawn,
  unless,
} from "./helpers/program.ts";
import { post } from "./helpers/service.ts";
import { KINDS, outcome, TABLES } from "./oracle.ts";

/** The arguments of Deno in the task: it has no permission. */
const TASK_ARGS = metadata.tasks.generate.command.split(" ").slice(1);

/** The error for an argument that is no flag; it is not repeated. */
const NO_FLAG =
  "generate words: argument 1: not a flag; --help lists what is allowed";

/** Runs the command in a process without any permission. */
function run(...args: string[]): ReturnType<typeof end> {
  return end(spawn(Deno.execPath(), [...TASK_ARGS, ...args]));
}

/** The flag of a field. */
function flagOf(name: string): string {
  return "--" + name.replace(/(?<=[a-z])[A-Z]/g, "-$&").toLowerCase();
}

Deno.test("deno task generate has no permission", () => {
  const flags = TASK_ARGS.filter((arg) => arg.startsWith("-"));
  const harmless = ["--quiet", "--frozen", "--no-remote", "--no-prompt"];
  assertEquals(flags, harmless);
  assertEquals(TASK_ARGS.at(-1), "generate.ts");
});

Deno.test("deno task generate prints passwords, one per line", async () => {
  const task = ["task", "-q", "generate", "words", "--language", "en"];
  const process = spawn(Deno.execPath(), [...task, "--count", "5"]);
  const { code, stdout, stderr } = await end(process);
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^(\d\d([A-Z][a-z]+){4}\n){5}$/);

  const patterns = {
    characters: /^[!-~]{20}\n$/,
    words: /^\d\d(\p{Lu}\p{Ll}+){4}\n$/u,
    sentence: /^\d\d(\p{Lu}\p{Ll}+){4}\n$/u,
  };
  for (const kind of KINDS) {
    const { code, stdout, stderr } = await run(kind);
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, patterns[kind]);
    assertMatch((await run(kind, "--count=1")).stdout, patterns[kind]);
  }
});

Deno.test("generate() takes strings with a leading dash", () => {
  const digits = ["--no-lowercase", "--no-uppercase", "--no-numbers"];
  const set = ["characters", ...digits, "--special-character-set=-."];
  assertMatch(generate(set).stdout, /^[-.]{20}\n$/);
  const afterSpace = [...set.slice(0, -1), "--special-character-set", "-."];
  assertMatch(generate(afterSpace).stdout, /^[-.]{20}\n$/);
  const words = ["words", "--separator"];
  assertMatch(generate([...words, "-"]).stdout, /^\d\d(-\p{L}+){4}\n$/u);
  // No allowed value begins with two, so this is another flag.
  for (const next of ["--", "--json"]) {
    const { status, stderr } = generate([...words, next]);
    assertEquals(status, 2);
    assertMatch(
      stderr,
      /^generate words: --separator: needs a value; use .*\n$/,
    );
  }
});

Deno.test("generate() refuses a bad value with the message of the API", async () => {
  let checked = 0;
  for (const kind of KINDS) {
    const path = `/api/pwgen/${kind}`;
    for (const [name, row] of Object.entries(TABLES[kind])) {
      if (row.type === "boolean") continue;
      const bad = row.type === "text"
        ? row.invalid
        : row.type === "string"
        ? ["x", "--", "SV"]
        : ["", "x", "05", "1.5", "-1", row.range[0] - 1, row.range[1] + 1];
      for (const value of bad) {
        const response = await post(path, { [name]: String(value) });
        const { errors } = await response.json();
        assertEquals(generate([kind, `${flagOf(name)}=${value}`]), {
          stdout: "",
          stderr: `${flagOf(name)}: ${errors[name].join(" ")}\n`,
          status: 2,
        });
        checked++;
      }
    }
  }
  assert(checked > 80, `${checked}`);
});

Deno.test("generate() repeats no lone surrogate", () => {
  // Windows permits one in an argument.
  const { stderr } = generate(["words", "--a\ud800b"]);
  assertEquals(stderr, `${NO_FLAG}\n`);
});

Deno.test("deno task generate says in one line what is wrong, and exits with 2", async () => {
  const integer = (low: number, high: number) =>
    `Must be an integer from ${low} to ${high}, or a string that holds one; got a string that holds no such integer.`;
  const unknown = (flag: string) =>
    `generate words: ${flag}: unknown flag; --help lists what is allowed`;
  const kinds =
    "generate: the first argument must be one of characters, words, sentence";
  const cases: [args: string[], line: string][] = [
    [["words", "--count", "0"], `--count: ${integer(1, 100)}`],
    [
      ["words", "--count", "x", "--word-count=11", "--casing", ""],
      `--count: ${integer(1, 100)} --word-count: ${
        integer(1, 10)
      } --casing: Must be one of "lower", "upper", "first", "title"; got another string.`,
    ],
    [
      [
        ...["characters", "--no-lowercase", "--no-uppercase"],
        ...["--no-numbers", "--no-special-characters"],
      ],
      "generate: At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
    ],
    [
      [
        ...["characters", "--length=5", "--special-character-set=!"],
        ...["--swedish-characters", "--count=63"],
      ],
      "--count: Must be at most 18 with these settings.",
    ],
    [["words", "--lenght", "5"], unknown("--lenght")],
    [["words", "--wordCount=5"], unknown("--wordCount")],
    [["words", "--length=5"], unknown("--length")],
    [["words", "--no-count"], unknown("--no-count")],
    [["words", "--no-json"], unknown("--no-json")],
    [["words", "-c", "5"], unknown("-c")],
    [["words", "--constructor"], unknown("--constructor")],
    [["words", "--constructor=1"], unknown("--constructor")],
    [["words", "--a\n\u001bb"], NO_FLAG],
    [["words", "--a\u001b[2J=b"], NO_FLAG],
    // A bidirectional override, separators of lines and paragraphs, a soft
    // hyphen, a variation selector and a tag.
    [["words", "--a\u202eb"], NO_FLAG],
    [["words", "--a\u2028\u2029b"], NO_FLAG],
    [["words", "--a\u00adb\ufe0fc\u{e0041}d"], NO_FLAG],
    [["words", "--lenght=\u001b[2J"], unknown("--lenght")],
    [["words", "\u2066å 1\u2069"], NO_FLAG],
    [["words", "5"], NO_FLAG],
    [["words", "--", "--json"], NO_FLAG.replace("1", "2")],
    [
      ["characters", "--length", "8", "--length=9"],
      "--length: Given more than once.",
    ],
    [
      [
        ...["characters", "--numbers", "--json", "--count=1", "--no-numbers"],
        "--help",
      ],
      "--numbers: Given more than once.",
    ],
    [["words", "--json", "--json"], "--json: Given more than once."],
    [
      ["words", "--count"],
      "generate words: --count: needs a value; use an integer from 1 to 100, or a string that holds one",
    ],
    [
      ["characters", "--numbers=true"],
      "generate characters: --numbers: takes no value; leave it out",
    ],
    [
      ["characters", "--no-numbers=true"],
      "generate characters: --no-numbers: takes no value; leave it out",
    ],
    [
      ["characters", "--json="],
      "generate characters: --json: takes no value; leave it out",
    ],
    [["word"], kinds],
    [["constructor"], kinds],
    [[""], kinds],
    [["--count", "5"], kinds],
  ];
  await Promise.all(cases.map(async ([args, line]) => {
    const result = await run(...args);
    assertEquals(result, { code: 2, stdout: "", stderr: `${line}\n` });
  }));
});

Deno.test("deno task generate --json prints what the API returns", async () => {
  for (const kind of KINDS) {
    for (const body of [{}, { count: 3 }, { count: 1, minimumEntropy: 60 }]) {
      const args = Object.entries(body).map(([name, value]) =>
        `${flagOf(name)}=${value}`
      );
      const { code, stdout, stderr } = await run(kind, "--json", ...args);
      assertEquals([code, stderr], [0, ""]);
      assertMatch(stdout, /^\{.*\}\n$/);
      const printed = JSON.parse(stdout);
      const json = await (await post(`/api/pwgen/${kind}`, body)).json();
      assertEquals(Object.keys(printed), Object.keys(json));
      assertEquals(printed.type, kind);
      assertEquals(printed.length, [...printed.password].length);
      if (!("count" in body)) continue;
      assertEquals(printed.passwords.length, body.count);
      assertEquals(printed.passwords[0], printed.password);
    }
  }
});

Deno.test("deno task generate --entropy prints the bits to standard error", async () => {
  for (const kind of KINDS) {
    const { bits } = outcome(kind, {});
    const { code, stdout, stderr } = await run(kind, "--entropy", "--count=2");
    assertEquals([code, stderr], [0, `${bits}\n`]);
    assertEquals(stdout.split("\n").length, 3);
  }
});

Deno.test("deno task generate --help lists each field of a kind", async () => {
  const usage = "Usage: pwgen-api generate characters|words|sentence [FLAGS]";
  for (const args of [[], ["--help"], ["-h"]]) {
    const { code, stdout, stderr } = await run(...args);
    assertEquals([code, stderr, stdout.split("\n")[0]], [0, "", usage]);
  }
  for (const kind of KINDS) {
    const { code, stdout, stderr } = await run(kind, "--help", "--count=1");
    assertEquals([code, stderr], [0, ""]);
    const listed = [...stdout.matchAll(/^ {2}(--\S+)(?: (.+))?\n {6}(.+)$/gm)];
    const table = Object.entries(TABLES[kind]);
    const own = ["--json", "--entropy", "--help"];
    assertEquals(
      listed.map(([, flag]) => flag).sort(),
      [...table.map(([name]) => flagOf(name)), ...own].sort(),
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
      const value = JSON.stringify(row.default) ?? "none";
      assert(text!.endsWith(`. Default: ${value}`), text);
    }
  }
});

Deno.test("main.ts generate opens no port, and reads no environment and no file", async () => {
  const main = ["run", "--quiet", "--frozen", "--no-prompt", "main.ts"];
  // Without a permission each attempt would fail.
  const args = [...main, "generate", "words", "--language=en", "--count=2"];
  const env = { PWGEN_RATE_LIMIT: "nonsense" };
  const { code, stdout, stderr } = await end(spawn(Deno.execPath(), args, env));
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^(\d\d([A-Z][a-z]+){4}\n){2}$/);
  const bad = await end(
    spawn(Deno.execPath(), [...main, "generate", "words", "--count=0"]),
  );
  assertEquals([bad.code, bad.stdout], [2, ""]);
  assertMatch(bad.stderr, /^--count: .*\n$/);
});

/** Runs a line of the shell, in which "$@" is the command. */
function shell(line: string, ...args: string[]): Program {
  const command = [Deno.execPath(), ...TASK_ARGS, ...args];
  return spawn("sh", ["-c", line, "sh", ...command]);
}

/** Many passwords, which do not fit into a pipe that is almost full. */
const MANY = ["characters", "--length=128", "--count=100"];

/** What the command prints if it cannot print the passwords. */
const UNWRITTEN = /^generate: Cannot write the passwords: .*\n1\n$/;

onUnix.test("deno task generate exits with 1 if its reader closes the pipe", async () => {
  const line = '{ sleep 1; "$@"; echo "$?" >&2; } | true';
  for (const args of [["words"], MANY, ["words", "--help"]]) {
    assertMatch((await end(shell(line, ...args))).stderr, UNWRITTEN);
  }
  // Nobody reads the errors either.
  for (const [count, status] of [[0, "2\n"], [1, "1\n"]]) {
    const line = '{ sleep 1; "$@" 2>&1; echo "$?" >&2; } | true';
    const { stderr } = await end(shell(line, "words", `--count=${count}`));
    assertEquals(stderr, status);
  }
});

onUnix.test("deno task generate exits with 1 if the output is closed", async () => {
  const cases: [redirections: string, args: string[], code: number][] = [
    [">&-", [], 1],
    [">&- 2>&-", [], 1],
    ["2>&-", [], 0],
    ["2>&-", ["--entropy"], 1],
    ["2>&-", ["--count=0"], 2],
    // The caller wants no output.
    [">/dev/null 2>/dev/null", ["--entropy"], 0],
  ];
  for (const [redirections, args, expected] of cases) {
    const line = `"$@" ${redirections}`;
    const { code, stderr } = await end(shell(line, "words", ...args));
    assertEquals(code, expected, line);
    const message =
      "generate: Cannot write the passwords: it is closed, or the null device\n";
    assertEquals(stderr, redirections === ">&-" ? message : "", line);
  }
});

/**
 * Fills a pipe of 64 KiB, except 4 KiB, and leaves it non-blocking for the
 * programs that follow.
 */
const FILL = "dd if=/dev/zero bs=4096 count=15 oflag=nonblock 2>/dev/null";

const cannotFill = await isInstalled("dd") &&
    (await end(spawn("dd", ["if=/dev/null", "oflag=nonblock"]))).code === 0
  ? ""
  : "no dd with oflag=nonblock (Debian: coreutils)";
unless(cannotFill).test(
  "deno task generate writes everything to a full pipe that does not block, or exits with 1",
  async () => {
    const line = `{ ${FILL}; "$@"; echo "$?" >&2; } |`;
    const slow = `${line} { sleep 1; tr -d '\\0'; }`;
    const { stdout, stderr } = await end(shell(slow, ...MANY));
    assertEquals(stderr, "0\n");
    assertMatch(stdout, /^([!-~]{128}\n){100}$/);
    const closed = shell(`${line} { sleep 1; head -c 1; }`, ...MANY);
    assertMatch((await end(closed)).stderr, UNWRITTEN);
  },
);

const isFull = await Deno.stat("/dev/full").then(
  () => "",
  () => "no /dev/full",
);
unless(isFull).test(
  "deno task generate says in one line that the disk is full, and exits with 1",
  async () => {
    const { code, stdout, stderr } = await end(
      shell('"$@" > /dev/full', "words"),
    );
    assertEquals([code, stdout], [1, ""]);
    assertMatch(stderr, /^generate: Cannot write the passwords: .*\n$/);
    const unheard = ['"$@" > /dev/full 2> /dev/full', '"$@" 2> /dev/full'];
    for (const line of unheard) {
      const { code } = await end(shell(line, "words", "--entropy"));
      assertEquals(code, 1, line);
    }
  },
);
