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
