/**
 * Clients that the rate limit does not apply to.
 *
 * @module
 */
import {
  addressKey,
  type AddressList,
  clientAddress,
  type Proxies,
} from "./client.ts";
import type { Middleware } from "./compose.ts";

/** Options of {@linkcode exempt}. */
export interface ExemptOptions {
  /** The exempt clients. */
  readonly clients: AddressList;
  /** The proxies whose X-Forwarded-For is believed. */
  readonly proxies: Proxies;
  /** Writes one line to the log. */
  readonly warn: (line: string) => void;
}

/**
 * Leaves out the rate limit for exempt clients. Their responses have no fields of
 * it, and all other limits hold for them.
 *
 * If an exempt address is a proxy that is not trusted, all its clients are exempt.
 * The first request that may show this is logged.
 *
 * @param rateLimited the middleware of the other clients
 * @param options the exempt clients, the proxies and the log
 * @returns the middleware
 */
export function exempt(
  rateLimited: Middleware,
  { clients, proxies, warn }: ExemptOptions,
): Middleware {
  let hasWarned = false;
  return (next) => {
    const limited = rateLimited(next);
    return async (request, context) => {
      const forwardedFor = request.headers.get("x-forwarded-for");
      const address = clientAddress(context.peer, forwardedFor, proxies);
      if (!clients.includes(address)) return await limited(request, context);
      if (
        !hasWarned && forwardedFor !== null && !proxies.trusts(context.peer)
      ) {
        hasWarned = true;
        warn(
          "Rate limit: an address in PWGEN_EXEMPT_CLIENTS sent a request with X-Forwarded-For; if it is a proxy, all its clients are exempt: name it in PWGEN_TRUSTED_PROXIES instead",
        );
      }
      context.client = addressKey(address);
      return await next(request, context);
    };
  };
}
