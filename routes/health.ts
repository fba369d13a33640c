/**
 * GET /healthz: whether the process answers.
 *
 * @module
 */
import { Problem } from "./problem.ts";
import type { Handler } from "./types.ts";

const STOPPING = new Problem(503, "The process stops.");

/**
 * Makes the handler that says whether the process takes requests. It touches
 * nothing and counts nothing.
 *
 * @param isStopping whether the process stops, and only still accepts
 * @returns the handler: 200 with `{"status":"ok"}`, or 503
 *
 * @example
 * ```ts
 * import { health } from "./health.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const request = new Request("http://localhost/healthz");
 * const response = await health(() => false)(request, {
 *   path: "/healthz",
 *   peer: "::1",
 * });
 * assertEquals(await response.json(), { status: "ok" });
 * ```
 */
export function health(isStopping: () => boolean): Handler {
  return (_request, { path }) =>
    isStopping() ? STOPPING.toResponse(path) : new Response('{"status":"ok"}', {
      headers: { "content-type": "application/json" },
    });
}
