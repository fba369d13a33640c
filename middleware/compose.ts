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
 */
export function compose(middleware: Middleware[], handler: Handler): Handler {
  return middleware.reduceRight((next, wrap) => wrap(next), handler);
}
