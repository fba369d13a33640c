/**
 * Makes an endpoint from fields and a generator.
 *
 * @module
 */
import {
  CASINGS,
  NUMBER_POSITIONS,
  SEPARATORS,
} from "../../generators/passphrase.ts";
import { LANGUAGES } from "../../wordlists/mod.ts";
import type { Handler } from "../context.ts";
import { headerField } from "../header_fields.ts";
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
import { prefersText, TEXT_TYPE } from "./media_types.ts";

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
};

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
  /** Generates the password. Each code point must be one UTF-16 unit. */
  readonly generate: (options: Values<F>) => string;
  /** Returns log2 of the number of possible passwords, in bits. */
  readonly entropy: (options: Values<F>) => number;
}

/** An endpoint of the API. */
export interface Endpoint
  extends Pick<EndpointOptions<Fields>, "type" | "fields"> {
  // Methods, since the type of their parameter differs by endpoint.
  /** Validates a request body: values of the fields, or a problem. */
  validate(body: JsonObject): Values<Fields> | Problem;
  /** Generates a password from validated values. */
  generate(values: Values<Fields>): string;
  /** Returns log2 of the number of possible passwords, in bits. */
  entropy(values: Values<Fields>): number;
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
 * Makes an endpoint, to which it adds the field `minimumEntropy`.
 *
 * @param options the fields, the generator and the type of the response
 * @returns the endpoint
 */
export function passwordEndpoint<F extends Fields>(
  options: EndpointOptions<F>,
): Endpoint {
  const { sizeField, entropy } = options;
  const fields = {
    ...options.fields,
    minimumEntropy: MINIMUM_ENTROPY,
  };
  const validateFields = validator(fields, options.rule as Rule<typeof fields>);
  const [, maximum] = fields[sizeField]!.range!;

  const validate = (body: JsonObject) => {
    const values = validateFields(body);
    return values instanceof Problem || values.minimumEntropy === 0
      ? values
      : raise(values);
  };
  /** Raises a value until the settings give `minimumEntropy`. */
  const raise = (values: Values<typeof fields>) => {
    let [mostBits, best] = [0, 0];
    for (let value = values[sizeField]; value <= maximum; value++) {
      const larger = { ...values, [sizeField]: value };
      const bits = entropy(larger);
      if (bits >= values.minimumEntropy) return larger;
      if (bits > mostBits) [mostBits, best] = [bits, value];
    }
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
  return { ...options, fields, validate };
}

/**
 * Makes the handler of an endpoint. It reads the body, validates the fields,
 * generates the password and responds. Entropy-Bits is the number of bits that an
 * attacker who knows the options has to guess.
 *
 * @param endpoint the endpoint
 * @param bodies reads the bodies of all endpoints of a service
 * @returns the handler of POST
 */
export function passwordHandler(
  { type, validate, generate, entropy }: Endpoint,
  bodies: BodyReader,
): Handler {
  return async (request, { path, client }) => {
    const asText = prefersText(headerField(request.headers, "accept"));
    const body = await bodies.read(request, client);
    const values = body instanceof Problem ? body : validate(body);
    if (values instanceof Problem) return values.toResponse(path);
    const password = generate(values);
    const response = asText
      ? new Response(password, { headers: TEXT_HEADERS })
      : Response.json({ password, length: password.length, type });
    response.headers.append("entropy-bits", formatBits(entropy(values)));
    return response;
  };
}
