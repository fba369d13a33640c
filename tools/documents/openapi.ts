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
import { draw, type Endpoint, textOf } from "../../routes/api/endpoint.ts";
import { PREFLIGHT_HEADERS } from "../../routes/api/preflight.ts";
import { TOO_MANY_WAITING } from "../../routes/api/turns.ts";
import {
  INTERNAL_ERROR,
  Problem,
  tooManyRequests,
} from "../../routes/problem.ts";
import { INVALID_HOST } from "../../routes/request_path.ts";
import { methodNotAllowed } from "../../routes/router.ts";
import { NOT_FOUND } from "../../routes/site/not_found.ts";
import { parse } from "@std/yaml";
import endpoints from "./endpoints.yaml" with { type: "text" };
import base from "./openapi.yaml" with { type: "text" };

/** The rate limit by default. RateLimit-Policy states the limit in force. */
const RATE_LIMIT = 60;

/** A JSON Schema (draft 2020-12). */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
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

/** A Header Object. */
interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: string;
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
    readonly headers: Readonly<Record<string, HeaderObject>>;
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

/** An example of a request. */
interface RequestExample {
  readonly summary: string;
  readonly request: Record<string, unknown>;
}

/** The texts and examples of an endpoint. */
interface EndpointTexts {
  /** The name of the schema of the request body. */
  readonly schema: string;
  readonly summary: string;
  readonly description: string;
  /** With the passwords of the response. */
  readonly valid: Record<string, RequestExample & { passwords: string[] }>;
  readonly invalid: Record<string, RequestExample>;
}

const TEXTS = parse(endpoints) as Record<string, EndpointTexts>;

/** The schema of a field. */
function fieldSchema(
  field: Field<unknown>,
): Schema {
  const { type, range, values, maxLength, pattern, since } = field;
  const types = {
    integer: {
      type: ["integer", "string"],
      format: "int32",
      pattern: INTEGER_STRING.source,
      ...range && { minimum: range[0], maximum: range[1] },
    },
    boolean: { type },
    string: {
      type,
      ...values && { enum: values },
      ...maxLength && { maxLength },
      ...pattern && { pattern: pattern.source },
    },
  };
  return {
    ...types[type],
    description: `${field.description}. Default: ${
      field.default === undefined
        ? "none"
        : `\`${JSON.stringify(field.default)}\``
    }.`,
    ...since && { "x-since": since },
  };
}

/**
 * The schema of a request body. The defaults are one object, because code
 * generators take a property with a default for one that is always there.
 */
function requestSchema({ fields }: Endpoint): Schema {
  return {
    type: "object",
    description:
      "Every field is optional. An integer in a string has the same range as a number. Names are compared without regard to the case of ASCII letters. Two spellings of one name are an error. Unknown names are ignored.",
    properties: mapValues(fields, fieldSchema),
    default: mapValues(fields, (field: Field<unknown>) => field.default),
  };
}

/** The header fields of every response. */
const COMMON: string[] = [
  "Cache-Control",
  "X-Content-Type-Options",
  "Strict-Transport-Security",
];

/** The header fields of responses that pages of every origin may read. */
const CORS: string[] = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
];

/** The header fields of every response to a POST. */
const POST: string[] = ["RateLimit", "RateLimit-Policy", "Vary", ...CORS];

function response(
  description: string,
  headers: readonly string[] = [],
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
  headers: readonly string[],
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
  const { type, passwords } = endpoint;
  const { schema, summary, description, valid, invalid } = TEXTS[path]!;
  const problem = (
    of: Problem,
    headers: string[] = [],
    description?: string,
  ) => problemResponse(path, of, [...headers, ...POST], description);
  const drawn = ({ request, passwords }: typeof valid[string]) => {
    const left = [...passwords];
    const generate = () => left.shift()!;
    const count = request["count"] as number | undefined;
    return draw(type, { count, generate });
  };
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
            valid,
            ({ summary, request }) => ({ summary, value: request }),
          ),
        },
      },
    },
    responses: {
      200: response("A password.", ["Entropy-Bits", ...POST], {
        "application/json": {
          schema: ref("schemas", "PasswordResponse"),
          examples: mapValues(
            valid,
            (each) => ({ summary: each.summary, value: drawn(each) }),
          ),
        },
        "text/plain": {
          schema: {
            type: "string",
            description:
              "The password alone; with `count`, a line for each password, which ends with a line feed",
          },
          examples: mapValues(
            valid,
            (each) => ({ summary: each.summary, value: textOf(drawn(each)) }),
          ),
        },
      }),
      400: response(
        "The value of a field is not allowed, or the body is empty or not a JSON object.",
        POST,
        {
          "application/problem+json": {
            schema: ref("schemas", "HttpValidationProblemDetails"),
            examples: mapValues(invalid, ({ summary, request }) => ({
              summary,
              value: Problem.ofFields(passwords(request).errors!).details(path),
              "x-request": request,
            })),
          },
        },
      ),
      408: problem(BODY_TIMEOUT),
      413: problem(TOO_LARGE),
      415: problem(NOT_JSON_TYPE),
      429: problem(tooManyRequests(RATE_LIMIT, 60), ["Retry-After"]),
      500: problem(INTERNAL_ERROR),
      503: problem(
        TOO_MANY_PENDING_BODIES,
        ["Retry-After"],
        `${TOO_MANY_PENDING_BODIES.detail} A body that arrives with its header is always read. Or: ${TOO_MANY_WAITING.detail} Or, with an empty body: too many responses with \`count\` are unread.`,
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
  const { paths, components, ...document } = parse(base) as OpenApiDocument;
  return {
    ...document,
    paths: {
      ...mapValues(
        API,
        (endpoint, path) => ({ post: postOperation(endpoint, path) }),
      ),
      ...paths,
    },
    components: {
      ...components,
      schemas: {
        ...Object.fromEntries(
          Object.entries(API).map(([path, endpoint]) => [
            TEXTS[path]!.schema,
            requestSchema(endpoint),
          ]),
        ),
        ...components.schemas,
      },
      responses: {
        InvalidHost: problemResponse("/healthz", INVALID_HOST, []),
        NotFound: problemResponse(
          "/api/pwgen",
          NOT_FOUND,
          ["Vary"],
          "The path is unknown. Paths are compared byte for byte. A client that prefers HTML to JSON, such as a browser, gets a page.",
        ),
        MethodNotAllowed: problemResponse(
          Object.keys(API)[0]!,
          methodNotAllowed(PREFLIGHT_HEADERS.Allow),
          ["Allow"],
          "The path does not have this method.",
        ),
      },
    },
  };
}
