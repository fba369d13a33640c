/**
 * Runs the commands and the code of the clients in docs/api.md with a running
 * service. Usage: deno task openapi:client
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../tests/helpers/files.ts";
import { ROOT, serve } from "../tests/helpers/program.ts";
import { download } from "./needs.ts";

/** The address of the service in docs/api.md. */
const ADDRESS = "http://localhost:8000";

/** A client that a generator makes. */
interface Client {
  /** The npm package of the generator. */
  readonly name: string;
  /** Shell commands that make the client in the folder of a program. */
  readonly commands: string;
  /** TypeScript that calls the client. */
  readonly code: string;
}

const [, clients = ""] = (await Deno.readTextFile(`${ROOT}docs/api.md`))
  .split("\n## Generate a client\n");
const CLIENTS = [...clients.matchAll(
  /^### (?<name>.+)\n[^#]*```sh\n(?<commands>[^`]*)```\n\n```ts ignore\n(?<code>[^]*?)```$/gm,
)].map(({ groups }) => groups as unknown as Client);
assertEquals(CLIENTS.length, 3);

/** Runs a command. It has no deadline, because it may download packages. */
async function run(cwd: string, command: string, ...args: string[]) {
  const env = { NO_COLOR: "1", NPM_CONFIG_UPDATE_NOTIFIER: "false" };
  const output = await new Deno.Command(command, { args, cwd, env }).output();
  const [stdout, stderr] = [output.stdout, output.stderr]
    .map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  return { code: output.code, stdout, stderr };
}

/** Makes a client, and checks what it receives and which settings it refuses. */
async function check({ name, commands, code }: Client, address: string) {
  await using folder = await tempDir();
  const write = (file: string, text: string) =>
    Deno.writeTextFile(
      `${folder.path}/${file}`,
      text.replaceAll(ADDRESS, address),
    );
  const deno = async (settings: string, ...args: string[]) => {
    await write(
      "use.ts",
      `import { words } from "./client.ts";\nconsole.log((await words(${settings})).join("\\n"));\n`,
    );
    // A bundler finds "./pwgen"; Deno does so with this flag.
    return run(
      folder.path,
      ...[Deno.execPath(), ...args, "--sloppy-imports", "use.ts"] as const,
    );
  };
  // Without it, npm could install into a folder above this one.
  await write("package.json", "{}");
  await write("commands.sh", commands);
  const setup = await run(folder.path, "sh", "-e", "commands.sh");
  assertEquals(setup.code, 0, setup.stderr);
  await write("client.ts", code);

  for (const [count, lines] of [["", 1], [", count: 3", 3]] as const) {
    const { stdout, stderr } = await deno(
      `{ language: "en", wordCount: 5, casing: "lower", numberLength: 0${count} }`,
      ...["run", "--check", "--no-prompt", "--allow-net", "--allow-env"],
    );
    assertMatch(stdout, RegExp(`^([a-z]{15,}\n){${lines}}$`), stderr);
  }
  console.log(`${name}: the client compiles, and receives passwords.`);
  for (const settings of ['{ language: "fi" }', "{ wordCount: true }"]) {
    const { code } = await deno(settings, "check");
    assertEquals(code, 1, settings);
    console.log(`${name}: it does not compile with ${settings}.`);
  }
}

const [, generator] = /npx --yes (\S+)/.exec(CLIENTS[0]!.commands)!;
await download(generator!);
await using service = await serve();
for (const client of CLIENTS) await check(client, service.url);
