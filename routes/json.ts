/**
 * Responses with JSON.
 *
 * @module
 */

/**
 * The media type of JSON. Windows PowerShell 5.1 reads JSON as ISO-8859-1 if the
 * type names no charset.
 */
export const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Makes a response with JSON.
 *
 * @param value the value
 * @returns the response, with status 200
 *
 * @example
 * ```ts
 * import { jsonResponse } from "./json.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await jsonResponse({ length: 20 }).json(), { length: 20 });
 * ```
 */
export function jsonResponse(value: unknown): Response {
  // With the type in the constructor, a response costs more.
  const response = Response.json(value);
  response.headers.set("content-type", JSON_TYPE);
  return response;
}
