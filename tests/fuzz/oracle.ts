/**
 * The outcomes that the contract permits for a request body. They follow from
 * the API description, not from the validators.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Schema } from "../../tools/documents/openapi.ts";
import type { PasswordRules } from "../../routes/api/password_rules.ts";
import {
  CLASS_NAMES,
  countCharacters,
  countSentences,
  countWords,
  mostPasswords,
} from "../helpers/entropy.ts";
import { readRules, sortedSet } from "../helpers/password_rules.ts";
import { DESCRIPTION, schemaName, violations } from "../helpers/schema.ts";
import { countByLength } from "../helpers/strings.ts";

/**
 * The outcome of a request: the status of a response, and for a validation
 * failure the names under `errors`; "refused" is the empty 400 of the HTTP
 * layer of Deno; "closed" is a closed connection without a response.
 */
export type Outcome =
  | { readonly status: number; readonly errors?: readonly string[] }
  | "refused"
  | "closed";

/** The requests contain it. The responses contain it only in a path. */
export const CANARY = "hunter2-4b1d-9e77";

export const MAX_BODY_BYTES = 16 * 1024;
export const OK: Outcome = { status: 200 };
/** The names under `errors` if the body as a whole is invalid. */
export const BODY_ERROR: readonly string[] = ["$"];
export const BYTE_ORDER_MARK = "\xef\xbb\xbf";

/** The schemas of the fields of each endpoint that takes a body. */
export const FIELDS: ReadonlyMap<string, Readonly<Record<string, Schema>>> =
  new Map(
    Object.entries(DESCRIPTION.paths).flatMap(([path, { post }]) => {
      if (!post) return [];
      const schema = DESCRIPTION.components.schemas[schemaName(post)]!;
      const defaults = schema.default as Record<string, unknown>;
      const fields = Object.entries(schema.properties!).map((
        [name, field],
      ) => [name, { ...field, default: defaults[name] }]);
      return [[path, Object.fromEntries(fields)] as const];
    }),
  );

/** Converts each character up to U+00FF to one byte. */
export function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** The outcomes for a body of media type JSON, one character per byte. */
export function expectedOutcomes(path: string, body: string): Outcome[] {
  if (body.length > MAX_BODY_BYTES) return [{ status: 413 }];
  const errors = expectedErrors(path, body);
  const outcome = errors.length === 0 ? OK : { status: 400, errors };
  // The contract permits both: to skip a byte-order mark, and to refuse it.
  return body.startsWith(BYTE_ORDER_MARK)
    ? [outcome, { status: 400, errors: BODY_ERROR }]
    : [outcome];
}

function expectedErrors(path: string, body: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(latin1(body)));
  } catch {
    return BODY_ERROR;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return BODY_ERROR;
  }
  const members = Map.groupBy(
    Object.entries(value),
    ([name]) => asciiLowerCase(name),
  );
  const errors = new Set<string>();
  const valid: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(FIELDS.get(path)!)) {
    const given = members.get(asciiLowerCase(name)) ?? [[name, schema.default]];
    // A field without a default.
    if (given[0]![1] === undefined) continue;
    const [, value] = given[0]!;
    if (given.length > 1 || !isValid(value, schema)) errors.add(name);
    else valid[name] = schema.minimum === undefined ? value : Number(value);
  }
  const specials = valid["specialCharacterSet"] as string | undefined;
  // The description says "none twice", which no JSON Schema can say.
  if (specials !== undefined && new Set(specials).size < specials.length) {
    errors.add("specialCharacterSet");
    delete valid["specialCharacterSet"];
  }
  // The rules of several fields ignore invalid ones.
  if (
    valid["wordCount"] === 1 &&
    ["between", "all"].includes(valid["numberPosition"] as string)
  ) {
    errors.add("numberPosition");
  }
  const { passwordRules } = valid;
  if (passwordRules === "") {
    if (CLASS_NAMES.every((name) => valid[name] === false)) errors.add("$");
    const { specialCharacters, excludeAmbiguous, specialCharacterSet } = valid;
    if (
      specialCharacters && excludeAmbiguous && specialCharacterSet === "|"
    ) errors.add("specialCharacterSet");
  } else if (typeof passwordRules === "string") {
    const fields = FIELDS.get(path)!;
    const rules = restrictedRules(valid);
    for (const name of REPLACED) {
      if (name in valid && valid[name] !== fields[name]!.default) {
        errors.add(name);
      }
    }
    if (rules === undefined) errors.add("passwordRules");
    else if ("length" in valid && members.has("length")) {
      const length = valid["length"] as number;
      if (length < rules.minLength || length > rules.maxLength) {
        errors.add("length");
      }
    }
    if (errors.size === 0) return errorsOfRules(rules!, valid);
  }
  if (errors.size === 0) {
    const error = missedLimit(path, valid);
    if (error !== undefined) errors.add(error);
  }
  return [...errors];
}

/** The fields whose meaning `passwordRules` replaces. */
const REPLACED: readonly string[] = [
  ...CLASS_NAMES,
  "specialCharacterPercentage",
  "specialCharacterSet",
];

/** The rules without the characters that are left out; undefined with an error. */
function restrictedRules(
  valid: Readonly<Record<string, unknown>>,
): PasswordRules | undefined {
  const rules = readRules(String(valid["passwordRules"]));
  if (rules === undefined) return undefined;
  const restrict = (set: string) =>
    valid["excludeAmbiguous"] ? set.replace(/[01IOl|]/g, "") : set;
  const required = [...new Set(rules.required.map(restrict).map(sortedSet))];
  const allowed = restrict(rules.allowed);
  if (required.includes("") || allowed === "") return undefined;
  const isInside = (set: string, other: string) =>
    [...set].every((c) => other.includes(c));
  const smallest = required.filter((set) =>
    !required.some((other) => other !== set && isInside(other, set))
  );
  if (smallest.length > 6) return undefined;
  return { ...rules, required: smallest, allowed };
}

/** The counts so far by rules, since many requests have the same ones. */
const countsOfRules = new Map<string, bigint[]>();

/** The errors of a request whose fields and rules have none by themselves. */
function errorsOfRules(
  rules: PasswordRules,
  valid: Readonly<Record<string, unknown>>,
): string[] {
  const { minLength, maxLength, ...others } = rules;
  const first = Math.min(
    Math.max(Number(valid["length"]), minLength),
    maxLength,
  );
  const minimum = Number(valid["minimumEntropy"]);
  const last = minimum === 0 ? first : maxLength;
  // JSON has no Infinity.
  const key = `${last} ${JSON.stringify(Object.entries(others).map(String))}`;
  let counts = countsOfRules.get(key);
  if (counts === undefined) {
    counts = countByLength({ ...others, characters: rules.allowed }, last);
    countsOfRules.set(key, counts);
  }
  const size = BigInt(rules.allowed.length);
  const isWide = (length: number) =>
    counts[length]! * 64n >= size ** BigInt(length);
  if (!isWide(first)) return ["passwordRules"];
  for (let length = first; length <= last; length++) {
    if (isWide(length) && counts[length]! >> BigInt(minimum) > 0n) {
      const drawn = BigInt(length) * size ** BigInt(length);
      const most = Number(20_000n * counts[length]! / drawn);
      return Number(valid["count"] ?? 1) > most ? ["count"] : [];
    }
  }
  return ["minimumEntropy"];
}

/** The counts of passwords by the last part of the path. */
const COUNTS: Readonly<
  Record<string, [raised: string, count: (settings: never) => bigint]>
> = {
  characters: ["length", countCharacters],
  words: ["wordCount", countWords],
  sentence: ["numberLength", countSentences],
};

/**
 * The field whose limit no value of the raised field meets: maximumLength, or
 * minimumEntropy; count, if the least value that is sufficient draws too much.
 */
function missedLimit(
  path: string,
  valid: Readonly<Record<string, unknown>>,
): string | undefined {
  const [raised, count] = COUNTS[path.split("/").at(-1)!]!;
  const least = 2n ** BigInt(valid["minimumEntropy"] as number);
  const { maximum } = FIELDS.get(path)![raised]!;
  const first = valid[raised] as number;
  for (let value = first; value <= maximum!; value++) {
    const settings = { ...valid, [raised]: value } as never;
    const passwords = count(settings);
    if (value === first && passwords === 0n) return "maximumLength";
    if (passwords < least) continue;
    const most = raised === "length" ? mostPasswords(settings) : 100;
    return Number(valid["count"] ?? 1) > most ? "count" : undefined;
  }
  return "minimumEntropy";
}

function asciiLowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether a field accepts a value. No JSON Schema gives a range to a string. */
function isValid(value: unknown, schema: Schema): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return violations(value, schema).length === 0 &&
    (typeof value !== "string" || schema.minimum === undefined ||
      (Number(value) >= minimum && Number(value) <= maximum));
}
