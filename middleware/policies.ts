/**
 * The policies of the routing table: which limits apply to a request.
 *
 * @module
 */
import type { Handler, Middleware } from "../http/context.ts";
import type { Policy } from "../http/router.ts";
import { type RateLimiter, WINDOW_MS } from "./limiters/sliding_window.ts";
import { rateLimit, type RateLimitOptions } from "./rate_limit.ts";

/** The maximum number of requests of a client in a window, apart from the API. */
export const REQUEST_BUDGET = 600;

/** An empty response costs a third of a document. */
const OVER_BUDGET = {
  status: 429,
  headers: { "retry-after": String(WINDOW_MS / 1000) },
};

export interface PolicyOptions extends Omit<RateLimitOptions, "refused"> {
  /** Limits the responses that clients have not read yet. */
  readonly unreadLimit: Middleware;
  /** Counts requests outside the API, and those that the rate limit refuses. */
  readonly budget: RateLimiter;
}

/**
 * Makes the middleware of each policy, which acts before any work is done.
 */
export function policyMiddleware(
  { unreadLimit, budget, ...options }: PolicyOptions,
): Readonly<Record<Policy, Middleware>> {
  const open: Middleware = (next) => async (request, context) => {
    const { admitted } = await budget.admit(context.client.key);
    return admitted
      ? await next(request, context)
      : new Response(null, OVER_BUDGET);
  };
  const site: Middleware = (next) => open(unreadLimit(next));
  return {
    api: rateLimit({ ...options, refused: open }),
    site,
    health: (next) => keepStatus(site(next), next),
    open,
  };
}

/**
 * Keeps the status of a refused response, so that no client can make the health
 * check fail for a load balancer.
 */
function keepStatus(guarded: Handler, handler: Handler): Handler {
  return async (request, context) => {
    const response = await guarded(request, context);
    if (response.body !== null) return response;
    const { status } = await handler(request, context);
    return new Response(null, { status });
  };
}
