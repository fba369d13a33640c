/**
 * The rate limit: client, then limiter, then the next handler or 429.
 *
 * @module
 */
import { tooManyRequests } from "../routes/problem.ts";
import { respondWith } from "../routes/router.ts";
import {
  addressKey,
  type AddressList,
  clientAddress,
  type Proxies,
} from "./client.ts";
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
  /** The clients that the limit does not apply to. */
  readonly exempt: AddressList | undefined;
  /** Writes one line to the log. */
  readonly warn: (line: string) => void;
}

/**
 * Calls the next handler for an admitted request. A refused request gets 429,
 * and its body is not read. Every response says how much of the limit is left
 * (draft-ietf-httpapi-ratelimit-headers-11). Exempt clients are not counted, and
 * their responses have no such fields. All other limits hold for them.
 *
 * All clients of a proxy that is not trusted share one limit, and all whose address
 * a trusted proxy does not report. If an exempt address is a proxy that is not
 * trusted, all its clients are exempt. The log gets one line for each of these
 * reasons, at the first request that may have it.
 *
 * @param options the limit, the limiter, the proxies, the exempt clients and the log
 * @returns the middleware
 */
export function rateLimit(
  { limiter, proxies, exempt, warn, limit, budget }: RateLimitOptions,
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
  const onInvalid = () =>
    warnOnce(
      "Rate limit: a proxy in PWGEN_TRUSTED_PROXIES sent an entry of X-Forwarded-For that is no address; all its clients without an address share one limit",
    );
  return (next) => async (request, context) => {
    const { peer } = context;
    const forwardedFor = request.headers.get("x-forwarded-for");
    const isUnknownProxy = forwardedFor !== null && !proxies.trusts(peer);
    const address = clientAddress(peer, forwardedFor, proxies, onInvalid);
    const client = addressKey(address);
    context.client = client;
    if (exempt?.includes(address)) {
      if (isUnknownProxy) {
        warnOnce(
          "Rate limit: an address in PWGEN_EXEMPT_CLIENTS sent a request with X-Forwarded-For; if it is a proxy, all its clients are exempt: name it in PWGEN_TRUSTED_PROXIES instead",
        );
      }
      return await next(request, context);
    }
    const { admitted, remaining, resetMs } = await limiter.admit(client);
    const state = `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
    context.responseHeaders = [policy, ["ratelimit", state]];
    if (admitted) return await next(request, context);
    if (isUnknownProxy) {
      warnOnce(
        "Rate limit: refused a request with X-Forwarded-For from an address that is not in PWGEN_TRUSTED_PROXIES; if a proxy of yours sent it, all its clients share one limit",
      );
    }
    return await refusal(request, context);
  };
}
