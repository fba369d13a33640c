import { assertEquals } from "@std/assert";
import { copy, tempDir } from "../../helpers/files.ts";
import { end, ROOT, spawn } from "../../helpers/program.ts";

Deno.test("the program loads the code of a store only if it uses the store", async () => {
  const shared = ["shared.ts", "connection.ts", "store.ts"];
  const create = (store: string) =>
    `import { createSharedLimiter } from "./middleware/limiters/create.ts";
    const options = { limit: 60, maxClients: 1000, warn: () => {} };
    await createSharedLimiter(${store}, options);`;
  const cases: [program: string, unused: string[]][] = [
    ['import "./main.ts"', [...shared, "kv.ts", "redis.ts", "resp.ts"]],
    [create('"kv"'), ["redis.ts", "resp.ts"]],
    [create("{}"), ["kv.ts"]],
  ];
  await using folder = await tempDir();
  for (const name of Deno.readDirSync(ROOT).map(({ name }) => name)) {
    if (/\.ts$|^(deno|generators|middleware|routes|wordlists)/.test(name)) {
      await copy(ROOT + name, `${folder.path}/${name}`);
    }
  }
  for (const [program, unused] of cases) {
    const paths = unused.map((name) => `middleware/limiters/${name}`);
    for (const path of paths) await Deno.remove(`${folder.path}/${path}`);
    await Deno.writeTextFile(`${folder.path}/program.ts`, program);
    const args = ["run", "--no-prompt", "--allow-env", "program.ts"];
    const result = await end(
      spawn(Deno.execPath(), args, {}, { cwd: folder.path }),
    );
    assertEquals(result, { code: 0, stdout: "", stderr: "" });
    for (const path of paths) await copy(ROOT + path, `${folder.path}/${path}`);
  }
});
