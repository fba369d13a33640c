/**
 * The budget for all requests but those that the rate limit of the API admits.
 *
 * @module
 */
import type { Context, Handler } from "../routes/context.ts";
import { HEALTH } from "../routes/health.ts";
import { clientKey, type Proxies } from "./client.ts";
import type { Middleware } from "./compose.ts";
import { type RateLimiter, WINDOW_MS } from "./limiters/sliding_window.ts";

/**
 * The maximum number of requests of a client in a window. The responses to
 * further ones have no body.
 */
export const REQUEST_BUDGET = 600;

/**
 * Refuses a request with an empty body, since that response takes the least
 * memory. Only the health check keeps its status, so that no client can make it
 * fail for a load balancer.
 */
export async function refuseWithoutBody(
  refusal: ResponseInit,
  next: Handler,
  request: Request,
  context: Context,
): Promise<Response> {
  if (context.path !== HEALTH) return new Response(null, refusal);
  const { status } = await next(request, context);
  return new Response(null, { status });
}

/**
 * Responds with 429 and an empty body to a client that is above
 * {@linkcode REQUEST_BUDGET}. Over HTTP/2 an unread small response takes 5 kB,
 * and one without a body 1.3 kB.
 */
export function requestBudget(
  limiter: RateLimiter,
  proxies: Proxies,
): Middleware {
  const headers = { "retry-after": String(WINDOW_MS / 1000) };
  const refusal = { status: 429, headers };
  return (next) => async (request, context) => {
    const key = clientKey(request, context.peer, proxies);
    const { admitted } = await limiter.admit(key);
    return admitted
      ? await next(request, context)
      : await refuseWithoutBody(refusal, next, request, context);
  };
}
