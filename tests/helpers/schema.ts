/**
 * Holds real answers against the description of the API: the part of JSON
 * Schema (draft 2020-12) that it uses. A keyword that is not known here fails.
 *
 * @module
 */
import { assert } from "@std/assert";
import { openApiDocument } from "../../routes/site/openapi/mod.ts";
import type {
  OpenApiDocument,
  Schema,
} from "../../routes/site/openapi/types.ts";

/** The description with the limit that the contract has. */
export const DESCRIPTION: OpenApiDocument = openApiDocument({
  limit: 60,
  seconds: 60,
});

const KNOWN = new Set(
  "$ref type description default format minimum maximum pattern enum properties required additionalProperties items"
    .split(" "),
);

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null &&
        !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return typeof value === "string";
  }
  throw new Error(`Cannot check the type ${type}`);
}

/**
 * Everything in which a value departs from a schema; empty if it conforms.
 *
 * @param value the value, as JSON.parse gave it
 * @param schema the schema
 * @param at where the value stands, for what is said of it
 */
export function violations(
  value: unknown,
  schema: Schema,
  at = "$",
): string[] {
  for (const keyword of Object.keys(schema)) {
    assert(KNOWN.has(keyword), `Cannot check ${keyword} of ${at}`);
  }
  if (schema.$ref !== undefined) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref)?.[1];
    const target = DESCRIPTION.components.schemas[name!];
    assert(target !== undefined, `No ${schema.$ref}`);
    return violations(value, target, at);
  }
  const { type, minimum, maximum, pattern, format } = schema;
  const found: string[] = [];
  if (type && ![type].flat().some((each) => hasType(value, each))) {
    found.push(`${at} is no ${type}`);
  }
  if (schema.enum && !schema.enum.includes(value)) {
    found.push(`${at} is none of ${schema.enum}`);
  }
  if (typeof value === "number") {
    if (minimum !== undefined && value < minimum) found.push(`${at} too small`);
    if (maximum !== undefined && value > maximum) found.push(`${at} too large`);
    assert(format === undefined || format === "int32", format);
    if (format && (value | 0) !== value) found.push(`${at} is no int32`);
  }
  if (typeof value === "string" && pattern !== undefined) {
    if (!new RegExp(pattern, "u").test(value)) found.push(`${at}: ${pattern}`);
  }
  if (Array.isArray(value) && schema.items) {
    for (const [index, item] of value.entries()) {
      found.push(...violations(item, schema.items, `${at}[${index}]`));
    }
  }
  if (hasType(value, "object")) {
    const members = value as Record<string, unknown>;
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(members, name)) found.push(`${at} has no ${name}`);
    }
    const { properties = {}, additionalProperties } = schema;
    for (const [name, member] of Object.entries(members)) {
      const of = Object.hasOwn(properties, name)
        ? properties[name]
        : additionalProperties;
      if (of) found.push(...violations(member, of, `${at}.${name}`));
    }
  }
  return found;
}

// What HTTP itself adds (RFC 9110), and what says how the body is written.
const UNDESCRIBED = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "transfer-encoding",
  "vary",
]);

/**
 * Fails unless an answer is one that the description has for the operation, in
 * status, media type, header fields and body; an answer that belongs to no
 * operation (404, 405) is compared with those of any path.
 *
 * @param response the answer
 * @param text its body
 * @param path the path that was asked
 * @param method the method
 */
export function assertDescribed(
  response: Response,
  text: string,
  path: string,
  method: string,
): void {
  const { status, headers } = response;
  const where = `${method} ${path}: ${status}`;
  const { responses } = DESCRIPTION.components;
  // What has GET has HEAD.
  const operation = method === "HEAD" ? "get" : method.toLowerCase();
  const answer = status === 404
    ? responses["NotFound"]
    : status === 405
    ? responses["MethodNotAllowed"]
    : DESCRIPTION.paths[path]?.[operation]?.responses[status];
  assert(answer, `${where} is not described`);

  const described = new Map(
    Object.values(answer.headers).map(({ $ref }) => {
      const name = $ref.split("/").at(-1)!;
      return [name.toLowerCase(), DESCRIPTION.components.headers[name]!];
    }),
  );
  for (const [name, { required }] of described) {
    assert(!required || headers.has(name), `${where} has no ${name}`);
  }
  for (const [name, value] of headers) {
    if (UNDESCRIBED.has(name)) continue;
    const header = described.get(name);
    assert(header, `${where} has ${name}, which is not described`);
    const found = violations(value, header.schema, name);
    assert(found.length === 0, `${where}: ${found}`);
  }

  const type = headers.get("content-type");
  if (answer.content === undefined) {
    assert(text === "", `${where} has a body`);
    assert(type === null, `${where} has a content-type`);
    return;
  }
  const content = answer.content[type ?? ""];
  assert(content, `${where} is of type ${type}`);
  if (method === "HEAD") return;
  const found = violations(JSON.parse(text), content.schema);
  assert(found.length === 0, `${where}: ${found} in ${text}`);
}
