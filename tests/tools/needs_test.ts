import { assertEquals, assertRejects } from "@std/assert";
import { importNpm, NO_CHROMIUM } from "../../tools/needs.ts";
import { tempDir } from "../helpers/files.ts";
import { end, spawn } from "../helpers/program.ts";

const NO_HUNSPELL =
  "Cannot find hunspell; install it (Debian: hunspell, hunspell-sv, hunspell-en-us)";

/** Checks that a task ends with status 1, and that it prints only this line. */
async function assertStops(
  task: string,
  env: Record<string, string>,
  line: string,
): Promise<void> {
  const program = spawn(Deno.execPath(), ["task", "-q", task], env);
  assertEquals(await end(program), {
    code: 1,
    stdout: "",
    stderr: `${line}\n`,
  }, task);
}

Deno.test("the tools say in one line which program is missing", async () => {
  await using folder = await tempDir();
  const env = { PATH: folder.path };
  await assertStops("page:audit", env, NO_CHROMIUM);
  await assertStops("page:pictures", env, NO_CHROMIUM);
  await assertStops("wordlists:check", env, NO_HUNSPELL);
  const noWrk = "Cannot find wrk; install it (Debian: wrk)";
  await assertStops("bench:store", env, noWrk);
});

const isUnix = Deno.build.os !== "windows";

Deno.test({
  name: "wordlists:check says in one line which dictionary is missing" +
    (isUnix ? "" : " (skipped: a script is no program on Windows)"),
  ignore: !isUnix,
  fn: async () => {
    await using folder = await tempDir();
    // hunspell ends with status 1 if it cannot open a dictionary.
    const script = '#!/bin/sh\n[ "$1" = --version ] || exit 1\n';
    const mode = 0o755;
    await Deno.writeTextFile(`${folder.path}/hunspell`, script, { mode });
    await assertStops(
      "wordlists:check",
      { PATH: folder.path },
      "hunspell cannot open the dictionary sv_SE; install it (Debian: hunspell-sv)",
    );
  },
});

Deno.test("importNpm() says in one line that the npm registry cannot be reached", async () => {
  await using folder = await tempDir();
  const file = `${folder.path}/import.ts`;
  const module = import.meta.resolve("../../tools/needs.ts");
  await Deno.writeTextFile(
    file,
    `import { importNpm } from "${module}";
    await importNpm("npm:axe-core@4.14.1");`,
  );
  const args = ["run", "--quiet", "--no-config", "--no-lock", "-A", file];
  // Nothing listens there, and Deno has a cache for each registry.
  const NPM_CONFIG_REGISTRY = "http://127.0.0.1:1";
  assertEquals(
    await end(spawn(Deno.execPath(), args, { NPM_CONFIG_REGISTRY })),
    {
      code: 1,
      stdout: "",
      stderr:
        'Cannot load npm:axe-core@4.14.1: Failed loading http://127.0.0.1:1/axe-core for package "axe-core"; connect to the npm registry, or set NPM_CONFIG_REGISTRY to a registry that can be reached\n',
    },
  );
});

Deno.test("importNpm() does not hide an error of the module itself", async () => {
  const module = "data:text/javascript,throw new TypeError('broken')";
  await assertRejects(() => importNpm(module), TypeError, "broken");
});
