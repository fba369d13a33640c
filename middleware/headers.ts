/**
 * Header fields that every answer has: security and CORS.
 *
 * @module
 */
import type { Proxies } from "./client.ts";
import type { Context } from "../routes/types.ts";
import type { Middleware } from "./types.ts";

// One year, in seconds.
const HSTS = "max-age=31536000";

/** How requests reach the process. */
export interface HeadersOptions {
  /** Whether every request comes over TLS, such as to a process that speaks it. */
  readonly tls: boolean;
  /** Whose X-Forwarded-Proto is believed. */
  readonly proxies: Proxies;
}

/**
 * Adds the header fields of every answer: nothing is cached unless it says so
 * itself, no type is guessed, any origin may read, and where the request came
 * over TLS the next one must too.
 *
 * @param options how requests reach the process
 * @returns the layer
 *
 * @example
 * ```ts
 * import { NO_PROXIES } from "./client.ts";
 * import { headers } from "./headers.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const layer = headers({ tls: true, proxies: NO_PROXIES });
 * const handler = layer(() => new Response());
 * const request = new Request("https://localhost/");
 * const response = await handler(request, { path: "/", peer: "::1" });
 * assertEquals(response.headers.get("cache-control"), "no-store");
 * ```
 */
export function headers({ tls, proxies }: HeadersOptions): Middleware {
  const finish = (request: Request, context: Context, response: Response) => {
    // Appending costs less than handing all of them to the constructor.
    const { headers } = response;
    for (const [name, value] of context.fields ?? []) {
      headers.append(name, value);
    }
    headers.append("cache-control", context.cacheControl ?? "no-store");
    headers.append("x-content-type-options", "nosniff");
    headers.append("access-control-allow-origin", "*");
    headers.append(
      "access-control-expose-headers",
      "Retry-After, RateLimit, RateLimit-Policy, Entropy-Bits",
    );
    if (
      tls ||
      (proxies.trusts(context.peer) &&
        request.headers.get("x-forwarded-proto")?.toLowerCase() === "https")
    ) {
      headers.append("strict-transport-security", HSTS);
    }
    return response;
  };
  return (next) => (request, context) => {
    const answer = next(request, context);
    return answer instanceof Promise
      ? answer.then((response) => finish(request, context, response))
      : finish(request, context, answer);
  };
}

/**
 * Answers OPTIONS on a path that takes POST, above all the question that a
 * browser asks before it lets a page of another origin send JSON.
 *
 * @returns 204 with what is allowed
 *
 * @example
 * ```ts
 * import { preflight } from "./headers.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(preflight().headers.get("allow"), "POST, OPTIONS");
 * ```
 */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "allow": "POST, OPTIONS",
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers": "Content-Type",
      "access-control-max-age": "86400",
    },
  });
}
