/**
 * Checks responses with the API description. The validator knows the keywords
 * of JSON Schema (draft 2020-12) that the description uses, and fails on
 * others.
 *
 * @module
 */
import { assert } from "@std/assert";
import { INVALID_HOST } from "../../http/router.ts";
import { openApiDocument } from "../../routes/site/openapi.ts";

/** A JSON Schema (draft 2020-12). */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly "x-since"?: string;
  /** The names of the enum in generated code; generators read one of the two. */
  readonly "x-enum-varnames"?: readonly string[];
  readonly "x-enumNames"?: readonly string[];
}

/** An Example Object. */
interface Example {
  readonly value: unknown;
  /** For an error: the invalid request that causes it. */
  readonly "x-request"?: unknown;
}

/** Media Type Objects by media type. */
type Content = Readonly<
  Record<string, { schema: Schema; examples?: Record<string, Example> }>
>;

/** A Response Object. */
interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
}

/** A Header Object. */
interface HeaderObject {
  readonly required: boolean;
  readonly schema: Schema;
}

/** An Operation Object: one method of one path. */
export interface Operation {
  readonly description: string;
  readonly requestBody?: { required: boolean; content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The parts of the OpenAPI document that tests read. */
interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { version: string; description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

/** The API description, as a client parses it. */
export const DESCRIPTION: OpenApiDocument = JSON.parse(
  JSON.stringify(openApiDocument()),
);

/** The name of the schema of a request body. */
export function schemaName({ requestBody }: Operation): string {
  const { $ref } = requestBody!.content["application/json"]!.schema;
  return $ref!.split("/").at(-1)!;
}

const KNOWN = new Set(
  "$ref type description default format minimum maximum maxLength pattern enum x-enum-varnames x-enumNames x-since properties required additionalProperties items minItems maxItems"
    .split(" "),
);

const TYPES: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
};

function hasType(value: unknown, type: string): boolean {
  const check = TYPES[type];
  assert(check, `Cannot check the type ${type}`);
  return check(value);
}

/** The schema to which a reference points; any other schema is returned. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref)?.[1];
  const target = DESCRIPTION.components.schemas[name!];
  assert(target !== undefined, `No ${schema.$ref}`);
  return target;
}

/**
 * Validates a value.
 *
 * @param value a value from JSON.parse()
 * @param schema the schema
 * @param at the place of the value, for the messages
 * @returns the violations of the schema; none for a valid value
 */
export function violations(
  value: unknown,
  schema: Schema,
  at = "$",
): string[] {
  for (const keyword of Object.keys(schema)) {
    assert(KNOWN.has(keyword), `Cannot check ${keyword} of ${at}`);
  }
  if (schema.$ref !== undefined) return violations(value, resolve(schema), at);
  const { type, minimum, maximum, maxLength, pattern, format } = schema;
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
  // The length of a string is its number of code points.
  if (typeof value === "string" && maxLength !== undefined) {
    if ([...value].length > maxLength) found.push(`${at} too long`);
  }
  if (typeof value === "string" && pattern !== undefined) {
    if (!new RegExp(pattern, "u").test(value)) found.push(`${at}: ${pattern}`);
  }
  if (Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Infinity } = schema;
    if (value.length < minItems) found.push(`${at} has too few items`);
    if (value.length > maxItems) found.push(`${at} has too many items`);
    for (const [index, item] of items ? value.entries() : []) {
      found.push(...violations(item, items!, `${at}[${index}]`));
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

// Fields of HTTP itself (RFC 9110) and of the representation of the body.
const UNDESCRIBED = new Set(
  "connection content-encoding content-length content-type date transfer-encoding"
    .split(" "),
);

/**
 * Fails unless the description has the response for the operation: its status,
 * media type, header fields and body. The responses to an invalid Host, an unknown
 * path and a wrong method belong to no operation, and have one description for all
 * paths.
 *
 * @param response the response
 * @param text the body of the response
 * @param path the path of the request
 * @param method the method of the request
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
  // The description has no HEAD, which is the same as GET without the body.
  const operation = method === "HEAD" ? "get" : method.toLowerCase();
  const isInvalidHost = status === 400 && text.includes(INVALID_HOST.detail);
  const ofAnyPath = isInvalidHost
    ? responses["InvalidHost"]
    : status === 404
    ? responses["NotFound"]
    : status === 405
    ? responses["MethodNotAllowed"]
    : undefined;
  const description = ofAnyPath ??
    DESCRIPTION.paths[path]?.[operation]?.responses[status];
  assert(description, `${where} is not described`);

  const described = new Map(
    Object.entries(DESCRIPTION.components.headers)
      .filter(([name]) => name in description.headers)
      .map(([name, header]) => [name.toLowerCase(), header]),
  );
  for (const [name, { required }] of described) {
    assert(!required || headers.has(name), `${where} has no ${name}`);
  }
  for (const [name, value] of headers) {
    if (UNDESCRIBED.has(name)) continue;
    // The errors of any path have CORS and Vary if the path has.
    if (ofAnyPath && /^(access-control-|vary$)/.test(name)) continue;
    const header = described.get(name);
    assert(header, `${where} has ${name}, which is not described`);
    const found = violations(value, header.schema, name);
    assert(found.length === 0, `${where}: ${found}`);
  }

  const type = headers.get("content-type");
  if (description.content === undefined) {
    assert(text === "", `${where} has a body`);
    assert(type === null, `${where} has a content-type`);
    return;
  }
  const content = description.content[type?.split(";")[0] ?? ""];
  assert(content, `${where} is of type ${type}`);
  assert(type!.endsWith("; charset=utf-8"), `${where} has no charset`);
  if (method === "HEAD") return;
  const value = type!.startsWith("text/") ? text : JSON.parse(text);
  const found = violations(value, content.schema);
  assert(found.length === 0, `${where}: ${found} in ${text}`);
}
