/**
 * Whatever goes wrong inside is answered, and told to nobody outside.
 *
 * @module
 */
import { Problem } from "../routes/problem.ts";
import type { Context } from "../routes/types.ts";
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
  const failed = (error: unknown, context: Context) => {
    log(`Cannot answer ${context.route ?? "a request"}: ${sourceOf(error)}`);
    return new Problem(500, "The service failed to answer this request.")
      .toResponse(context.path);
  };
  return (next) => (request, context) => {
    try {
      const answer = next(request, context);
      return answer instanceof Promise
        ? answer.catch((error) => failed(error, context))
        : answer;
    } catch (error) {
      return failed(error, context);
    }
  };
}

/** The class of an error and the line of code that it comes from. */
function sourceOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  // The stack begins with the message, which may look like anything.
  const { name } = error.constructor;
  const { message, stack = "" } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  const first = stack.includes(message) && /\n +(at .*)/.exec(frames);
  return first ? `${name} ${first[1]}` : name;
}
