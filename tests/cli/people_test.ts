import { assert, assertEquals, assertMatch } from "@std/assert";
import metadata from "../../deno.json" with { type: "json" };
import { generate } from "../../cli/generate.ts";
import { csvRows } from "../helpers/csv.ts";
import { tempDir } from "../helpers/files.ts";
import { end, ROOT, spawn } from "../helpers/program.ts";
import { outcome } from "../oracle.ts";

/** Runs the command with a table in a file. */
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

Deno.test("generate --names prints each person with a password, and no formula", async () => {
  const phrase = /^\d\d(\p{Lu}\p{Ll}+){4}$/u;
  const list = "\ufeffÅsa Öberg\r\n\r\n  Bo-Erik; x, y \n=1\nÅsa Öberg";
  const names = ["Åsa Öberg", "Bo-Erik; x, y", "'=1", "Åsa Öberg"];
  const note = "people: 4, and the first row is a person; cells that a " +
    "spreadsheet can change, so import them as text: A4\n";
  const cases: [args: string[], heading: string[], RegExp][] = [
    [["words"], ["Namn", "Lösenord"], phrase],
    [["words", "--language=en"], ["Name", "Password"], phrase],
    // A special character could be like a formula.
    [
      ["characters", "--no-special-characters", "--no-numbers"],
      ["Name", "Password"],
      /^[a-zA-Z]{20}$/,
    ],
  ];
  for (const [args, heading, password] of cases) {
    const { stdout, stderr, status } = await generateList(list, ...args);
    assertEquals([stderr, status], [`generate ${args[0]}: ${note}`, 0]);
    assert(stdout.startsWith("\ufeff"));
    const separator = heading[0] === "Namn" ? ";" : ",";
    const [head, ...rows] = csvRows(stdout.slice(1), separator);
    assertEquals([head, ...rows.map(([name]) => name)], [heading, ...names]);
    for (const row of rows) assertMatch(row[1]!, password);
    assertEquals(new Set(rows.map((row) => row[1])).size, names.length);
  }
});

Deno.test("generate --names keeps passwords, separator and all that stands in a table with a column of them", async () => {
  const week1 = "Login\tPassword\tName\n001\t=Abc+1\t=1\n2\t\tBo\n";
  const { stdout, stderr } = await generateList(week1, "words", "--entropy");
  const [head, asa, bo] = csvRows(stdout.slice(1), "\t");
  assertEquals([head, asa], [["Login", "Password", "Name"], [
    "001",
    "=Abc+1",
    "=1",
  ]]);
  assertMatch(bo!.join(), /^2,\d\d\p{L}+,Bo$/u);
  assertEquals(
    stderr,
    `${outcome("words", {}).bits}\ngenerate words: people: 2, and the first ` +
      "row is a heading; passwords that stay: 1; cells that a spreadsheet " +
      "can change, so import them as text: A2, B2, C2\n",
  );
  // Next week, with one more.
  const again = await generateList(`${stdout}Li\n`, "words");
  assertEquals(csvRows(again.stdout.slice(1), "\t").slice(0, 3), [
    head,
    asa,
    bo,
  ]);
  const other = await generateList("Name\nBo", "words", "--no-heading");
  assertMatch(other.stdout, /^\ufeffNamn;Lösenord\r\nName;.+\r\nBo;.+\r\n$/);
  const janame = await generateList("Janame\nBo", "words", "--heading");
  assertMatch(janame.stdout, /^\ufeffJaname;Lösenord\r\nBo;\S+\r\n$/);
});

Deno.test("generate --names draws digits as requested, and says what a spreadsheet would change", async () => {
  const rules = "--password-rules=allowed: digit; maxlength: 12";
  const { stdout, stderr } = await generateList("x\ny", "characters", rules);
  assertMatch(stdout, /x,\d{12}\r\ny,\d{12}\r\n$/);
  assertMatch(stderr, /: B2, B3\n$/);
});

Deno.test("generate --names says in one line what is wrong, without a name, and prints nothing else", async () => {
  const utf16 = (text: string) =>
    new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer);
  const cases: [list: string | Uint8Array, args: string[], string][] = [
    ["", [], "--names: no person in it; "],
    ["\n \r\n\t\n", [], "--names: no person in it; "],
    ["Name,Password\nÅsa,1\nBo,2,3", [], "--names: line 3 has more cells "],
    ['Åsa\n"Bo\nLi', [], "--names: line 2 has a quotation mark that stays "],
    [Uint8Array.of(65, 10, 0xc5, 10), [], "--names: line 2 is not UTF-8, "],
    [utf16("\ufeffÅsa\n"), [], "--names: line 1 is not UTF-8, "],
    [utf16("Åsa\n"), [], "--names: line 1 is not UTF-8, "],
    ["a\r\nb\0\n", [], "--names: line 2 is not UTF-8, or has a control "],
    ["a\n".repeat(1 << 19) + "b", [], "--names: larger than 1 MiB; "],
    ["Åsa", ["--count=1"], "--count: not with --names, "],
    ["Åsa", ["--json"], "--json: not with --names, "],
    ["Åsa", ["--csv=comma"], "--csv: unknown flag; "],
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
  assertMatch(
    generate(["words", "--no-heading"]).stderr,
    /: only with --names/,
  );
  assertMatch(generate(["words", "--names"]).stderr, /: needs a value; use /);
});

Deno.test("generate --names reads standard input without a permission, and a file only with the permission for it", async () => {
  await using folder = await tempDir();
  const path = `${folder.path}/names.txt`;
  await Deno.writeTextFile(path, "Bo\nLi\n".repeat(1000));
  const shell = (line: string) => end(spawn("sh", ["-c", line, path]));
  // end() leaves out the byte-order mark.
  const rowsOf = (stdout: string) => csvRows(stdout, ";");
  const read = await shell('deno task -q generate words --names - <"$0"');
  assertEquals(read.code, 0);
  assertEquals(rowsOf(read.stdout).length, 2001);
  const run = metadata.tasks.generate.command;
  const words = 'words --names "$0"';
  const refused = await shell(`${run} ${words}`);
  assertEquals([refused.code, refused.stdout], [2, ""]);
  assertMatch(refused.stderr, /no permission from Deno; use --names - <FILE, /);
  const allowed = run.replace("cli/", `--allow-read="$0" cli/`);
  const listed = await shell(`${allowed} ${words}`);
  assertEquals(listed.code, 0);
  assertEquals(rowsOf(listed.stdout).length, 2001);
});
