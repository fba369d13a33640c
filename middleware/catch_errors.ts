/**
 * The error handler of all routes: an exception becomes a 500 response. It is
 * inside of responseHeaders(), so that a 500 has its header fields.
 *
 * @module
 */
import type { Context } from "../routes/context.ts";
import { INTERNAL_ERROR } from "../routes/problem.ts";
import type { Middleware } from "./compose.ts";

/**
 * Turns an exception into a 500 response that tells nothing about the program.
 * The log gets the class of the error and where it was thrown, but not its
 * message, which may contain a part of the request.
 */
export function catchErrors(
  log: (line: string, request: Request, context: Context) => void,
): Middleware {
  return (next) => async (request, context) => {
    try {
      return await next(request, context);
    } catch (error) {
      log(
        `Cannot answer ${context.route ?? "a request"}: ${sourceOf(error)}`,
        request,
        context,
      );
      return INTERNAL_ERROR.toResponse(context.path);
    } finally {
      cancelUnreadBody(request);
    }
  };
}

/** The class of an error and the line of code that threw it. */
function sourceOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  // The stack begins with the message, which may look like a stack frame.
  const { name } = error.constructor;
  const { message, stack = "" } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  const first = stack.includes(message) && /\n +(at .*)/.exec(frames);
  return first ? `${name} ${first[1]}` : name;
}

/**
 * Cancels a request body that no handler has read; after the response, `body`
 * would throw. Over HTTP/2, Deno keeps up to 1 MiB of it until the client has
 * read the response. Over HTTP/1.1, a cancelled body is skipped, and the
 * connection stays open for the next request. (Deno gives no access to the body
 * of GET and HEAD.)
 */
function cancelUnreadBody(request: Request): void {
  if (!request.bodyUsed) request.body?.cancel().catch(() => {});
}
