/** What a browser downloads of the library. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import metadata from "../../../deno.json" with { type: "json" };
import { tempDir } from "../../helpers/files.ts";
import { end, ROOT, spawn } from "../../helpers/program.ts";

type EntryPoint = keyof typeof metadata.exports;

const PARTS = ["adjectives", "adverbs", "nouns", "verbs"];
const ALL = ["en", "sv"].flatMap((language) =>
  [...PARTS, "words"].map((part) => `${language}/${part}`)
);
const textOf = (list: string) =>
  Deno.readTextFileSync(`${ROOT}wordlists/${list}.txt`);

/** The most bytes of code, and the word lists, of what is imported. */
const BUNDLES: [from: EntryPoint, names: string, max: number, RegExp][] = [
  [".", "{ characterPasswords }", 20_500, /^$/],
  [".", "{ rulePasswords }", 20_500, /^$/],
  [".", "*", 37_000, /./],
  ["./characters", "*", 20_500, /^$/],
  [".", "{ listPasswords }", 10_400, /^$/],
  ["./list", "*", 10_400, /^$/],
  ["./rules", "*", 20_500, /^$/],
  ["./sentence", "*", 9400, /./],
  ["./sentence/en", "*", 9400, /en\/[^w]/],
  ["./sentence/sv", "*", 9400, /sv\/[^w]/],
  ["./words", "*", 9400, /./],
  ["./words/en", "*", 9400, /en\/words/],
  ["./words/sv", "*", 9400, /sv\/words/],
];

Deno.test("a bundle has at most 20,500 bytes of code for characters or rules, 10,400 for your own list, 9,400 for words, and only the word lists that it uses", async () => {
  await using folder = await tempDir();
  const tested = BUNDLES.map(([from]) => from);
  assertEquals(new Set(tested), new Set(Object.keys(metadata.exports)));
  for (const [from, names, max, used] of BUNDLES) {
    const where = `${names} from ${from}`;
    const [entry, output] = [`${folder.path}/in.js`, `${folder.path}/out.js`];
    const url = import.meta.resolve(`../../../${metadata.exports[from]}`);
    const imported = names === "*" ? "* as all" : names;
    await Deno.writeTextFile(
      entry,
      `import ${imported} from "${url}";
const FIRST = { rulePasswords: "", listPasswords: [..."abcdefgh"] };
for (const [name, make] of Object.entries(${names === "*" ? "all" : names})) {
  if (name.endsWith("Passwords")) console.log(make(FIRST[name] ?? {}).bits > 18);
}`,
    );
    const flags = ["-q", "--platform", "browser", "--minify", "-o", output];
    const made = await end(spawn(Deno.execPath(), ["bundle", ...flags, entry]));
    assertEquals(made.code, 0, made.stderr);
    const run = await end(spawn(Deno.execPath(), ["run", output]));
    assertMatch(run.stdout, /^(true\n)+$/, where + run.stderr);

    let code = (await Deno.readTextFile(output)).replace(
      /\\x([0-9A-F]{2})/g,
      (_, hex) => String.fromCharCode(parseInt(hex, 16)),
    );
    const found = ALL.filter((list) => code.includes(textOf(list)));
    assertEquals(found, ALL.filter((list) => used.test(list)), where);
    for (const list of found) code = code.replace(textOf(list), "");
    // No word is left.
    assertEquals(code.match(/^\p{Ll}+$/gmu), null, where);
    assert(code.length < max, `${where}: ${code.length} bytes`);
  }
});
