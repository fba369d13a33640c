/**
 * Middleware around a handler.
 *
 * @module
 */
import type { Handler } from "../routes/context.ts";

/** Makes a handler that does something before or after another handler. */
export type Middleware = (next: Handler) => Handler;

/**
 * Puts middleware around a handler.
 *
 * @param middleware the middleware, outermost first
 * @param handler the innermost handler
 * @returns the handler with the middleware around it
 *
 * @example
 * ```ts
 * import { compose, type Middleware } from "./compose.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const called: string[] = [];
 * const call = (name: string): Middleware => (next) => (request, context) => {
 *   called.push(name);
 *   return next(request, context);
 * };
 * const middleware = [call("outer"), call("inner")];
 * const handler = compose(middleware, async () => new Response());
 * await handler(new Request("http://localhost/"), { path: "/", peer: "::1" });
 * assertEquals(called, ["outer", "inner"]);
 * ```
 */
export function compose(middleware: Middleware[], handler: Handler): Handler {
  return middleware.reduceRight((next, wrap) => wrap(next), handler);
}
