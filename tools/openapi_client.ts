/**
 * Runs the commands and the code of the typed client in docs/api.md with a
 * running service. Usage: deno task openapi:client
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../tests/helpers/files.ts";
import { end, ROOT, serve, spawn } from "../tests/helpers/program.ts";
import { download } from "./needs.ts";

const document = await Deno.readTextFile(`${ROOT}docs/api.md`);
const section = document.slice(document.indexOf("## Typed client"));
const [, commands] = /```sh\n(.*?)```/s.exec(section)!;
const [, client] = /```ts ignore\n(.*?)```/s.exec(section)!;
const [, generator] = /npx --yes (\S+)/.exec(commands!)!;
await download(generator!);

await using folder = await tempDir();
await using service = await serve();
const withUrl = (text: string) =>
  text.replaceAll("http://localhost:8000", service.url);

/** Runs a command in the folder. */
const run = (command: string, ...args: string[]) =>
  end(spawn(command, args, {}, { cwd: folder.path }));

/** Runs deno for a program that calls the client with these settings. */
async function deno(settings: string, ...args: string[]) {
  await Deno.writeTextFile(
    `${folder.path}/use.ts`,
    `import { words } from "./client.ts";\nconsole.log(await words(${settings}));\n`,
  );
  return await run(Deno.execPath(), ...args, "use.ts");
}

const setup = await run("sh", "-ec", withUrl(commands!));
assertEquals(setup.code, 0, setup.stderr);
await Deno.writeTextFile(`${folder.path}/client.ts`, withUrl(client!));
const { stdout, stderr } = await deno(
  '{ language: "en", wordCount: 5, casing: "lower", numberLength: 0 }',
  ...["run", "--check", "--allow-net"],
);
assertMatch(stdout, /^[a-z]{15,}\n$/, stderr);
console.log("The client in docs/api.md compiles, and receives a password.");

for (const settings of ['{ language: "fi" }', "{ wordCount: true }"]) {
  const { code } = await deno(settings, "check");
  assertEquals(code, 1, settings);
  console.log(`The client does not compile with ${settings}.`);
}
