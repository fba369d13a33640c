/**
 * GET /healthz: whether the process accepts requests.
 *
 * @module
 */
import type { Handler } from "./context.ts";
import { jsonResponse } from "./json.ts";
import { Problem } from "./problem.ts";

/** The path of the health check. */
export const HEALTH = "/healthz";

/**
 * The response while the process stops. A client that closes the connection then
 * does not use it for its next request.
 */
export const STOPPING: Problem = new Problem(503, "The process is stopping.", {
  headers: { connection: "close" },
});

/**
 * Makes the handler of GET /healthz.
 *
 * @param isStopping tells whether the process has received a signal to stop
 * @returns the handler: 200 with `{"status":"ok"}`, or 503 while stopping
 */
export function health(isStopping: () => boolean): Handler {
  return async (_request, { path }) =>
    isStopping() ? STOPPING.toResponse(path) : jsonResponse({ status: "ok" });
}
