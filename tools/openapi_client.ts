/**
 * Generates the clients of docs/api.md from a running service, compiles them in one
 * program, and runs it. Usage: deno task openapi:client
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { assert, assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../tests/helpers/files.ts";
import { ROOT, serve } from "../tests/helpers/program.ts";
import { download } from "./needs.ts";

/** A client that a generator makes. */
interface Client {
  readonly name: string;
  /** Shell commands that make the client in the folder of a program. */
  readonly commands: string;
  /** TypeScript that calls the client, and has `passwords`. */
  readonly code: string;
}

const [, text = ""] = (await Deno.readTextFile(`${ROOT}docs/api.md`))
  .split("\n## Generate a client\n");
const CLIENTS = [...text.matchAll(
  /^### (?<name>.+)\n[^#]*?```sh\n(?<commands>[^`]*)```\n\n```ts ignore\n(?<code>[^]*?)```$/gm,
)].map(({ groups }) => groups as unknown as Client);
assertEquals(CLIENTS.length, 3);

const [, jq] = /```sh\n(.*jq.*)\n```/.exec(text)!;

/** Reads a row of the table: the version, and the code in backticks. */
function row(name: string): [version: string, code: string] {
  const [, version, code] = RegExp(`^\\| ${name} (\\S+) .*?\`(.+?)\``, "m")
    .exec(text)!;
  return [version!, code!];
}

const URL = "http://localhost:8000/openapi/v1.json";
const SETTINGS = '{ language: "en", wordCount: 5, separator: "-", count: 3 }';
const [oazapfts, base] = row("oazapfts");
const [swagger, api] = row("swagger-typescript-api");
assert(text.includes("`Separator.Hyphen`"));
CLIENTS.push({
  name: "oazapfts",
  commands: `npm install @oazapfts/runtime@1.2.0
npx --yes oazapfts@${oazapfts} ${URL} pwgen.ts`,
  code: `import { defaults, generateWords } from "./pwgen";
${base};
const response = await generateWords(
  ${SETTINGS},
);
if (response.status !== 200) throw new Error(\`\${response.status}\`);
const passwords = response.data.passwords ?? [response.data.password];
`,
}, {
  name: "swagger-typescript-api",
  commands:
    `npx --yes swagger-typescript-api@${swagger} generate --path ${URL} -o . -n pwgen.ts`,
  code: `import { Api, Separator } from "./pwgen";
const { data } = await ${api}.api.generateWords(
  ${SETTINGS.replace('"-"', "Separator.Hyphen")},
);
const passwords = data.passwords ?? [data.password];
`,
});

// The same client from the document whose integers are only integers.
const [{ commands, code }] = CLIENTS as [Client];
CLIENTS.push({
  name: "integers",
  commands: `${jq}\n${commands.replace(`'${URL}'`, "openapi.json")}`,
  code,
});

/** Settings that must not compile, by those that they replace. */
const WRONG: Record<string, string> = {
  'language: "en"': 'language: "fi"',
  "wordCount: 5": "wordCount: true",
};

/** Runs shell commands. There is no deadline, because they may download packages. */
async function run(cwd: string, commands: string): Promise<string> {
  const env = {
    NO_COLOR: "1",
    NPM_CONFIG_AUDIT: "false",
    NPM_CONFIG_PREFER_OFFLINE: "true",
    NPM_CONFIG_UPDATE_NOTIFIER: "false",
  };
  const args = ["-ec", commands];
  const output = await new Deno.Command("sh", { args, cwd, env }).output();
  const [stdout, stderr] = [output.stdout, output.stderr]
    .map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  assert(output.success, stdout + stderr);
  return stdout;
}

const [, generator] = /npx --yes (\S+)/.exec(CLIENTS[0]!.commands)!;
await download(generator!);
await using service = await serve();
await using folder = await tempDir();
const here = (text: string) =>
  text.replaceAll("http://localhost:8000", service.url);
const write = (file: string, text: string) =>
  Deno.writeTextFile(`${folder.path}/${file}`, here(text));
// Without it, npm could install into a folder above this one.
await write("package.json", "{}");
const imports: string[] = [];
for (const [i, { name, commands, code }] of CLIENTS.entries()) {
  await Deno.mkdir(`${folder.path}/${i}`);
  await run(`${folder.path}/${i}`, here(commands));
  // A type "any" would be no type.
  const exports = `
export const all: string[] = passwords;
export const isTyped: 0 extends 1 & typeof passwords ? never : true = true;
`;
  await write(`${i}/client.ts`, code + exports);
  imports.push(`import { all as all${i} } from "./${i}/client.ts";
console.log(JSON.stringify(["${name}", all${i}]));`);
  const wrong = Object.entries({
    ...WRONG,
    ...name === "integers" && { "wordCount: 5": 'wordCount: "5"' },
  });
  for (const [j, [right, value]] of wrong.entries()) {
    assert(code.includes(right));
    const line = RegExp(`^(.*)${right}`, "m");
    const bad = code.replace(line, `// @ts-expect-error\n$1${value}`);
    await write(`${i}/wrong${j}.ts`, `${bad}export {};\n`);
    imports.push(`import type {} from "./${i}/wrong${j}.ts";`);
  }
}
await write("main.ts", imports.join("\n"));
// A bundler finds "./pwgen"; Deno does so with --sloppy-imports.
const stdout = await run(
  folder.path,
  `"${Deno.execPath()}" run --check --no-prompt --allow-net --allow-env --sloppy-imports main.ts`,
);
const lines = stdout.trim().split("\n");
assertEquals(lines.length, CLIENTS.length);
for (const line of lines) {
  const [name, passwords] = JSON.parse(line) as [string, string[]];
  assertEquals(passwords.length, 3, name);
  for (const password of passwords) {
    assertMatch(password, /^\d\d(-[A-Z][a-z]+){5}$/);
  }
  console.log(`${name}: the client compiles, and receives passwords.`);
}
