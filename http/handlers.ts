/**
 * The parts that handlers are put together from.
 *
 * @module
 */
import type { Handler, Middleware } from "./context.ts";
import type { Problem } from "./problem.ts";

export function respondWith(problem: Problem): Handler {
  return async (_request, { path }) => problem.toResponse(path);
}

/** Joins middleware, the outermost first; what is undefined is left out. */
export function compose(
  ...middleware: readonly (Middleware | undefined)[]
): Middleware {
  return (handler) =>
    middleware.reduceRight((next, outer) => outer?.(next) ?? next, handler);
}

/** Makes a middleware that gives some requests to another handler. */
export function divert(
  isDiverted: (request: Request) => boolean,
  other: Handler,
): Middleware {
  return (next) => (request, context) =>
    (isDiverted(request) ? other : next)(request, context);
}
