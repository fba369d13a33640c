/** What a browser downloads of the library. */
import { assert, assertEquals } from "@std/assert";
import metadata from "../../deno.json" with { type: "json" };
import { tempDir } from "../helpers/files.ts";
import { end, ROOT, spawn } from "../helpers/program.ts";

const LISTS = `${ROOT}wordlists/`;
const PARTS = ["adjectives", "adverbs", "nouns", "verbs"];
const languages = Array.from(Deno.readDirSync(LISTS))
  .filter(({ isDirectory }) => isDirectory).map(({ name }) => name);

/** The most bytes of code, without word lists. */
const MOST = { characters: 15_000, rules: 15_000, phrases: 7000, all: 25_000 };

/** For each import: the bytes of code, and the word lists that come with it. */
const BUNDLES: [names: string, from: string, most: number, lists: string[]][] =
  [
    ["characterPasswords", ".", MOST.characters, []],
    ["rulePasswords", ".", MOST.rules, []],
    ["*", "./characters", MOST.characters, []],
    ["*", "./rules", MOST.rules, []],
    ["*", ".", MOST.all, languages.flatMap(listsOf)],
    ["*", "./words", MOST.phrases, languages.flatMap(listsOf)],
    ["*", "./sentence", MOST.phrases, languages.flatMap(listsOf)],
    ...languages.flatMap((language): typeof BUNDLES => [
      ["*", `./words/${language}`, MOST.phrases, [`${language}/words`]],
      [
        ...["*", `./sentence/${language}`] as const,
        MOST.phrases,
        PARTS.map((part) => `${language}/${part}`),
      ],
    ]),
  ];

function listsOf(language: string): string[] {
  return [...PARTS, "words"].map((part) => `${language}/${part}`);
}

/** The texts of all lists by name. */
const texts = new Map(
  languages.flatMap(listsOf).map((
    name,
  ) => [name, Deno.readTextFileSync(`${LISTS}${name}.txt`)]),
);

/** Writes the characters that are escaped in a template of a bundle. */
function unescaped(bundle: string): string {
  return bundle.replace(
    /\\x([0-9A-F]{2})/g,
    (_, code) => String.fromCharCode(parseInt(code, 16)),
  );
}

Deno.test("a bundle has the code and the word lists of what is imported, and nothing else", async () => {
  await using folder = await tempDir();
  assertEquals(
    new Set(BUNDLES.map(([, from]) => from)),
    new Set(Object.keys(metadata.exports)),
  );
  for (const [names, from, most, lists] of BUNDLES) {
    const path = metadata.exports[from as keyof typeof metadata.exports];
    const imported = names === "*" ? "* as library" : `{ ${names} }`;
    const used = names === "*" ? "library" : `{ ${names} }`;
    const entry = `${folder.path}/entry.js`;
    await Deno.writeTextFile(
      entry,
      `import ${imported} from ${JSON.stringify(ROOT + path)};
for (const [name, make] of Object.entries(${used})) {
  if (!name.endsWith("Passwords")) continue;
  console.log(name, make(...name.startsWith("rule") ? [""] : []).generate().length > 7);
}`,
    );
    const output = `${folder.path}/bundle.js`;
    const flags = ["--platform", "browser", "--minify", "--output", output];
    const made = await end(
      spawn(Deno.execPath(), ["bundle", "-q", ...flags, entry]),
    );
    assertEquals(made.code, 0, made.stderr);
    const run = await end(spawn(Deno.execPath(), ["run", output]));
    const where = `${names} from ${from}`;
    assert(/^(\w+ true\n)+$/.test(run.stdout), where + run.stderr);

    let code = unescaped(await Deno.readTextFile(output));
    const found = [...texts].filter(([, text]) => code.includes(text));
    assertEquals(found.map(([name]) => name).sort(), lists.sort(), where);
    for (const [, text] of found) code = code.replace(text, "");
    assert(code.length < most, `${where}: ${code.length} bytes`);
    // No part of another list is left.
    const words = code.match(/^[a-zåäö]+$/gm) ?? [];
    assertEquals(words, [], where);
  }
});
