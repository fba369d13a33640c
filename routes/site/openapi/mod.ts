/**
 * GET /openapi/v1.json: the OpenAPI 3.1 document, made from the same fields and
 * problems as the handlers.
 *
 * @module
 */
import { STATUS_TEXT } from "@std/http/status";
import {
  BODY_TIMEOUT,
  NOT_JSON_TYPE,
  TOO_LARGE,
  TOO_MANY_PENDING_BODIES,
} from "../../api/body.ts";
import { API } from "../../api/mod.ts";
import type { Handler } from "../../context.ts";
import { PREFLIGHT_HEADERS, type RateLimit } from "../../header_fields.ts";
import {
  INTERNAL_ERROR,
  type Problem,
  tooManyRequests,
} from "../../problem.ts";
import { INVALID_HOST } from "../../request_path.ts";
import { methodNotAllowed, NOT_FOUND } from "../../router.ts";
import { serveDocument } from "../static.ts";
import { headerObjects, SCHEMAS } from "./components.ts";
import { ENDPOINT_TEXTS } from "./examples.ts";
import type {
  Content,
  ExampleObject,
  OpenApiDocument,
  Operation,
  ResponseObject,
} from "./types.ts";

function ref(kind: "schemas" | "headers", name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The header fields of every response. */
const COMMON_HEADERS = [
  "Cache-Control",
  "X-Content-Type-Options",
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Strict-Transport-Security",
];

/** The header fields of every response to a POST. */
const POST_HEADERS = ["RateLimit", "RateLimit-Policy", "Vary"];

function response(
  description: string,
  headers: readonly string[] = [],
  content?: Content,
): ResponseObject {
  return {
    description,
    headers: Object.fromEntries(
      [...headers, ...COMMON_HEADERS].map((name) => [
        name,
        ref("headers", name),
      ]),
    ),
    ...(content && { content }),
  };
}

/** A response with problem details. */
function problemResponse(
  path: string,
  problem: Problem,
  headers: readonly string[] = [],
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
function postOperation(path: string, rateLimit: RateLimit): Operation {
  const { type, validate } = API[path]!;
  const { operationId, summary, description, schema, valid, invalid } =
    ENDPOINT_TEXTS[path]!;
  const requests: Record<string, ExampleObject> = {};
  const passwords: Record<string, ExampleObject> = {};
  const texts: Record<string, ExampleObject> = {};
  const problems: Record<string, ExampleObject> = {};
  for (const [name, { summary, request, password }] of Object.entries(valid)) {
    const { length } = password;
    requests[name] = { summary, value: request };
    passwords[name] = { summary, value: { password, length, type } };
    texts[name] = { summary, value: password };
  }
  for (const [name, { summary, request }] of Object.entries(invalid)) {
    const value = (validate(request) as Problem).details(path);
    problems[name] = { summary, value, "x-request": request };
  }
  const problem = (
    of: Problem,
    headers: readonly string[] = [],
    description?: string,
  ) => problemResponse(path, of, [...headers, ...POST_HEADERS], description);
  return {
    operationId,
    summary,
    description,
    tags: ["Passwords"],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: ref("schemas", schema),
          examples: requests,
        },
      },
    },
    responses: {
      200: response("A password.", ["Entropy-Bits", ...POST_HEADERS], {
        "application/json": {
          schema: ref("schemas", "PasswordResponse"),
          examples: passwords,
        },
        "text/plain": {
          schema: { type: "string", description: "The password alone" },
          examples: texts,
        },
      }),
      400: response(
        "The value of a field is not allowed; or the body is empty or not a JSON object; or the Host header names no host.",
        POST_HEADERS,
        {
          "application/problem+json": {
            schema: ref("schemas", "HttpValidationProblemDetails"),
            examples: problems,
          },
        },
      ),
      408: problem(BODY_TIMEOUT),
      413: problem(TOO_LARGE),
      415: problem(NOT_JSON_TYPE),
      429: problem(tooManyRequests(rateLimit), ["Retry-After"]),
      500: problem(INTERNAL_ERROR),
      503: problem(
        TOO_MANY_PENDING_BODIES,
        ["Retry-After"],
        `${TOO_MANY_PENDING_BODIES.detail} A body that arrives with its header is always read.`,
      ),
    },
  };
}

/** OPTIONS of an endpoint. */
function optionsOperation(path: string): Operation {
  return {
    operationId: `${ENDPOINT_TEXTS[path]!.operationId}Preflight`,
    tags: ["Passwords"],
    summary: "The allowed methods and header fields",
    description:
      "A browser sends this request before a page of another origin may POST.",
    responses: {
      204: response(
        "The allowed methods and header fields.",
        [...Object.keys(PREFLIGHT_HEADERS), "Vary"],
      ),
      400: problemResponse(path, INVALID_HOST, ["Vary"]),
    },
  };
}

/**
 * Makes the OpenAPI document.
 *
 * @param rateLimit the limit in force
 * @returns the document
 *
 * @example
 * ```ts
 * import { openApiDocument } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { components } = openApiDocument({ limit: 60, seconds: 60 });
 * const { length } = components.schemas["CharacterPasswordRequest"]!.properties!;
 * assertEquals([length!.minimum, length!.maximum, length!.default], [1, 128, 20]);
 * ```
 */
export function openApiDocument(rateLimit: RateLimit): OpenApiDocument {
  const paths = Object.keys(API);
  const { limit, seconds } = rateLimit;
  return {
    openapi: "3.1.1",
    info: {
      title: "Password Generation API",
      // The version of the API, not of the program.
      version: "1.1.0",
      summary: "Passwords of random characters, words or a sentence",
      description: [
        "The server generates passwords from cryptographic randomness without bias. It does not store, cache or log them.",
        "The settings are in a JSON body. The query string is ignored. Use HTTPS. The API needs no credentials.",
        `Each IPv4 address, and each IPv6 /64, may send ${limit} requests in any ${seconds} seconds, for all three paths together.`,
        "The response is JSON. A client whose Accept gives `text/plain` a greater quality than JSON gets the password alone.",
        "Every error is `application/problem+json` (RFC 9457). An unknown path gets 404, a method that a path does not have 405 with `Allow`. Paths are compared byte for byte. A Host header that names no host gets 400.",
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: ".." }],
    security: [],
    tags: [
      { name: "Passwords", description: "The three kinds of password." },
      { name: "Service", description: "The service itself." },
    ],
    paths: {
      ...Object.fromEntries(
        paths.map((path) => [path, {
          post: postOperation(path, rateLimit),
          options: optionsOperation(path),
        }]),
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
            400: problemResponse("/healthz", INVALID_HOST),
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
            200: response("The document.", ["ETag", "Vary"], {
              "application/json": { schema: { type: "object" } },
            }),
            304: response("The client has this version.", ["ETag", "Vary"]),
            400: problemResponse("/openapi/v1.json", INVALID_HOST),
          },
        },
      },
    },
    components: {
      schemas: SCHEMAS,
      headers: headerObjects(rateLimit),
      responses: {
        NotFound: problemResponse(
          "/api/pwgen",
          NOT_FOUND,
          [],
          "The path is unknown. Paths are compared byte for byte.",
        ),
        MethodNotAllowed: problemResponse(
          paths[0]!,
          methodNotAllowed(PREFLIGHT_HEADERS.Allow),
          ["Allow"],
          "The path does not have this method.",
        ),
      },
    },
  };
}

/**
 * Makes the handler of GET /openapi/v1.json.
 *
 * @param rateLimit the limit in force
 * @returns the handler
 *
 * @example
 * ```ts
 * import { openapi } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = openapi({ limit: 60, seconds: 60 });
 * const path = "/openapi/v1.json";
 * const request = new Request(`http://localhost${path}`);
 * const response = await handler(request, { path, peer: "::1" });
 * assertEquals((await response.json()).info.version, "1.1.0");
 * ```
 */
export function openapi(rateLimit: RateLimit): Handler {
  return serveDocument({
    type: "application/json",
    text: () => JSON.stringify(openApiDocument(rateLimit)),
  });
}
