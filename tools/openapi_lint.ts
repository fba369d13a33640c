/**
 * Holds the description of the API, as the service serves it, against redocly's
 * recommended rules (npm). Usage: deno task openapi:lint
 *
 * @module
 */
import { fromFileUrl } from "@std/path";
import { serve } from "../tests/helpers/program.ts";

const folder = await Deno.makeTempDir();
const file = `${folder}/openapi.json`;
const rules = fromFileUrl(import.meta.resolve("./redocly.yaml"));
let code: number;
{
  await using service = await serve();
  const response = await fetch(`${service.url}/openapi/v1.json`);
  await Deno.writeTextFile(file, await response.text());
  ({ code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", "--no-config", "--allow-all"]
      .concat("npm:@redocly/cli@2.37.0", "lint", "--config", rules, file),
  }).spawn().status);
}
await Deno.remove(folder, { recursive: true });
Deno.exit(code);
