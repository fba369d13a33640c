/**
 * The rate limit: one budget a client, shared by all that the layer surrounds.
 *
 * @module
 */
import { Problem } from "../routes/problem.ts";
import { clientKey, type Proxies } from "./client.ts";
import {
  type Decision,
  type RateLimiter,
  WINDOW_MS,
} from "./limiters/sliding_window.ts";
import type { Middleware } from "./types.ts";

/** What the layer decides with. */
export interface RateLimitOptions {
  /** Requests admitted to a client in a window. */
  readonly limit: number;
  /** What counts them. */
  readonly limiter: RateLimiter;
  /** Whose X-Forwarded-For is believed. */
  readonly proxies: Proxies;
}

/**
 * Lets a request through, or answers 429 without reading its body. Whatever the
 * answer is, its fields say how the budget stands
 * (draft-ietf-httpapi-ratelimit-headers-11).
 *
 * @param options what to decide with
 * @returns the layer
 *
 * @example
 * ```ts
 * import { NO_PROXIES } from "./client.ts";
 * import { rateLimit } from "./rate_limit.ts";
 * import { SlidingWindowLimiter } from "./limiters/sliding_window.ts";
 * import type { Context } from "../routes/types.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = rateLimit({
 *   limit: 60,
 *   limiter: new SlidingWindowLimiter({ limit: 60, maxClients: 1000 }),
 *   proxies: NO_PROXIES,
 * })(() => new Response());
 * const request = new Request("http://localhost/");
 * const context: Context = { path: "/", peer: "192.0.2.1" };
 * await handler(request, context);
 * assertEquals(context.fields?.at(-1), ["ratelimit", '"default";r=59;t=60']);
 * ```
 */
export function rateLimit(
  { limit, limiter, proxies }: RateLimitOptions,
): Middleware {
  const seconds = WINDOW_MS / 1000;
  const policy = [
    "ratelimit-policy",
    `"default";q=${limit};w=${seconds}`,
  ] as const;
  const refusal = new Problem(
    429,
    `More than ${limit} requests in ${seconds} seconds from one address.`,
    { headers: { "retry-after": String(seconds) } },
  );
  return (next) => (request, context) => {
    const proceed = ({ admitted, remaining, resetMs }: Decision) => {
      const left = `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
      context.fields = [policy, ["ratelimit", left]];
      return admitted
        ? next(request, context)
        : refusal.toResponse(context.path);
    };
    const decided = limiter.admit(clientKey(request, context.peer, proxies));
    // In memory there is nothing to wait for, and no turn is spent on it.
    return decided instanceof Promise
      ? decided.then(proceed)
      : proceed(decided);
  };
}
