/**
 * Builds the executable for every platform that Deno compiles for, with the
 * command of the task "compile". Usage: deno task compile:all
 *
 * @module
 */
import { fromFileUrl } from "@std/path";
import metadata from "../deno.json" with { type: "json" };

/** The platforms, as `deno compile --target` names them. */
const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

for (const target of TARGETS) {
  const args = metadata.tasks.compile.command.split(" ").slice(1);
  // Deno adds ".exe" for Windows.
  args[args.indexOf("--output") + 1] = `dist/pwgen-api-${target}`;
  const { success, code } = await new Deno.Command(Deno.execPath(), {
    args: args.toSpliced(1, 0, "--target", target),
    cwd: fromFileUrl(import.meta.resolve("../")),
  }).spawn().status;
  if (!success) Deno.exit(code);
}
