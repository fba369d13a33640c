/**
 * GET /healthz: whether the process answers.
 *
 * @module
 */
/**
 * Answers that the process is alive. It touches nothing and counts nothing.
 *
 * @returns 200 with `{"status":"ok"}`
 *
 * @example
 * ```ts
 * import { health } from "./health.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await health().json(), { status: "ok" });
 * ```
 */
export function health(): Response {
  return new Response('{"status":"ok"}', {
    headers: { "content-type": "application/json" },
  });
}
