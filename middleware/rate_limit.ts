/**
 * The rate limit: client, then limiter, then the next handler or 429.
 *
 * @module
 */
import { tooManyRequests } from "../routes/problem.ts";
import { respondWith } from "../routes/router.ts";
import type { Middleware } from "./compose.ts";
import { type RateLimiter, WINDOW_MS } from "./limiters/sliding_window.ts";

const SECONDS = WINDOW_MS / 1000;

export interface RateLimitOptions {
  /** Requests that a client may send in a window, at least 1. */
  readonly limit: number;
  readonly limiter: RateLimiter;
  /** The budget that counts the refused requests. */
  readonly budget: Middleware;
  readonly warn: (line: string) => void;
}

/**
 * Calls the next handler for an admitted request. A refused request gets 429, and
 * its body is not read. Every response says how much of the limit is left
 * (draft-ietf-httpapi-ratelimit-headers-11). Exempt clients are not counted, and
 * their responses have no such fields. All other limits hold for them.
 *
 * Three mistakes are logged once each, since they give many clients one limit, or
 * none: a proxy that is not trusted, a trusted proxy that reports no address, and
 * an exempt address that is a proxy.
 */
export function rateLimit(
  { limiter, warn, limit, budget }: RateLimitOptions,
): Middleware {
  const policy = [
    "ratelimit-policy",
    `"default";q=${limit};w=${SECONDS}`,
  ] as const;
  const refusal = budget(respondWith(tooManyRequests(limit, SECONDS)));
  const written = new Set<string>();
  const warnOnce = (line: string) => {
    if (!written.has(line)) warn(line);
    written.add(line);
  };
  return (next) => async (request, context) => {
    const { key, isExempt, doubt } = context.client;
    if (doubt === "proxy reported no address") {
      warnOnce(
        "Rate limit: a proxy in PWGEN_TRUSTED_PROXIES sent an entry of X-Forwarded-For that is no address; all its clients without an address share one limit",
      );
    }
    if (isExempt) {
      if (doubt === "proxy is not trusted") {
        warnOnce(
          "Rate limit: an address in PWGEN_EXEMPT_CLIENTS sent a request with X-Forwarded-For; if it is a proxy, all its clients are exempt: name it in PWGEN_TRUSTED_PROXIES instead",
        );
      }
      return await next(request, context);
    }
    const { admitted, remaining, resetMs } = await limiter.admit(key);
    const state = `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
    context.responseHeaders = [policy, ["ratelimit", state]];
    if (admitted) return await next(request, context);
    if (doubt === "proxy is not trusted") {
      warnOnce(
        "Rate limit: refused a request with X-Forwarded-For from an address that is not in PWGEN_TRUSTED_PROXIES; if a proxy of yours sent it, all its clients share one limit",
      );
    }
    return await refusal(request, context);
  };
}
