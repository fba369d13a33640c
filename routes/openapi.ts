/**
 * The description of the API for machines: OpenAPI 3.1, built from the fields
 * that the validators read.
 *
 * @module
 */
import { STATUS_TEXT } from "@std/http/status";
import { CROWDED, LATE, NOT_JSON_TYPE, TOO_LARGE } from "./body.ts";
import { CHARACTER_FIELDS } from "./characters.ts";
import type { Fields } from "./fields.ts";
import { NO_HOST, NOT_FOUND } from "./mod.ts";
import { PHRASE_FIELDS } from "./password.ts";
import { type FieldErrors, Problem } from "./problem.ts";
import { serveResource } from "./static.ts";
import type { Handler } from "./types.ts";
import { WORD_FIELDS } from "./words.ts";

/** A JSON Schema (draft 2020-12), as far as this description uses it. */
export interface Schema {
  /** Where the schema stands that is meant, such as "#/components/schemas/A". */
  readonly $ref?: string;
  /** The JSON type or types. */
  readonly type?: string | readonly string[];
  /** What the value means. */
  readonly description?: string;
  /** What holds when the value is left out. */
  readonly default?: unknown;
  /** The range of a number. */
  readonly format?: string;
  /** The least number. */
  readonly minimum?: number;
  /** The greatest number. */
  readonly maximum?: number;
  /** What a string must look like. */
  readonly pattern?: string;
  /** All values. */
  readonly enum?: readonly unknown[];
  /** The properties of an object. */
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The properties that an object must have. */
  readonly required?: readonly string[];
  /** All other properties of an object. */
  readonly additionalProperties?: Schema;
  /** Each item of an array. */
  readonly items?: Schema;
}

/** An example of a body. */
export interface Example {
  /** What it shows. */
  readonly summary: string;
  /** The body itself. */
  readonly value: unknown;
  /** What was sent, where the schema of requests does not permit it. */
  readonly "x-request"?: unknown;
}

/** Bodies by media type. */
export type Content = Readonly<
  Record<
    string,
    { readonly schema: Schema; readonly examples?: Record<string, Example> }
  >
>;

/** A header field of an answer. */
export interface Header {
  /** What it says. */
  readonly description: string;
  /** Whether it is always there. */
  readonly required: boolean;
  /** What it looks like. */
  readonly schema: Schema;
  /** One value. */
  readonly example: string;
}

/** An answer. */
export interface Answer {
  /** When it is given. */
  readonly description: string;
  /** Its header fields; each stands under components. */
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  /** Its body, if it has one. */
  readonly content?: Content;
}

/** What can be asked with one method of one path. */
export interface Operation {
  /** The name of the function in a generated client. */
  readonly operationId: string;
  /** The group it belongs to. */
  readonly tags: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  /** What it does. */
  readonly description: string;
  /** What is sent. */
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Content;
  };
  /** What comes back, by status. */
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The whole description. */
export interface Description {
  /** The version of OpenAPI. */
  readonly openapi: string;
  /** What is described. */
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  /** Where it is: at the root of the host. */
  readonly servers: readonly { readonly url: string }[];
  /** Credentials: none. */
  readonly security: readonly [];
  /** The groups of operations. */
  readonly tags: readonly { readonly name: string; description: string }[];
  /** The operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** What is said once. */
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** The rate limit that is described. */
export interface DescribedLimit {
  /** Requests admitted to a client in a window. */
  readonly limit: number;
  /** The length of the window, in seconds. */
  readonly seconds: number;
}

/** The schema of a request body. */
function requestSchema(description: string, fields: Fields): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = {
      ...field.schema,
      default: field.default,
      description: field.description,
    };
  }
  return { type: "object", description, properties };
}

const nullable = (type: string, description: string, more: Schema = {}) => ({
  type: [type, "null"],
  description,
  ...more,
});

/** The members of RFC 9457, section 3.1. */
const PROBLEM_MEMBERS: Readonly<Record<string, Schema>> = {
  type: nullable("string", "The section that defines the status, as a URI"),
  title: nullable("string", "What kind of problem it is"),
  status: nullable("integer", "The HTTP status", { format: "int32" }),
  detail: nullable("string", "What is wrong with this request"),
  instance: nullable("string", "The path of the request"),
};

const SCHEMAS: Readonly<Record<string, Schema>> = {
  CharacterPasswordRequest: requestSchema(
    "Settings of a password of random characters. Names are compared without regard to the case of ASCII letters; one name in two spellings is an error of it; unknown names are ignored. At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true. An integer in a string has the same range as a number.",
    CHARACTER_FIELDS,
  ),
  WordPasswordRequest: requestSchema(
    "Settings of a password of random words. Names are compared without regard to the case of ASCII letters; one name in two spellings is an error of it; unknown names are ignored. With one word, `numberPosition` cannot be `between` or `all`, whatever `numberLength` is. An integer in a string has the same range as a number.",
    WORD_FIELDS,
  ),
  SentencePasswordRequest: requestSchema(
    "Settings of a password that reads like a sentence. Names are compared without regard to the case of ASCII letters; one name in two spellings is an error of it; unknown names are ignored. An integer in a string has the same range as a number.",
    PHRASE_FIELDS,
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
        enum: ["characters", "words", "sentence"],
        description: "Its kind",
      },
    },
  },
  HttpValidationProblemDetails: {
    type: "object",
    description:
      "What is wrong with a request (RFC 9457), and with which of its fields.",
    properties: {
      ...PROBLEM_MEMBERS,
      errors: {
        type: "object",
        description:
          "For each field at fault, as the request's schema spells it, what is allowed and what kind of value came instead. What concerns the body as a whole stands under $. Absent where no body was looked at.",
        additionalProperties: { type: "array", items: { type: "string" } },
      },
    },
  },
  ProblemDetails: {
    type: "object",
    description: "What is wrong with a request (RFC 9457).",
    properties: PROBLEM_MEMBERS,
  },
  Health: {
    type: "object",
    description: "That the process answers.",
    required: ["status"],
    properties: { status: { type: "string", enum: ["ok"] } },
  },
};

const schemaRef = (name: string): Schema => ({
  $ref: `#/components/schemas/${name}`,
});

/** A header field that a component describes. */
function header(
  required: boolean,
  description: string,
  schema: Omit<Schema, "type">,
  example: string,
): Header {
  return {
    description,
    required,
    schema: { type: "string", ...schema },
    example,
  };
}

function headerFields(
  { limit, seconds }: DescribedLimit,
): Record<string, Header> {
  return {
    "Access-Control-Allow-Headers": header(
      true,
      "What a page of another origin may send",
      { enum: ["Content-Type"] },
      "Content-Type",
    ),
    "Access-Control-Allow-Methods": header(
      true,
      "How a page of another origin may ask",
      { enum: ["POST, OPTIONS"] },
      "POST, OPTIONS",
    ),
    "Access-Control-Allow-Origin": header(
      true,
      "Pages of any origin may read the answer",
      { enum: ["*"] },
      "*",
    ),
    "Access-Control-Expose-Headers": header(
      true,
      "The header fields that they may read",
      {},
      "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits",
    ),
    "Access-Control-Max-Age": header(
      true,
      "For how many seconds this permission holds",
      { pattern: "^\\d+$" },
      "86400",
    ),
    "Allow": header(true, "The methods that the path has", {}, "POST, OPTIONS"),
    "Cache-Control": header(
      true,
      "no-store: nobody keeps the answer. no-cache: who keeps it asks each time whether it still holds",
      { enum: ["no-store", "no-cache"] },
      "no-store",
    ),
    "ETag": header(
      true,
      "Changes whenever the body does",
      { pattern: '^(W/)?"[^"]+"$' },
      '"4f2-LXEWQrcmsEQBYnyp+6wy9chTD7G"',
    ),
    "Entropy-Bits": header(
      true,
      "Log2 of the number of passwords that the request permits, each of which is equally likely: what an attacker has to guess who knows the settings. Exact, rounded down to two decimals.",
      { pattern: "^\\d+\\.\\d\\d$" },
      "129.68",
    ),
    "RateLimit": header(
      true,
      "How the client's budget stands: r requests are left, and t seconds pass until the oldest one counted is forgotten (draft-ietf-httpapi-ratelimit-headers-11)",
      { pattern: '^"default";r=\\d+;t=\\d+$' },
      `"default";r=${limit - 1};t=${seconds}`,
    ),
    "RateLimit-Policy": header(
      true,
      "The budget of a client: q requests in any w seconds, over all three paths together",
      { enum: [`"default";q=${limit};w=${seconds}`] },
      `"default";q=${limit};w=${seconds}`,
    ),
    "Retry-After": header(
      true,
      "In how many seconds to try again",
      { pattern: "^\\d+$" },
      String(seconds),
    ),
    "Strict-Transport-Security": header(
      false,
      "The next request must come over TLS as well; only where this one did",
      { enum: ["max-age=31536000"] },
      "max-age=31536000",
    ),
    "X-Content-Type-Options": header(
      true,
      "The media type is to be taken as it stands",
      { enum: ["nosniff"] },
      "nosniff",
    ),
  };
}

/** The header fields of every answer. */
const EVERYWHERE = [
  "Cache-Control",
  "X-Content-Type-Options",
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Strict-Transport-Security",
];

/** The header fields of every answer to a POST. */
const COUNTED = ["RateLimit", "RateLimit-Policy"];

function answer(
  description: string,
  headers: readonly string[],
  content?: Content,
): Answer {
  return {
    description,
    headers: Object.fromEntries(
      [...headers, ...EVERYWHERE].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
    ...(content && { content }),
  };
}

/** Problems that one answer can tell of, by the names of their examples. */
type Examples = Record<
  string,
  { summary: string; problem: Problem; request?: unknown }
>;

function problemAnswer(
  description: string,
  headers: readonly string[],
  path: string,
  examples: Examples,
  schema = "ProblemDetails",
): Answer {
  return answer(description, headers, {
    "application/problem+json": {
      schema: schemaRef(schema),
      examples: Object.fromEntries(
        Object.entries(examples).map(([name, example]) => [
          name,
          {
            summary: example.summary,
            value: example.problem.details(path),
            ...(example.request !== undefined &&
              { "x-request": example.request }),
          },
        ]),
      ),
    },
  });
}

/** An answer that tells of one problem. */
function oneProblem(
  path: string,
  problem: Problem,
  headers: readonly string[] = [],
  description = problem.detail,
): Answer {
  const example = { summary: STATUS_TEXT[problem.status], problem };
  return problemAnswer(description, headers, path, { example });
}

/** What the description of an endpoint is made of. */
interface Endpoint {
  readonly path: string;
  readonly schema: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Request and answer by the name that both examples have. */
  readonly good: Record<
    string,
    { summary: string; request: unknown; answer: unknown }
  >;
  /** Request and errors by the name of the answer's example. */
  readonly bad: Record<
    string,
    { summary: string; request: unknown; errors: FieldErrors }
  >;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: "/api/pwgen/characters",
    schema: "CharacterPasswordRequest",
    operationId: "generateCharacters",
    summary: "A password of random characters",
    description:
      "Every password that the settings permit is equally likely. Each class of characters in use occurs at least once where the length has room for all of them. With `specialCharacterPercentage` above 0 exactly that share of the characters is special (rounded, halves up, at least one), and the other places go to the other classes, each of which occurs where there is room for all of these; with no other class in use all are special. Without `specialCharacters` the percentage is ignored.",
    good: {
      defaults: {
        summary: "All settings left out",
        request: {},
        answer: {
          password: ":MEw4_dUbb?oPVc*2[Mf",
          length: 20,
          type: "characters",
        },
      },
      lettersAndDigits: {
        summary: "16 letters and digits",
        request: { length: 16, specialCharacters: false },
        answer: {
          password: "X9wBv1w0uKpZt3Qd",
          length: 16,
          type: "characters",
        },
      },
      integerInString: {
        summary: "An integer as a string, and a share of special characters",
        request: { length: "12", specialCharacterPercentage: "25" },
        answer: { password: "Uo7=kQz_P4;d", length: 12, type: "characters" },
      },
    },
    bad: {
      outOfRange: {
        summary: "Two fields at fault",
        request: { length: 129, lowercase: "yes" },
        errors: {
          length: [
            "Must be an integer from 1 to 128, or a string that holds one; got an integer out of range.",
          ],
          lowercase: ["Must be true or false; got a string."],
        },
      },
      noClass: {
        summary: "Nothing to make a password of",
        request: {
          lowercase: false,
          uppercase: false,
          numbers: false,
          specialCharacters: false,
        },
        errors: {
          $: [
            "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
          ],
        },
      },
    },
  },
  {
    path: "/api/pwgen/words",
    schema: "WordPasswordRequest",
    operationId: "generateWords",
    summary: "A password of random words",
    description:
      "One to ten words of one list, each drawn independently, joined with nothing between them but the digit sequences asked for, which may begin with zeros. The words are drawn, cased, written without Swedish letters, written with special characters (å becomes @ with both), and then the digits are placed.",
    good: {
      defaults: {
        summary: "All settings left out",
        request: {},
        answer: {
          password: "41TupplurÖdehusVägbankSoja",
          length: 26,
          type: "words",
        },
      },
      fiveEnglishWords: {
        summary: "Five English words, digits after them",
        request: { language: "en", wordCount: 5, numberPosition: "after" },
        answer: {
          password: "FurryWebpageShortsPicnicFuse20",
          length: 30,
          type: "words",
        },
      },
    },
    bad: {
      oneWord: {
        summary: "One word has nothing between",
        request: { wordCount: 1, numberPosition: "between" },
        errors: {
          numberPosition: [
            'Must be "before" or "after" when wordCount is 1: one word has nothing between.',
          ],
        },
      },
      notListed: {
        summary: "A string that is not listed exactly so",
        request: { language: "SV" },
        errors: {
          language: [
            `Must be ${PHRASE_FIELDS.language.allowed}; got another string.`,
          ],
        },
      },
    },
  },
  {
    path: "/api/pwgen/sentence",
    schema: "SentencePasswordRequest",
    operationId: "generateSentence",
    summary: "A password like a sentence",
    description:
      "An adjective, a noun, a verb and an adverb, in this order and in forms that agree, joined with nothing between them but the digit sequences asked for. Casing, replacements and digits come in the order of `/api/pwgen/words`; digits may stand `between` always.",
    good: {
      defaults: {
        summary: "All settings left out",
        request: {},
        answer: {
          password: "07KrokigaBarnspelKvittrarFelfritt",
          length: 33,
          type: "sentence",
        },
      },
      english: {
        summary: "In English, the first letter of all in upper case",
        request: { language: "en", casing: "first" },
        answer: {
          password: "61Orderlywordsrewindblandly",
          length: 27,
          type: "sentence",
        },
      },
    },
    bad: {
      notAnInteger: {
        summary: "A number with a fraction",
        request: { numberLength: 2.5 },
        errors: {
          numberLength: [
            "Must be an integer from 0 to 12, or a string that holds one; got a number that is no such integer.",
          ],
        },
      },
    },
  },
];

/** The description of POST and OPTIONS of one endpoint. */
function pathItem(
  { path, schema, good, bad, ...texts }: Endpoint,
  { limit, seconds }: DescribedLimit,
): Record<string, Operation> {
  const examples = (value: "request" | "answer"): Record<string, Example> =>
    Object.fromEntries(
      Object.entries(good).map(([name, example]) => [
        name,
        { summary: example.summary, value: example[value] },
      ]),
    );
  const problems = Object.fromEntries(
    Object.entries(bad).map(([name, { summary, request, errors }]) => [
      name,
      { summary, request, problem: Problem.of(errors) },
    ]),
  );
  const post: Operation = {
    ...texts,
    tags: ["Passwords"],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: schemaRef(schema),
          examples: examples("request"),
        },
      },
    },
    responses: {
      200: answer("A password.", ["Entropy-Bits", ...COUNTED], {
        "application/json": {
          schema: schemaRef("PasswordResponse"),
          examples: examples("answer"),
        },
      }),
      400: problemAnswer(
        "A field's value is not allowed; or the body is empty, not UTF-8, or not a JSON object; or the Host header names no host.",
        COUNTED,
        path,
        problems,
        "HttpValidationProblemDetails",
      ),
      408: oneProblem(path, LATE, COUNTED),
      413: oneProblem(path, TOO_LARGE, COUNTED),
      415: oneProblem(path, NOT_JSON_TYPE, COUNTED),
      429: oneProblem(
        path,
        new Problem(
          429,
          `More than ${limit} requests in ${seconds} seconds from one address.`,
        ),
        ["Retry-After", ...COUNTED],
        `More than ${limit} requests in ${seconds} seconds from one address (IPv6: from one /64).`,
      ),
      500: oneProblem(
        path,
        new Problem(500, "The service failed to answer this request."),
        COUNTED,
        "The service failed; nothing is said of its inside.",
      ),
      503: oneProblem(
        path,
        CROWDED,
        ["Retry-After", ...COUNTED],
        "Too many bodies are on their way at this time; one that comes along with its header is always read.",
      ),
    },
  };
  const options: Operation = {
    operationId: `${texts.operationId}Preflight`,
    tags: ["Passwords"],
    summary: "What is allowed here",
    description: "Asked by browsers before a page of another origin may POST.",
    responses: {
      204: answer("What is allowed.", [
        "Allow",
        "Access-Control-Allow-Methods",
        "Access-Control-Allow-Headers",
        "Access-Control-Max-Age",
      ]),
      400: oneProblem(path, NO_HOST),
    },
  };
  return { post, options };
}

/**
 * Describes the API.
 *
 * @param rateLimit the rate limit in force
 * @returns an OpenAPI 3.1 description, to be serialised as JSON
 *
 * @example
 * ```ts
 * import { describe } from "./openapi.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { components } = describe({ limit: 60, seconds: 60 });
 * const { length } = components.schemas["CharacterPasswordRequest"]!.properties!;
 * assertEquals([length!.minimum, length!.maximum, length!.default], [1, 128, 20]);
 * ```
 */
export function describe(rateLimit: DescribedLimit): Description {
  const [{ path }] = ENDPOINTS as [Endpoint];
  return {
    openapi: "3.1.1",
    info: {
      title: "Password Generation API",
      // Of the interface, which the specification calls v1; not of the program.
      version: "1.0.0",
      summary: "Passwords of random characters, words or a sentence",
      description: [
        "Passwords are generated on the server from cryptographically secure randomness, without bias, and are neither stored, cached nor logged.",
        "Settings travel in a JSON body, never in the URL: a query string is not read. Passwords must travel over HTTPS. No credentials are needed.",
        "An address (IPv6: a /64) has one budget over the three paths: " +
        `${rateLimit.limit} requests in any ${rateLimit.seconds} seconds.`,
        "Every error is `application/problem+json` (RFC 9457). An unknown path answers 404, a method that a path does not have 405 with `Allow`; paths are compared byte for byte. A Host header that names no host answers 400.",
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [],
    tags: [
      { name: "Passwords", description: "The three kinds of password." },
      { name: "Service", description: "The service itself." },
    ],
    paths: {
      ...Object.fromEntries(
        ENDPOINTS.map((endpoint) => [
          endpoint.path,
          pathItem(endpoint, rateLimit),
        ]),
      ),
      "/healthz": {
        get: {
          operationId: "getHealth",
          tags: ["Service"],
          summary: "Whether the process answers",
          description: "Not limited, not logged.",
          responses: {
            200: answer("It does.", [], {
              "application/json": {
                schema: schemaRef("Health"),
                examples: {
                  ok: { summary: "Always so", value: { status: "ok" } },
                },
              },
            }),
            400: oneProblem("/healthz", NO_HOST),
          },
        },
      },
      "/openapi/v1.json": {
        get: {
          operationId: "getDescription",
          tags: ["Service"],
          summary: "This description",
          description: "Not limited.",
          responses: {
            200: answer("The description.", ["ETag"], {
              "application/json": { schema: { type: "object" } },
            }),
            304: answer("It is still the one with the ETag given.", ["ETag"]),
            400: oneProblem("/openapi/v1.json", NO_HOST),
          },
        },
      },
    },
    components: {
      schemas: SCHEMAS,
      headers: headerFields(rateLimit),
      responses: {
        NotFound: oneProblem(
          "/api/pwgen",
          NOT_FOUND,
          [],
          "No such path. Paths are compared byte for byte.",
        ),
        MethodNotAllowed: oneProblem(
          path,
          new Problem(405, "This path takes POST, OPTIONS."),
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
 * @param rateLimit the rate limit in force
 * @returns the handler
 *
 * @example
 * ```ts
 * import { openapi } from "./openapi.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = openapi({ limit: 60, seconds: 60 });
 * const path = "/openapi/v1.json";
 * const request = new Request(`http://localhost${path}`);
 * const response = await handler(request, { path, peer: "::1" });
 * assertEquals((await response.json()).info.version, "1.0.0");
 * ```
 */
export function openapi(rateLimit: DescribedLimit): Handler {
  return serveResource({
    type: "application/json",
    text: () => JSON.stringify(describe(rateLimit)),
  });
}
