/**
 * JSON responses.
 *
 * @module
 */

/** Windows PowerShell 5.1 reads JSON as ISO-8859-1 if the type names no charset. */
export const JSON_TYPE = "application/json; charset=utf-8";

export function jsonResponse(value: unknown): Response {
  return Response.json(value, { headers: { "content-type": JSON_TYPE } });
}
