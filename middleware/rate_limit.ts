/**
 * The rate limit: client, then limiter, then the next handler or 429.
 *
 * @module
 */
import type { Context, Middleware } from "../http/context.ts";
import { tooManyRequests } from "../http/problem.ts";
import { respondWith } from "../http/handlers.ts";
import { parseAddressList } from "./address.ts";
import { type RateLimiter, WINDOW_MS } from "./limiters/sliding_window.ts";

const SECONDS = WINDOW_MS / 1000;

const LOOPBACK = parseAddressList("loopback")!;

/** The networks of other machines that are not public. */
const PRIVATE = parseAddressList(
  "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 169.254.0.0/16, fc00::/7, fe80::/10",
)!;

/**
 * The warning about a client that may be a proxy, and its kind; undefined if it cannot
 * be one. It names no public address, since that may be a client.
 */
function proxyWarning(
  { client, peer }: Context,
): [kind: string, line: string] | undefined {
  const { address, doubt, isProxied } = client;
  if (doubt === "proxy is not trusted") {
    const isNamed = PRIVATE.includes(address) || LOOPBACK.includes(address);
    // Without a zone. A socket for IPv6 maps an IPv4 address.
    const name = peer?.replace(/^::ffff:(?=\d+\.)|%.*$/gi, "");
    const sender = isNamed ? name : "a public address";
    return [
      isNamed ? "private sender" : "public sender",
      `Rate limit: X-Forwarded-For came from ${sender}, which is not in PWGEN_TRUSTED_PROXIES; if it is a proxy of yours, name it there: all its clients count as one`,
    ];
  }
  if (doubt === "proxy names no client") {
    return [
      doubt,
      "Rate limit: a proxy in PWGEN_TRUSTED_PROXIES sent no X-Forwarded-For, or no address in it; let it send the address of each client: those without one count as one",
    ];
  }
  if (doubt === "may be a proxy" || !isProxied && PRIVATE.includes(address)) {
    return [
      "may be a proxy",
      "Rate limit: refused a client that may be a proxy; if it is one, all its clients count as one: see docs/runbook.md#rate-limit",
    ];
  }
  return undefined;
}

export interface RateLimitOptions {
  /** Requests that a client may send in a window, at least 1. */
  readonly limit: number;
  readonly limiter: RateLimiter;
  /** Middleware around the refusal. */
  readonly refused: Middleware;
  readonly warn: (line: string) => void;
}

/**
 * Calls the next handler for an admitted request. A refused request gets 429, and
 * its body is not read. Every response says how much of the limit is left
 * (draft-ietf-httpapi-ratelimit-headers-11). Exempt clients are not counted, and
 * their responses have no such fields. All other limits hold for them.
 *
 * A refused client that may be a proxy is logged, once of each kind; so is an exempt one
 * that sends X-Forwarded-For without being trusted, since all its clients are exempt.
 */
export function rateLimit(
  { limiter, warn, limit, refused }: RateLimitOptions,
): Middleware {
  const policy = [
    "ratelimit-policy",
    `"default";q=${limit};w=${SECONDS}`,
  ] as const;
  const refusal = refused(respondWith(tooManyRequests(limit, SECONDS)));
  const written = new Set<string>();
  const report = (context: Context) => {
    const [kind, line] = proxyWarning(context) ?? [];
    if (!line || written.has(kind!)) return;
    written.add(kind!);
    warn(line);
  };
  return (next) => async (request, context) => {
    const { key, isExempt, doubt } = context.client;
    if (isExempt) {
      if (doubt === "proxy is not trusted") report(context);
      return await next(request, context);
    }
    const { admitted, remaining, resetMs } = await limiter.admit(key);
    const state = `"default";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
    context.rateLimitHeaders = [policy, ["ratelimit", state]];
    if (admitted) return await next(request, context);
    report(context);
    return await refusal(request, context);
  };
}
