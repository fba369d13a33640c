/**
 * Makes an endpoint from fields and a generator.
 *
 * @module
 */
import {
  formatBits,
  MINIMUM_ENTROPY,
  withMinimumEntropy,
} from "../../generators/minimum_entropy.ts";
import type {
  PasswordGenerator,
  Passwords,
  Refusal,
} from "../../generators/passwords.ts";
import type { Handler, Middleware } from "../../http/context.ts";
import { jsonResponse } from "../../http/json.ts";
import { headerField, isStrict, prefers } from "../../http/negotiation.ts";
import { Problem } from "../../http/problem.ts";
import type { BodyReader, JsonObject } from "./body.ts";
import {
  type FieldErrors,
  type Fields,
  integer,
  type Validated,
  validator,
  type Values,
} from "./fields.ts";
import type { SlowQueue } from "./slow_queue.ts";

const TEXT_HEADERS = { "content-type": "text/plain; charset=utf-8" };

/** RFC 7240, section 3. */
const APPLIED = ["preference-applied", "handling=strict"] as const;

/** The fields that all endpoints share. */
const SHARED_FIELDS = {
  minimumEntropy: integer({
    since: "1.1.0",
    ...MINIMUM_ENTROPY,
    description:
      "Minimum number of bits: `length`, `wordCount` or, for a sentence, `numberLength` is raised to the smallest value that suffices; 0 raises nothing",
    label: { en: "Minimum strength in bits", sv: "Minsta styrka i bitar" },
    help: {
      en: "The password gets longer if necessary.",
      sv: "Lösenordet blir längre om det behövs.",
    },
  }),
  count: integer({
    since: "1.2.0",
    range: [0, 100],
    default: 0,
    isSlow: true,
    description:
      "Number of independent passwords; the response then has `passwords`, an array of them, which may repeat. 0 for one password without `passwords`",
  }),
};

/** A body with more members is also slow; no endpoint has as many fields. */
const MAX_FAST_MEMBERS = 30;

/** The most characters that are drawn for a response, on average. */
const MAX_DRAWN_CHARACTERS = 30_000;

/** The fields of an endpoint, and those that all endpoints share. */
type AllFields<F extends Fields> = F & typeof SHARED_FIELDS;

/** A request body of an endpoint after each field is validated by itself. */
export type RequestOf<F extends Fields> = Validated<AllFields<F>>;

/** What the fields of a request mean together. */
export interface ValidatedTogether<F extends Fields> {
  /** Why several fields do not fit together, by the field to change. */
  readonly errors?: FieldErrors;
  /** The greatest size; the default is the maximum of the size field. */
  readonly maximum?: number;
  /** Called with the values for each size; absent only with errors. */
  readonly generator?: PasswordGenerator<Values<AllFields<F>>>;
}

/** A request body that the documentation shows. */
interface Example {
  /** What it requests. */
  readonly summary: string;
  readonly value: JsonObject;
}

/** What the documentation says about an endpoint. */
interface About {
  readonly summary: string;
  readonly description: string;
  /** Each with passwords that the response may have. */
  readonly examples: Readonly<
    Record<string, Example & { readonly passwords: readonly string[] }>
  >;
  /** A request body with errors. */
  readonly invalid: Example;
}

/** The part of an endpoint that its module declares. */
export interface EndpointOptions<F extends Fields> {
  /** The `type` in the response. */
  readonly type: "characters" | "words" | "sentence";
  readonly about: About;
  /** The fields of the request body. */
  readonly fields: F;
  /** The integer field that makes passwords longer; `minimumEntropy` raises it. */
  readonly sizeField: keyof F & string;
  /** Validates the fields together. The errors of single fields come before its own. */
  readonly validateTogether: (request: RequestOf<F>) => ValidatedTogether<F>;
}

/** The passwords that a request body requests, or the errors of its fields. */
export type EndpointResult =
  | (Passwords & {
    readonly errors?: undefined;
    /** The number of passwords; 0 is one, without a list. */
    readonly count: number;
  })
  | { readonly errors: FieldErrors };

/**
 * How much work a request can be: "little" takes microseconds, "much" can take
 * milliseconds, and the response to "list" can be large too.
 */
type Effort = "little" | "much" | "list";

/** An endpoint of the API. */
export interface Endpoint
  extends Pick<EndpointOptions<Fields>, "type" | "about" | "fields"> {
  /** Says how much work a request can be. */
  readonly effortOf: (body: JsonObject) => Effort;
  /** Validates a request body. With `isStrict`, an unknown field is an error. */
  readonly passwords: (
    body: JsonObject,
    isStrict?: boolean,
  ) => EndpointResult;
}

/** The errors of refusals. One that concerns no single option is under `$`. */
export function errorsOf(
  ...refusals: readonly (Refusal | undefined)[]
): FieldErrors {
  const errors: FieldErrors = {};
  for (const refusal of refusals) {
    if (refusal === undefined) continue;
    const { options, explain } = refusal;
    for (const name of options.length === 0 ? ["$"] : options) {
      (errors[name] ??= []).push(explain());
    }
  }
  return errors;
}

/** Makes an endpoint, with the fields `minimumEntropy` and `count`. */
export function passwordEndpoint<F extends Fields>(
  options: EndpointOptions<F>,
): Endpoint {
  const { type, about, sizeField, validateTogether } = options;
  const fields: AllFields<F> = { ...options.fields, ...SHARED_FIELDS };
  const validate = validator(fields);
  const [, greatest] = fields[sizeField]!.range!;
  /** The defaults of the fields that can be slow. */
  const slowDefaults = new Map<string, unknown>(
    Object.entries(fields).filter(([, { isSlow }]) => isSlow)
      .map(([name, field]) => [name.toLowerCase(), field.default]),
  );

  const passwords: Endpoint["passwords"] = (body, isStrict) => {
    const request = validate(body, isStrict);
    const { values } = request;
    const together = validateTogether(request);
    const errors = { ...together.errors, ...request.errors };
    const { maximum = greatest, generator } = together;
    if (generator === undefined || Object.keys(errors).length > 0) {
      return { errors };
    }
    const result = withMinimumEntropy(generator, values, sizeField, maximum);
    if (result.refusal) return { errors: errorsOf(result.refusal) };
    const { count } = values;
    const { drawnCharacters = 0 } = result;
    const maxCount = Math.floor(MAX_DRAWN_CHARACTERS / drawnCharacters);
    // A single password is never refused.
    if (count <= Math.max(1, maxCount)) return { ...result, count };
    const message = `Must be at most ${maxCount} with these settings.`;
    return { errors: { count: [message] } };
  };
  const effortOf = (body: JsonObject) => {
    const members = Object.entries(body);
    if (members.length > MAX_FAST_MEMBERS) return "list";
    let effort: Effort = "little";
    for (const [name, value] of members) {
      const key = name.toLowerCase();
      const byDefault = slowDefaults.get(key);
      if (byDefault === undefined || value === byDefault) continue;
      if (key === "count") return "list";
      effort = "much";
    }
    return effort;
  };
  return { type, about, fields, effortOf, passwords };
}

/** The JSON of a response. */
export interface PasswordResponse {
  /** The first password. */
  readonly password: string;
  /** Its length, in characters. */
  readonly length: number;
  /** The kind of the passwords. */
  readonly type: Endpoint["type"];
  /** All passwords, if the request has `count`. */
  readonly passwords?: readonly string[];
}

/** Draws the passwords of a response. */
export function draw(
  type: Endpoint["type"],
  { count, generate }: Pick<Passwords, "generate"> & { count: number },
): PasswordResponse {
  if (count === 0) {
    const password = generate();
    return { password, length: password.length, type };
  }
  const passwords = Array.from({ length: count }, generate);
  const password = passwords[0]!;
  return { password, length: password.length, type, passwords };
}

/** Writes a response as plain text: the password alone, or a line for each one. */
export function textOf({ password, passwords }: PasswordResponse): string {
  return passwords?.map((each) => `${each}\n`).join("") ?? password;
}

/**
 * Makes the handler of an endpoint. It reads the body, queues the request if it
 * can be slow, validates the fields, generates the passwords and responds.
 * Entropy-Bits is the number of bits that an attacker who knows the options has to
 * guess, for each password.
 *
 * @param bodies reads the bodies of all endpoints of a service
 * @param queue the slow requests to all endpoints of a service
 * @param limitLists surrounds the work for a list
 */
export function passwordHandler(
  { type, effortOf, passwords }: Endpoint,
  bodies: BodyReader,
  queue: SlowQueue,
  limitLists: Middleware,
): Handler {
  return async (request, context) => {
    const { path, client } = context;
    const accept = headerField(request.headers, "accept");
    const asText = prefers(accept, "text/plain", ["application/json"]);
    const strict = isStrict(headerField(request.headers, "prefer"));
    const body = await bodies.read(request, client);
    if (body instanceof Problem) return body.toResponse(path);
    const make = () => {
      const result = passwords(body, strict);
      if (result.errors) return Problem.ofFields(result.errors);
      const drawn = draw(type, result);
      const response = asText
        ? new Response(textOf(drawn), { headers: TEXT_HEADERS })
        : jsonResponse(drawn);
      response.headers.append("entropy-bits", formatBits(result.bits));
      return response;
    };
    const respond = (made: Response | Problem) => {
      const response = made instanceof Problem ? made.toResponse(path) : made;
      if (strict) response.headers.append(...APPLIED);
      return response;
    };
    const effort = effortOf(body);
    if (effort === "little") return respond(make());
    const queued = async () => respond(await queue.run(make, client));
    if (effort === "much") return await queued();
    return await limitLists(queued)(request, context);
  };
}
