import { assert, assertEquals, assertMatch } from "@std/assert";
import { copy, tempDir } from "../helpers/files.ts";
import { listening, post, ROOT, spawn } from "../helpers/program.ts";
import { LANGUAGES } from "../../wordlists/mod.ts";

/** What a language's folder and the tests of it need. */
const PARTS = [
  ...["app.ts", "config.ts", "log.ts", "main.ts"],
  ...["deno.json", "deno.lock", "std.d.ts"],
  ...["generators", "middleware", "routes", "wordlists", "tests"],
];

/** The first words of a toy language: syllables, each word six letters long. */
function toyWords(count: number): string {
  const syllables = [..."bdfghjklmnprstvĉ"].flatMap((consonant) =>
    [..."aeiou"].map((vowel) => consonant + vowel)
  );
  const words: string[] = [];
  for (const a of syllables) {
    for (const b of syllables) for (const c of syllables) words.push(a + b + c);
  }
  return words.slice(-count).sort().join("\n") + "\n";
}

async function deno(folder: string, ...args: string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const said = [stdout, stderr].map((text) => new TextDecoder().decode(text));
  assert(success, said.join("\n"));
}

Deno.test("a language more is one folder and one entry in wordlists/mod.ts", async () => {
  await using temporary = await tempDir();
  const folder = temporary.path;
  for (const part of PARTS) await copy(ROOT + part, `${folder}/${part}`);

  // The folder: five lists, and the module of another language as it stands.
  await copy(`${folder}/wordlists/en`, `${folder}/wordlists/eo`);
  const sizes = {
    words: 13,
    adjectives: 11,
    nouns: 12,
    verbs: 10,
    adverbs: 10,
  };
  for (const [name, bits] of Object.entries(sizes)) {
    const file = `${folder}/wordlists/eo/${name}.txt`;
    await Deno.writeTextFile(file, toyWords(2 ** bits));
  }
  // The entry.
  const table = `${folder}/wordlists/mod.ts`;
  const before = await Deno.readTextFile(table);
  const after = before
    .replace(/^import /m, (line) => `import eo from "./eo/mod.ts";\n${line}`)
    .replace(/WORDLISTS = \{ (.*) \}/, "WORDLISTS = { $1, eo }");
  assertEquals(after.length, before.length + 30 + 4);
  await Deno.writeTextFile(table, after);

  await deno(folder, "check", "--frozen", "-q");
  // What is promised of every list. (tests/routes hold the languages themselves
  // against the specification, which has two.)
  await deno(
    folder,
    ...["test", "-q", "--frozen", "--no-check", "--allow-all"],
    "tests/wordlists/lists_test.ts",
    "tests/routes/site/page/mod_test.ts",
  );

  const permissions = ["--no-prompt", "--allow-net", "--allow-env"];
  await using service = await listening(
    spawn(Deno.execPath(), ["run", ...permissions, `${folder}/main.ts`]),
  );
  const ask = async (kind: string, body: unknown) => {
    const response = await post(
      `${service.url}/api/pwgen/${kind}`,
      JSON.stringify(body),
    );
    const bits = response.headers.get("entropy-bits");
    return { status: response.status, bits, answer: await response.json() };
  };
  const words = await ask("words", { language: "eo" });
  assertMatch(words.answer.password, /^\d\d([A-ZĈ][a-zĉ]{5}){4}$/);
  assertEquals(words.bits, "58.64");
  const sentence = await ask("sentence", { language: "eo" });
  assertMatch(sentence.answer.password, /^\d\d([A-ZĈ][a-zĉ]{5}){4}$/);
  assertEquals(sentence.bits, "49.64");
  const refused = await ask("words", { language: "tlh" });
  const names = [...LANGUAGES, "eo"].map((name) => `"${name}"`).join(", ");
  assertEquals(refused.answer.errors.language, [
    `Must be one of ${names}; got another string.`,
  ]);
  const page = await (await fetch(`${service.url}/`)).text();
  assert(page.includes('<option value="eo" lang="eo">Esperanto</option>'));
  const openapi = await (await fetch(`${service.url}/openapi/v1.json`)).json();
  assertEquals(
    openapi.components.schemas.WordPasswordRequest.properties.language.enum,
    [...LANGUAGES, "eo"],
  );
});
