/**
 * Runs the commands and the code of the typed client in docs/api.md, as they
 * stand there, against the real service. Usage: deno task openapi:client
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { assert, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { serve } from "../tests/helpers/program.ts";

const document = await Deno.readTextFile(
  fromFileUrl(import.meta.resolve("../docs/api.md")),
);
const section = document.slice(document.indexOf("## Typed client"));
const [, commands] = /```sh\n(.*?)```/s.exec(section)!;
const [, client] = /```ts ignore\n(.*?)```/s.exec(section)!;

const folder = await Deno.makeTempDir();
{
  await using service = await serve();
  const here = (text: string) =>
    text.replaceAll("http://localhost:8000", service.url);

  /** Runs a command in the folder; fails if it fails. */
  const run = async (command: string, ...args: string[]) => {
    const { success, stdout } = await new Deno.Command(command, {
      args,
      cwd: folder,
      stderr: "inherit",
      env: { NO_COLOR: "1" },
    }).output();
    assert(success, `${command} ${args.join(" ")}`);
    return new TextDecoder().decode(stdout);
  };

  await run("sh", "-ec", here(commands!));
  await Deno.writeTextFile(`${folder}/client.ts`, here(client!));
  const use = (settings: string) =>
    Deno.writeTextFile(
      `${folder}/use.ts`,
      `import { words } from "./client.ts";\nconsole.log(await words(${settings}));\n`,
    );
  const deno = Deno.execPath();
  await use(
    '{ language: "en", wordCount: 5, casing: "lower", numberLength: 0 }',
  );
  const password = await run(deno, "run", "--check", "--allow-net", "use.ts");
  assertMatch(password, /^[a-z]{15,}\n$/);
  console.log("The client of docs/api.md compiles, and gets a password.");

  // What the API does not take, the compiler does not take either.
  for (const settings of ['{ language: "fi" }', "{ wordCount: true }"]) {
    await use(settings);
    const { success } = await new Deno.Command(deno, {
      args: ["check", "use.ts"],
      cwd: folder,
      stderr: "null",
    }).output();
    assert(!success, settings);
    console.log(`It does not compile with ${settings}.`);
  }
}
await Deno.remove(folder, { recursive: true });
