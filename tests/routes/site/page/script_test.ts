import { assert, assertEquals } from "@std/assert";
import { textsIn } from "../../../../routes/site/page/languages.ts";
import { PRESETS } from "../../../../routes/site/page/purposes.js";
import { SCRIPTS } from "../../../../routes/site/page/script.ts";
import { end, ROOT, spawn } from "../../../helpers/program.ts";
import { ask } from "../../../helpers/service.ts";

const FOLDER = `${ROOT}routes/site/page/`;

/** The modules of each script. */
const ALL: [script: string, modules: [string, string][]][] = Object.entries(
  SCRIPTS,
).map(([script, modules]) => [script, Object.entries(modules)]);
const MODULES = new Map(ALL.flatMap(([, modules]) => modules));

/** An import of one module by another. */
const IMPORT = /^(?:import|export) (?:{([^}]*)} from )?"\.\/(\w+)\.js";$/gm;
/** A name of the top level. */
const DECLARED = /^(export )?(?:async )?(?:function|const|let|class) (\w+)/gm;

const namesIn = (list: string) =>
  list.split(",").map((each) => each.trim()).filter(Boolean);
const declared = (code: string) =>
  [...code.matchAll(DECLARED)].map(([, , name]) => name!);

/** The names in modules that nothing in them declares, by `deno lint`. */
async function unknownNames(): Promise<Set<string>> {
  const files = MODULES.keys().map((module) => `${FOLDER}${module}.js`);
  const args = ["lint", "--json", "--rules-include=no-undef", ...files];
  const { stdout } = await end(spawn(Deno.execPath(), args));
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; message: string }[];
  };
  return new Set(
    diagnostics.filter(({ code }) => code === "no-undef")
      .map(({ message }) => message.split(" ")[0]!),
  );
}

Deno.test("the modules of a script share a scope: no name of the top level stands twice, or hides one of the browser", async () => {
  const unknown = await unknownNames();
  assert(unknown.has("document"));
  for (const [script, modules] of ALL) {
    const own = modules.map(([name]) => name);
    const names = modules.flatMap(([, code]) => {
      const imported = [...code.matchAll(IMPORT)]
        .flatMap(([, list = "", from]) =>
          own.includes(from!) ? [] : namesIn(list)
        );
      return [...declared(code), ...imported];
    });
    assertEquals(names.filter((name, i) => names.indexOf(name) !== i), []);
    // A name that a module neither declares nor imports is one of the browser.
    assertEquals(names.filter((name) => unknown.has(name)), [], script);
    assertEquals(names.filter((name) => Object.hasOwn(globalThis, name)), []);
    // Each declaration has one name.
    for (const [name, code] of modules) {
      const all = code.match(
        /^(export )?(async )?(function|const|let|var|class)\b/gm,
      );
      assertEquals(declared(code).length, all?.length ?? 0, name);
    }
  }
});

Deno.test("each module imports what others export, and stands after them", () => {
  const exported = new Map<string, string[]>();
  for (const [script, modules] of ALL) {
    for (const [module, code] of modules) {
      const imports = [...code.matchAll(IMPORT)];
      // No import has another form, which the joiner would not see.
      const all = code.match(/^\s*import\s|^\s*export [{*]/gm);
      assertEquals(imports.length, all?.length ?? 0, module);
      for (const [, list = "", from] of imports) {
        assert(exported.has(from!), `${module} stands before ${from}`);
        for (const name of namesIn(list)) {
          assert(exported.get(from!)!.includes(name), `${module}: ${name}`);
        }
        // The joiner takes what is in another script from that of the page.
        const home = ALL.find(([, each]) =>
          each.some(([name]) => name === from)
        );
        assert([script, "page"].includes(home![0]), `${module}: ${from}`);
      }
      const names = [...code.matchAll(DECLARED)]
        .filter(([, isExported]) => isExported).map(([, , name]) => name!);
      exported.set(module, names);
    }
  }
});

Deno.test("the scripts are all modules of the folder, and the page loads each script", async () => {
  const loaded = ["page"];
  for (const code of MODULES.values()) {
    for (const [, name] of code.matchAll(/import\("\.\/(\w+)\.js"\)/g)) {
      loaded.push(name!);
    }
  }
  assertEquals(loaded.sort(), Object.keys(SCRIPTS).sort());
  const modules: string[] = [];
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (name.endsWith(".js")) modules.push(name.slice(0, -".js".length));
  }
  assertEquals(modules.sort(), [...MODULES.keys()].sort());
  for (const module of modules) {
    const code = await Deno.readTextFile(`${FOLDER}${module}.js`);
    assert(code.split("\n").length <= 250, module);
  }
});

/** The HTML and scripts of the page, and the code that makes pages on the server. */
async function sources(): Promise<string> {
  const html = await Promise.all(
    ["/", "/nowhere"].map(async (path) =>
      (await (await ask(path, { headers: { accept: "text/html" } })).text())
        .replace(/id="texts">.*?<\/script>/s, "")
    ),
  );
  const server = await Promise.all(
    ["page/page.html", "page/mod.ts", "not_found.ts"].map((file) =>
      Deno.readTextFile(`${ROOT}routes/site/${file}`)
    ),
  );
  return [...html, ...server, ...MODULES.values()].join("\n");
}

Deno.test("each text of the page is used, and each that is used is there", async () => {
  const all = await sources();
  const known = textsIn("en");
  // A text that the code names in full, or chooses between two.
  const used = [
    ...all.matchAll(/\btext\(\s*(?:[^"`()]+\? )?"([^"]+)"(?:\s*: "([^"]+)")?/g),
    ...all.matchAll(/data-(?:text|label|placeholder|help)="([\w.]+)"/g),
  ].flatMap(([, ...keys]) => keys.filter((key) => key !== undefined));
  assert(used.length > 200, `${used.length}`);
  assertEquals(used.filter((key) => !Object.hasOwn(known, key)), []);
  for (const name of Object.keys(PRESETS)) {
    assert(known[`help.${name}`], name);
  }
  // Names in texts, such as `help.${name}`, can be any word.
  const templates = [...all.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)]
    .map(([, template]) =>
      template!.replace(/\$\{[^}]*\? "(\w+)" : "(\w+)"\}/g, "($1|$2)")
        .replace(/\$\{[^}]*\}/g, "[$\\w]+").replaceAll(".", "\\.")
    )
    .filter((pattern) => /^\(?[a-z]\w+[\\|]/.test(pattern));
  const patterns = RegExp(`^(${templates.join("|")})$`);
  const literals = new Set(
    [...all.matchAll(/"([^"\n]*)"|\{(\w+)\}/g)]
      .map(([, literal, name]) => literal ?? name),
  );
  const unused = Object.keys(known)
    .filter((key) => !literals.has(key) && !patterns.test(key));
  assertEquals(unused, []);
});
