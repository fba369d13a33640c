/**
 * The way from a request to what answers it.
 *
 * @module
 */
import { characters } from "./characters.ts";
import { Problem } from "./problem.ts";
import { sentence } from "./sentence.ts";
import type { Handler } from "./types.ts";
import { words } from "./words.ts";

/** The endpoints of the API by their paths. All are asked with POST. */
export const API: Readonly<Record<string, Handler>> = {
  "/api/pwgen/characters": characters,
  "/api/pwgen/words": words,
  "/api/pwgen/sentence": sentence,
};

/** There is no such path. */
export const NOT_FOUND: Problem = new Problem(
  404,
  `Nothing is here. Passwords are at ${Object.keys(API).join(", ")}.`,
);

/** The Host header is none. */
export const NO_HOST: Problem = new Problem(
  400,
  "The Host header names no host.",
);

/** For each path, for each method, what answers. */
export type Table = ReadonlyMap<string, ReadonlyMap<string, Handler>>;

/**
 * Answers by path and method: 404 for a path that is not in the table, 405 with
 * Allow for a method that its path does not have, 400 for either if the Host is
 * no host. Paths are compared byte for byte. What has GET has HEAD.
 *
 * @param table what answers which path and method
 * @returns the handler that chooses among those of the table
 *
 * @example
 * ```ts
 * import { router } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = router(
 *   new Map([["/hello", new Map([["GET", () => new Response("Hello")]])]]),
 * );
 * const request = new Request("http://localhost/hello", { method: "DELETE" });
 * const response = await handler(request, { path: "/hello", peer: "::1" });
 * assertEquals(response.status, 405);
 * assertEquals(response.headers.get("allow"), "GET, HEAD");
 * ```
 */
export function router(table: Table): Handler {
  return (request, context) => {
    const { path } = context;
    const { method } = request;
    const methods = table.get(path);
    const handler = methods?.get(method === "HEAD" ? "GET" : method);
    if (methods !== undefined) context.route = path;
    if (handler !== undefined) return handler(request, context);
    if (!isHost(context.host)) return NO_HOST.toResponse(path);
    if (methods === undefined) {
      return NOT_FOUND.toResponse(path);
    }
    const allowed = [...methods.keys()].flatMap((name) =>
      name === "GET" ? ["GET", "HEAD"] : [name]
    ).join(", ");
    return new Problem(405, `This path takes ${allowed}.`, {
      headers: { allow: allowed },
    }).toResponse(path);
  };
}

// A Host is an authority (RFC 9110, section 7.2): none of the characters that end
// one in a URL, no user information, no white space.
const NOT_IN_HOST = /[/?#@\\\s]/;

// The last one that was found good: nearly always the next one too, and to
// compare it costs a tenth of the search.
let goodHost = "";

function isHost(host: string | null | undefined): boolean {
  if (host === goodHost || host === null || host === undefined) return true;
  if (NOT_IN_HOST.test(host)) return false;
  goodHost = host;
  return true;
}

/**
 * Refuses a request whose Host is no host. A handler of the table that counts
 * requests stands outside of it, so that these count as well.
 *
 * @param next what answers all other requests
 * @returns the handler
 *
 * @example
 * ```ts
 * import { hosted } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = hosted(() => new Response());
 * const request = new Request("http://localhost/");
 * const response = await handler(request, { path: "/", peer: "::1" });
 * assertEquals(response.status, 200);
 * ```
 */
export function hosted(next: Handler): Handler {
  return (request, context) =>
    isHost(context.host)
      ? next(request, context)
      : NO_HOST.toResponse(context.path);
}

/**
 * The path of the request line, nothing decoded, without the query string.
 *
 * `Request.url` is the Host header and the request line end to end, nothing
 * escaped: `POST /healthz` with `Host: x/api/pwgen/words?` looks like
 * `POST /api/pwgen/words`. Such a Host is refused; this function sees through
 * it, so that the request counts, and is refused, under the right path.
 *
 * @param url the URL of the request, as Deno.serve hands it over
 * @param host its Host header field, or null without one
 * @returns the path; "/" where the request line has an authority alone
 *
 * @example
 * ```ts
 * import { requestPath } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(requestPath("http://a.example/b/c?d=e", "a.example"), "/b/c");
 * ```
 */
export function requestPath(url: string, host: string | null): string {
  const authority = url.indexOf("://") + 3;
  let end = authority + (host ?? "").length;
  if (
    host === null || !url.startsWith(host, authority) ||
    // The host of an absolute-form target may merely begin like Host.
    (isHost(host) && !"/?".includes(url.charAt(end)))
  ) {
    end = authority + url.slice(authority).search(/[/?#\\]|$/);
  }
  const query = url.indexOf("?", end);
  return url.slice(end, query < 0 ? undefined : query) || "/";
}
