/**
 * Checks the OpenAPI document of a running service with the recommended rules
 * of Redocly (npm). Usage: deno task openapi:lint
 *
 * @module
 */
import { tempDir } from "../tests/helpers/files.ts";
import { ROOT, serve } from "../tests/helpers/program.ts";
import { download, LOCKED } from "./needs.ts";

const REDOCLY = "npm:@redocly/cli@2.37.0";
await download(REDOCLY);

await using folder = await tempDir();
await using service = await serve();
const file = `${folder.path}/openapi.json`;
const response = await fetch(`${service.url}/openapi/v1.json`);
await Deno.writeTextFile(file, await response.text());
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["run", ...LOCKED, "--allow-all"]
    .concat(REDOCLY, "lint", file)
    .concat("--config", `${ROOT}tools/redocly.yaml`),
}).spawn().status;
Deno.exitCode = code;
