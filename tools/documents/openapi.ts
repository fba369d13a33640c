/**
 * The OpenAPI 3.1 document, made from the declarations of the endpoints.
 *
 * Source: https://spec.openapis.org/oas/v3.1.1.html
 *
 * @module
 */
import { STATUS_TEXT } from "@std/http/status";
import {
  BODY_TIMEOUT,
  NOT_JSON_TYPE,
  TOO_LARGE,
  TOO_MANY_PENDING_BODIES,
} from "../../routes/api/body.ts";
import { type Field, INTEGER_STRING } from "../../routes/api/fields.ts";
import { API } from "../../routes/api/mod.ts";
import type { Endpoint } from "../../routes/api/password.ts";
import {
  EXPOSED_HEADERS,
  HSTS,
  rateLimitPolicy,
} from "../../routes/header_fields.ts";
import {
  INTERNAL_ERROR,
  type Problem,
  tooManyRequests,
} from "../../routes/problem.ts";
import { INVALID_HOST } from "../../routes/request_path.ts";
import { methodNotAllowed, NOT_FOUND } from "../../routes/router.ts";

/** The version of the API. It changes only with the API. */
const VERSION = "1.1.0";

/** The rate limit by default. RateLimit-Policy states the limit in force. */
const RATE_LIMIT = { limit: 60, seconds: 60 };

/** A JSON Schema (draft 2020-12). */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly "x-since"?: string;
}

/** An Example Object. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
  /** For an error: the invalid request that causes it. */
  readonly "x-request"?: unknown;
}

/** Media Type Objects by media type. */
export type Content = Readonly<
  Record<string, { schema: Schema; examples?: Record<string, Example> }>
>;

/** A Response Object. */
export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
}

/** An Operation Object: one method of one path. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly requestBody?: { required: boolean; content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The parts of the OpenAPI document that programs of this project read. */
export interface OpenApiDocument {
  readonly info: { title: string; version: string; description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: typeof HEADERS;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

/** Makes an object with the same keys and other values. */
export function mapValues<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

function ref(kind: "schemas" | "headers", name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The schema of a field. */
function fieldSchema(
  { type, range, values, since, description, default: value }: Field<unknown>,
): Schema {
  const types = {
    integer: {
      type: ["integer", "string"],
      format: "int32",
      pattern: INTEGER_STRING.source,
      ...range && { minimum: range[0], maximum: range[1] },
    },
    boolean: { type },
    string: { type, ...values && { enum: values } },
  };
  return {
    ...types[type],
    description: `${description}. Default: \`${JSON.stringify(value)}\`.`,
    ...since && { "x-since": since },
  };
}

/**
 * The schema of a request body. The defaults are one object, because code
 * generators take a property with a default for one that is always there.
 */
function requestSchema({ summary, fields }: Endpoint): Schema {
  return {
    type: "object",
    description:
      `${summary}. An integer in a string has the same range as a number. Names are compared without regard to the case of ASCII letters. Two spellings of one name are an error. Unknown names are ignored.`,
    properties: mapValues(fields, fieldSchema),
    default: mapValues(fields, (field) => field.default),
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

const SCHEMAS: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    Object.values(API).map((endpoint) => [
      endpoint.schema,
      requestSchema(endpoint),
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
          "For each field with an error, spelled as in the request's schema: which values are allowed, and which kind of value the request has. $ stands for the body as a whole.",
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

/** A Header Object. By default the value is always that of the example. */
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

const HEADERS = {
  "Access-Control-Allow-Origin": header(
    "*",
    "Pages of every origin may read the response",
  ),
  "Access-Control-Expose-Headers": header(
    EXPOSED_HEADERS,
    "The header fields that pages of other origins may read",
  ),
  "Allow": header("POST, OPTIONS", "The methods of the path", {}),
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
    '"default";r=59;t=60',
    "The state of the client's limit: r more requests are allowed now, and the oldest counted request leaves the window in t seconds (draft-ietf-httpapi-ratelimit-headers-11)",
    { pattern: '^"default";r=\\d+;t=\\d+$' },
  ),
  "RateLimit-Policy": header(
    rateLimitPolicy(RATE_LIMIT),
    "The limit of a client: q requests in any w seconds, for all three paths together. An installation can have another q",
    { pattern: '^"default";q=\\d+;w=60$' },
  ),
  "Retry-After": header(
    "60",
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

type HeaderName = keyof typeof HEADERS;

/** The header fields of every response. */
const COMMON: HeaderName[] = [
  "Cache-Control",
  "X-Content-Type-Options",
  "Strict-Transport-Security",
];

/** The header fields of responses that pages of every origin may read. */
const CORS: HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
];

/** The header fields of every response to a POST. */
const POST: HeaderName[] = ["RateLimit", "RateLimit-Policy", "Vary", ...CORS];

function response(
  description: string,
  headers: readonly HeaderName[] = [],
  content?: Content,
): ResponseObject {
  return {
    description,
    headers: Object.fromEntries(
      [...headers, ...COMMON].map((name) => [name, ref("headers", name)]),
    ),
    ...(content && { content }),
  };
}

/** A response with problem details. */
function problemResponse(
  path: string,
  problem: Problem,
  headers: readonly HeaderName[],
  description = problem.detail,
): ResponseObject {
  const example = {
    summary: STATUS_TEXT[problem.status],
    value: problem.details(path),
  };
  const schema = ref("schemas", "ProblemDetails");
  return response(description, headers, {
    "application/problem+json": { schema, examples: { example } },
  });
}

/** POST of an endpoint. */
function postOperation(endpoint: Endpoint, path: string): Operation {
  const { type, schema, summary, description } = endpoint;
  const problem = (
    of: Problem,
    headers: HeaderName[] = [],
    description?: string,
  ) => problemResponse(path, of, [...headers, ...POST], description);
  return {
    operationId: `generate${type.charAt(0).toUpperCase()}${type.slice(1)}`,
    summary,
    description,
    tags: ["Passwords"],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: ref("schemas", schema),
          examples: mapValues(
            endpoint.valid,
            ({ summary, request }) => ({ summary, value: request }),
          ),
        },
      },
    },
    responses: {
      200: response("A password.", ["Entropy-Bits", ...POST], {
        "application/json": {
          schema: ref("schemas", "PasswordResponse"),
          examples: mapValues(endpoint.valid, ({ summary, password }) => ({
            summary,
            value: { password, length: password.length, type },
          })),
        },
        "text/plain": {
          schema: { type: "string", description: "The password alone" },
          examples: mapValues(
            endpoint.valid,
            ({ summary, password }) => ({ summary, value: password }),
          ),
        },
      }),
      400: response(
        "The value of a field is not allowed, or the body is empty or not a JSON object.",
        POST,
        {
          "application/problem+json": {
            schema: ref("schemas", "HttpValidationProblemDetails"),
            examples: mapValues(endpoint.invalid, ({ summary, request }) => ({
              summary,
              value: (endpoint.validate(request) as Problem).details(path),
              "x-request": request,
            })),
          },
        },
      ),
      408: problem(BODY_TIMEOUT),
      413: problem(TOO_LARGE),
      415: problem(NOT_JSON_TYPE),
      429: problem(tooManyRequests(RATE_LIMIT), ["Retry-After"]),
      500: problem(INTERNAL_ERROR),
      503: problem(
        TOO_MANY_PENDING_BODIES,
        ["Retry-After"],
        `${TOO_MANY_PENDING_BODIES.detail} A body that arrives with its header is always read.`,
      ),
    },
  };
}

/**
 * Makes the OpenAPI document.
 *
 * @returns the document
 */
export function openApiDocument(): OpenApiDocument {
  const document = {
    openapi: "3.1.1",
    info: {
      title: "Password Generation API",
      version: VERSION,
      summary: "Passwords of random characters, words or a sentence",
      description: [
        "The server generates passwords from cryptographic randomness without bias. It does not store, cache or log them.",
        "The settings are in a JSON body. The query string is ignored. Use HTTPS. The API needs no credentials.",
        `Each IPv4 address, and each IPv6 /64, may send ${RATE_LIMIT.limit} requests in any ${RATE_LIMIT.seconds} seconds, for all three paths together. An installation can have another limit: \`RateLimit-Policy\` states it.`,
        "The response is JSON. A client whose Accept gives `text/plain` a greater quality than JSON gets the password alone.",
        "Web pages of every origin may use the API (CORS): OPTIONS on its paths gets 204 and allows POST with a Content-Type.",
        "Every error is `application/problem+json` (RFC 9457). An unknown path gets 404, a method that a path does not have 405 with `Allow`. Paths are compared byte for byte. A Host header that names no host gets 400.",
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    // Relative to the URL of this document, below any path prefix.
    servers: [{ url: ".." }],
    security: [],
    tags: [
      { name: "Passwords", description: "The three kinds of password." },
      { name: "Service", description: "The service itself." },
    ],
    paths: {
      ...mapValues(
        API,
        (endpoint, path) => ({ post: postOperation(endpoint, path) }),
      ),
      "/healthz": {
        get: {
          operationId: "getHealth",
          tags: ["Service"],
          summary: "Whether the process accepts requests",
          description: "Not limited, not logged.",
          responses: {
            200: response("The process accepts requests.", [], {
              "application/json": {
                schema: ref("schemas", "Health"),
                examples: {
                  ok: {
                    summary: "The only response",
                    value: { status: "ok" },
                  },
                },
              },
            }),
          },
        },
      },
      "/openapi/v1.json": {
        get: {
          operationId: "getDescription",
          tags: ["Service"],
          summary: "This document",
          description: "Not limited.",
          responses: {
            200: response("The document.", ["ETag", "Vary", ...CORS], {
              "application/json": { schema: { type: "object" } },
            }),
            304: response(
              "The client has this version.",
              ["ETag", "Vary", ...CORS],
            ),
          },
        },
      },
    },
    components: {
      schemas: SCHEMAS,
      headers: HEADERS,
      responses: {
        InvalidHost: problemResponse("/healthz", INVALID_HOST, []),
        NotFound: problemResponse(
          "/api/pwgen",
          NOT_FOUND,
          [],
          "The path is unknown. Paths are compared byte for byte.",
        ),
        MethodNotAllowed: problemResponse(
          Object.keys(API)[0]!,
          methodNotAllowed(HEADERS.Allow.example),
          ["Allow"],
          "The path does not have this method.",
        ),
      },
    },
  };
  return document;
}
