/**
 * Makes an endpoint from fields and a generator.
 *
 * @module
 */
import { CASINGS, NUMBER_POSITIONS } from "../../generators/phrase.ts";
import { LANGUAGES } from "../../wordlists/mod.ts";
import type { Context, Handler } from "../context.ts";
import { Problem } from "../problem.ts";
import { type JsonObject, readJsonObject } from "./body.ts";
import {
  boolean,
  type Fields,
  integer,
  oneOf,
  type Rule,
  validator,
  type Values,
} from "./fields.ts";

/** The fields that the endpoints for words and for sentences share. */
export const PHRASE_FIELDS = {
  language: oneOf(LANGUAGES, "sv", "Language of the words"),
  casing: oneOf(
    CASINGS,
    "title",
    "lower: all letters lower case. upper: all letters upper case. first: upper case for the first letter of the first word only. title: upper case for the first letter of each word",
  ),
  numberPosition: oneOf(
    NUMBER_POSITIONS,
    "before",
    "Position of the digit sequences: before the words, after them, between them (one in each gap), or in all of these places",
  ),
  numberLength: integer(
    0,
    12,
    2,
    "Digits in each digit sequence; 0 for none",
  ),
  replaceSwedishCharacters: boolean(
    false,
    "Replace å and ä with a, and ö with o, in both cases",
  ),
  replaceWithSpecialCharacters: boolean(
    false,
    "Replace a, i, s and h with @, !, $ and #, in both cases",
  ),
};

/** What distinguishes one endpoint from another. */
export interface EndpointOptions<F extends Fields> {
  /** The `type` in the response. */
  readonly type: "characters" | "words" | "sentence";
  /** The fields of the request body. */
  readonly fields: F;
  /** A rule about several fields. */
  readonly rule?: Rule<F>;
  /** Generates the password. Each code point must be one UTF-16 unit. */
  readonly generate: (options: Values<F>) => string;
  /** Returns log2 of the number of possible passwords, in bits. */
  readonly entropy: (options: Values<F>) => number;
}

/** An endpoint of the API. */
export interface Endpoint {
  /** The `type` in the response. */
  readonly type: "characters" | "words" | "sentence";
  /** The fields of the request body. */
  readonly fields: Fields;
  /** Validates a request body: values of the fields, or a problem. */
  readonly validate: (body: JsonObject) => unknown;
  /** The handler of POST. */
  readonly handler: Handler;
}

/**
 * Formats bits with two decimals, rounded down, so that a password is never
 * called stronger than it is.
 *
 * @param bits the entropy, in bits
 * @returns such as "129.68"
 *
 * @example
 * ```ts
 * import { formatBits } from "./password.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatBits(94.009), "94.00");
 * ```
 */
export function formatBits(bits: number): string {
  return (Math.floor(bits * 100) / 100).toFixed(2);
}

/**
 * Makes an endpoint. Its handler reads the body, validates the fields, generates
 * the password and responds. Entropy-Bits is the number of bits that an attacker
 * who knows the options has to guess.
 *
 * @param options the fields, the generator and the type of the response
 * @returns the endpoint
 *
 * @example
 * ```ts
 * import { integer } from "./fields.ts";
 * import { passwordEndpoint } from "./password.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { handler } = passwordEndpoint({
 *   type: "characters",
 *   fields: { length: integer(1, 9, 4, "Length") },
 *   generate: ({ length }) => "x".repeat(length),
 *   entropy: () => 0,
 * });
 * const request = new Request("http://localhost/x", {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: '{"length":3}',
 * });
 * const response = await handler(request, { path: "/x", peer: "::1" });
 * assertEquals(await response.json(), {
 *   password: "xxx",
 *   length: 3,
 *   type: "characters",
 * });
 * ```
 */
export function passwordEndpoint<F extends Fields>(
  { type, fields, rule, generate, entropy }: EndpointOptions<F>,
): Endpoint {
  const validate = validator(fields, rule);
  const respond = (body: JsonObject | Problem, { path }: Context) => {
    if (body instanceof Problem) return body.toResponse(path);
    const options = validate(body);
    if (options instanceof Problem) return options.toResponse(path);
    const password = generate(options);
    const response = Response.json({ password, length: password.length, type });
    response.headers.append("entropy-bits", formatBits(entropy(options)));
    return response;
  };
  return {
    type,
    fields,
    validate,
    handler: (request, context) =>
      readJsonObject(request).then((body) => respond(body, context)),
  };
}
