import { assert, assertEquals } from "@std/assert";
import metadata from "../../deno.json" with { type: "json" };
import { copy, tempDir } from "../helpers/files.ts";
import { end, ROOT, spawn, unless } from "../helpers/program.ts";

const onMirror = unless(
  metadata.imports["@std/assert"].startsWith("npm:") ? "" : "JSR is in use",
);

onMirror.test("deno task jsr takes each package from JSR, and leaves no --no-remote, with which Deno refuses its modules", async () => {
  await using folder = await tempDir();
  for (const path of ["deno.json", "std.d.ts", "deploy", "tests", "tools"]) {
    await copy(ROOT + path, `${folder.path}/${path}`);
  }
  // The second command of the task needs JSR.
  const [command] = metadata.tasks.jsr.command.split(" && ");
  const program = spawn(Deno.execPath(), command!.split(" ").slice(1), {}, {
    cwd: folder.path,
  });
  assertEquals((await end(program)).code, 0);
  const read = (path: string) => Deno.readTextFile(`${folder.path}/${path}`);

  const { imports, compilerOptions, tasks, ...rest } = metadata;
  const { types: _, ...options } = compilerOptions;
  const changed = JSON.parse(await read("deno.json"));
  assertEquals(changed, {
    ...rest,
    imports: {
      "@std/assert": "jsr:@std/assert@1",
      "@std/http/etag": "jsr:@std/http@1/etag",
      "@std/http/negotiation": "jsr:@std/http@1/negotiation",
      "@std/http/status": "jsr:@std/http@1/status",
      "@std/path": "jsr:@std/path@1",
      "@std/testing/mock": "jsr:@std/testing@1/mock",
      "@std/text/closest-string": "jsr:@std/text@1/closest-string",
      "@std/yaml": "jsr:@std/yaml@1",
    },
    compilerOptions: options,
    tasks: JSON.parse(JSON.stringify(tasks).replaceAll(" --no-remote", "")),
  });
  assertEquals(Object.keys(changed.imports), Object.keys(imports));
  const names = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
  assert(!names.includes("std.d.ts"));

  const list = ["grep", "-l", "-e", "--no-remote", "--", ":!*.md", ":!*jsr*"];
  const { stdout } = await end(spawn("git", list));
  const files = stdout.trim().split("\n");
  assert(files.length > 1);
  for (const file of files) {
    assert(!(await read(file)).includes("--no-remote"), file);
  }
});
