/**
 * The router: path, then method, then handler.
 *
 * @module
 */
import type { Handler } from "./context.ts";
import { Problem } from "./problem.ts";

export function methodNotAllowed(methods: string): Problem {
  return new Problem(405, `This path takes ${methods}.`, {
    headers: { allow: methods },
  });
}

export function respondWith(problem: Problem): Handler {
  return async (_request, { path }) => problem.toResponse(path);
}

export type RoutingTable = Readonly<
  Record<string, Readonly<Record<string, Handler>>>
>;

/**
 * Makes the handler that chooses by path, compared byte for byte, and method, and
 * sets the route of the context. A path with GET also takes HEAD. A method that
 * the path does not have gets 405 with Allow.
 *
 * @param options `notFound` handles an unknown path, `refuse` makes the handler
 *   of 405, and `instead` may return a handler for all requests
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
