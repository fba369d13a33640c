/**
 * Lets the project take the standard library from JSR instead of the npm mirror.
 * Usage: deno task jsr
 *
 * @module
 */
// deno-lint-ignore-file no-console

/** The files that name the mirror, or the flag that forbids modules of JSR. */
const FILES = [
  "deno.json",
  "deploy/Dockerfile",
  "deploy/pwgen-api.service",
  "deploy/pwgen-api-tls.conf",
];

/**
 * Replaces the mirror with the official packages, whose types make std.d.ts
 * unnecessary. A module of JSR is a remote one, so `--no-remote` goes too.
 *
 * @param text the text of deno.json, or of another file with a command of Deno
 * @returns the new text
 *
 * @example
 * ```ts
 * import { withJsr } from "./jsr.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   withJsr('"@std/http/etag": "npm:deno-std@1.4.0/http/etag.js"'),
 *   '"@std/http/etag": "jsr:@std/http@1/etag"',
 * );
 * ```
 */
export function withJsr(text: string): string {
  return text
    .replace(
      /"(@std\/[\w-]+)(\/[\w/-]+)?": "npm:deno-std@[^"]+"/g,
      (_, name, path = "") => `"${name}${path}": "jsr:${name}@1${path}"`,
    )
    .replace(/,\s*"types": \["\.\/std\.d\.ts"\]/, "")
    .replace(/ ("--no-remote",|--no-remote)/g, "");
}

if (import.meta.main) {
  const { imports } = JSON.parse(withJsr(Deno.readTextFileSync("deno.json")));
  try {
    // All are loaded first, so that a registry out of reach changes no file.
    for (const name in imports) await import(imports[name]);
  } catch (error) {
    const { message } = error as Error;
    console.error(`Cannot take JSR, so nothing is changed: ${message}`);
    Deno.exit(1);
  }
  for (const file of FILES) {
    Deno.writeTextFileSync(file, withJsr(Deno.readTextFileSync(file)));
  }
  Deno.removeSync("std.d.ts");
}
