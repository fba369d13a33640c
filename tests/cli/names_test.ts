import { assert, assertEquals, assertMatch } from "@std/assert";
import metadata from "../../deno.json" with { type: "json" };
import { generate } from "../../cli/generate.ts";
import { csvRows } from "../helpers/csv.ts";
import { tempDir } from "../helpers/files.ts";
import { end, ROOT, spawn } from "../helpers/program.ts";
import { outcome } from "../oracle.ts";

/** The rows of the output: CSV with a byte-order mark. */
function readCsv(text: string, separator: string): string[][] {
  assert(text.startsWith("\ufeff"));
  return csvRows(text.slice(1), separator);
}

/** What a person writes, and the names in the list. */
const LIST = '\ufeffÅsa Öberg\r\n\r\n  Bo-Erik; x, y \nAnna "A" Ek\r\n' +
  "Åsa Öberg\n=cmd|' /C calc'!A0\n+46\n-Ek\n@x\n\t=1\nＡ\n＝1\n \n" +
  'x;=C3&"";x, "-1\n' +
  "n".repeat(200);
const NAMES = [
  "Åsa Öberg",
  "Bo-Erik; x, y",
  'Anna "A" Ek',
  "Åsa Öberg",
  "'=cmd|' /C calc'!A0",
  "'+46",
  "'-Ek",
  "'@x",
  "'=1",
  "Ａ",
  "'＝1",
  `x;'=C3&"";x, "'-1`,
  "n".repeat(200),
];

/** Runs the command with a list in a file. */
async function generateList(
  content: string | Uint8Array,
  ...args: string[]
): Promise<ReturnType<typeof generate>> {
  await using folder = await tempDir();
  const path = `${folder.path}/Åsa`;
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  await Deno.writeFile(path, bytes);
  return generate([...args, "--names", path]);
}

Deno.test("generate --names prints CSV with each name and its password, and no name like a formula", async () => {
  const phrase = /^\d\d(\p{Lu}\p{Ll}+){4}$/u;
  const cases: [args: string[], separator: string, password: RegExp][] = [
    [["words"], ";", phrase],
    [["words", "--language=en"], ",", phrase],
    [["sentence", "--csv=comma"], ",", phrase],
    [["characters"], ",", /^[A-Za-z][!-~]{19}$/],
    [["characters", "--csv=semicolon"], ";", /^[A-Za-z][!-~]{19}$/],
  ];
  for (const [args, separator, password] of cases) {
    const { stdout, stderr, status } = await generateList(LIST, ...args);
    assertEquals([stderr, status], ["", 0]);
    const [head, ...rows] = readCsv(stdout, separator);
    assertEquals(head, ["number", "name", "password"]);
    assertEquals(
      rows.map(([number, name]) => [number, name]),
      NAMES.map((name, i) => [`${i + 1}`, name]),
    );
    for (const row of rows) assertMatch(row[2]!, password);
    assertEquals(new Set(rows.map((row) => row[2])).size, NAMES.length);
  }
});

Deno.test("generate --names begins passwords with a letter where it can, and says what a spreadsheet would change", async () => {
  const note = /^generate characters: a spreadsheet changes .*\n$/;
  // Dates such as 12-10-27.
  const dates = {
    length: 6,
    lowercase: false,
    uppercase: false,
    specialCharacters: false,
    groupLength: 2,
  };
  const cases: [flags: string[], body: Record<string, unknown>, RegExp][] = [
    [["--numbers"], { beginWithLetter: true }, /^$/],
    [["--no-begin-with-letter"], {}, note],
    [
      ["--password-rules=allowed: digit"],
      { passwordRules: "allowed: digit" },
      note,
    ],
    [
      ["--length=6", "--no-lowercase", "--no-uppercase"]
        .concat("--no-special-characters", "--group-length=2"),
      dates,
      note,
    ],
  ];
  for (const [flags, body, warning] of cases) {
    const { stdout, stderr } = await generateList(
      "x\n".repeat(300),
      "characters",
      "--entropy",
      ...flags,
    );
    const [bits, ...lines] = stderr.split(/(?<=\n)/);
    assertEquals(bits, `${outcome("characters", body).bits}\n`);
    assertMatch(lines.join(""), warning);
    const rows = readCsv(stdout, ",").slice(1);
    assertEquals(rows.length, 300);
    const isSafe = rows.every((row) => /^[a-z]/i.test(row[2]!));
    assertEquals(isSafe, "beginWithLetter" in body);
  }
});

Deno.test("generate --names says in one line what is wrong, without a name, and prints nothing else", async () => {
  const utf16 = (text: string) =>
    new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer);
  const cases: [list: string | Uint8Array, args: string[], string][] = [
    ["", [], "--names: has no name; "],
    ["\n \r\n\t\n", [], "--names: has no name; "],
    ["Åsa\n" + "x".repeat(201), [], "--names: line 2 has more than 200 "],
    [Uint8Array.of(65, 10, 0xc5, 10), [], "--names: line 2 is not UTF-8, "],
    [utf16("\ufeffÅsa\n"), [], "--names: line 1 is not UTF-8, "],
    [utf16("Åsa\n"), [], "--names: line 1 is not UTF-8, "],
    ["a\rb\n", [], "--names: line 1 is not UTF-8, or has a control character"],
    ["a\n".repeat(1 << 19) + "b", [], "--names: larger than 1 MiB; "],
    ["Åsa", ["--count=1"], "--count: not with --names, "],
    ["Åsa", ["--json"], "--json: not with --names, "],
    ["Åsa", ["--csv=tab"], "--csv: not allowed; use comma or semicolon"],
    ["Åsa", ["--names=-"], "--names: given more than once; "],
  ];
  for (const [list, args, reason] of cases) {
    const { stdout, stderr, status } = await generateList(
      list,
      "words",
      ...args,
    );
    assertEquals([stdout, status], ["", 2]);
    assertMatch(stderr, /^.+\n$/);
    assert(stderr.startsWith(`generate words: ${reason}`), stderr);
    assert(!stderr.includes("Åsa"), stderr);
  }
  const bad = await generateList("Åsa", "words", "--word-count=0");
  assertMatch(bad.stderr, /^--word-count: /);
  const long = `/${"Åsa".repeat(100)}`; // Deno repeats it in its error
  for (const path of ["/no/such/Åsa", ROOT, long]) {
    const { stderr, status } = generate(["words", "--names", path]);
    assertMatch(
      stderr,
      /^generate words: --names: cannot read it: [^/]+; use /,
    );
    assert(!stderr.includes(path), stderr);
    assertEquals(status, 2);
  }
  assertMatch(generate(["words", "--csv=comma"]).stderr, /: only with --names/);
  assertMatch(generate(["words", "--names"]).stderr, /: needs a value; use /);
});

Deno.test("generate --names reads standard input without a permission, and a file only with the permission for it", async () => {
  await using folder = await tempDir();
  const path = `${folder.path}/names.txt`;
  await Deno.writeTextFile(path, LIST);
  const shell = (line: string) => end(spawn("sh", ["-c", line, path]));
  // end() leaves out the byte-order mark.
  const rowsOf = (stdout: string) => readCsv(`\ufeff${stdout}`, ";");
  const read = await shell('deno task -q generate words --names - <"$0"');
  assertEquals([read.code, read.stderr], [0, ""]);
  assertEquals(rowsOf(read.stdout).length, NAMES.length + 1);
  const run = metadata.tasks.generate.command;
  const words = 'words --names "$0"';
  const refused = await shell(`${run} ${words}`);
  assertEquals([refused.code, refused.stdout], [2, ""]);
  assertMatch(refused.stderr, /no permission from Deno; use --names - <FILE, /);
  const allowed = run.replace("cli/", `--allow-read="$0" cli/`);
  const listed = await shell(`${allowed} ${words}`);
  assertEquals([listed.code, listed.stderr], [0, ""]);
  assertEquals(rowsOf(listed.stdout).length, NAMES.length + 1);
});
