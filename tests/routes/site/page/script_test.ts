import { assert, assertEquals } from "@std/assert";
import { LANGUAGES } from "../../../../routes/site/page/languages.ts";
import { NAMES } from "../../../../routes/site/page/purposes.js";
import { joined, SCRIPTS } from "../../../../routes/site/page/script.ts";
import { tempDir } from "../../../helpers/files.ts";
import { end, ROOT, spawn } from "../../../helpers/program.ts";

const FOLDER = `${ROOT}routes/site/page/`;

/** The code of all modules of the page, by name. */
const MODULES = new Map(Object.values(SCRIPTS).flatMap(Object.entries<string>));

/** Runs `deno`; returns what it printed. */
async function deno(...args: string[]): Promise<string> {
  const { stdout, stderr } = await end(spawn(Deno.execPath(), args));
  return stdout + stderr;
}

Deno.test("the modules of a script can share a scope: each name is declared once, and before its use", async () => {
  await using folder = await tempDir();
  const settings = {
    compilerOptions: {
      checkJs: true,
      strict: false, // a joined script has no comments with types
      lib: ["dom", "dom.iterable", "esnext"],
    },
  };
  await Deno.writeTextFile(
    `${folder.path}/deno.json`,
    JSON.stringify(settings),
  );
  for (const [name, modules] of Object.entries(SCRIPTS)) {
    const code = joined(modules).replace(/^export /gm, "");
    await Deno.writeTextFile(`${folder.path}/${name}.js`, code);
    // No comment is left, nor a part of one.
    assertEquals(code.match(/^(\/[/*]|\*| ).*/gm), null);
  }
  const scripts = Object.keys(SCRIPTS).map((name) =>
    `${folder.path}/${name}.js`
  );
  const printed = await deno(
    "check",
    "--quiet",
    `--config=${folder.path}/deno.json`,
    ...scripts,
  );
  const errors = printed.match(
    /TS(2300|2304|2307|2393|2448|2449|2451) .*|.*(parsed|declared).*/g,
  );
  assertEquals(errors, null);
});

Deno.test("no name of a module hides one of the browser that another module means", async () => {
  const files = [...MODULES.keys()].map((name) => `${FOLDER}${name}.js`);
  const { diagnostics } = JSON.parse(
    await deno("lint", "--json", "--rules-include=no-undef", ...files),
  ) as { diagnostics: { code: string; message: string }[] };
  const browser = new Set(
    diagnostics.filter(({ code }) => code === "no-undef")
      .map(({ message }) => message.split(" ")[0]!),
  );
  assert(browser.has("document"));
  for (const [module, code] of MODULES) {
    const names = code
      .matchAll(/^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/gm);
    for (const [, name] of names) {
      const isHidden = browser.has(name!) || Object.hasOwn(globalThis, name!);
      assert(!isHidden, `${module}: ${name}`);
    }
  }
});

Deno.test("the scripts are all modules of the folders", async () => {
  const modules: string[] = [];
  for (const folder of ["", "list/"]) {
    for await (const { name } of Deno.readDir(FOLDER + folder)) {
      if (name.endsWith(".js")) {
        modules.push(folder + name.slice(0, -".js".length));
      }
    }
  }
  assertEquals(modules.sort(), [...MODULES.keys()].sort());
});

Deno.test("each text of the page is used, and each that is used is there", async () => {
  const files = [
    "page/frame.html",
    "page/page.html",
    "page/list/list.html",
    "page/mod.ts",
    "page/forms.ts",
    "not_found.html",
  ];
  const sources = await Promise.all(
    files.map((file) => Deno.readTextFile(`${ROOT}routes/site/${file}`)),
  );
  const all = [...sources, ...MODULES.values()].join("\n");
  const { name: _, fields: __, ...regions } = LANGUAGES.en;
  const known = Object.assign({}, ...Object.values(regions));
  // A text that the code names in full, or chooses between two.
  const used = [
    ...all.matchAll(/\btext\(\s*(?:[^"`()]+\? )?"([^"]+)"(?:\s*: "([^"]+)")?/g),
    ...all.matchAll(/data-(?:text|label)="([\w.]+)"/g),
  ].flatMap(([, ...keys]) => keys.filter((key) => key !== undefined));
  assert(used.length > 50, `${used.length}`);
  assertEquals(used.filter((key) => !Object.hasOwn(known, key)), []);
  for (const name of NAMES) assert(known[`help.${name}`], name);
  // Others have a name in them, such as `help.${name}`, or that of a field.
  const named = [...all.matchAll(/["`]([\w.]+\.)\$\{/g)]
    .map(([, start]) => start!);
  const unused = Object.keys(known).filter((key) => {
    const [first] = key.split(".");
    const isNamed = named.some((start) => key.startsWith(start)) ||
      Object.hasOwn(LANGUAGES.en.fields, first!);
    // One for the number 1, or for the button of a person, has the key of another.
    const base = key.replace(/\.(one|of)$/, "");
    return !all.includes(`"${base}"`) && !all.includes(`{${key}}`) && !isNamed;
  });
  assertEquals(unused, []);
});
