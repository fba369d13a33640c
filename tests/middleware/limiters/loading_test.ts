import { assertEquals } from "@std/assert";
import { copy, tempDir } from "../../helpers/files.ts";
import { end, ROOT, spawn } from "../../helpers/program.ts";

Deno.test("the program loads the code of a store only if it uses the store", async () => {
  const unused = ["shared.ts", "kv.ts", "redis.ts", "resp.ts"];
  await using folder = await tempDir();
  for (const name of Deno.readDirSync(ROOT).map(({ name }) => name)) {
    if (/\.ts$|^(deno|generators|middleware|routes|wordlists)/.test(name)) {
      await copy(ROOT + name, `${folder.path}/${name}`);
    }
  }
  for (const name of unused) {
    await Deno.remove(`${folder.path}/middleware/limiters/${name}`);
  }
  await Deno.writeTextFile(`${folder.path}/program.ts`, 'import "./main.ts"');
  const args = ["run", "--no-prompt", "--allow-env", "program.ts"];
  const result = await end(
    spawn(Deno.execPath(), args, {}, { cwd: folder.path }),
  );
  assertEquals(result, { code: 0, stdout: "", stderr: "" });
});
