/**
 * The request budget: the limit of what is not the API, and of what the rate limit
 * refuses.
 *
 * @module
 */
import type { Middleware } from "../http/context.ts";
import {
  SlidingWindowLimiter,
  type SlidingWindowOptions,
  WINDOW_MS,
} from "./limiters/sliding_window.ts";

/** The maximum number of requests of a client in a window. */
export const REQUEST_BUDGET = 600;

/** The maximum number of clients that are remembered. */
const MAX_CLIENTS = 50_000;

/** An empty response costs a third of a document. */
const OVER_BUDGET = {
  status: 429,
  headers: { "retry-after": String(WINDOW_MS / 1000) },
};

/** Responds with 429 and no body above the budget of a client. */
export function requestBudget(
  options: Pick<SlidingWindowOptions, "now" | "warn">,
): Middleware {
  const budget = new SlidingWindowLimiter({
    limit: REQUEST_BUDGET,
    maxClients: MAX_CLIENTS,
    name: "Request budget",
    ...options,
  });
  return (next) => async (request, context) => {
    const { admitted } = await budget.admit(context.client.key);
    return admitted
      ? await next(request, context)
      : new Response(null, OVER_BUDGET);
  };
}

/**
 * Keeps the status of a response that limits refuse, so that no client can make the
 * health check fail for a load balancer.
 */
export function keepStatus(limits: Middleware): Middleware {
  return (handler) => {
    const limited = limits(handler);
    return async (request, context) => {
      const response = await limited(request, context);
      if (response.body !== null) return response;
      const { status } = await handler(request, context);
      return new Response(null, { status });
    };
  };
}
