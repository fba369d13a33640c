/**
 * The command-line options of the benchmarks.
 *
 * @module
 */
import { parseArgs } from "node:util";

/** The values of options with these defaults. */
type Options<T> = { [K in keyof T]: T[K] extends boolean ? boolean : number };

/**
 * Reads options such as `--seconds 3` and `--abuse`.
 *
 * @param defaults the options with their defaults: a number, or false for a flag
 * @throws {TypeError} if an option is unknown
 * @throws {RangeError} if a value is not a number above 0
 */
export function readOptions<T extends Record<string, number | false>>(
  defaults: T,
): Options<T> {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: value === false ? "boolean" as const : "string" as const },
    ]),
  );
  const values: Record<string, number | boolean> = { ...defaults };
  for (const [name, given] of Object.entries(parseArgs({ options }).values)) {
    if (given !== true && !(Number(given) > 0)) {
      throw new RangeError(`Use --${name} with a number`);
    }
    values[name] = given === true || Number(given);
  }
  return values as Options<T>;
}
