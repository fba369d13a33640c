/**
 * The command-line options of the benchmarks.
 *
 * @module
 */
import { parseArgs } from "node:util";

/**
 * Reads options such as `--seconds 3`.
 *
 * @param defaults the options with their defaults
 * @throws {TypeError} if an option is unknown
 * @throws {RangeError} if a value is not a number above 0
 */
export function readOptions<T extends Record<string, number>>(defaults: T): T {
  const options = Object.fromEntries(
    Object.keys(defaults).map((name) => [name, { type: "string" as const }]),
  );
  const values: Record<string, number> = { ...defaults };
  for (const [name, given] of Object.entries(parseArgs({ options }).values)) {
    values[name] = Number(given);
    if (!(values[name] > 0)) {
      throw new RangeError(`Use --${name} with a number above 0`);
    }
  }
  return values as T;
}
