/**
 * Media types: which request bodies are JSON, and whether a client prefers text.
 *
 * @module
 */
import { TOKEN, WEIGHT } from "../header_fields.ts";

/** The media type of a password as plain text. */
export const TEXT_TYPE: string = "text/plain; charset=utf-8";

// Quoted strings and parameters: RFC 9110, sections 5.6.4 to 5.6.6.
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const TYPE = new RegExp(`${TOKEN}/${TOKEN}`, "y");
// One parameter at a time, each from where the last one ended: one expression for
// all of them would backtrack for hours on a hostile field of 100 bytes.
const PARAMETER = new RegExp(
  `[ \\t]*;[ \\t]*(?:(${TOKEN})=(${TOKEN}|${QUOTED}))?`,
  "y",
);
const END = /[ \t]*$/y;
/** What is between two elements of a list; elements can be empty. */
const COMMAS = /[ \t]*(?:$|,[ \t,]*)/y;

/** A media type or a media range in a header field. */
interface MediaType {
  /** Type and subtype in lower case. */
  readonly type: string;
  /** The parameters, the names in lower case. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Where the next element of the field begins. */
  readonly end: number;
}

/** Reads a media type and what must be after it. Undefined: it is not readable. */
function readMediaType(
  field: string,
  start: number,
  after: RegExp,
): MediaType | undefined {
  let end = start;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = end;
    const match = pattern.exec(field);
    if (match !== null) end = pattern.lastIndex;
    return match;
  };
  const type = next(TYPE)?.[0].toLowerCase();
  const parameters: [string, string][] = [];
  for (let found = next(PARAMETER); found !== null; found = next(PARAMETER)) {
    const [, name, value] = found;
    if (name !== undefined) {
      parameters.push([name.toLowerCase(), unquoted(value!)]);
    }
  }
  return type === undefined || next(after) === null
    ? undefined
    : { type, parameters, end };
}

function unquoted(value: string): string {
  return value.startsWith('"')
    ? value.slice(1, -1).replace(/\\(.)/g, "$1")
    : value;
}

/** Tells whether a parameter is `charset=utf-8`. */
function isUtf8([name, value]: readonly [string, string]): boolean {
  return name === "charset" && value.toLowerCase() === "utf-8";
}

/**
 * Tells whether a Content-Type header field means JSON in UTF-8.
 *
 * @param contentType the value of the field; null if it is missing
 * @returns whether the type is application/json or application/*+json, and no
 *   `charset` other than UTF-8
 *
 * @example
 * ```ts
 * import { isJsonType } from "./media_types.ts";
 * import { assert } from "@std/assert";
 *
 * assert(isJsonType("application/problem+json; charset=UTF-8"));
 * assert(!isJsonType("text/json"));
 * ```
 */
export function isJsonType(contentType: string | null): boolean {
  if (contentType === "application/json") return true; // the usual case
  const mediaType = readMediaType(contentType ?? "", 0, END);
  return mediaType !== undefined &&
    /^application\/(?:.+\+)?json$/.test(mediaType.type) &&
    mediaType.parameters.every((parameter) =>
      parameter[0] !== "charset" || isUtf8(parameter)
    );
}

/** The weight of a media range. */
const RANGE_WEIGHT = new RegExp(`^${WEIGHT}$`);

/** A media range of an Accept field. */
interface Range {
  readonly type: string;
  readonly parameterCount: number;
  readonly weight: number;
}

/** Reads the ranges that match UTF-8; undefined if the field is not readable. */
function readRanges(accept: string): Range[] | undefined {
  const ranges: Range[] = [];
  let start = /^[ \t,]*/.exec(accept)![0].length;
  while (start < accept.length) {
    const range = readMediaType(accept, start, COMMAS);
    if (range === undefined) return undefined;
    start = range.end;
    const { type, parameters } = range;
    const weights = parameters.filter(([name]) => name === "q");
    const weight = weights[0]?.[1] ?? "1";
    if (weights.length > 1 || !RANGE_WEIGHT.test(weight)) return undefined;
    const others = parameters.filter(([name]) => name !== "q");
    if (others.every(isUtf8)) {
      ranges.push({
        type,
        parameterCount: others.length,
        weight: Number(weight),
      });
    }
  }
  return ranges;
}

/**
 * Returns the quality of a type: the weight of the most specific range that
 * matches it. Of two equal ranges the greater weight counts.
 */
function quality(ranges: readonly Range[], type: string): number {
  const matching = ["*/*", type.replace(/[^/]+$/, "*"), type];
  const [best] = ranges.filter((range) => matching.includes(range.type)).sort(
    (a, b) =>
      matching.indexOf(b.type) - matching.indexOf(a.type) ||
      b.parameterCount - a.parameterCount || b.weight - a.weight,
  );
  return best?.weight ?? 0;
}

/**
 * Tells whether a client prefers plain text to JSON: the quality of
 * `text/plain; charset=utf-8` is greater than that of `application/json`. The most
 * specific media range that matches a type gives its quality (RFC 9110, section
 * 12.5.1).
 *
 * @param accept the value of Accept; null if it is missing or too long
 * @returns true if text is preferred; false in a tie, if neither is acceptable,
 *   and if the field breaks the grammar
 *
 * @example
 * ```ts
 * import { prefersText } from "./media_types.ts";
 * import { assert } from "@std/assert";
 *
 * assert(prefersText("text/plain"));
 * assert(prefersText("application/json;q=0.5, text/*"));
 * assert(!prefersText("text/*, application/*")); // a tie
 * ```
 */
export function prefersText(accept: string | null): boolean {
  if (accept === null || accept === "*/*") return false; // the usual cases
  const ranges = readRanges(accept) ?? [];
  return quality(ranges, "text/plain") > quality(ranges, "application/json");
}
