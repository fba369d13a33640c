/**
 * Makes an endpoint from fields and a generator.
 *
 * @module
 */
import {
  formatBits,
  MINIMUM_ENTROPY,
  passwordsOfSize,
  type Sizes,
} from "../../generators/minimum_entropy.ts";
import type { Passwords, Refusal } from "../../generators/passwords.ts";
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
} from "./fields.ts";
import type { Turns } from "./turns.ts";

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
  }),
  count: integer({
    since: "1.2.0",
    range: [0, 100],
    default: 0,
    description:
      "Number of independent passwords; the response then has `passwords`, an array of them, which may repeat. 0 for one password without `passwords`",
  }),
};

/** The most characters that are drawn for a response, on average. */
const MAX_DRAWN_CHARACTERS = 30_000;

/** The fields of an endpoint, and those that all endpoints share. */
type AllFields<F extends Fields> = F & typeof SHARED_FIELDS;

/** A request body of an endpoint after each field is validated by itself. */
export type RequestOf<F extends Fields> = Validated<AllFields<F>>;

/** What the fields of a request mean together. */
export interface ValidatedTogether {
  /** Why several fields do not fit together, by the field to change. */
  readonly errors?: FieldErrors;
  /** Absent only with errors. */
  readonly sizes?: Sizes;
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
  /** Validates the fields together. The errors of single fields come before its own. */
  readonly validateTogether: (request: RequestOf<F>) => ValidatedTogether;
}

/** The passwords that a request body requests, or the errors of its fields. */
export type EndpointResult =
  | (Passwords & {
    readonly errors?: undefined;
    /** The number of passwords; 0 is one, without a list. */
    readonly count: number;
  })
  | { readonly errors: FieldErrors };

/** An endpoint of the API. */
export interface Endpoint
  extends Pick<EndpointOptions<Fields>, "type" | "about" | "fields"> {
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
    const { options, message } = refusal;
    for (const name of options.length === 0 ? ["$"] : options) {
      (errors[name] ??= []).push(message);
    }
  }
  return errors;
}

/** Makes an endpoint, with the fields `minimumEntropy` and `count`. */
export function passwordEndpoint<F extends Fields>(
  options: EndpointOptions<F>,
): Endpoint {
  const { type, about, validateTogether } = options;
  const fields: AllFields<F> = { ...options.fields, ...SHARED_FIELDS };
  const validate = validator(fields);
  const passwords: Endpoint["passwords"] = (body, isStrict) => {
    const request = validate(body, isStrict);
    const { count, minimumEntropy } = request.values;
    const { errors: together, sizes } = validateTogether(request);
    const errors = { ...together, ...request.errors };
    if (sizes === undefined || Object.keys(errors).length > 0) {
      return { errors };
    }
    const result = passwordsOfSize(sizes, minimumEntropy);
    if ("message" in result) return { errors: errorsOf(result) };
    const { drawnCharacters = 0 } = result;
    const maxCount = Math.floor(MAX_DRAWN_CHARACTERS / drawnCharacters);
    // A single password is never refused.
    if (count <= Math.max(1, maxCount)) return { ...result, count };
    const message = `Must be at most ${maxCount} with these settings.`;
    return { errors: { count: [message] } };
  };
  return { type, about, fields, passwords };
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
 * Makes the handler of an endpoint. It reads the body, waits for the turn of the client,
 * validates the fields, generates the passwords and responds.
 * Entropy-Bits is the number of bits that an attacker who knows the options has to
 * guess, for each password.
 *
 * @param bodies reads the bodies of all endpoints of a service
 * @param turns the turns of the clients of a service
 * @param limitLists surrounds the response with several passwords, which can be large
 */
export function passwordHandler(
  { type, passwords }: Endpoint,
  bodies: BodyReader,
  turns: Turns,
  limitLists: Middleware,
): Handler {
  return async (request, context) => {
    const { path, client } = context;
    const accept = headerField(request.headers, "accept");
    const asText = prefers(accept, "text/plain", ["application/json"]);
    const strict = isStrict(headerField(request.headers, "prefer"));
    const body = await bodies.read(request, client);
    if (body instanceof Problem) return body.toResponse(path);
    const respond = () => {
      const result = passwords(body, strict);
      if (result.errors) return Problem.ofFields(result.errors);
      const { count, bits } = result;
      const drawn = async () => {
        const drawn = draw(type, result);
        const response = asText
          ? new Response(textOf(drawn), { headers: TEXT_HEADERS })
          : jsonResponse(drawn);
        response.headers.append("entropy-bits", formatBits(bits));
        return response;
      };
      return count === 0 ? drawn() : limitLists(drawn)(request, context);
    };
    const result = await turns.run(respond, client);
    const response = result instanceof Problem
      ? result.toResponse(path)
      : result;
    if (strict) response.headers.append(...APPLIED);
    return response;
  };
}
