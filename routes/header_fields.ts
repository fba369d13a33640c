/**
 * Header fields of requests.
 *
 * @module
 */

/** A pattern: RFC 9110, section 5.6.2. */
export const TOKEN: string = "[\\w!#$%&'*+.^`|~-]+";

/** A pattern of what follows `q=`: RFC 9110, section 12.4.2. */
export const WEIGHT: string = "(?:0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)";

const MAX_LENGTH = 1000;

/**
 * Reads a header field of a request. A value of more than 1,000 characters counts
 * as missing: no client needs it, and it could keep the process busy
 * (`deno task bench:headers`).
 */
export function headerField(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value !== null && value.length > MAX_LENGTH ? null : value;
}
