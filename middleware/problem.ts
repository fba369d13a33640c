/**
 * Whatever goes wrong inside is answered, and told to nobody outside.
 *
 * @module
 */
import { Problem } from "../routes/problem.ts";
import type { Middleware } from "./types.ts";

/**
 * Turns anything thrown into a 500 that says nothing of the inside. The log
 * gets the kind of error and where it arose; not its message, which may repeat
 * a part of what was being worked on.
 *
 * @param log writes one entry to the error log
 * @returns the layer
 *
 * @example
 * ```ts
 * import { problems } from "./problem.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = problems(() => {})(() => {
 *   throw new TypeError("secret");
 * });
 * const request = new Request("http://localhost/");
 * const response = await handler(request, { path: "/", peer: "::1" });
 * assertEquals(response.status, 500);
 * ```
 */
export function problems(log: (entry: string) => void): Middleware {
  return (next) => async (request, context) => {
    try {
      return await next(request, context);
    } catch (error) {
      log(`Cannot answer ${context.route ?? "a request"}: ${sourceOf(error)}`);
      return new Problem(500, "The service failed to answer this request.")
        .toResponse(context.path);
    }
  };
}

function sourceOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const frame = error.stack?.split("\n").find((line) => /^ +at /.test(line));
  return `${error.constructor.name}${frame?.replace(/^ +/, " ") ?? ""}`;
}
