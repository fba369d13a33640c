/**
 * Header fields of requests: a function that reads a field up to a maximum length,
 * and patterns.
 *
 * @module
 */

/** The pattern of a token: RFC 9110, section 5.6.2. */
export const TOKEN: string = "[\\w!#$%&'*+.^`|~-]+";

/** The pattern of a weight, which follows `q=`: RFC 9110, section 12.4.2. */
export const WEIGHT: string = "(?:0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)";

/** The longest value that {@linkcode headerField} reads, in characters. */
const MAX_LENGTH = 1000;

/**
 * Reads a header field of a request. A value that is too long counts as missing.
 * No client needs such a value, and it could keep the process busy
 * (`deno task bench:headers`).
 *
 * @param headers the header fields of the request
 * @param name the name of the field
 * @returns the value; null if it is missing or has more than 1,000 characters
 */
export function headerField(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value !== null && value.length > MAX_LENGTH ? null : value;
}
