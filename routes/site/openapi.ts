/**
 * The OpenAPI 3.1 document, made from the declarations of the endpoints and of the
 * problems. This file has the rest of its text.
 *
 * Source: https://spec.openapis.org/oas/v3.1.0.html
 *
 * @module
 */
import metadata from "../../deno.json" with { type: "json" };
import * as body from "../api/body.ts";
import type { Endpoint, Refused } from "../api/endpoint.ts";
import type { Reason } from "../../generators/passwords.ts";
import { type Field, INTEGER_STRING } from "../api/fields.ts";
import { API, PREFLIGHT_HEADERS } from "../api/mod.ts";
import { TOO_MANY_WAITING } from "../api/turns.ts";
import {
  INTERNAL_ERROR,
  Problem,
  tooManyRequests,
} from "../../http/problem.ts";
import { INVALID_HOST, methodNotAllowed } from "../../http/router.ts";
import { HEALTH, STOPPING } from "../health.ts";
import { NOT_FOUND } from "./not_found.ts";

export const INFO = {
  title: "Password Generation API",
  version: metadata.version,
  summary: "Passwords of random characters, words or a sentence",
  description: `
The server generates passwords from cryptographic randomness without bias. It does not store, cache or log them. The settings are in a JSON body; the query string is ignored. Use HTTPS. The API needs no credentials.

Each IPv4 address, and each IPv6 /64, may send 60 requests in any 60 seconds, for all three paths together. An installation can have another limit: \`RateLimit-Policy\` states it.

The response is JSON. A client whose Accept gives \`text/plain\` a greater quality gets the password alone, and with \`count\` one password on each line.

Web pages of every origin may use the API (CORS): OPTIONS on its paths gets 204, and allows POST with any header fields.

A client may send 600 other requests in any 60 seconds, counting those that its limit refuses; above that, a response has status 429 and no body. \`/healthz\` counts too, and keeps its status.

Every error with a body is \`application/problem+json\` (RFC 9457). An unknown path gets 404, a method that a path does not have 405, and an invalid Host header 400.`
    .trim(),
  license: { name: "MIT", identifier: "MIT" },
};

export const REQUEST =
  "Every field is optional. An integer in a string has the same range as a number. Names are compared without regard to the case of ASCII letters. Two spellings of one name are an error. Unknown names are ignored, or an error with `Prefer: handling=strict`.";

export const INVALID =
  "The value of a field is not allowed, or the body is empty or not a JSON object.";

const strict = "handling=strict";

/** A header field with one value, a list of values or a pattern. */
const optionalHeader = (
  example: string,
  description: string,
  values: object = { enum: [example] },
) => ({ description, schema: { type: "string", ...values }, example });

/** A header field that is always in the responses for which the document lists it. */
const requiredHeader = (...field: Parameters<typeof optionalHeader>) => ({
  ...optionalHeader(...field),
  required: true,
});

/** The header fields of responses. */
export const HEADERS: Readonly<
  Record<string, ReturnType<typeof optionalHeader>>
> = {
  "Accept-Encoding": optionalHeader(
    "identity",
    "The content coding that a body may have; only with a Content-Encoding that is not acceptable",
  ),
  "Access-Control-Allow-Origin": requiredHeader(
    "*",
    "Pages of every origin may read the response",
  ),
  "Access-Control-Expose-Headers": requiredHeader(
    "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits",
    "The header fields that pages of other origins may read",
  ),
  "Allow": requiredHeader("POST, OPTIONS", "The methods of the path", {}),
  "Cache-Control": requiredHeader(
    "no-store",
    "no-store: no cache keeps the response. no-cache: a cache must ask before it uses the response again",
    { enum: ["no-store", "no-cache"] },
  ),
  "ETag": requiredHeader(
    '"4f2-LXEWQrcmsEQBYnyp+6wy9chTD7G"',
    "The version of the body",
    { pattern: '^(W/)?"[^"]+"$' },
  ),
  "Entropy-Bits": requiredHeader(
    "129.68",
    "Log2 of the number of passwords that the request allows, each of which is equally likely: the bits that an attacker who knows the settings has to guess. Exact, rounded down to two decimals.",
    { pattern: "^\\d+\\.\\d\\d$" },
  ),
  "Preference-Applied": optionalHeader(
    strict,
    `Unknown fields are errors, since the request has \`Prefer: ${strict}\` (RFC 7240)`,
  ),
  "RateLimit": optionalHeader(
    '"default";r=59;t=60',
    "The state of the client's limit: r more requests are allowed now, and the oldest counted request leaves the window in t seconds (draft-ietf-httpapi-ratelimit-headers-11). Absent for a client that the operator exempts",
    { pattern: '^"default";r=\\d+;t=\\d+$' },
  ),
  "RateLimit-Policy": optionalHeader(
    '"default";q=60;w=60',
    "The limit of a client: q requests in any w seconds, for all three paths together. An installation can have another q. Absent for a client that the operator exempts",
    { pattern: '^"default";q=\\d+;w=60$' },
  ),
  "Retry-After": optionalHeader(
    "60",
    "The time to wait before another request, in seconds. Absent while the process is stopping",
    { pattern: "^\\d+$" },
  ),
  "Strict-Transport-Security": optionalHeader(
    "max-age=31536000",
    "Further requests must use TLS. Only in responses to requests over TLS. An installation can have another max-age",
    { pattern: "^max-age=\\d+$" },
  ),
  "Vary": requiredHeader(
    "Accept",
    "The response depends on these header fields of the request",
    { enum: ["Accept", "Accept-Encoding"] },
  ),
  "X-Content-Type-Options": requiredHeader(
    "nosniff",
    "A browser must not guess another media type",
  ),
};

const CORS = ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"];
/** The header fields of responses to POST. */
const POST_HEADERS = ["RateLimit", "RateLimit-Policy", "Vary", ...CORS];

const INT32 = { type: "integer", format: "int32" };

/** An integer of a request, which can also be in a string. */
const INTEGER = {
  ...INT32,
  type: ["integer", "string"],
  pattern: INTEGER_STRING.source,
};

/** What a response has as its body. */
export const PASSWORD_RESPONSE = {
  type: "object",
  description: "A password.",
  required: ["password", "length", "type"],
  properties: {
    password: { type: "string", description: "The generated password" },
    length: {
      ...INT32,
      minimum: 1,
      // Groups of one character, and hyphens between them.
      maximum: 255,
      description:
        "Its length in characters (Unicode code points of its NFC form)",
    },
    type: {
      type: "string",
      enum: Object.values(API).map(({ type }) => type),
      description: "Its kind",
    },
    passwords: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      maxItems: 100,
      description:
        "All passwords, if the request has the field `count`. They are independent and may repeat. `password` is the first one.",
      "x-since": "1.2.0",
    },
  },
};

const nullable = (type: string, description: string) => ({
  type: [type, "null"],
  description,
});

/** The members of RFC 9457. */
const PROBLEM_MEMBERS = {
  type: nullable("string", "The section that defines the status, as a URI"),
  title: nullable("string", "The kind of problem"),
  status: { ...nullable("integer", "The HTTP status"), format: "int32" },
  detail: nullable("string", "The problem of this request"),
  instance: nullable("string", "The path of the request"),
};

/** What each reason of a refusal means. */
const REASONS: Readonly<Record<Reason, string>> = {
  noClass: "no class of characters is true",
  noCharacter:
    "no character is left of a class, or of a set of `passwordRules`",
  classIsOff: "the class of this minimum is false",
  sumOfMinima: "the minima have no place in `length`",
  percentage: "`specialCharacterPercentage` gives fewer special characters",
  besidePercentage:
    "`specialCharacterPercentage` leaves fewer places to the other minima together",
  noLetter: "no letter is allowed",
  noPlaceForLetter: "digits and special characters take all places",
  hyphen: "the hyphen is excluded, or is the only special character",
  runsAndPercentage:
    "limits of runs cannot be counted with `specialCharacterPercentage`",
  runsAndMinima:
    "`maximumSequential` cannot be counted with both cases and a minimum above 1 of one",
  rare: "fewer than 1 in 64 passwords would remain",
  time: "the passwords cannot be counted in time",
  rules: "`passwordRules` do not permit this value",
  syntax: "`passwordRules` have an error",
  requiredSets: "`passwordRules` require too many different sets",
  separators: "`separator` and `separatorSet` exclude each other",
  replacements: "`replaceWithSpecialCharacters` writes these signs in words",
  aboveMaximumLength: "it is above `maximumLength`",
  belowMinimumLength: "it is below `minimumLength`",
  tooShort: "no password is so short",
  tooLong: "no password is so long",
  noLength: "no password has a length between the two",
  oneWord: "one word has no gap",
  entropy: "no size has so many bits",
  work: "so many passwords take too much work",
};

const reference = (name: string) => ({ $ref: `#/components/${name}` });

const SCHEMAS = {
  PasswordResponse: PASSWORD_RESPONSE,
  ProblemDetails: {
    type: "object",
    description: "A problem (RFC 9457).",
    properties: PROBLEM_MEMBERS,
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
      limits: {
        type: "object",
        description:
          "For each field of `errors` whose value is allowed by itself but does not fit other fields: why, and the bound if there is one. Absent without such a field.",
        additionalProperties: reference("schemas/FieldLimit"),
        "x-since": "2.0.0",
      },
    },
  },
  FieldLimit: {
    type: "object",
    description:
      "What the first message of a field says, for programs. 0 is also possible where it stands for none.",
    required: ["reason"],
    properties: {
      reason: {
        type: "string",
        enum: Object.keys(REASONS),
        description: `Why the value is refused: ${
          Object.entries(REASONS).map(([reason, text]) =>
            `\`${reason}\`: ${text}`
          ).join("; ")
        }`,
      },
      minimum: {
        ...INT32,
        description: "The least value with the other fields as they are",
      },
      maximum: {
        ...INT32,
        description: "The greatest value with the other fields as they are",
      },
      length: {
        ...INT32,
        description: "The least value of the field `length` for these minima",
      },
    },
  },
  Health: {
    type: "object",
    description: "The state of the process.",
    required: ["status"],
    properties: { status: { type: "string", enum: ["ok"] } },
  },
};

/** Makes an object with the same keys and other values. */
function mapValues<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

const capitalized = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** A body, with a schema of the components. */
const content = (type: string, schema: string, examples: object) => ({
  [type]: { schema: reference(`schemas/${schema}`), examples },
});

/** A response, with the names of its own header fields. */
function response(
  description: string,
  headers: readonly string[],
  content?: object,
) {
  const names = [
    ...headers,
    "Cache-Control",
    "X-Content-Type-Options",
    "Strict-Transport-Security",
  ];
  const references = names.map((name) => [name, reference(`headers/${name}`)]);
  return {
    description,
    headers: Object.fromEntries(references),
    ...content && { content },
  };
}

const PROBLEM = "application/problem+json";

/** The response for problems of one status. */
function problemResponse(
  path: string,
  problems: readonly Problem[],
  headers: readonly string[] = [],
  empty?: string,
) {
  const details = problems.map(({ detail }) => detail);
  if (empty) details.push(`With an empty body: ${empty}`);
  const examples = problems.map((problem, i) => [
    i === 0 ? "example" : `example${i + 1}`,
    { summary: problem.detail, value: problem.details(path) },
  ]);
  // Those that belong to the status, such as Retry-After.
  const ofStatus = Object.keys(HEADERS).filter((name) =>
    problems.some(({ headers }) => name.toLowerCase() in headers)
  );
  const body = content(PROBLEM, "ProblemDetails", Object.fromEntries(examples));
  return response(details.join(" Or: "), [...ofStatus, ...headers], body);
}

/** The problems of every POST. 60 requests in 60 seconds is the default limit. */
export const PROBLEMS: readonly Problem[] = [
  body.BODY_TIMEOUT,
  body.TOO_LARGE,
  body.TOO_MANY_PIECES,
  body.NOT_JSON_TYPE,
  body.NOT_IDENTITY,
  tooManyRequests(60, 60),
  INTERNAL_ERROR,
  body.TOO_MANY_PENDING_BODIES,
  TOO_MANY_WAITING,
  STOPPING,
];

/** When a response to POST has no body. */
export const EMPTY: Readonly<Record<number, string>> = {
  429: "600 requests of the client were refused in 60 seconds.",
  503: "too many responses are unread.",
};

function fieldSchema(field: Field<unknown>): object {
  const { type, range, values, identifiers, maxLength, pattern, since } = field;
  // Some generators read the one name, some the other. Without them, NSwag gives
  // several values of `separator` the same identifier.
  const names = identifiers && values?.map((value) => identifiers[value]);
  return {
    ...type === "integer" ? INTEGER : { type },
    ...range && { minimum: range[0], maximum: range[1] },
    ...values && { enum: values },
    ...names && { "x-enum-varnames": names, "x-enumNames": names },
    ...maxLength && { maxLength },
    ...pattern && { pattern: pattern.source },
    description: `${field.description}. Default: \`${
      JSON.stringify(field.default)
    }\`.`,
    ...since && { "x-since": since },
  };
}

/**
 * The schemas of the fields that have identifiers, by names such as "Separator". Inside
 * the schemas of request bodies, kubb would give their types the same name.
 */
const NAMED = Object.fromEntries(
  Object.values(API).flatMap(({ fields }) => Object.entries(fields))
    .filter(([, { identifiers }]) => identifiers)
    .map(([name, field]) => [capitalized(name), fieldSchema(field)]),
);

/** The name of the schema of a request body. */
const requestName = ({ type }: Endpoint) =>
  `${capitalized(type).replace(/s$/, "")}PasswordRequest`;

/**
 * The schema of a request body. The defaults are one object, because code
 * generators take a property with a default for one that is always there.
 */
function requestSchema({ fields }: Endpoint): object {
  return {
    type: "object",
    description: REQUEST,
    properties: mapValues(fields, (field, name) => {
      const named = capitalized(name);
      return named in NAMED
        ? reference(`schemas/${named}`)
        : fieldSchema(field);
    }),
    default: mapValues(fields, (field) => field.default),
  };
}

export const operationId = ({ type }: Endpoint): string =>
  `generate${capitalized(type)}`;

function post(endpoint: Endpoint, path: string): object {
  const { type, about } = endpoint;
  const { summary, description, examples, invalid } = about;
  const headers = ["Preference-Applied", ...POST_HEADERS];
  const requests = mapValues(
    examples,
    ({ passwords: _, ...request }) => request,
  );
  const responses = mapValues(examples, ({ summary, value, passwords }) => {
    const [password = ""] = passwords;
    const { length } = password;
    const list = "count" in value && { passwords };
    return { summary, value: { password, length, type, ...list } };
  });
  const refused = endpoint.passwords(invalid.value) as Refused;
  const error = {
    summary: invalid.summary,
    value: Problem.ofFields(refused.errors, refused.limits).details(path),
    "x-request": invalid.value,
  };
  const problems = Map.groupBy(PROBLEMS, ({ status }) => status).entries()
    .map(([status, problems]) => {
      const response = problemResponse(
        path,
        problems,
        POST_HEADERS,
        EMPTY[status],
      );
      return [status, response] as const;
    });
  return {
    operationId: operationId(endpoint),
    tags: ["Passwords"],
    summary,
    description,
    parameters: [{
      name: "Prefer",
      in: "header",
      description:
        `With \`${strict}\`, an unknown field is an error (RFC 7240)`,
      schema: { type: "string" },
      example: strict,
    }],
    requestBody: {
      required: true,
      content: content("application/json", requestName(endpoint), requests),
    },
    responses: {
      200: response(
        "A password. To a client that prefers `text/plain`: the password alone; with `count`, a line for each password, which ends with a line feed.",
        ["Entropy-Bits", ...headers],
        {
          ...content("application/json", "PasswordResponse", responses),
          "text/plain": { schema: { type: "string" } },
        },
      ),
      400: response(
        INVALID,
        headers,
        content(PROBLEM, "HttpValidationProblemDetails", { invalid: error }),
      ),
      ...Object.fromEntries(problems),
    },
  };
}

const DOCUMENT_HEADERS = ["ETag", "Vary", ...CORS];

/** The GET operations outside the API. */
export const SERVICE = {
  "/healthz": {
    operationId: "getHealth",
    tags: ["Service"],
    summary: "Health check",
    description:
      "Whether the process accepts requests. Not logged. A client above its 600 requests in 60 seconds gets the status without a body.",
    responses: {
      200: response(
        "The process accepts requests.",
        [],
        content("application/json", "Health", {
          ok: { summary: "The only response", value: { status: "ok" } },
        }),
      ),
      503: problemResponse(HEALTH, [STOPPING]),
    },
  },
  "/openapi/v1.json": {
    operationId: "getDescription",
    tags: ["Service"],
    summary: "Description of the API",
    description: "This document.",
    responses: {
      200: response("The document.", DOCUMENT_HEADERS, {
        "application/json": { schema: { type: "object" } },
      }),
      304: response("The client has this version.", DOCUMENT_HEADERS),
      429: response("The client sent more than 600 requests in 60 seconds.", [
        "Retry-After",
        ...CORS,
      ]),
      503: problemResponse(
        "/openapi/v1.json",
        [STOPPING],
        ["Retry-After", ...CORS],
        EMPTY[503],
      ),
    },
  },
};

export function openApiDocument(): object {
  const notAllowed = methodNotAllowed(PREFLIGHT_HEADERS.Allow);
  const requests = Object.values(API).map((endpoint) =>
    [requestName(endpoint), requestSchema(endpoint)] as const
  );
  return {
    // Some programs refuse 3.1.2, which changes only the text of 3.1.0.
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: ".." }],
    security: [],
    tags: [
      { name: "Passwords", description: "The three kinds of password." },
      { name: "Service", description: "The service itself." },
    ],
    paths: {
      ...mapValues(API, (endpoint, path) => ({ post: post(endpoint, path) })),
      ...mapValues(SERVICE, (get) => ({ get })),
    },
    components: {
      schemas: { ...Object.fromEntries(requests), ...NAMED, ...SCHEMAS },
      headers: HEADERS,
      // Any path has these.
      responses: {
        InvalidHost: problemResponse("/healthz", [INVALID_HOST]),
        NotFound: {
          ...problemResponse("/api/pwgen", [NOT_FOUND], ["Vary"]),
          description:
            "The path is unknown. Paths are compared byte for byte. A client that prefers HTML to JSON, such as a browser, gets a page.",
        },
        MethodNotAllowed: {
          ...problemResponse("/api/pwgen/characters", [notAllowed]),
          description: "The path does not have this method.",
        },
      },
    },
  };
}
