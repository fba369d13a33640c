/**
 * The npm package, installed from its archive: in Node, Bun and TypeScript as those who
 * use it have them.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import metadata from "../../../deno.json" with { type: "json" };
import { buildLibrary } from "../../../tools/npm.ts";
import { tempDir } from "../../helpers/files.ts";
import { end, missing, ROOT, spawn, unless } from "../../helpers/program.ts";

/** The runtimes: where npm installs a program, and from which package. */
const RUNTIMES: Record<string, string> = {
  "node20/bin/node": "node20@npm:node@20",
  "node24/bin/node": "node24@npm:node@24",
  "bun/bin/bun.exe": "bun@1",
};
const TYPESCRIPT = "typescript@5.9.3";

const withRegistry = unless(
  await missing("npm") ||
    ((await end(spawn("npm", ["view", TYPESCRIPT, "version"]))).code === 0
      ? ""
      : "no npm registry"),
);

/** Every entry point, as a program imports it. */
const NAMES = Object.keys(metadata.exports).map((name) =>
  metadata.name + name.slice(1)
);

/** What a program prints of the passwords of each entry point: bits and a password. */
const CALLS = `
const all = [];
for (const library of libraries) {
  if (library.characterPasswords) all.push(library.characterPasswords({ length: 32 }));
  if (library.wordPasswords) all.push(library.wordPasswords());
  if (library.sentencePasswords) all.push(library.sentencePasswords());
  if (library.listPasswords) {
    all.push(library.listPasswords([..."abcdefghijklm"], { wordCount: 10 }));
  }
  if (library.rulePasswords) all.push(library.rulePasswords("maxlength: 8"));
}
for (const { bits, generate } of all) console.log(bits > 40, generate().length > 7);
`;
const importing = (names: string[]) =>
  names.map((name, i) => `import * as e${i} from "${name}";`).join("\n") +
  `\nconst libraries = [${names.map((_, i) => `e${i}`)}];${CALLS}`;
const PROGRAMS = {
  "esm.mjs": importing(NAMES),
  // Parcel takes the files at these paths, since it does not read the exports.
  "files.mjs": importing(
    NAMES.map((name) =>
      name === metadata.name ? name : `./node_modules/${name}.js`
    ),
  ),
  "commonjs.cjs": `const libraries = [${
    NAMES.map((name) => `require("${name}")`)
  }];${CALLS}`,
};

const TYPED = `
import { characterPasswords, type Passwords, wordPasswords } from "@pwgen/api";
import { listPasswords } from "@pwgen/api/list";
import { rulePasswords, type RuleOptions } from "@pwgen/api/rules";
import { sentencePasswords } from "@pwgen/api/sentence/sv";
import { type WordStyle, wordPasswords as english } from "@pwgen/api/words/en";

const style: Partial<WordStyle> = { minimumEntropy: 70, separator: "-" };
const rules: Partial<RuleOptions> = { beginWithLetter: true };
const all: Passwords[] = [
  wordPasswords(),
  wordPasswords({ language: "en" }),
  characterPasswords({ length: 32 }),
  sentencePasswords({ casing: "first" }),
  rulePasswords("required: lower", rules),
  english(style),
  listPasswords(["kuusi", "koivu"], style),
];
export const bits: number = all[0]!.bits;
export const password: string = all[0]!.generate();
// @ts-expect-error there is no such language
wordPasswords({ language: "fi" });
// @ts-expect-error there is no such option
characterPasswords({ lenght: 32 });
// @ts-expect-error a number is needed
english({ wordCount: "3" });
`;
/** How TypeScript finds modules: in Node, with a bundler, and as before exports. */
const RESOLUTIONS = [
  ["--module", "nodenext"],
  ["--module", "node20"],
  ["--module", "esnext", "--moduleResolution", "bundler"],
  ["--module", "esnext", "--moduleResolution", "node10"],
];

withRegistry.test("the npm package has types, and runs in Node 20, Node 24 and Bun, with import and require", async () => {
  await using folder = await tempDir();
  const { path } = folder;
  const archive = buildLibrary(path, "owner/name");
  assertEquals(archive, `pwgen-api-${metadata.version}.tgz`);
  await Deno.writeTextFile(`${path}/package.json`, '{ "type": "module" }');
  const run = async (program: string, ...args: string[]) => {
    const { code, stdout, stderr } = await end(
      spawn(program, args, {}, { cwd: path }),
    );
    assertEquals(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  const quiet = ["--silent", "--no-audit", "--no-fund"];
  const programs = [TYPESCRIPT, ...Object.values(RUNTIMES)];
  await run("npm", "install", ...quiet, `./${archive}`, ...programs);

  // In a module, and in CommonJS as in a project without "type": "module".
  const typed = ["typed.ts", "typed.cts"];
  for (const file of typed) await Deno.writeTextFile(`${path}/${file}`, TYPED);
  for (const resolution of RESOLUTIONS) {
    const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes"];
    const lib = ["--target", "es2022", "--lib", "es2022"];
    const tsc = "node_modules/typescript/bin/tsc";
    await run("node", tsc, ...flags, ...lib, ...resolution, ...typed);
  }

  for (const [name, program] of Object.entries(PROGRAMS)) {
    await Deno.writeTextFile(`${path}/${name}`, program);
    for (const runtime of Object.keys(RUNTIMES)) {
      const stdout = await run(`${path}/node_modules/${runtime}`, name);
      assertMatch(stdout, /^(true true\n){14}$/, `${runtime} ${name}`);
    }
  }
  // What its README.md shows, with a list as a Windows editor saves it.
  const readme = await Deno.readTextFile(`${ROOT}generators/README.md`);
  const [, program] = /```ts ignore\n([^`]*listPasswords[^`]*)```/.exec(
    readme,
  )!;
  const list = ["aalto", "hämärä", "kuusi", "pöllö"]
    .map((word, i) => `1111${i + 1}\t${word}\r\n`).join("");
  await Deno.writeTextFile(`${path}/finnish.txt`, `\ufeff${list}`);
  const fitting = program!.replace("minimumEntropy: 70", "minimumEntropy: 17");
  await Deno.writeTextFile(`${path}/finnish.mjs`, fitting);
  assertMatch(
    await run("node", "finnish.mjs"),
    /^18 \p{Ll}{5,6}(-\p{Ll}{5,6}){8}\n$/u,
  );

  const { repository, homepage, bugs, engines } = JSON.parse(
    await Deno.readTextFile(
      `${path}/node_modules/${metadata.name}/package.json`,
    ),
  );
  assertEquals(engines.node, "^20.19.0 || >=22.12.0");
  assertEquals([repository.url, homepage, bugs], [
    "git+https://github.com/owner/name.git",
    "https://github.com/owner/name#readme",
    "https://github.com/owner/name/issues",
  ]);
  // It carries no tests, and no source of the service.
  const files = (await run("tar", "-tzf", archive)).trim().split("\n");
  const allowed =
    /^package\/(((generators|wordlists)\/.*|[a-z]+(\/[a-z]+)?)\.js|.*\.d\.ts|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
  assert(files.every((file) => allowed.test(file)), files.join(" "));
});
