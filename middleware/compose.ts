import type { Handler } from "../routes/context.ts";

/** Makes a handler that does something before or after another handler. */
export type Middleware = (next: Handler) => Handler;

/** Puts middleware, the outermost first, around a handler. */
export function compose(middleware: Middleware[], handler: Handler): Handler {
  return middleware.reduceRight((next, wrap) => wrap(next), handler);
}
