/**
 * Header fields that are read with a limit.
 *
 * @module
 */

/** The longest value that is read, in characters. */
const MAX_LENGTH = 1000;

/**
 * Reads a header field whose value is searched or taken apart. A longer one than
 * anybody needs could keep the process busy: `deno task bench:headers`.
 *
 * @param headers the header fields of a request
 * @param name the name of the field
 * @returns its value; null if there is none, or it has more than 1,000
 *   characters
 *
 * @example
 * ```ts
 * import { headerField } from "./header_field.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = new Headers({ a: "1", b: "x".repeat(1001) });
 * assertEquals(headerField(headers, "a"), "1");
 * assertEquals(headerField(headers, "b"), null);
 * ```
 */
export function headerField(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value !== null && value.length > MAX_LENGTH ? null : value;
}
