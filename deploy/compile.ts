/**
 * Builds executables with `deno compile`: one for this machine, or with the flag
 * `--all` one for every platform that Deno compiles for.
 * Usage: deno task compile, or deno task compile:all
 *
 * @module
 */

/**
 * The arguments of `deno compile` between its output and the main module, with
 * the permissions of the executable.
 */
const OPTIONS = [
  "--frozen",
  "--no-prompt",
  "--exclude-unused-npm",
  "--allow-net",
  "--allow-read",
  "--allow-env=PORT,PWGEN_*",
];

/** The platforms, as `deno compile --target` names them. */
const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
];

/**
 * Returns the arguments of Deno that build an executable.
 *
 * @param output the file to write; Deno adds ".exe" for Windows
 * @param target the platform; the default is this machine
 * @returns the arguments
 *
 * @example
 * ```ts
 * import { compileArgs } from "./compile.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(compileArgs("pwgen-api").at(0), "compile");
 * ```
 */
export function compileArgs(output: string, target?: string): string[] {
  const platform = target === undefined ? [] : ["--target", target];
  return ["compile", ...platform, ...OPTIONS, "--output", output, "main.ts"];
}

if (import.meta.main) {
  const targets = Deno.args.includes("--all") ? TARGETS : [undefined];
  for (const target of targets) {
    // deploy/pack.sh packs each folder.
    const output = target ? `dist/pwgen-api-${target}/pwgen-api` : "pwgen-api";
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: compileArgs(output, target),
      cwd: new URL("../", import.meta.url),
    }).spawn().status;
    if (code !== 0) Deno.exit(code);
  }
}
