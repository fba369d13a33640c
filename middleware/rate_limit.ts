/**
 * The rate limit: one budget a client, shared by all that the layer surrounds.
 *
 * @module
 */
import { Problem } from "../routes/problem.ts";
import { budgetKey, clientAddress, type Proxies } from "./client.ts";
import { type Window, WINDOW_MS } from "./sliding_window.ts";
import type { Middleware } from "./types.ts";

/** What the layer decides with. */
export interface RateLimitOptions {
  /** Requests admitted to a client in a window. */
  readonly limit: number;
  /** What counts them. */
  readonly window: Window;
  /** Whose X-Forwarded-For is believed. */
  readonly proxies: Proxies;
}

/**
 * Lets a request through, or answers 429 without reading its body. Either
 * answer says how the budget stands (draft-ietf-httpapi-ratelimit-headers-11).
 *
 * @param options what to decide with
 * @returns the layer
 *
 * @example
 * ```ts
 * import { trustedProxies } from "./client.ts";
 * import { rateLimit } from "./rate_limit.ts";
 * import { SlidingWindow } from "./sliding_window.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = rateLimit({
 *   limit: 60,
 *   window: new SlidingWindow({ limit: 60, maxClients: 1000 }),
 *   proxies: trustedProxies(undefined),
 * })(() => new Response());
 * const request = new Request("http://localhost/");
 * const response = await handler(request, { path: "/", peer: "192.0.2.1" });
 * assertEquals(response.headers.get("ratelimit"), '"default";r=59;t=60');
 * ```
 */
export function rateLimit(
  { limit, window, proxies }: RateLimitOptions,
): Middleware {
  const seconds = WINDOW_MS / 1000;
  const policy = `"default";q=${limit};w=${seconds}`;
  return (next) => async (request, context) => {
    const forwardedFor = request.headers.get("x-forwarded-for");
    const client = clientAddress(context.peer, forwardedFor, proxies);
    const decided = window.admit(budgetKey(client));
    // In memory there is nothing to wait for, and no turn is spent on it.
    const { admitted, remaining, resetMs } = decided instanceof Promise
      ? await decided
      : decided;
    const response = admitted ? await next(request, context) : new Problem(
      429,
      `More than ${limit} requests in ${seconds} seconds from one address.`,
      { headers: { "retry-after": String(seconds) } },
    ).toResponse(context.path);
    const { headers } = response;
    headers.append("ratelimit-policy", policy);
    headers.append(
      "ratelimit",
      `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
    );
    return response;
  };
}
