/**
 * The rate limit: client, then limiter, then the next handler or 429.
 *
 * @module
 */
import type { Handler } from "../routes/context.ts";
import { Problem } from "../routes/problem.ts";
import { respondWith } from "../routes/router.ts";
import { clientKey, type Proxies } from "./client.ts";
import type { Middleware } from "./compose.ts";
import { type RateLimiter, WINDOW_MS } from "./limiters/sliding_window.ts";

const SECONDS = WINDOW_MS / 1000;

/** Options of the rate limit. */
export interface RateLimitOptions {
  /** Requests that a client may send in a window, at least 1. */
  readonly limit: number;
  /** Counts the requests. */
  readonly limiter: RateLimiter;
  /** The proxies whose X-Forwarded-For is believed. */
  readonly proxies: Proxies;
  /** The budget that a refused request counts against. */
  readonly budget: Middleware;
  /** Writes one line to the log. */
  readonly warn: (line: string) => void;
}

/**
 * Makes the response to a request above the rate limit. Retry-After is always the
 * whole window, as API v1 defines it.
 *
 * @param limit the requests that a client may send in a window
 * @returns the problem, with status 429 and Retry-After
 */
export function tooManyRequests(limit: number): Problem {
  return new Problem(
    429,
    `More than ${limit} requests in ${SECONDS} seconds from one address.`,
    { headers: { "retry-after": String(SECONDS) } },
  );
}

/**
 * Calls the next handler for an admitted request. A refused request gets 429,
 * and its body is not read. Every response says how much of the limit is left
 * (draft-ietf-httpapi-ratelimit-headers-11).
 *
 * All clients of a proxy that is not trusted share one limit, and all whose address
 * a trusted proxy does not report. The first refusal that may have the first
 * reason is logged, and the first entry of a trusted proxy that is no address.
 *
 * @param options the limit, the limiter, the proxies and the log
 * @returns the middleware
 */
export function rateLimit(
  { limiter, proxies, warn, limit, budget }: RateLimitOptions,
): Middleware {
  const policy = [
    "ratelimit-policy",
    `"default";q=${limit};w=${SECONDS}`,
  ] as const;
  const refusal = budget(respondWith(tooManyRequests(limit)));
  const written = new Set<string>();
  const warnOnce = (line: string) => {
    if (!written.has(line)) warn(line);
    written.add(line);
  };
  const onInvalid = () =>
    warnOnce(
      "Rate limit: a proxy in PWGEN_TRUSTED_PROXIES sent an entry of X-Forwarded-For that is no address; all its clients without an address share one limit",
    );
  const refuse: Handler = (request, context) => {
    if (
      request.headers.has("x-forwarded-for") && !proxies.trusts(context.peer)
    ) {
      warnOnce(
        "Rate limit: refused a request with X-Forwarded-For from an address that is not in PWGEN_TRUSTED_PROXIES; if a proxy of yours sent it, all its clients share one limit",
      );
    }
    return refusal(request, context);
  };
  return (next) => async (request, context) => {
    const client = clientKey(request, context.peer, proxies, onInvalid);
    context.client = client;
    const { admitted, remaining, resetMs } = await limiter.admit(client);
    const state = `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
    context.responseHeaders = [policy, ["ratelimit", state]];
    return admitted ? await next(request, context) : refuse(request, context);
  };
}
