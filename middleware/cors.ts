/**
 * CORS: which responses a web page of another origin may read.
 *
 * @module
 */
import type { Middleware } from "./compose.ts";

/** The header fields that a page may read besides the usual ones. */
const EXPOSED_HEADERS =
  "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits";

/**
 * Permits every origin to read the responses of some paths, errors included. The
 * service has no credentials that a page could misuse.
 *
 * @param paths the paths
 * @returns the middleware
 */
export function cors(paths: ReadonlySet<string>): Middleware {
  return (next) => async (request, context) => {
    const response = await next(request, context);
    if (paths.has(context.path)) {
      response.headers.append("access-control-allow-origin", "*");
      response.headers.append("access-control-expose-headers", EXPOSED_HEADERS);
    }
    return response;
  };
}
