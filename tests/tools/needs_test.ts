import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { importNpm, NO_CHROMIUM } from "../../tools/needs.ts";
import { copy, tempDir } from "../helpers/files.ts";
import { end, spawn, testUnless } from "../helpers/program.ts";
import { CHROMIUM } from "../helpers/webdriver.ts";

const NO_HUNSPELL =
  "Cannot find hunspell; install it (Debian: hunspell, hunspell-sv, hunspell-en-us)";

/** Checks that a task ends with status 1, and that it prints only this line. */
async function assertStops(
  task: string,
  env: Record<string, string>,
  line: string | RegExp,
): Promise<void> {
  const program = spawn(Deno.execPath(), ["task", "-q", task], env);
  const { code, stdout, stderr } = await end(program);
  assertEquals([code, stdout], [1, ""], task);
  if (typeof line === "string") assertEquals(stderr, `${line}\n`, task);
  else assertMatch(stderr, line, task);
}

Deno.test("the tools say in one line which program is missing", async () => {
  await using folder = await tempDir();
  const env = { PATH: folder.path };
  await assertStops("page:audit", env, NO_CHROMIUM);
  await assertStops("page:pictures", env, NO_CHROMIUM);
  await assertStops("wordlists:check", env, NO_HUNSPELL);
  const noWrk = "Cannot find wrk; install it (Debian: wrk)";
  await assertStops("bench:store", env, noWrk);
  const noNpx = "Cannot find npx; install it (Debian: npm)";
  await assertStops("openapi:client", env, noNpx);
});

/** Registers a test with a program that is a script in the only folder of PATH. */
function testWithScript(
  name: string,
  [program, script]: [string, string],
  task: string,
  line: string,
): void {
  const isWindows = Deno.build.os === "windows";
  const reason = isWindows ? "a script is no program on Windows" : "";
  testUnless(reason, name, async () => {
    await using folder = await tempDir();
    const file = `${folder.path}/${program}`;
    await Deno.writeTextFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await assertStops(task, { PATH: folder.path }, line);
  });
}

testWithScript(
  "wordlists:check says in one line which dictionary is missing",
  // hunspell ends with status 1 if it cannot open a dictionary.
  ["hunspell", '[ "$1" = --version ] || exit 1'],
  "wordlists:check",
  "hunspell cannot open the dictionary sv_SE; install it (Debian: hunspell-sv)",
);

const CONNECT =
  "; connect to the npm registry, or set NPM_CONFIG_REGISTRY to a registry that can be reached";

/** Makes a folder of Deno (DENO_DIR) that has only the standard library. */
async function denoDirWithStd() {
  const folder = await tempDir();
  const info = await end(spawn(Deno.execPath(), ["info", "--json"]));
  const { npmCache } = JSON.parse(info.stdout);
  for await (const { name: registry } of Deno.readDir(npmCache)) {
    const from = `${npmCache}/${registry}/deno-std`;
    if (!(await Deno.stat(from).catch(() => undefined))) continue;
    const to = `${folder.path}/npm/${registry}`;
    await Deno.mkdir(to, { recursive: true });
    await copy(from, `${to}/deno-std`);
  }
  return folder;
}

Deno.test("the tools say in one line that the npm registry cannot be reached", async () => {
  await using denoDir = await denoDirWithStd();
  const proxy = "http://127.0.0.1:1"; // nothing listens there
  const env = {
    DENO_DIR: denoDir.path,
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
  };
  // The last one imports a package, and the others run one.
  const tasks = ["openapi:lint", "ci:lint", "deploy:lint"]
    .concat(CHROMIUM ? "page:audit" : []);
  for (const task of tasks) {
    await assertStops(
      task,
      env,
      RegExp(
        `^Cannot load npm:\\S+@[\\d.]+: Failed (loading|caching) .*${CONNECT}\n$`,
      ),
    );
  }
});

testWithScript(
  "openapi:client says in one line that npx cannot reach the npm registry",
  [
    "npx",
    "printf 'npm error %s\\n' 'code ECONNREFUSED' 'syscall connect' >&2; exit 1",
  ],
  "openapi:client",
  `Cannot load openapi-typescript@7.13.0: ECONNREFUSED${CONNECT}`,
);

Deno.test("importNpm() does not hide an error of the module itself", async () => {
  const module = "data:text/javascript,throw new TypeError('broken')";
  await assertRejects(() => importNpm(module), TypeError, "broken");
});
