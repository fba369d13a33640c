/** The documents that docs/clients.md makes of the OpenAPI document, with jq. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { tempDir } from "../helpers/files.ts";
import {
  end,
  missing,
  ROOT,
  serve,
  spawn,
  unless,
} from "../helpers/program.ts";
import { DESCRIPTION } from "../helpers/schema.ts";

const [redocly] = /@redocly\/cli@\S+/.exec(
  await Deno.readTextFile(`${ROOT}.ci/run`),
)!;
const lint = (...args: string[]) =>
  end(spawn("npx", ["--yes", redocly, ...args]));

const withTools = unless(
  await missing("curl", "jq", "npx") ||
    ((await lint("--version")).code === 0 ? "" : "no npm registry"),
);

withTools.test("docs/clients.md: jq makes valid documents with the address of the service, of OpenAPI 3.1 and 3.0", async () => {
  await using service = await serve();
  await using folder = await tempDir();
  const { path } = folder;
  const text = await Deno.readTextFile(`${ROOT}docs/clients.md`);
  const [, commands] = /```sh\n(curl .*\n(?:jq .*\n){2})```/.exec(text)!;
  const here = commands!.replaceAll("https://YOUR-HOST", service.url)
    .replace("'=https'", "'=http'");
  const { code, stderr } = await end(
    spawn("sh", ["-ec", here], {}, { cwd: path }),
  );
  assertEquals(code, 0, stderr);
  const files = ["openapi", "simple", "openapi30"]
    .map((name) => `${path}/${name}.json`);
  const [openapi, simple, openapi30] = await Promise.all(
    files.map(async (file) => JSON.parse(await Deno.readTextFile(file))),
  );
  const servers = [{ url: service.url }];
  assertEquals(openapi, { ...DESCRIPTION, servers });
  assert(!/text\/plain"|"integer","string"/.test(JSON.stringify(simple)));
  assertMatch(openapi30.openapi, /^3\.0\./);
  assertEquals(openapi30.servers, servers);
  // It checks a document by the version that the document names.
  const rules = `${ROOT}tools/redocly.yaml`;
  const checked = await lint("lint", ...files, "--config", rules);
  assertEquals(checked.code, 0, checked.stdout + checked.stderr);
});
