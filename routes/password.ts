/**
 * What the three endpoints share: fields and a generator make a handler.
 *
 * @module
 */
import { CASINGS, NUMBER_POSITIONS } from "../generators/phrase.ts";
import { LANGUAGES } from "../wordlists/mod.ts";
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
import { Problem } from "./problem.ts";
import type { Context, Handler } from "./types.ts";

/** The fields that passwords of words and sentences have in common. */
export const PHRASE_FIELDS = {
  language: oneOf(LANGUAGES, "sv", "Language of the words"),
  casing: oneOf(
    CASINGS,
    "title",
    "lower: every letter small. upper: every letter capital. first: the first letter of the first word capital, all others small. title: the first letter of every word capital",
  ),
  numberPosition: oneOf(
    NUMBER_POSITIONS,
    "before",
    "Where digit sequences stand: before the words, after them, between them (one in each gap), or in all of these places",
  ),
  numberLength: integer(
    0,
    12,
    2,
    "Digits in each digit sequence; with 0 there are none",
  ),
  replaceSwedishCharacters: boolean(
    false,
    "Write å and ä as a, and ö as o, upper case likewise",
  ),
  replaceWithSpecialCharacters: boolean(
    false,
    "Write a, i, s and h as @, !, $ and #, upper case likewise",
  ),
};

/** What sets one endpoint apart from another. */
export interface PasswordEndpoint<F extends Fields> {
  /** The `type` in the answer. */
  readonly type: "characters" | "words" | "sentence";
  /** The fields of the request body. */
  readonly fields: F;
  /** What no field can tell alone. */
  readonly rule?: Rule<F>;
  /** Makes the password. Nothing in it may need escaping in a JSON string. */
  readonly generate: (options: Values<F>) => string;
  /** Counts the passwords that could be made: log2 of their number, in bits. */
  readonly entropy: (options: Values<F>) => number;
}

/**
 * Writes bits for people: two decimals, rounded down, so that no password is
 * said to be stronger than it is.
 *
 * @param bits the entropy, in bits
 * @returns such as "129.68"
 *
 * @example
 * ```ts
 * import { showBits } from "./password.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(showBits(94.009), "94.00");
 * assertEquals(showBits(13), "13.00");
 * ```
 */
export function showBits(bits: number): string {
  const hundredths = Math.floor(bits * 100);
  const whole = Math.floor(hundredths / 100);
  const rest = hundredths - whole * 100;
  return rest < 10 ? `${whole}.0${rest}` : `${whole}.${rest}`;
}

/**
 * Makes the handler of an endpoint: reads the body, validates the fields,
 * generates, answers. Entropy-Bits says how many bits an attacker who knows the
 * options has to guess.
 *
 * @param endpoint what sets this endpoint apart
 * @returns the handler
 *
 * @example
 * ```ts
 * import { integer } from "./fields.ts";
 * import { passwordEndpoint } from "./password.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = passwordEndpoint({
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
  { type, fields, rule, generate, entropy }: PasswordEndpoint<F>,
): Handler {
  const validate = validator(fields, rule);
  const answer = (body: JsonObject | Problem, context: Context) => {
    if (body instanceof Problem) return body.toResponse(context.path);
    const options = validate(body);
    if (options instanceof Problem) return options.toResponse(context.path);
    const password = generate(options);
    // Characters and words are all of one UTF-16 unit a code point, in NFC and
    // without anything that JSON escapes (tests/wordlists, tests/generators):
    // `length` counts code points, and no serialiser is needed.
    const response = new Response(
      `{"password":"${password}","length":${password.length},"type":"${type}"}`,
      { headers: { "content-type": "application/json" } },
    );
    response.headers.append("entropy-bits", showBits(entropy(options)));
    return response;
  };
  return (request, context) =>
    readJsonObject(request).then((body) => answer(body, context));
}
