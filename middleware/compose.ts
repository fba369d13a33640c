/**
 * Layers around a handler.
 *
 * @module
 */
import type { Handler } from "../routes/context.ts";

/** Makes a handler that does something before or after another handler. */
export type Middleware = (next: Handler) => Handler;

/**
 * Puts layers around a handler.
 *
 * @param layers the layers, outermost first
 * @param handler the innermost handler
 * @returns the handler with the layers around it
 *
 * @example
 * ```ts
 * import { compose, type Middleware } from "./compose.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const called: string[] = [];
 * const layer = (name: string): Middleware => (next) => (request, context) => {
 *   called.push(name);
 *   return next(request, context);
 * };
 * const layers = [layer("outer"), layer("inner")];
 * const handler = compose(layers, () => new Response());
 * await handler(new Request("http://localhost/"), { path: "/", peer: "::1" });
 * assertEquals(called, ["outer", "inner"]);
 * ```
 */
export function compose(layers: Middleware[], handler: Handler): Handler {
  return layers.reduceRight((next, layer) => layer(next), handler);
}
