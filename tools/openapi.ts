/**
 * Prints the OpenAPI document. Usage: deno task openapi
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { openApiDocument } from "../routes/site/openapi.ts";

console.log(JSON.stringify(openApiDocument(), null, 2));
