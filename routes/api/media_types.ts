/**
 * Media types: which request bodies are JSON, and which type a client prefers.
 *
 * @module
 */
import { TOKEN, WEIGHT } from "../header_fields.ts";

export const TEXT_TYPE: string = "text/plain; charset=utf-8";

// Quoted strings and parameters: RFC 9110, sections 5.6.4 to 5.6.6.
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const BLANK = /^[ \t]*$/;
const TYPE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*$`);
const PARAMETER = new RegExp(
  `^[ \\t]*(${TOKEN})=(${TOKEN}|${QUOTED})[ \\t]*$`,
);
/** A quoted string, a text without separators, or a character. */
const UNIT = new RegExp(`${QUOTED}|[^",;]+|.`, "gs");

/** A media type or a media range. */
interface MediaType {
  /** Type and subtype in lower case. */
  readonly type: string;
  /** The parameters, the names in lower case. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Splits a text at each separator outside of quoted strings. */
function split(text: string, separator: "," | ";"): string[] {
  const parts = [""];
  for (const unit of text.match(UNIT) ?? []) {
    if (unit === separator) parts.push("");
    else parts[parts.length - 1] += unit;
  }
  return parts;
}

/** Reads a media type or a media range; undefined if it breaks the grammar. */
function readMediaType(text: string): MediaType | undefined {
  const [start = "", ...rest] = split(text, ";");
  const type = TYPE.exec(start)?.[1];
  const matches = rest.filter((part) => !BLANK.test(part))
    .map((part) => PARAMETER.exec(part));
  if (type === undefined || matches.includes(null)) return undefined;
  return {
    type: type.toLowerCase(),
    parameters: matches.map((match) => [
      match![1]!.toLowerCase(),
      match![2]!.replace(/^"(.*)"$/s, "$1").replace(/\\(.)/gs, "$1"),
    ]),
  };
}

function isUtf8([name, value]: readonly [string, string]): boolean {
  return name === "charset" && value.toLowerCase() === "utf-8";
}

/**
 * Tells whether a Content-Type, null if it is missing, is application/json or
 * application/*+json, without a `charset` other than UTF-8.
 */
export function isJsonType(contentType: string | null): boolean {
  if (contentType === "application/json") return true; // the usual case
  const mediaType = readMediaType(contentType ?? "");
  return mediaType !== undefined &&
    /^application\/(?:.+\+)?json$/.test(mediaType.type) &&
    mediaType.parameters.every((parameter) =>
      parameter[0] !== "charset" || isUtf8(parameter)
    );
}

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
  for (const text of split(accept, ",")) {
    if (BLANK.test(text)) continue; // RFC 9110, section 5.6.1.2
    const range = readMediaType(text);
    if (range === undefined) return undefined;
    const { type, parameters } = range;
    const weights = parameters.filter(([name]) => name === "q");
    const weight = weights[0]?.[1] ?? "1";
    if (weights.length > 1 || !RANGE_WEIGHT.test(weight)) return undefined;
    const others = parameters.filter(([name]) => name !== "q");
    if (!others.every(isUtf8)) continue;
    const parameterCount = others.length;
    ranges.push({ type, parameterCount, weight: Number(weight) });
  }
  return ranges;
}

/**
 * Returns the quality of a type: the weight of the most specific range that
 * matches it (RFC 9110, section 12.5.1). Of two equal ranges the greater weight
 * counts.
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
 * Tells whether a client prefers a media type to each of the others: its quality
 * is greater. A client whose Accept is missing, too long or not readable prefers
 * none. The types are in UTF-8 and have no parameters.
 */
export function prefers(
  accept: string | null,
  type: string,
  others: readonly string[],
): boolean {
  if (accept === null || accept === "*/*") return false; // the usual cases
  const ranges = readRanges(accept) ?? [];
  return others.every((other) =>
    quality(ranges, type) > quality(ranges, other)
  );
}
