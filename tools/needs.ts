/**
 * What a tool needs besides Deno. If it is missing, the tool prints one line that
 * says what to install, and ends with exit status 1.
 *
 * @module
 */
// deno-lint-ignore-file no-console

/** The message of a tool that needs a browser. */
export const NO_CHROMIUM =
  "Cannot find Chromium and ChromeDriver; install them (Debian: chromium-headless-shell, chromium-driver)";

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
    // Only the loader throws this code (node:errors), and not the package itself.
    const { code, message } = error as { code?: string; message: string };
    if (code !== "ERR_MODULE_NOT_FOUND") throw error;
    const reason = message.split("\n", 1)[0];
    stop(
      `Cannot load ${specifier}: ${reason}; connect to the npm registry, or set NPM_CONFIG_REGISTRY to a registry that can be reached`,
    );
  }
}
