/**
 * The outcomes that the contract permits for a request body. They follow from
 * the API description, not from the validators.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Schema } from "../../tools/documents/openapi.ts";
import {
  CLASS_NAMES,
  countCharacters,
  countSentences,
  countWords,
} from "../helpers/entropy.ts";
import { DESCRIPTION, schemaName, violations } from "../helpers/schema.ts";

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
    const [, value] = given[0]!;
    if (given.length > 1 || !isValid(value, schema)) errors.add(name);
    else valid[name] = value;
  }
  // The first two rules ignore invalid fields.
  if (
    Number(valid["wordCount"]) === 1 &&
    ["between", "all"].includes(valid["numberPosition"] as string)
  ) {
    errors.add("numberPosition");
  }
  if (CLASS_NAMES.every((name) => valid[name] === false)) errors.add("$");
  if (errors.size === 0 && !reachesMinimum(path, valid)) {
    errors.add("minimumEntropy");
  }
  return [...errors];
}

/** The counts of passwords by the last part of the path. */
const COUNTS: Readonly<
  Record<string, [raised: string, count: (settings: never) => bigint]>
> = {
  characters: ["length", countCharacters],
  words: ["wordCount", countWords],
  sentence: ["numberLength", countSentences],
};

/** Whether some value of the raised field gives the bits of minimumEntropy. */
function reachesMinimum(
  path: string,
  valid: Readonly<Record<string, unknown>>,
): boolean {
  const [raised, count] = COUNTS[path.split("/").at(-1)!]!;
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(valid)) {
    const isNumber = FIELDS.get(path)![name]!.minimum !== undefined;
    settings[name] = isNumber ? Number(value) : value;
  }
  const least = 2n ** BigInt(settings["minimumEntropy"] as number);
  const { maximum } = FIELDS.get(path)![raised]!;
  for (let value = settings[raised] as number; value <= maximum!; value++) {
    if (count({ ...settings, [raised]: value } as never) >= least) return true;
  }
  return false;
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
