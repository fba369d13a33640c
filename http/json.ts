/**
 * JSON responses.
 *
 * @module
 */

/** Windows PowerShell 5.1 reads JSON as ISO-8859-1 if the type names no charset. */
export const JSON_TYPE = "application/json; charset=utf-8";

export function jsonResponse(value: unknown): Response {
  // With the type in the constructor, a response costs more.
  const response = Response.json(value);
  response.headers.set("content-type", JSON_TYPE);
  return response;
}
