/**
 * The OpenAPI 3.1 document: openapi.json, with what follows from the declarations
 * of the endpoints and of the problems.
 *
 * Source: https://spec.openapis.org/oas/v3.1.2.html
 *
 * @module
 */
import * as body from "../api/body.ts";
import { type Field, INTEGER_STRING } from "../api/fields.ts";
import { API, PREFLIGHT_HEADERS } from "../api/mod.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { TOO_MANY_WAITING } from "../api/turns.ts";
import { INTERNAL_ERROR, Problem, tooManyRequests } from "../problem.ts";
import { INVALID_HOST, methodNotAllowed } from "../router.ts";
import { NOT_FOUND } from "./not_found.ts";
import openapi from "./openapi.json" with { type: "json" };

// The first two are no part of the document: the responses below have their texts
// and header fields.
const { everyResponse, everyPost, components, ...rest } = openapi;

/** An example of a request body. */
interface Example {
  readonly summary: string;
  readonly value: Record<string, unknown>;
}

/** An operation in openapi.json. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** POST of an endpoint in openapi.json. */
interface Post extends Operation {
  /** The name of the schema of the request body. */
  readonly schema: string;
  /** With passwords that the response may have. */
  readonly valid: Record<string, Example & { passwords: string[] }>;
  readonly invalid: Record<string, Example>;
}

/** A response in openapi.json, with the names of its own header fields. */
interface WrittenResponse {
  readonly description: string;
  readonly headers?: readonly string[];
  readonly content?: object;
}

/** A path in openapi.json: either POST or GET. */
export interface PathItem {
  readonly post?: Post;
  readonly get?: Operation & { responses: Record<string, WrittenResponse> };
}

/** The paths in openapi.json. */
export const PATHS: Record<string, PathItem> = rest.paths;

const PROBLEM = "application/problem+json";

/** The problems of every POST. 60 requests in 60 seconds is the default limit. */
export const PROBLEMS: readonly Problem[] = [
  ...[body.BODY_TIMEOUT, body.TOO_LARGE, body.TOO_MANY_PIECES],
  ...[body.NOT_JSON_TYPE, body.NOT_IDENTITY, tooManyRequests(60, 60)],
  ...[INTERNAL_ERROR, body.TOO_MANY_PENDING_BODIES, TOO_MANY_WAITING],
];

/** Makes an object with the same keys and other values. */
function mapValues<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

/** The schema of an integer, which can also be in a string. */
const INTEGER = {
  type: ["integer", "string"],
  format: "int32",
  pattern: INTEGER_STRING.source,
};

/** The schema of a field. */
function fieldSchema(field: Field<unknown>): object {
  const { type, range, values, maxLength, pattern, since } = field;
  return {
    ...type === "integer" ? INTEGER : { type },
    ...range && { minimum: range[0], maximum: range[1] },
    ...values && { enum: values },
    ...maxLength && { maxLength },
    ...pattern && { pattern: pattern.source },
    description: `${field.description}. Default: \`${
      JSON.stringify(field.default)
    }\`.`,
    ...since && { "x-since": since },
  };
}

/**
 * The schema of a request body. The defaults are one object, because code
 * generators take a property with a default for one that is always there.
 */
function requestSchema({ fields }: Endpoint): object {
  return {
    type: "object",
    description: everyPost.request,
    properties: mapValues(fields, fieldSchema),
    default: mapValues(fields, (field: Field<unknown>) => field.default),
  };
}

/** A body in one media type, with a schema of openapi.json or of an endpoint. */
function content(type: string, name: string, examples: object): object {
  const schema = { $ref: `#/components/schemas/${name}` };
  return { [type]: { schema, examples } };
}

/** A response whose header fields are references. */
function response({ headers = [], ...rest }: WrittenResponse): object {
  const references = [...headers, ...everyResponse.headers].map((name) =>
    [name, { $ref: `#/components/headers/${name}` }] as const
  );
  return { ...rest, headers: Object.fromEntries(references) };
}

/** The response for problems of one status. */
function problemResponse(
  path: string,
  problems: readonly Problem[],
  { headers = [], note }: { headers?: readonly string[]; note?: string } = {},
): object {
  const examples = problems.map((problem, i) => {
    const value = problem.details(path);
    return [i === 0 ? "example" : `example${i + 1}`, {
      summary: problem.detail,
      value,
    }];
  });
  // Those that belong to the status, such as Retry-After.
  const own = Object.keys(components.headers).filter((name) =>
    problems.some(({ headers = {} }) => name.toLowerCase() in headers)
  );
  const details = problems.map(({ detail }) => detail);
  return response({
    description: [...details, ...(note ? [note] : [])].join(" Or: "),
    headers: [...own, ...headers],
    content: content(PROBLEM, "ProblemDetails", Object.fromEntries(examples)),
  });
}

/** POST of an endpoint. */
function post(endpoint: Endpoint, path: string, written: Post): object {
  const { headers, parameters } = everyPost;
  const judged = ["Preference-Applied", ...headers];
  const { schema, valid, invalid, ...operation } = written;
  const bodies = mapValues(valid, ({ summary, value }) => ({ summary, value }));
  const responses = mapValues(valid, ({ summary, value: sent, passwords }) => {
    const [password = ""] = passwords;
    const { length } = password;
    const all = "count" in sent && { passwords };
    const value = { password, length, type: endpoint.type, ...all };
    return { summary, value };
  });
  const texts = mapValues(valid, ({ summary, value: sent, passwords }) => {
    const value = passwords.join("\n") + ("count" in sent ? "\n" : "");
    return { summary, value };
  });
  const errors = mapValues(invalid, ({ summary, value: sent }) => {
    const problem = Problem.ofFields(endpoint.passwords(sent).errors!);
    const value = problem.details(path);
    return { summary, value, "x-request": sent };
  });
  const problems = Map.groupBy(PROBLEMS, ({ status }) => status);
  return {
    ...operation,
    parameters,
    requestBody: {
      required: true,
      content: content("application/json", schema, bodies),
    },
    responses: {
      200: response({
        description: everyPost[200],
        headers: ["Entropy-Bits", ...judged],
        content: {
          ...content("application/json", "PasswordResponse", responses),
          "text/plain": {
            schema: { type: "string", description: everyPost.text },
            examples: texts,
          },
        },
      }),
      400: response({
        description: everyPost[400],
        headers: judged,
        content: content(PROBLEM, "HttpValidationProblemDetails", errors),
      }),
      ...Object.fromEntries(
        problems.entries().map(([status, problems]) => {
          const note = everyPost.notes[`${status}` as "503"];
          const options = { headers, ...note && { note } };
          return [status, problemResponse(path, problems, options)];
        }),
      ),
    },
  };
}

/** The operations of a path. */
function operations({ post: written, get }: PathItem, path: string): object {
  if (written) return { post: post(API[path]!, path, written) };
  return { get: { ...get, responses: mapValues(get!.responses, response) } };
}

/**
 * Makes the OpenAPI document.
 *
 * @returns the document
 */
export function openApiDocument(): object {
  const { ProblemDetails, HttpValidationProblemDetails } = components.schemas;
  const { NotFound, MethodNotAllowed } = components.responses;
  const notAllowed = methodNotAllowed(PREFLIGHT_HEADERS.Allow);
  const requests = Object.entries(API).map(([path, endpoint]) =>
    [PATHS[path]!.post!.schema, requestSchema(endpoint)] as const
  );
  return {
    ...rest,
    paths: mapValues(PATHS, operations),
    components: {
      ...components,
      schemas: {
        ...Object.fromEntries(requests),
        ...components.schemas,
        HttpValidationProblemDetails: {
          ...HttpValidationProblemDetails,
          properties: {
            ...ProblemDetails.properties,
            ...HttpValidationProblemDetails.properties,
          },
        },
      },
      responses: {
        InvalidHost: problemResponse("/healthz", [INVALID_HOST]),
        NotFound: {
          ...problemResponse("/api/pwgen", [NOT_FOUND], { headers: ["Vary"] }),
          ...NotFound,
        },
        MethodNotAllowed: {
          ...problemResponse("/api/pwgen/characters", [notAllowed]),
          ...MethodNotAllowed,
        },
      },
    },
  };
}
