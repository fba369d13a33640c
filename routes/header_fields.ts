/**
 * Header fields: a function that reads a field up to a maximum length, patterns,
 * and values that the OpenAPI document also contains.
 *
 * @module
 */

/** The value of Access-Control-Expose-Headers. */
export const EXPOSED_HEADERS: string =
  "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits";

/** The value of Strict-Transport-Security: one year, in seconds. */
export const HSTS: string = "max-age=31536000";

/** The header fields of the response to a CORS preflight request. */
export const PREFLIGHT_HEADERS = {
  "Allow": "POST, OPTIONS",
  "Access-Control-Allow-Methods": "POST, OPTIONS",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Max-Age": "86400",
} as const;

/** The rate limit in force. */
export interface RateLimit {
  /** Requests that a client may send in a window, at least 1. */
  readonly limit: number;
  /** The length of the window, in seconds. */
  readonly seconds: number;
}

/**
 * Returns the value of RateLimit-Policy
 * (draft-ietf-httpapi-ratelimit-headers-11).
 *
 * @param rateLimit the limit in force
 * @returns such as `"default";q=60;w=60`
 */
export function rateLimitPolicy({ limit, seconds }: RateLimit): string {
  return `"default";q=${limit};w=${seconds}`;
}

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
