/**
 * The router: path, then method, then handler.
 *
 * @module
 */
import type { Handler } from "./context.ts";
import { Problem } from "./problem.ts";

/**
 * Makes the response to a method that the path does not have.
 *
 * @param methods the methods of the path, comma-separated
 * @returns the problem, with status 405
 */
export function methodNotAllowed(methods: string): Problem {
  return new Problem(405, `This path takes ${methods}.`, {
    headers: { allow: methods },
  });
}

/**
 * Makes a handler that always responds with the same problem.
 *
 * @param problem the problem
 * @returns the handler
 */
export function respondWith(problem: Problem): Handler {
  return async (_request, { path }) => problem.toResponse(path);
}

/** The handlers by path and method. */
export type RoutingTable = Readonly<
  Record<string, Readonly<Record<string, Handler>>>
>;

/**
 * Makes the handler that chooses by path and method, and sets the route of the
 * context. A method that the path does not have gets 405 with Allow. Paths are
 * compared byte for byte. A path with GET also takes HEAD.
 *
 * @param table the handlers by path and method
 * @param options
 *   `notFound` handles an unknown path, `refuse` makes the handler of 405, and
 *   `instead` may return a handler for all requests
 * @returns the handler
 */
export function router(
  table: RoutingTable,
  { notFound, refuse, instead }: {
    notFound: Handler;
    refuse: (problem: Problem) => Handler;
    instead: () => Handler | undefined;
  },
): Handler {
  const routes = new Map(
    Object.entries(table).map(([path, handlers]) => {
      const byMethod = new Map(Object.entries(handlers));
      const get = byMethod.get("GET");
      if (get !== undefined) byMethod.set("HEAD", get);
      const methods = [...byMethod.keys()].join(", ");
      const otherwise = refuse(methodNotAllowed(methods));
      return [path, { byMethod, otherwise }];
    }),
  );
  return (request, context) => {
    const route = routes.get(context.path);
    if (route !== undefined) context.route = context.path;
    const handler = instead() ?? route?.byMethod.get(request.method) ??
      route?.otherwise ?? notFound;
    return handler(request, context);
  };
}
