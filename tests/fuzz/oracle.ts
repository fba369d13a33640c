/**
 * The outcomes that the contract permits for a request body.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { DESCRIPTION, type Schema, schemaName } from "../helpers/schema.ts";
import { type Kind, outcome } from "../oracle.ts";

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
  const kind = path.split("/").at(-1) as Kind;
  return outcome(kind, value as Record<string, unknown>).errors;
}
