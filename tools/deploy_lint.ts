/**
 * Checks the bill of materials with the JSON schema of CycloneDX 1.6, and
 * deploy/compose.yaml with that of the Compose Specification (both from npm).
 * Usage: deno task deploy:lint
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { tempDir } from "../tests/helpers/files.ts";
import { end, ROOT, spawn } from "../tests/helpers/program.ts";
import { download } from "./needs.ts";

/** The packages that contain the schemas and a validator, with fixed versions. */
const PACKAGES = {
  "@cyclonedx/cyclonedx-library": "10.3.0",
  // The library loads these packages by their names, as Node finds them.
  "ajv": "8.20.0",
  "ajv-formats": "3.0.1",
  "ajv-formats-draft2019": "1.6.1",
  "dclint": "3.1.0",
};
for (const [name, version] of Object.entries(PACKAGES)) {
  await download(`npm:${name}@${version}`);
}

/** A program that validates standard input. It exits with 1 if it is invalid. */
const VALIDATE_SBOM = `
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
const text = await new Response(Deno.stdin.readable).text();
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const errors = await validator.validate(text);
if (errors !== null) console.error(errors);
Deno.exit(errors === null ? 0 : 1);
`;

await using folder = await tempDir();
await Deno.writeTextFile(
  `${folder.path}/package.json`,
  JSON.stringify({ type: "module", dependencies: PACKAGES }),
);
await Deno.writeTextFile(`${folder.path}/sbom.js`, VALIDATE_SBOM);

/** Runs a program of the folder, with this standard input. */
async function run(
  args: string[],
  input = "",
  stderr: "inherit" | "null" = "inherit",
): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-lock", "--node-modules-dir=auto"]
      .concat("--allow-all", args),
    cwd: folder.path,
    stdin: "piped",
    stderr,
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  return (await child.status).success;
}

const task = spawn(Deno.execPath(), ["task", "-q", "sbom"]);
const { stdout: sbom } = await end(task);

const compose = await Deno.readTextFile(`${ROOT}deploy/compose.yaml`);
await Deno.writeTextFile(`${folder.path}/compose.yaml`, compose);
// Only errors count: warnings are about the order of keys. Caddy must be reachable
// from other machines, so the rule about ports does not apply.
const lint = ["npm:dclint", "compose.yaml", "--quiet", "--disable-rule"]
  .concat("no-unbound-port-interfaces");

const results = {
  "the SBOM has the schema of CycloneDX 1.6": await run(["sbom.js"], sbom),
  "an SBOM with an unknown field is refused": !await run(
    ["sbom.js"],
    sbom.replace("{", '{"unknown": 1,'),
    "null",
  ),
  "compose.yaml has the schema of Compose": await run(lint),
};
for (const [name, passed] of Object.entries(results)) {
  console.log(`${passed ? "ok" : "FAILED"}: ${name}`);
}
Deno.exitCode = Object.values(results).every(Boolean) ? 0 : 1;
