/**
 * GET /healthz: whether the process accepts requests; and OPTIONS of /healthz and /.
 *
 * @module
 */
import type { Handler } from "../http/context.ts";
import { jsonResponse } from "../http/json.ts";
import { Problem } from "../http/problem.ts";

export const HEALTH = "/healthz";

/** The connection closes, so that the client sends its next request over another. */
export const STOPPING: Problem = new Problem(503, "The process is stopping.", {
  connection: "close",
});

export function health(isStopping: () => boolean): Handler {
  return async (_request, { path }) =>
    isStopping() ? STOPPING.toResponse(path) : jsonResponse({ status: "ok" });
}

/**
 * The health check of HAProxy, by default OPTIONS of `/`: the status tells what that
 * of GET /healthz does.
 */
export function healthStatus(isStopping: () => boolean): Handler {
  return async () => new Response(null, { status: isStopping() ? 503 : 204 });
}
