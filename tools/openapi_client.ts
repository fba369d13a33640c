/**
 * Generates the clients of docs/clients.md from a running service, compiles them in one
 * program, and runs it. Usage: deno task openapi:client
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { assert, assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../tests/helpers/files.ts";
import { ROOT, serve } from "../tests/helpers/program.ts";

/** A client that a generator makes. */
interface Client {
  readonly name: string;
  /** Shell commands that make the client in the folder of a program. */
  readonly commands: string;
  /** TypeScript that calls the client, and has `passwords`. */
  readonly code: string;
}

const [, text = ""] = (await Deno.readTextFile(`${ROOT}docs/clients.md`))
  .split("\n## Generate a client\n");
const [, commands, code] = /```sh\n([^`]*)```\n\n```ts ignore\n([^]*?)```/.exec(
  text,
)!;
const OPENAPI_FETCH = {
  name: "openapi-fetch",
  commands: commands!,
  code: code!,
};

/** The commands that make simple.json. */
const [, simple] = /```sh\n(curl .*\njq .* simple\.json\n)/.exec(text)!;

/** What the list says of a generator: the version, and the first code. */
function item(name: string): [version: string, code: string] {
  const [, version, code] = RegExp(`^- ${name} (\\S+):\\s+\`(.+?)\``, "m")
    .exec(text)!;
  return [version!, code!];
}

const URL = "http://localhost:8000/openapi/v1.json";
const SETTINGS = '{ language: "en", wordCount: 5, separator: "-", count: 3 }';
const [heyApi, option] = item("@hey-api/openapi-ts");
const [orval, argument] = item("orval");
const [oazapfts, base] = item("oazapfts");
const [swagger, api] = item("swagger-typescript-api");
assert(text.includes("`Separator.Hyphen`"));
const CLIENTS: Client[] = [OPENAPI_FETCH, {
  name: "@hey-api/openapi-ts",
  commands:
    `npm install --save-dev typescript@5.9.3 @hey-api/openapi-ts@${heyApi}
npx openapi-ts -i ${URL} -o pwgen`,
  code: `import { generateWords } from "./pwgen";
const { data } = await generateWords({
  ${option},
  body: ${SETTINGS},
  throwOnError: true,
});
const passwords = data.passwords ?? [data.password];
`,
}, {
  name: "orval",
  commands: `${simple}npm install axios@1.21.1
npx --yes orval@${orval} --input simple.json --output pwgen.ts`,
  code: `import { generateWords } from "./pwgen";
const { data } = await generateWords(
  ${SETTINGS},
  ${argument},
);
const passwords = data.passwords ?? [data.password];
`,
}, {
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
}, {
  // The same client from the document whose integers are only integers.
  ...OPENAPI_FETCH,
  name: "integers",
  commands: simple +
    OPENAPI_FETCH.commands.replace(`'${URL}'`, "simple.json"),
}];

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

await using service = await serve();
await using folder = await tempDir();
const here = (text: string) =>
  text.replaceAll(/http:\/\/localhost:8000|https:\/\/YOUR-HOST/g, service.url)
    .replaceAll("'=https'", "'=http'");
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
