/**
 * Makes an endpoint from fields and a generator.
 *
 * @module
 */
import {
  formatBits,
  passwordsOfSize,
  type Sizes,
} from "../../generators/minimum_entropy.ts";
import type { Limit, Passwords, Refusal } from "../../generators/passwords.ts";
import type { Handler, Middleware } from "../../http/context.ts";
import { jsonResponse } from "../../http/json.ts";
import { headerField, isStrict, prefers } from "../../http/negotiation.ts";
import { Problem } from "../../http/problem.ts";
import type { BodyReader, JsonObject } from "./body.ts";
import {
  type Field,
  type FieldErrors,
  type Fields,
  fieldsOf,
  type Texts,
  type Validated,
  validator,
} from "./fields.ts";
import type { Turns } from "./turns.ts";

const TEXT_HEADERS = { "content-type": "text/plain; charset=utf-8" };

/** RFC 7240, section 3. */
const APPLIED = ["preference-applied", "handling=strict"] as const;

/** What `minimumEntropy` says, which is an option of the library too. */
export const MINIMUM_ENTROPY_TEXTS: Texts = {
  since: "1.1.0",
  description:
    "Minimum number of bits; 0 for any. `length`, `wordCount` or, for a sentence, `numberLength` is raised to the smallest value that suffices",
};

/** The field that only the API has. */
const COUNT = fieldsOf<{ count: number }>({
  count: { default: 0, range: [0, 100] },
}, {
  count: {
    since: "1.2.0",
    description:
      "Number of passwords in the array `passwords`; 0: one password, no array. They are independent, and may repeat",
  },
});

/** The most characters that are drawn for a response, on average. */
const MAX_DRAWN_CHARACTERS = 30_000;

/** The fields of an endpoint, and `count`. */
type AllFields<F extends Fields> = F & typeof COUNT;

/** The fields that an endpoint declares. */
type OwnFields = Fields & { readonly minimumEntropy: Field<number> };

/** A request body of an endpoint after each field is validated by itself. */
export type RequestOf<F extends Fields> = Validated<AllFields<F>>;

/** What the fields of a request mean together. */
export interface ValidatedTogether {
  /** Why several fields do not fit together. */
  readonly refusals?: readonly Refusal[];
  /** Absent only with refusals, or with errors of single fields. */
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
  | Refused;

/** The errors of a request body, for people and for programs. */
export interface Refused {
  readonly errors: FieldErrors;
  /** The first refusal of each field, unless its value by itself is not allowed. */
  readonly limits: Readonly<Record<string, Limit>>;
}

/** An endpoint of the API. */
export interface Endpoint
  extends Pick<EndpointOptions<Fields>, "type" | "about" | "fields"> {
  /** Validates a request body. With `isStrict`, an unknown field is an error. */
  readonly passwords: (
    body: JsonObject,
    isStrict?: boolean,
  ) => EndpointResult;
}

/**
 * The errors of refusals, in whose place those of single fields stand. A refusal that
 * concerns no single option is under `$`.
 */
function refused(
  refusals: readonly Refusal[],
  ofFields: FieldErrors = {},
): Refused {
  const errors: FieldErrors = {};
  const limits: Record<string, Limit> = {};
  for (const { options, message, limit } of refusals) {
    for (const name of options.length === 0 ? ["$"] : options) {
      (errors[name] ??= []).push(message);
      if (!Object.hasOwn(ofFields, name)) limits[name] ??= limit;
    }
  }
  return { errors: { ...errors, ...ofFields }, limits };
}

/** Makes an endpoint, with the field `count`. */
export function passwordEndpoint<F extends OwnFields>(
  options: EndpointOptions<F>,
): Endpoint {
  const { type, about, validateTogether } = options;
  const fields: AllFields<F> = { ...options.fields, ...COUNT };
  const validate = validator(fields);
  const passwords: Endpoint["passwords"] = (body, isStrict) => {
    const request = validate(body, isStrict);
    const { count, minimumEntropy } = request.values;
    const { refusals = [], sizes } = validateTogether(request);
    const refusal = refused(refusals, request.errors);
    if (sizes === undefined || Object.keys(refusal.errors).length > 0) {
      return refusal;
    }
    const result = passwordsOfSize(sizes, minimumEntropy);
    if ("message" in result) return refused([result]);
    const { drawnCharacters = 0 } = result;
    const maxCount = Math.floor(MAX_DRAWN_CHARACTERS / drawnCharacters);
    // It is at least 1, since a password takes at most 128 tries of 128 characters.
    if (count <= maxCount) return { ...result, count };
    return refused([{
      options: ["count"],
      limit: { reason: "work", maximum: maxCount },
      message: `Must be at most ${maxCount} with these settings.`,
    }]);
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
  return passwords?.map((password) => `${password}\n`).join("") ?? password;
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
      if (result.errors) return Problem.ofFields(result.errors, result.limits);
      const { count, bits } = result;
      const answer = () => {
        const drawn = draw(type, result);
        const response = asText
          ? new Response(textOf(drawn), { headers: TEXT_HEADERS })
          : jsonResponse(drawn);
        response.headers.append("entropy-bits", formatBits(bits));
        return response;
      };
      return count === 0
        ? answer()
        : limitLists(() => Promise.try(answer))(request, context);
    };
    const answered = turns.run(respond, client);
    const result = answered instanceof Promise ? await answered : answered;
    const response = result instanceof Problem
      ? result.toResponse(path)
      : result;
    if (strict) response.headers.append(...APPLIED);
    return response;
  };
}
