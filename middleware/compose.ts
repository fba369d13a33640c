import type { Handler } from "../routes/context.ts";

/** Makes a handler that does something before or after another handler. */
export type Middleware = (next: Handler) => Handler;

/**
 * Puts middleware, the outermost first, around a handler. Undefined stands for a
 * middleware that is off.
 */
export function compose(
  middleware: (Middleware | undefined)[],
  handler: Handler,
): Handler {
  return middleware.reduceRight<Handler>(
    (next, wrap) => wrap ? wrap(next) : next,
    handler,
  );
}
