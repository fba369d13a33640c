/**
 * The executable of the task "compile". The first test uses Deno itself in place
 * of the runtime for executables, which Deno downloads. The result cannot run,
 * but it embeds the same texts.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { compileArgs } from "../../../deploy/compile.ts";
import { tempDir } from "../../helpers/files.ts";
import { testWay } from "./contract.ts";
import {
  end,
  listening,
  ROOT,
  spawn,
  TLS,
  tlsClient,
  unless,
} from "../../helpers/program.ts";

const folder = await Deno.makeTempDir();
globalThis.addEventListener(
  "unload",
  () => Deno.removeSync(folder, { recursive: true }),
);

/** Runs Deno as the task "compile" does; its errors if it failed. */
async function compile(
  name: string,
  env: Record<string, string> = {},
): Promise<{ file: string; failure?: string }> {
  const output = `${folder}/${name}`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: compileArgs(output),
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const file = output + (Deno.build.os === "windows" ? ".exe" : "");
  const failure = new TextDecoder().decode(stderr);
  return success ? { file } : { file, failure };
}

Deno.test("the executable embeds the word lists and the page, but no document", async () => {
  const DENORT_BIN = Deno.execPath();
  const { file, failure } = await compile("embedded", { DENORT_BIN });
  assertEquals(failure, undefined);
  // What is embedded follows the runtime.
  const { size } = await Deno.stat(DENORT_BIN);
  const added = Buffer.from(await Deno.readFile(file)).subarray(size);
  const embeds = async (path: string) =>
    added.includes(Buffer.from(await Deno.readFile(ROOT + path)));
  for (const folder of ["wordlists/en", "wordlists/sv", "routes/site/page"]) {
    for (const { name, isFile } of Deno.readDirSync(ROOT + folder)) {
      if (!isFile || name.endsWith(".ts") || name === "deno.json") continue;
      assert(await embeds(`${folder}/${name}`), `${folder}/${name}`);
    }
  }
  for (const path of ["README.md", "deploy/Dockerfile", "tests/tls/key.pem"]) {
    assert(!await embeds(path), path);
  }
});

const { file, failure } = await compile("pwgen-api");
const reason = failure?.split("\n").find((line) =>
  /error sending|dns/.test(line)
);

const missing = reason && `no runtime to embed: ${reason.trim()}`;

testWay({
  name: "the executable",
  missing,
  start: (env = {}) => spawn(file, [], env),
});

const onExecutable = unless(missing);
onExecutable.test("the executable serves with TLS, and generates", async () => {
  assertEquals(failure, undefined);
  await using elsewhere = await tempDir(); // a folder without the sources
  const cwd = elsewhere.path;
  const words = ["generate", "words", "--language=en", "--count=2"];
  const generated = await end(spawn(file, words, {}, { cwd, clearEnv: true }));
  assertEquals([generated.code, generated.stderr], [0, ""]);
  assertMatch(generated.stdout, /^(\d\d([A-Z][a-z]+){4}\n){2}$/);

  await using secure = await listening(spawn(file, [], TLS));
  using client = await tlsClient();
  const url = secure.url.replace("127.0.0.1", "localhost");
  const response = await fetch(`${url}/healthz`, { client });
  assertEquals(await response.json(), { status: "ok" });
});
