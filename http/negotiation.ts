/**
 * Header fields that say what a client sends and prefers: Content-Type, Accept,
 * Accept-Encoding and Prefer.
 *
 * @module
 */

const MAX_LENGTH = 256;

/**
 * Reads a header field of a request. A value of more than 256 characters counts as
 * missing: no client needs it, and it could keep the process busy.
 */
export function headerField(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value !== null && value.length > MAX_LENGTH ? null : value;
}

// RFC 9110, sections 5.6.2 to 5.6.6; OWS is optional white space.
const OWS = /[ \t]*/.source;
const TOKEN = /[\w!#$%&'*+.^`|~-]+/.source;
const QUOTED = /"(?:[^"\\]|\\.)*"/.source;
// Each text can match in only one way, so that no match is slow.
const VALUE = `(?:${TOKEN}|${QUOTED})`;
const PARAMETERS = `(?:${OWS};(?:${OWS}${TOKEN}=${VALUE})?)*`;

const whole = (pattern: string) => new RegExp(`^${OWS}${pattern}${OWS}$`);
const BLANK = /^[ \t]*$/;
const JSON_TYPE = whole(`application/(?:${TOKEN}\\+)?json(${PARAMETERS})`);
const MEDIA_RANGE = whole(`(${TOKEN}/${TOKEN})(${PARAMETERS})`);
const CODING = whole(`(${TOKEN})(${OWS};${OWS}q=${TOKEN})?`);
/** RFC 9110, section 12.4.2. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

const PARAMETER = new RegExp(`(${TOKEN})=(${VALUE})`, "g");
/**
 * A part between two commas that are not in quoted strings. A quoted string that
 * does not end takes the rest, so that no part of the text is searched twice.
 */
const ELEMENT = /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^,"])+/g;

type Parameter = readonly [name: string, value: string];

/** Reads a text that matches `PARAMETERS`; values lose their quotes. */
function readParameters(text: string): Parameter[] {
  return Array.from(
    text.matchAll(PARAMETER),
    ([, name, value]) => [name!, value!.replace(/^"|"$|\\(.)/g, "$1")],
  );
}

/** Tells whether a parameter is a `charset` of UTF-8. Many programs write utf8. */
const isUtf8 = ([name, value]: Parameter) =>
  name === "charset" && /^utf-?8$/.test(value);

/**
 * Tells whether a Content-Type, null if it is missing, is application/json or
 * application/*+json, without a `charset` other than UTF-8.
 */
export function isJsonType(contentType: string | null): boolean {
  // The usual case: the grammar would take 10 % of the CPU time of a request.
  if (contentType === "application/json") return true;
  const match = JSON_TYPE.exec((contentType ?? "").toLowerCase());
  return match !== null && readParameters(match[1]!)
    .every((parameter) => parameter[0] !== "charset" || isUtf8(parameter));
}

/** An element of a list in which each one has a weight. */
interface Weighted {
  readonly name: string;
  /** All but the weight. */
  readonly parameters: readonly Parameter[];
  readonly weight: number;
}

/**
 * Reads a list with weights, in lower case.
 *
 * @param field the list
 * @param pattern matches an element; its groups are the name and the parameters
 * @returns the elements; none if one of them breaks the grammar
 */
function readWeighted(field: string, pattern: RegExp): Weighted[] {
  const list: Weighted[] = [];
  for (const element of field.toLowerCase().match(ELEMENT) ?? []) {
    if (BLANK.test(element)) continue; // RFC 9110, section 5.6.1.2
    const [, name, text = ""] = pattern.exec(element) ?? [];
    const pairs = text === "" ? [] : readParameters(text);
    const weights = pairs.filter(([name]) => name === "q");
    const weight = weights[0]?.[1] ?? "1";
    if (name === undefined || weights.length > 1 || !WEIGHT.test(weight)) {
      return [];
    }
    const parameters = pairs.filter(([name]) => name !== "q");
    list.push({ name, parameters, weight: Number(weight) });
  }
  return list;
}

/**
 * Tells whether a client prefers a media type to each of the others: its quality
 * is greater. A client whose Accept is missing, too long or invalid prefers none. The
 * types are in UTF-8 and have no parameters.
 */
export function prefers(
  accept: string | null,
  type: string,
  others: readonly string[],
): boolean {
  // The usual cases: the grammar would take 11 % of the CPU time of a request.
  if (accept === null || accept === "*/*") return false;
  /**
   * The ranges by name: of equal names the one with more parameters, which is more
   * specific, and of equal ranges the one with the greater weight.
   */
  const ranges = new Map<string, Weighted>();
  for (const range of readWeighted(accept, MEDIA_RANGE)) {
    if (!range.parameters.every(isUtf8)) continue;
    const other = ranges.get(range.name);
    const more = range.parameters.length - (other?.parameters.length ?? -1);
    if (more > 0 || (more === 0 && range.weight > other!.weight)) {
      ranges.set(range.name, range);
    }
  }
  /** The weight of the most specific range of a type (RFC 9110, section 12.5.1). */
  const quality = (type: string) => {
    const range = ranges.get(type) ?? ranges.get(type.replace(/[^/]+$/, "*")) ??
      ranges.get("*/*");
    return range?.weight ?? 0;
  };
  return others.every((other) => quality(type) > quality(other));
}

/** A content coding of a document; "identity" means without compression. */
export type Encoding = "br" | "gzip" | "identity";

/**
 * Returns the coding that a client prefers. Browsers give all codings the same
 * weight and name gzip first, so a tie goes to the coding that is usually
 * smaller: brotli, then gzip. (`acceptsEncodings()` of `@std/http` takes the one
 * that the client names first.)
 *
 * @param acceptEncoding the value of Accept-Encoding; null if it is missing or
 *   too long
 * @returns the acceptable coding with the greatest weight; "identity" if none is
 *   acceptable, and if the field is missing or breaks the grammar
 */
export function preferredEncoding(acceptEncoding: string | null): Encoding {
  const weights = new Map(
    readWeighted(acceptEncoding ?? "", CODING)
      .map(({ name, weight }) => [name, weight]),
  );
  const weight = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get("*") ?? 0;
  const [best] = (["br", "gzip", "identity"] as const)
    .toSorted((a, b) => weight(b) - weight(a)); // keeps the order of equal ones
  return best !== undefined && weight(best) > 0 ? best : "identity";
}

const HANDLING = new RegExp(
  `^${OWS}handling(?:${OWS}=${OWS}(${VALUE}))?${OWS}(?:;|$)`,
);

/**
 * Tells whether a client prefers unknown fields to be errors: `handling=strict`
 * (RFC 7240, section 4.4). The first `handling` counts.
 *
 * @param prefer the value of Prefer; null if it is missing or too long
 */
export function isStrict(prefer: string | null): boolean {
  const [handling] = ((prefer ?? "").toLowerCase().match(ELEMENT) ?? [])
    .flatMap((element) => HANDLING.exec(element)?.slice(1) ?? []);
  return /^"?strict"?$/.test(handling ?? "");
}
