/**
 * Builds executables with `deno compile`: one for this machine, or with the flag
 * `--all` one for every platform that Deno compiles for.
 * Usage: deno task compile, or deno task compile:all
 *
 * @module
 */
import { stop } from "../tools/needs.ts";

/**
 * The arguments of `deno compile` between its output and the main module, with
 * the permissions of the executable.
 */
const OPTIONS = [
  ...["--frozen", "--no-prompt", "--exclude-unused-npm"],
  ...["--allow-net", "--allow-read", "--allow-env=PORT,PWGEN_*"],
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

/** Runs Deno, and ends the program with one line if a download fails. */
async function compile(args: string[]): Promise<void> {
  const process = new Deno.Command(Deno.execPath(), {
    args,
    cwd: new URL("../", import.meta.url),
    // The patterns below are for text without colours.
    env: { NO_COLOR: "1", FORCE_COLOR: "" },
    stderr: "piped",
  }).spawn();
  let text = "";
  const encoder = new TextEncoder();
  for await (
    const chunk of process.stderr.pipeThrough(new TextDecoderStream())
  ) {
    text += chunk;
    // The progress is printed at once. An error waits until it is complete.
    const error = text.search(/^error: /m);
    const progress = error < 0 ? text : text.slice(0, error);
    Deno.stderr.writeSync(encoder.encode(progress));
    text = text.slice(progress.length);
  }
  const { success, code } = await process.status;
  if (success) return;
  const [, host] = /error sending request for url \(https?:\/\/([^/)]+)/
    .exec(text) ?? [];
  if (host !== undefined) {
    stop(
      `Cannot compile: ${host}, which has the Deno runtime for executables, cannot be reached; connect to it, or set DENORT_BIN to the path of denort ${Deno.version.deno}`,
    );
  }
  const [noRuntime] = /Could not find denort at .*/.exec(text) ?? [];
  if (noRuntime !== undefined) stop(`Cannot compile: DENORT_BIN: ${noRuntime}`);
  Deno.stderr.writeSync(encoder.encode(text));
  Deno.exit(code);
}

if (import.meta.main) {
  if (Deno.args.includes("--all")) {
    for (const target of TARGETS) {
      // deploy/pack.sh packs each folder.
      const output = `dist/pwgen-api-${target}/pwgen-api`;
      await compile(compileArgs(output, target));
    }
  } else await compile(compileArgs("pwgen-api"));
}
