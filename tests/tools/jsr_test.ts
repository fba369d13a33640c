import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import metadata from "../../deno.json" with { type: "json" };
import { copyRepository, tempDir, textFiles } from "../helpers/files.ts";
import { end, freePorts, spawn, unless } from "../helpers/program.ts";

const onMirror = unless(
  metadata.imports["@std/assert"].startsWith("npm:") ? "" : "JSR is in use",
);

/** A registry with version 1.0.0 of every package, whose modules are empty. */
function startRegistry() {
  const source = "export {};\n";
  const checksum = createHash("sha256").update(source).digest("hex");
  const exports = Object.keys(metadata.imports)
    .map((name) => [name.replace(/^@std\/\w+/, "."), "./mod.ts"]);
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) => {
      if (url.endsWith("/meta.json")) {
        return Response.json({ versions: { "1.0.0": {} } });
      }
      if (url.endsWith("/1.0.0_meta.json")) {
        return Response.json({
          manifest: { "/mod.ts": { checksum: `sha256-${checksum}` } },
          exports: Object.fromEntries(exports),
        });
      }
      return new Response(source);
    },
  );
}

onMirror.test("deno task jsr changes nothing if the registry is out of reach; else it takes each package from JSR, and leaves no --no-remote, with which Deno refuses its modules", async () => {
  await using folder = await tempDir();
  const texts = textFiles();
  await copyRepository(folder.path);
  const read = (path: string) => Deno.readTextFile(`${folder.path}/${path}`);
  const run = (port: number) => {
    const JSR_URL = `http://127.0.0.1:${port}`;
    const env = { JSR_URL, DENO_DIR: `${folder.path}/cache` };
    const options = { cwd: folder.path };
    return end(spawn(Deno.execPath(), ["task", "-q", "jsr"], env, options));
  };

  const failure = await run(freePorts(1)[0]!);
  assertEquals(failure.code, 1);
  assertMatch(failure.stderr, /^Cannot take JSR, so nothing is changed: .+\n$/);
  for (const [path, text] of texts) assertEquals(await read(path), text, path);

  await using registry = startRegistry();
  const { code, stderr } = await run(registry.addr.port);
  assertEquals(code, 0, stderr);
  const { imports, compilerOptions, tasks, ...rest } = metadata;
  const { types: _, ...options }: Record<string, unknown> = compilerOptions;
  assertEquals(JSON.parse(await read("deno.json")), {
    ...rest,
    imports: Object.fromEntries(
      Object.keys(imports).map((name) => [
        name,
        name.replace(/^@std\/\w+/, "jsr:$&@1"),
      ]),
    ),
    compilerOptions: options,
    tasks: JSON.parse(JSON.stringify(tasks).replaceAll(" --no-remote", "")),
  });
  const lock = await read("deno.lock");
  assertEquals(new Set(lock.match(/(npm|jsr):/g)), new Set(["jsr:"]));
  await assertRejects(() => read("std.d.ts"), Deno.errors.NotFound);

  texts.delete("std.d.ts");
  for (const path of texts.keys()) {
    if (/\.md$|jsr/.test(path)) continue;
    assert(!(await read(path)).includes("--no-remote"), path);
  }
});
