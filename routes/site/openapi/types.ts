/**
 * The parts of OpenAPI 3.1 that the document of this API uses.
 *
 * Source: https://spec.openapis.org/oas/v3.1.1.html
 *
 * @module
 */

/** A JSON Schema (draft 2020-12). */
export interface Schema {
  /** A reference, such as "#/components/schemas/A". */
  readonly $ref?: string;
  /** The JSON type or types. */
  readonly type?: string | readonly string[];
  /** The meaning of the value. */
  readonly description?: string;
  /** The value if the property is missing. */
  readonly default?: unknown;
  /** The format of a number. */
  readonly format?: string;
  /** The least number. */
  readonly minimum?: number;
  /** The greatest number. */
  readonly maximum?: number;
  /** The regular expression that a string must match. */
  readonly pattern?: string;
  /** The allowed values. */
  readonly enum?: readonly unknown[];
  /** The properties of an object. */
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The properties that an object must have. */
  readonly required?: readonly string[];
  /** The schema of all other properties of an object. */
  readonly additionalProperties?: Schema;
  /** The schema of the items of an array. */
  readonly items?: Schema;
  /** The version of the API that added the property, if it was not the first. */
  readonly "x-since"?: string;
}

/** An Example Object. */
export interface ExampleObject {
  /** A short description. */
  readonly summary: string;
  /** The example. */
  readonly value: unknown;
  /** For an error: the invalid request that causes it. */
  readonly "x-request"?: unknown;
}

/** A map of Media Type Objects. */
export type Content = Readonly<
  Record<
    string,
    {
      readonly schema: Schema;
      readonly examples?: Readonly<Record<string, ExampleObject>>;
    }
  >
>;

/** A Header Object. */
export interface HeaderObject {
  /** The meaning of the header field. */
  readonly description: string;
  /** Whether the response always has it. */
  readonly required: boolean;
  /** The schema of its value. */
  readonly schema: Schema;
  /** An example of its value. */
  readonly example: string;
}

/** A Response Object. */
export interface ResponseObject {
  /** When the service sends it. */
  readonly description: string;
  /** References to its header fields. */
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  /** Its body by media type. */
  readonly content?: Content;
}

/** An Operation Object: one method of one path. */
export interface Operation {
  /** The name of the function in a generated client. */
  readonly operationId: string;
  /** The groups that it belongs to. */
  readonly tags: readonly string[];
  /** A short description. */
  readonly summary: string;
  /** The full description. */
  readonly description: string;
  /** The body of the request. */
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Content;
  };
  /** The responses by status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The OpenAPI document. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  /** The title, version, description and licence of the API. */
  readonly info:
    & Readonly<
      Record<"title" | "version" | "summary" | "description", string>
    >
    & {
      readonly license: { readonly name: string; readonly identifier: string };
    };
  /** The base URLs. */
  readonly servers: readonly { readonly url: string }[];
  /** The credentials that requests need. */
  readonly security: readonly [];
  /** The groups of operations. */
  readonly tags: readonly { readonly name: string; description: string }[];
  /** The operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The parts that references point to. */
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}
