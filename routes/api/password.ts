/**
 * Makes an endpoint from fields and a generator.
 *
 * @module
 */
import {
  CASINGS,
  NUMBER_POSITIONS,
  type Passphrases,
  SEPARATORS,
} from "../../generators/passphrase.ts";
import type { Passwords } from "../../generators/passwords.ts";
import { LANGUAGES } from "../../wordlists/mod.ts";
import type { Handler } from "../context.ts";
import { headerField } from "../header_fields.ts";
import { jsonResponse } from "../json.ts";
import { Problem } from "../problem.ts";
import type { BodyReader, JsonObject } from "./body.ts";
import {
  boolean,
  type Fields,
  integer,
  oneOf,
  type Rule,
  since,
  validator,
  type Values,
} from "./fields.ts";
import { prefers, TEXT_TYPE } from "./media_types.ts";
import type { Turns } from "./turns.ts";

const TEXT_HEADERS = { "content-type": TEXT_TYPE };

/** The fields that the endpoints for words and for sentences share. */
export const PASSPHRASE_FIELDS = {
  language: oneOf(LANGUAGES, "sv", "Language of the words"),
  casing: oneOf(
    CASINGS,
    "title",
    "Upper-case letters: `lower` none, `upper` all, `first` the first letter of the first word, `title` the first letter of each word",
  ),
  numberPosition: oneOf(
    NUMBER_POSITIONS,
    "before",
    "Position of the digit sequences: before the words, after them, between them (one in each gap), or all of these",
  ),
  numberLength: integer(
    0,
    12,
    2,
    "Number of digits in each digit sequence; 0 for none",
  ),
  replaceSwedishCharacters: boolean(
    false,
    "Replace `å` and `ä` with `a`, and `ö` with `o`, in both cases",
  ),
  replaceWithSpecialCharacters: boolean(
    false,
    "Replace `a`, `i`, `s` and `h` with `@`, `!`, `$` and `#`, in both cases",
  ),
  separator: since(
    "1.1.0",
    oneOf(
      SEPARATORS,
      "",
      "String between two parts; a part is a word or a digit sequence",
    ),
  ),
  maximumLength: since(
    "1.2.0",
    integer(
      0,
      256,
      0,
      "Maximum number of characters, those of digits and separators included; 0 for none",
    ),
  ),
};

/**
 * Refuses a `maximumLength` that no password of words has.
 *
 * @param passwords the passwords that the values allow
 * @returns the passwords; what makes the problem if there is none
 */
export function orTooShort(
  passwords: Passphrases,
): Passwords | (() => Problem) {
  return passwords.bits >= 0 ? passwords : () =>
    Problem.ofFields({
      maximumLength: [
        `Must be at least ${passwords.leastLength} with these settings, or 0 for none.`,
      ],
    });
}

/** The field that all endpoints share. */
const MINIMUM_ENTROPY = since(
  "1.1.0",
  integer(
    0,
    512,
    0,
    "Least number of bits: `length`, `wordCount` or, for a sentence, `numberLength` is raised to the least value that is sufficient; 0 raises nothing",
  ),
);

/** The field that all endpoints share, for a script that needs many passwords. */
const COUNT = since(
  "1.2.0",
  integer(
    1,
    100,
    undefined,
    "Number of independent passwords; the response then has `passwords`, an array of them. They may repeat",
  ),
);

/** The fields with which a request can take milliseconds, in lower case. */
const SLOW_FIELDS = new Set([
  "passwordrules",
  "specialcharacterset",
  "minimumentropy",
  "maximumlength",
  "count",
]);

/** More members than this also take long; no endpoint has so many fields. */
const MAX_FAST_MEMBERS = 30;

/** Tells whether a request can take long; all others take some microseconds. */
function isSlow(body: JsonObject): boolean {
  const names = Object.keys(body);
  return names.length > MAX_FAST_MEMBERS ||
    names.some((name) => SLOW_FIELDS.has(name.toLowerCase()));
}

/** The most characters that are drawn for a response, on average. */
const MAX_DRAWN_CHARACTERS = 30_000;

/** The passwords that the values of an endpoint allow. */
export interface PasswordsBySize {
  /** The size that the values ask for. The default is the value of the field. */
  readonly from?: number;
  /** The greatest size. The default is the maximum of the field. */
  readonly to?: number;
  /**
   * Returns the passwords of a size. If there is none, returns what makes the
   * problem: to explain it can take as long as to count.
   */
  readonly of: (size: number) => Passwords | (() => Problem);
}

/** The part of an endpoint that its module declares. */
export interface EndpointOptions<F extends Fields> {
  /** The `type` in the response. */
  readonly type: "characters" | "words" | "sentence";
  /** The fields of the request body. */
  readonly fields: F;
  /** A rule about several fields. */
  readonly rule?: Rule<F>;
  /** The integer field that makes passwords longer; `minimumEntropy` raises it. */
  readonly sizeField: keyof F & string;
  /** Returns the passwords that the values allow, by the value of `sizeField`. */
  readonly passwords: (values: Values<F>) => PasswordsBySize;
}

/** The passwords that a request body allows, and how many it asks for. */
export interface RequestedPasswords extends Passwords {
  /** The number of passwords; undefined if the request names no number. */
  readonly count: number | undefined;
}

/** An endpoint of the API. */
export interface Endpoint
  extends Pick<EndpointOptions<Fields>, "type" | "fields"> {
  /** Validates a request body: the passwords that it asks for, or a problem. */
  readonly passwords: (body: JsonObject) => RequestedPasswords | Problem;
}

/**
 * Formats bits with two decimals, rounded down, so that a password is never
 * called stronger than it is.
 *
 * @param bits the entropy, in bits
 * @returns such as "129.68"
 */
export function formatBits(bits: number): string {
  return (Math.floor(bits * 100) / 100).toFixed(2);
}

/**
 * Makes an endpoint, to which it adds the fields `minimumEntropy` and `count`.
 *
 * @param options the fields, the generator and the type of the response
 * @returns the endpoint
 */
export function passwordEndpoint<F extends Fields>(
  options: EndpointOptions<F>,
): Endpoint {
  const { type, sizeField } = options;
  const fields = {
    ...options.fields,
    minimumEntropy: MINIMUM_ENTROPY,
    count: COUNT,
  };
  const validate = validator(fields, options.rule as Rule<typeof fields>);
  const [, maximum] = fields[sizeField]!.range!;

  /** Finds the least size that gives `minimumEntropy`. */
  const ofLeastSize = (values: Values<typeof fields>) => {
    const { of, from = values[sizeField], to = maximum } = options.passwords(
      values,
    );
    const { minimumEntropy } = values;
    const last = minimumEntropy === 0 ? from : to;
    let problem: (() => Problem) | undefined;
    let [mostBits, best] = [-1, from];
    for (let size = from; size <= last; size++) {
      const passwords = of(size);
      if (typeof passwords === "function") problem ??= passwords;
      else if (passwords.bits >= minimumEntropy) return passwords;
      else if (passwords.bits > mostBits) {
        [mostBits, best] = [passwords.bits, size];
      }
    }
    if (mostBits < 0 && problem) return problem(); // at each size
    return Problem.ofFields({
      minimumEntropy: [
        `Must be at most ${
          Math.floor(mostBits)
        } with these settings: they reach ${
          formatBits(mostBits)
        } bits, with ${sizeField} ${best}.`,
      ],
    });
  };
  const passwords = (body: JsonObject) => {
    const values = validate(body);
    if (values instanceof Problem) return values;
    const possible = ofLeastSize(values);
    if (possible instanceof Problem) return possible;
    const { count } = values;
    const { drawnCharacters = 0 } = possible;
    const most = Math.floor(MAX_DRAWN_CHARACTERS / drawnCharacters);
    return count === undefined || count <= most
      ? { ...possible, count }
      : Problem.ofFields({
        count: [`Must be at most ${most} with these settings.`],
      });
  };
  return { type, fields, passwords };
}

/** The JSON of a response. */
export interface PasswordResponse {
  /** The first password. */
  readonly password: string;
  /** Its length, in characters. */
  readonly length: number;
  /** The kind of the passwords. */
  readonly type: Endpoint["type"];
  /** All passwords, if the request names their number. */
  readonly passwords?: readonly string[];
}

/**
 * Draws the passwords of a response.
 *
 * @param type the type of the endpoint
 * @param requested the passwords that the request allows, and how many it asks for
 * @returns the JSON of the response
 */
export function draw(
  type: Endpoint["type"],
  { count, generate }: RequestedPasswords,
): PasswordResponse {
  if (count === undefined) {
    const password = generate();
    return { password, length: password.length, type };
  }
  const passwords = Array.from({ length: count }, generate);
  const password = passwords[0]!;
  return { password, length: password.length, type, passwords };
}

/**
 * Writes a response as plain text: the password alone, or a line for each one.
 *
 * @param response the response
 * @returns the text
 */
export function textOf({ password, passwords }: PasswordResponse): string {
  return passwords?.map((each) => `${each}\n`).join("") ?? password;
}

/**
 * Makes the handler of an endpoint. It reads the body, waits for a turn if the
 * request can take long, validates the fields, generates the passwords and responds. Entropy-Bits is the number of bits that an
 * attacker who knows the options has to guess, for each password.
 *
 * @param endpoint the endpoint
 * @param bodies reads the bodies of all endpoints of a service
 * @param turns the turns of all endpoints of a service
 * @returns the handler of POST
 */
export function passwordHandler(
  { type, passwords }: Endpoint,
  bodies: BodyReader,
  turns: Turns,
): Handler {
  return async (request, context) => {
    const { path, client } = context;
    const accept = headerField(request.headers, "accept");
    const asText = prefers(accept, "text/plain", ["application/json"]);
    const body = await bodies.read(request, client);
    if (body instanceof Problem) return body.toResponse(path);
    const respond = () => {
      const requested = passwords(body);
      if (requested instanceof Problem) return requested;
      context.isBatch = requested.count !== undefined;
      return { drawn: draw(type, requested), bits: requested.bits };
    };
    const generated = isSlow(body) ? await turns.do(respond) : respond();
    if (generated instanceof Problem) return generated.toResponse(path);
    const { drawn, bits } = generated;
    const response = asText
      ? new Response(textOf(drawn), { headers: TEXT_HEADERS })
      : jsonResponse(drawn);
    response.headers.append("entropy-bits", formatBits(bits));
    return response;
  };
}
