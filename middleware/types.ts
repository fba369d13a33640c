/**
 * Layers around a handler.
 *
 * @module
 */
import type { Handler } from "../routes/types.ts";

/** Makes a handler that does something before or after another one. */
export type Middleware = (next: Handler) => Handler;

/**
 * Puts layers around a handler.
 *
 * @param handler what stands in the middle
 * @param layers the layers, outermost first
 * @returns the handler with the layers around it
 *
 * @example
 * ```ts
 * import { compose, type Middleware } from "./types.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const heard: string[] = [];
 * const hear = (name: string): Middleware => (next) => (request, context) => {
 *   heard.push(name);
 *   return next(request, context);
 * };
 * const handler = compose(() => new Response(), hear("outer"), hear("inner"));
 * await handler(new Request("http://localhost/"), { path: "/", peer: "::1" });
 * assertEquals(heard, ["outer", "inner"]);
 * ```
 */
export function compose(handler: Handler, ...layers: Middleware[]): Handler {
  return layers.reduceRight((next, layer) => layer(next), handler);
}
