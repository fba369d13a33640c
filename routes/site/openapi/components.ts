/**
 * The schemas and header fields that the OpenAPI document refers to.
 *
 * @module
 */
import type { Fields } from "../../api/fields.ts";
import { API } from "../../api/mod.ts";
import {
  EXPOSED_HEADERS,
  HSTS,
  PREFLIGHT_HEADERS,
  type RateLimit,
  rateLimitPolicy,
} from "../../header_fields.ts";
import { ENDPOINT_TEXTS } from "./examples.ts";
import type { HeaderObject, Schema } from "./types.ts";

/** The schema of a request body. */
function requestSchema(description: string, fields: Fields): Schema {
  return {
    type: "object",
    description:
      `${description} An integer in a string has the same range as a number. Names are compared without regard to the case of ASCII letters. Two spellings of one name are an error. Unknown names are ignored.`,
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, {
        ...field.schema,
        default: field.default,
        description: field.description,
      }]),
    ),
  };
}

const nullable = (type: string, description: string, more: Schema = {}) => ({
  type: [type, "null"],
  description,
  ...more,
});

/** The members of RFC 9457, section 3.1. */
const PROBLEM_MEMBERS: Readonly<Record<string, Schema>> = {
  type: nullable("string", "The section that defines the status, as a URI"),
  title: nullable("string", "The kind of problem"),
  status: nullable("integer", "The HTTP status", { format: "int32" }),
  detail: nullable("string", "The problem of this request"),
  instance: nullable("string", "The path of the request"),
};

/** The schemas by name. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    Object.entries(ENDPOINT_TEXTS).map(([path, { schema, settings }]) => [
      schema,
      requestSchema(settings, API[path]!.fields),
    ]),
  ),
  PasswordResponse: {
    type: "object",
    description: "A password.",
    required: ["password", "length", "type"],
    properties: {
      password: { type: "string", description: "The generated password" },
      length: {
        type: "integer",
        format: "int32",
        minimum: 1,
        description:
          "Its length in characters (Unicode code points of its NFC form)",
      },
      type: {
        type: "string",
        enum: Object.values(API).map(({ type }) => type),
        description: "Its kind",
      },
    },
  },
  HttpValidationProblemDetails: {
    type: "object",
    description: "A problem (RFC 9457) with errors of fields.",
    properties: {
      ...PROBLEM_MEMBERS,
      errors: {
        type: "object",
        description:
          "For each field with an error, spelled as in the request's schema: which values are allowed, and which kind of value the request has. $ stands for the body as a whole. Missing if the body was not read.",
        additionalProperties: { type: "array", items: { type: "string" } },
      },
    },
  },
  ProblemDetails: {
    type: "object",
    description: "A problem (RFC 9457).",
    properties: PROBLEM_MEMBERS,
  },
  Health: {
    type: "object",
    description: "The state of the process.",
    required: ["status"],
    properties: { status: { type: "string", enum: ["ok"] } },
  },
};

/**
 * Describes the header fields of responses.
 *
 * @param rateLimit the limit in force
 * @returns the Header Objects by name
 *
 * @example
 * ```ts
 * import { headerObjects } from "./components.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = headerObjects({ limit: 60, seconds: 60 });
 * assertEquals(headers["Retry-After"]!.example, "60");
 * ```
 */
export function headerObjects(
  rateLimit: RateLimit,
): Record<string, HeaderObject> {
  const { limit, seconds } = rateLimit;
  const header = (
    example: string,
    description: string,
    schema: Schema = { enum: [example] },
  ) => ({
    description,
    required: example !== HSTS,
    schema: { type: "string", ...schema },
    example,
  });
  const preflight = (
    name: keyof typeof PREFLIGHT_HEADERS,
    description: string,
  ) => ({ [name]: header(PREFLIGHT_HEADERS[name], description) });
  return {
    ...preflight(
      "Access-Control-Allow-Headers",
      "The header fields that a page of another origin may send",
    ),
    ...preflight(
      "Access-Control-Allow-Methods",
      "The methods that a page of another origin may use",
    ),
    "Access-Control-Allow-Origin": header(
      "*",
      "Pages of every origin may read the response",
    ),
    "Access-Control-Expose-Headers": header(
      EXPOSED_HEADERS,
      "The header fields that pages of other origins may read",
    ),
    ...preflight(
      "Access-Control-Max-Age",
      "How long a browser may keep this permission, in seconds",
    ),
    "Allow": header(PREFLIGHT_HEADERS.Allow, "The methods of the path", {}),
    "Cache-Control": header(
      "no-store",
      "no-store: no cache keeps the response. no-cache: a cache must ask before it uses the response again",
      { enum: ["no-store", "no-cache"] },
    ),
    "ETag": header(
      '"4f2-LXEWQrcmsEQBYnyp+6wy9chTD7G"',
      "The version of the body",
      { pattern: '^(W/)?"[^"]+"$' },
    ),
    "Entropy-Bits": header(
      "129.68",
      "Log2 of the number of passwords that the request allows, each of which is equally likely: the bits that an attacker who knows the settings has to guess. Exact, rounded down to two decimals.",
      { pattern: "^\\d+\\.\\d\\d$" },
    ),
    "RateLimit": header(
      `"default";r=${limit - 1};t=${seconds}`,
      "The state of the client's limit: r more requests are allowed now, and the oldest counted request leaves the window in t seconds (draft-ietf-httpapi-ratelimit-headers-11)",
      { pattern: '^"default";r=\\d+;t=\\d+$' },
    ),
    "RateLimit-Policy": header(
      rateLimitPolicy(rateLimit),
      "The limit of a client: q requests in any w seconds, for all three paths together",
    ),
    "Retry-After": header(
      String(seconds),
      "The time to wait before another request, in seconds",
      { pattern: "^\\d+$" },
    ),
    "Strict-Transport-Security": header(
      HSTS,
      "Further requests must use TLS. Only in responses to requests over TLS",
    ),
    "Vary": header(
      "Accept",
      "The response depends on these header fields of the request",
      { enum: ["Accept", "Accept-Encoding"] },
    ),
    "X-Content-Type-Options": header(
      "nosniff",
      "A browser must not guess another media type",
    ),
  };
}
