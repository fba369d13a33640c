/**
 * What a tool needs besides Deno. If it is missing, the tool ends with one line
 * that says what to install, and with exit status 1.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { fromFileUrl } from "@std/path";

/** The line of a tool that needs a browser. */
export const NO_CHROMIUM =
  "Cannot find Chromium and ChromeDriver; install them (Debian: chromium, chromium-driver)";

/**
 * Ends the program.
 *
 * @param line what is missing, and what to do
 *
 * @example
 * ```ts ignore
 * import { stop } from "./needs.ts";
 *
 * stop("Cannot find wrk; install it (Debian: wrk)");
 * ```
 */
export function stop(line: string): never {
  console.error(line);
  Deno.exit(1);
}

/**
 * Arguments of deno for npm packages that only tools use. The lock file has the
 * hash of each package and of what it depends on. To change a version, change it in
 * the tool, then run deno cache with these arguments, without --frozen.
 */
export const LOCKED: string[] = [
  "--no-config",
  `--lock=${fromFileUrl(new URL("tools.lock", import.meta.url))}`,
  "--frozen",
];

/** Ends the program, since an npm package cannot be loaded. */
function stopWithout(name: string, reason = ""): never {
  stop(
    `Cannot load ${name}: ${reason}; connect to the npm registry, or set NPM_CONFIG_REGISTRY to a registry that can be reached`,
  );
}

/**
 * Downloads an npm package, so that a command can use it. Ends the program if the
 * package cannot be loaded.
 *
 * @param name such as "npm:ajv@8.20.0"; without "npm:", npx downloads the package
 *
 * @example
 * ```ts ignore
 * import { download } from "./needs.ts";
 *
 * await download("npm:@redocly/cli@2.37.0");
 * ```
 */
export async function download(name: string): Promise<void> {
  const [command, args] = name.startsWith("npm:")
    ? [Deno.execPath(), ["cache", ...LOCKED, name]]
    : ["npx", ["--yes", name, "--version"]];
  let output: Deno.CommandOutput;
  try {
    const env = { NO_COLOR: "1" };
    output = await new Deno.Command(command, { args, env }).output();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    stop(`Cannot find ${command}; install it (Debian: npm)`);
  }
  if (output.success) return;
  const text = new TextDecoder().decode(output.stderr);
  stopWithout(name, /^(?:npm )?error(?: code|:) (.*)/m.exec(text)?.[1] ?? text);
}

/**
 * Imports a module of an npm package that is not in the lock file of the service.
 * (A literal name in an import would add the package to this file.) Ends the
 * program if the package cannot be loaded.
 *
 * @param specifier such as "npm:axe-core@4.14.1"
 * @param options the import attributes
 * @returns the module
 *
 * @example
 * ```ts
 * import { importNpm } from "./needs.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const module = "data:text/javascript,export default 1";
 * assertEquals((await importNpm<{ default: number }>(module)).default, 1);
 * ```
 */
export async function importNpm<T>(
  specifier: string,
  options?: ImportCallOptions,
): Promise<T> {
  try {
    return await import(specifier, options);
  } catch (error) {
    // An error of the package itself is none of the loader (node:errors).
    const { code, message } = error as { code?: string; message: string };
    if (code !== "ERR_MODULE_NOT_FOUND") throw error;
    stopWithout(specifier, message.split("\n", 1)[0]);
  }
}
