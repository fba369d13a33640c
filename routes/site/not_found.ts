/**
 * The response to an unknown path.
 *
 * @module
 */
import { API } from "../api/mod.ts";
import type { Context } from "../../http/context.ts";
import { headerField, prefers } from "../../http/negotiation.ts";
import { Problem } from "../../http/problem.ts";
import { htmlDocument } from "./html.ts";
import template from "./not_found.html" with { type: "text" };
import type { PageLanguage } from "./page/languages.ts";
import { languageFor, localize } from "./page/mod.ts";

export const NOT_FOUND: Problem = new Problem(
  404,
  `Nothing is here. Passwords are at ${
    Object.keys(API).join(", ")
  }; the page /docs describes the API.`,
);

const { type, headers } = htmlDocument(template);

/**
 * The maximum number of levels that a link goes up, so that the page stays small. From
 * a deeper path a link leads to another such page, which is nearer to the root.
 */
const MAX_LEVELS = 40;

/** The parts of the page in a language between the links to the root. */
const pages: Partial<Record<PageLanguage, string[]>> = {};

/** The page for a browser. It does not repeat the path. */
function pageFor(path: string, language: PageLanguage): Response {
  // Only a relative link works below any path prefix of a proxy.
  const levels = Math.min(path.split("/").length - 2, MAX_LEVELS);
  const root = `.${"/..".repeat(Math.max(levels, 0))}`;
  const parts = pages[language] ??= localize(template, language).split("ROOT");
  return new Response(parts.join(root), {
    status: 404,
    headers: { "content-type": type, ...headers, "content-language": language },
  });
}

/**
 * Responds with status 404: to GET and HEAD of a client that prefers HTML to JSON,
 * such as a browser, with a page, and to all others with problem details.
 */
export async function notFound(
  request: Request,
  { path }: Context,
): Promise<Response> {
  const accept = headerField(request.headers, "accept");
  const isPage = request.method === "GET" || request.method === "HEAD";
  const isHtml = isPage && prefers(accept, "text/html", [
    "application/problem+json",
    "application/json",
  ]);
  const response = isHtml
    ? pageFor(path, languageFor(request))
    : NOT_FOUND.toResponse(path);
  response.headers.append("vary", "Accept");
  if (isHtml) response.headers.append("vary", "Accept-Language");
  return response;
}
