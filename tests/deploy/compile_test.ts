/**
 * The executable of the task "compile". The first test uses Deno itself in place
 * of the runtime for executables, which Deno downloads. The result cannot run,
 * but it embeds the same files.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { compileArgs } from "../../deploy/compile.ts";
import metadata from "../../deno.json" with { type: "json" };
import { tempDir } from "../helpers/files.ts";
import { testWay } from "./contract.ts";
import {
  end,
  listening,
  ROOT,
  spawn,
  TLS,
  tlsClient,
  unless,
} from "../helpers/program.ts";

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

/** A folder or a file in the list of embedded files. */
type Entry =
  | { Dir: { n: string; e: Entry[] } }
  | { File: { n: string; o: [offset: number, length: number] } };

/** The embedded files of an executable, with the place of their content. */
function embedded(binary: Buffer): Map<string, [number, number]> {
  // The list of embedded files is JSON, and this folder is its first entry.
  const start = binary.lastIndexOf('[{"Dir":{"n":".deno_compile_node_modules"');
  assert(start > 0, "No list of embedded files");
  let depth = 0;
  let stop = start;
  do {
    const byte = String.fromCharCode(binary[stop++]!);
    if ("[{".includes(byte)) depth++;
    if ("]}".includes(byte)) depth--;
  } while (depth > 0);
  const files = new Map<string, [number, number]>();
  const visit = (path: string, entries: Entry[]) => {
    for (const entry of entries) {
      if ("Dir" in entry) visit(`${path}${entry.Dir.n}/`, entry.Dir.e);
      else files.set(path + entry.File.n, entry.File.o);
    }
  };
  visit("", JSON.parse(binary.toString("utf8", start, stop)));
  return files;
}

/** The library, which the program does not use, and types. */
const NOT_EMBEDDED = ["generators/mod.ts", "routes/context.ts"];

/** The files of a folder that are embedded. */
function* programFiles(path: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(ROOT + path)) {
    if (isDirectory) yield* programFiles(`${path}${name}/`);
    else if (!NOT_EMBEDDED.includes(path + name)) yield path + name;
  }
}

Deno.test("the executable embeds the program with its lists and its page, and nothing else", async () => {
  const { file, failure } = await compile("embedded", {
    DENORT_BIN: Deno.execPath(),
  });
  assertEquals(failure, undefined);
  const binary = Buffer.from(await Deno.readFile(file));
  const files = embedded(binary);
  const own = [...files.keys()].filter((path) =>
    !path.startsWith(".deno_compile_node_modules/localhost/deno-std/1.4.0/")
  );
  const folders = ["generators/", "middleware/", "routes/", "wordlists/"];
  assertEquals(
    own.sort(),
    [
      ...["app.ts", "config.ts", "deno.json", "flags.ts"],
      ...["generate.ts", "log.ts", "main.ts", "serve.ts"],
      ...folders.flatMap((folder) => [...programFiles(folder)]),
    ].sort(),
  );

  // Offsets are relative to the first content, which a known file locates.
  const text = await Deno.readFile(`${ROOT}wordlists/sv/words.txt`);
  const origin = binary.lastIndexOf(text) -
    files.get("wordlists/sv/words.txt")![0];
  const texts = own.filter((path) => !path.endsWith(".ts"));
  assert(texts.length >= 16, String(texts));
  for (const path of texts) {
    const [offset, length] = files.get(path)!;
    const content = binary.subarray(origin + offset, origin + offset + length);
    assert(content.equals(await Deno.readFile(ROOT + path)), path);
  }
  const added = binary.length - (await Deno.stat(Deno.execPath())).size;
  // deno-lint-ignore no-console
  console.log(`  Without Deno's runtime: ${(added / 1e6).toFixed(1)} MB`);
});

Deno.test("deno task compile says in one line why there is no runtime to embed", async () => {
  // A folder of Deno with the npm packages of this one, but without its runtime.
  await using denoDir = await tempDir();
  const { stdout } = await end(spawn(Deno.execPath(), ["info", "--json"]));
  const { npmCache } = JSON.parse(stdout);
  await Deno.symlink(npmCache, `${denoDir.path}/npm`, { type: "junction" });
  const { DENORT_BIN: _, ...env } = Deno.env.toObject();
  const cases: [Record<string, string>, string][] = [
    // No proxy listens there.
    [
      { HTTPS_PROXY: "http://127.0.0.1:1" },
      `Cannot compile: dl.deno.land, which has the Deno runtime for executables, cannot be reached; connect to it, or set DENORT_BIN to the path of denort ${Deno.version.deno}`,
    ],
    [
      { DENORT_BIN: "/missing" },
      "Cannot compile: DENORT_BIN: Could not find denort at '/missing'",
    ],
  ];
  for (const task of ["compile", "compile:all"]) {
    for (const [variables, line] of cases) {
      const { code, stderr } = await end(spawn(
        Deno.execPath(),
        ["task", "-q", task],
        // Deno has colours unless NO_COLOR is set, which this variable overrides.
        { ...env, FORCE_COLOR: "1", DENO_DIR: denoDir.path, ...variables },
        { clearEnv: true },
      ));
      assertEquals(code, 1);
      const lines = stderr.trim().split("\n");
      assertEquals(lines.pop(), line);
      for (const line of lines) assertMatch(line, /^(Check|Compile|Download) /);
    }
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
  const version = await end(
    spawn(file, ["--version"], {}, { cwd, clearEnv: true }),
  );
  assertEquals([version.code, version.stdout], [0, `${metadata.version}\n`]);

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
