/**
 * The command-line options of the benchmarks.
 *
 * @module
 */
import { parseArgs } from "node:util";

/**
 * Reads options such as `--seconds 3`. Each value is a number.
 *
 * @param defaults the options with their defaults
 * @throws {TypeError} if an option is unknown
 * @throws {RangeError} if a value is no number above 0
 */
export function readOptions<K extends string>(
  defaults: Record<K, number>,
): Record<K, number> {
  const options = Object.fromEntries(
    Object.keys(defaults).map((name) => [name, { type: "string" as const }]),
  );
  const numbers = { ...defaults };
  for (const [name, text] of Object.entries(parseArgs({ options }).values)) {
    const value = Number(text);
    if (!(value > 0)) throw new RangeError(`Use --${name} with a number`);
    numbers[name as K] = value;
  }
  return numbers;
}
