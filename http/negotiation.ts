/**
 * Header fields that say what a client sends and prefers: Content-Type,
 * Content-Encoding, Accept, Accept-Encoding and Prefer.
 *
 * @module
 */
import { acceptsEncodings } from "@std/http/negotiation";

const MAX_LENGTH = 256;

/**
 * Reads a header field of a request. A value of more than 256 characters counts as
 * missing: no client needs it, and it could keep the process busy.
 */
export function headerField(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value !== null && value.length > MAX_LENGTH ? null : value;
}

/** A quoted string. One that does not end takes the rest, so nothing is read twice. */
const QUOTED = /"(?:[^"\\]|\\.)*(?:"|\\?$)/g;
const QUOTED_TOKEN = /^"[\w.-]+"$/;
const JSON_TYPE = /^application\/(?:[\w!#$%&'*+.^`|~-]+\+)?json$/;
/** Many programs write utf8. */
const PARAMETER =
  /^(?:charset=utf-?8|(?!charset=)[\w!#$%&'*+.^`|~-]+=[^\s=]*)?$/;
/** RFC 9110, section 12.4.2. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Reads a list in lower case: each element with its parameters. A quoted token loses
 * its quotes, and any other quoted string is left out: it can have commas in it.
 */
function readList(field: string): string[][] {
  return field.toLowerCase()
    .replace(QUOTED, (text) => QUOTED_TOKEN.test(text) ? text.slice(1, -1) : "")
    .split(",")
    .map((element) => element.split(";").map((part) => part.trim()));
}

/**
 * Tells whether a Content-Type, null if it is missing, is application/json or
 * application/*+json, without a `charset` other than UTF-8.
 */
export function isJsonType(contentType: string | null): boolean {
  // The usual case: the grammar would take 10 % of the CPU time of a request.
  if (contentType === "application/json") return true;
  const [[type = "", ...parameters] = [], ...others] = readList(
    contentType ?? "",
  );
  return others.length === 0 && JSON_TYPE.test(type) &&
    parameters.every((parameter) => PARAMETER.test(parameter));
}

/**
 * Tells whether a Content-Encoding, null if it is missing, leaves a body as it is. One
 * of more than 256 characters does not.
 */
export function isIdentity(contentEncoding: string | null): boolean {
  if (contentEncoding === null) return true;
  return contentEncoding.length <= MAX_LENGTH &&
    contentEncoding.split(",")
      .every((coding) => /^(identity)?$/i.test(coding.trim()));
}

/**
 * Tells whether a client prefers a media type to each of the others: its quality
 * is greater (RFC 9110, section 12.5.1). Parameters of types are ignored.
 *
 * @param accept the value of Accept; null if it is missing or too long
 */
export function prefers(
  accept: string | null,
  type: string,
  others: readonly string[],
): boolean {
  // The usual cases: to read the list would take 11 % of the CPU time of a request.
  if (accept === null || accept === "*/*") return false;
  const qualities = new Map<string, number>();
  for (const [range = "", ...parameters] of readList(accept)) {
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    // NaN is never the greater quality.
    const quality = Number(WEIGHT.exec(weight ?? "q=1")?.[1]);
    qualities.set(range, Math.max(quality, qualities.get(range) ?? 0));
  }
  const quality = (type: string) =>
    qualities.get(type) ?? qualities.get(type.replace(/[^/]+$/, "*")) ??
      qualities.get("*/*") ?? 0;
  return others.every((other) => quality(type) > quality(other));
}

/** A content coding of a document; "identity" means without compression. */
export type Encoding = "br" | "gzip" | "identity";

/**
 * Returns the coding that a client prefers.
 *
 * @param acceptEncoding the value of Accept-Encoding; null if it is missing or
 *   too long
 * @returns the acceptable coding with the greatest weight; "identity" if none is
 *   acceptable, and if the field is missing
 */
export function preferredEncoding(acceptEncoding: string | null): Encoding {
  // acceptsEncodings() takes the first of equal weights, and browsers name gzip first.
  // In the order of the alphabet, the coding that is usually smaller comes first.
  const sorted = (acceptEncoding ?? "").toLowerCase().split(",")
    .map((coding) => coding.trim()).sort().join();
  const headers = new Headers({ "accept-encoding": sorted || "identity" });
  const preferred = acceptsEncodings({ headers }, "br", "gzip", "identity");
  return preferred as Encoding | undefined ?? "identity";
}

/**
 * Tells whether a client prefers unknown fields to be errors: `handling=strict`
 * (RFC 7240, section 4.4). The first `handling` counts.
 *
 * @param prefer the value of Prefer; null if it is missing or too long
 */
export function isStrict(prefer: string | null): boolean {
  if (prefer === null) return false;
  const [, value] = readList(prefer)
    .map(([preference = ""]) =>
      preference.split("=").map((part) => part.trim())
    )
    .find(([name]) => name === "handling") ?? [];
  return value === "strict";
}
