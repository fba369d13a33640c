/**
 * The documents for people and their tools. All their URLs are relative, so that
 * they work below any path prefix of a proxy.
 *
 * @module
 */
import api from "../../docs/api.md" with { type: "text" };
import clients from "../../docs/clients.md" with { type: "text" };
import security from "../../SECURITY.md" with { type: "text" };
import type { Handler } from "../../http/context.ts";
import { JSON_TYPE } from "../../http/json.ts";
import { DOCS } from "./docs.ts";
import script from "./docs/docs.js" with { type: "text" };
import style from "./docs/docs.css" with { type: "text" };
import { CSS, JAVASCRIPT } from "./html.ts";
import { openApiDocument } from "./openapi.ts";
import { PAGE } from "./page/mod.ts";
import { serveDocument, type StaticDocument } from "./static.ts";

/**
 * A document of the repository, as plain text: a browser would not show
 * text/markdown. A link to a file that is not served becomes its text.
 */
function textDocument(path: string, markdown: string): StaticDocument {
  const isServed = (target: string) => {
    const { origin, pathname } = new URL(target, `http://localhost${path}`);
    return origin !== "http://localhost" || Object.hasOwn(SITE, pathname);
  };
  return {
    type: "text/plain; charset=utf-8",
    text: () =>
      markdown.replace(
        /!?\[([^\]]+)\]\(([^)\s]+)\)/g,
        (link, text, target) => isServed(target) ? link : text,
      ),
  };
}

/** The handlers of GET by path. */
export const SITE: Readonly<Record<string, Handler>> = {
  ...PAGE,
  "/openapi/v1.json": serveDocument({
    type: JSON_TYPE,
    text: () => JSON.stringify(openApiDocument()),
  }),
  "/docs": DOCS,
  "/docs/": async () =>
    new Response(null, { status: 308, headers: { location: "../docs" } }),
  "/docs/docs.css": serveDocument({ type: CSS, text: style }),
  "/docs/docs.js": serveDocument({ type: JAVASCRIPT, text: script }),
  "/docs/api.md": serveDocument(textDocument("/docs/api.md", api)),
  "/docs/clients.md": serveDocument(
    textDocument("/docs/clients.md", clients),
  ),
  "/SECURITY.md": serveDocument(textDocument("/SECURITY.md", security)),
};
