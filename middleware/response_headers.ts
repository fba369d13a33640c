/**
 * Header fields of every response: caching, security, and CORS for some paths.
 *
 * @module
 */
import type { Context } from "../routes/context.ts";
import type { Middleware } from "./compose.ts";

/**
 * The header fields that scripts of other origins may read, besides those that
 * they always may (Fetch standard, "CORS-safelisted response-header name").
 */
const EXPOSED_HEADERS =
  "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits";

export interface ResponseHeadersOptions {
  /** Whether every request comes over TLS. */
  readonly tls: boolean;
  /** The max-age of Strict-Transport-Security, in seconds. */
  readonly hstsMaxAge: number;
  /** The paths whose responses depend on Accept; default: none. */
  readonly negotiated?: ReadonlySet<string>;
  /** The paths whose responses, errors included, every origin may read. */
  readonly anyOrigin?: ReadonlySet<string>;
}

/**
 * Adds the header fields of every response. Browsers must not guess a media type.
 * No cache may keep the response, except if the route sets another Cache-Control.
 * A response that depends on Accept says so (Vary). A request over TLS gets
 * Strict-Transport-Security. Web pages of every origin may read the API (CORS),
 * since it has no credentials that they could misuse.
 */
export function responseHeaders(
  { tls, hstsMaxAge, negotiated, anyOrigin }: ResponseHeadersOptions,
): Middleware {
  const isSecure = (request: Request, { client }: Context) => {
    if (tls || !client.isProxied) return tls;
    // Each proxy may append what it sees, as to X-Forwarded-For.
    const field = request.headers.get("x-forwarded-proto") ?? "";
    const last = field.slice(field.lastIndexOf(",") + 1);
    return last.trim().toLowerCase() === "https";
  };
  const hsts = `max-age=${hstsMaxAge}`;
  return (next) => async (request, context) => {
    const response = await next(request, context);
    // append() costs less than a new Response with a copy of all header fields.
    const { headers } = response;
    for (const [name, value] of context.responseHeaders ?? []) {
      headers.append(name, value);
    }
    headers.append("cache-control", context.cacheControl ?? "no-store");
    headers.append("x-content-type-options", "nosniff");
    if (anyOrigin?.has(context.path)) {
      headers.append("access-control-allow-origin", "*");
      headers.append("access-control-expose-headers", EXPOSED_HEADERS);
    }
    if (negotiated?.has(context.path)) headers.append("vary", "Accept");
    if (isSecure(request, context)) {
      headers.append("strict-transport-security", hsts);
    }
    return response;
  };
}
