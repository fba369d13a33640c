/**
 * The rate limit: client, then limiter, then the next handler or 429.
 *
 * @module
 */
import type { Context, Middleware } from "../http/context.ts";
import { tooManyRequests } from "../http/problem.ts";
import { respondWith } from "../http/router.ts";
import { parseAddressList } from "./address.ts";
import { type RateLimiter, WINDOW_MS } from "./limiters/sliding_window.ts";

const SECONDS = WINDOW_MS / 1000;

/** The addresses of this machine and of networks that are not public. */
const PRIVATE = parseAddressList(
  "loopback, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 169.254.0.0/16, fc00::/7, fe80::/10",
)!;

/** What a proxy may send instead of X-Forwarded-For. */
const IGNORED_FIELDS = ["Forwarded", "X-Real-IP"];

/**
 * The warning about a refused client that may be a proxy; undefined if it is not
 * one. It names no public address, since that may be a client. Warnings of one kind
 * differ only in the address; the default is the line itself.
 */
function proxyWarning(
  { headers }: Request,
  { client, peer }: Context,
): [line: string, kind?: string] | undefined {
  const sent = IGNORED_FIELDS.filter((name) => headers.has(name));
  const instead = sent.length > 0
    ? ` but with ${sent.join(" and ")}, which the service does not read`
    : "";
  const without = `without X-Forwarded-For${instead}`;
  const isPrivate = () => PRIVATE.includes(client.address);
  if (client.doubt === "proxy is not trusted") {
    const line = (sender: string) =>
      `Rate limit: refused a request with X-Forwarded-For from ${sender} is not in PWGEN_TRUSTED_PROXIES; if a proxy of yours sent it, all its clients share one limit`;
    if (!isPrivate()) return [line("an address that")];
    // Without a zone. A socket for IPv6 maps an IPv4 address.
    const address = peer!.replace(/^::ffff:(?=\d+\.)|%.*$/gi, "");
    return [line(`${address}, which`), "private"];
  }
  if (client.doubt === "more entries") {
    return [
      "Rate limit: refused a request with more entries of X-Forwarded-For to the left of the one that counts; if a load balancer of yours added that one, all its clients share one limit: name its address in PWGEN_TRUSTED_PROXIES",
    ];
  }
  if (client.doubt === "proxy sent no X-Forwarded-For") {
    return [
      `Rate limit: refused a request ${without} from a proxy in PWGEN_TRUSTED_PROXIES; all its clients share one limit: let it send X-Forwarded-For`,
    ];
  }
  if (!client.isProxied && isPrivate()) {
    return [
      `Rate limit: refused a request ${without} from a private address; if it is a proxy, all its clients share one limit: let it send X-Forwarded-For, and name it in PWGEN_TRUSTED_PROXIES; if it only forwards a port of a container, use the network of the host, or pasta with Podman`,
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
 * Mistakes that give many clients one limit, or none, are logged once each: a proxy
 * that is not trusted, a proxy that reports no address or its own, and an exempt
 * address that is a proxy.
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
  const warnOnce = (line: string, kind = line) => {
    if (!written.has(kind)) warn(line);
    written.add(kind);
  };
  return (next) => async (request, context) => {
    const { key, isExempt, doubt } = context.client;
    if (doubt === "no address") {
      warnOnce(
        "Rate limit: a connection has no IP address, such as that of a Unix socket; all its clients share one limit",
      );
    } else if (doubt === "proxy reported no address") {
      warnOnce(
        "Rate limit: a proxy in PWGEN_TRUSTED_PROXIES sent an entry of X-Forwarded-For that is not an address; all its clients without an address share one limit",
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
    const warning = proxyWarning(request, context);
    if (warning) warnOnce(...warning);
    return await refusal(request, context);
  };
}
