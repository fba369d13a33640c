import { assertEquals, assertMatch } from "@std/assert";
import { LANGUAGES } from "../../routes/site/page/languages.ts";
import { cp } from "node:fs/promises";
import { copyRepository, tempDir } from "../helpers/files.ts";
import { end, spawn } from "../helpers/program.ts";

/** A code that ISO 639-2 gives to no language. */
const NAME = "qaa";

/** Words of an artificial language, each of three syllables and six letters. */
function artificialWords(count: number): string {
  const syllables = [..."bdfghjklmnprstvĉ"].flatMap((consonant) =>
    [..."aeiou"].map((vowel) => consonant + vowel)
  );
  const words: string[] = [];
  for (const a of syllables) {
    for (const b of syllables) for (const c of syllables) words.push(a + b + c);
  }
  return words.slice(-count).sort().join("\n") + "\n";
}

/** Runs Deno in a folder; returns what it prints. */
async function deno(cwd: string, ...args: string[]) {
  const program = spawn(Deno.execPath(), args, {}, { cwd });
  const { code, stdout, stderr } = await end(program);
  assertEquals(code, 0, stdout + stderr);
  return { stdout, stderr };
}

Deno.test("WORDLISTS takes a new language: one folder, its entries in wordlists/mod.ts, and its name in each language of the page", async () => {
  await using temporary = await tempDir();
  const folder = temporary.path;
  await copyRepository(folder);

  // The folder has five lists, and an unchanged copy of mod.ts.
  const lists = `${folder}/wordlists/`;
  await cp(`${lists}en`, lists + NAME, { recursive: true });
  const sizes = {
    words: 13,
    adjectives: 11,
    nouns: 12,
    verbs: 10,
    adverbs: 10,
  };
  for (const [name, bits] of Object.entries(sizes)) {
    const file = `${folder}/wordlists/${NAME}/${name}.txt`;
    await Deno.writeTextFile(file, artificialWords(2 ** bits));
  }
  const table = `${folder}/wordlists/mod.ts`;
  const before = await Deno.readTextFile(table);
  const after = before
    .replace(/^import /m, `import ${NAME} from "./${NAME}/mod.ts";\n$&`)
    .replace('"sv" | "en"', `$& | "${NAME}"`)
    .replace("{ sv, en }", `{ sv, en, ${NAME} }`);
  await Deno.writeTextFile(table, after);

  for (const language of Object.keys(LANGUAGES)) {
    const file = `${folder}/routes/site/page/${language}.json`;
    const texts = JSON.parse(await Deno.readTextFile(file));
    texts.fields.language.values[NAME] = "Artificial";
    await Deno.writeTextFile(file, JSON.stringify(texts));
  }

  await deno(folder, "check", "--frozen", "-q");
  // The tests that apply to any language. (The specification, which tests/routes
  // compares with the service, has two.)
  await deno(
    folder,
    "test",
    "-q",
    "--frozen",
    "--no-check",
    "--allow-all",
    "tests/wordlists/lists_test.ts",
    "tests/routes/site/page/mod_test.ts",
  );

  for (const [kind, bits] of [["words", "58.64"], ["sentence", "49.64"]]) {
    const args = [kind!, `--language=${NAME}`, "--entropy"];
    const { stdout, stderr } = await deno(folder, "cli/generate.ts", ...args);
    assertMatch(stdout, /^\d\d([A-ZĈ][a-zĉ]{5}){4}\n$/);
    assertEquals(stderr, `${bits}\n`);
  }
});
