/**
 * The documents for people and their tools. All their URLs are relative, so that
 * they work below any path prefix of a proxy.
 *
 * @module
 */
import api from "../../docs/api.md" with { type: "text" };
import security from "../../SECURITY.md" with { type: "text" };
import type { Handler } from "../context.ts";
import { JSON_TYPE } from "../json.ts";
import { DOCS } from "./docs.ts";
import script from "./docs/docs.js" with { type: "text" };
import style from "./docs/docs.css" with { type: "text" };
import { CSS, JAVASCRIPT } from "./html.ts";
import { openApiDocument } from "./openapi.ts";
import { PAGE } from "./page/mod.ts";
import { serveDocument } from "./static.ts";

const TEXT = "text/plain; charset=utf-8";

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
  // A browser would not show text/markdown.
  "/docs/api.md": serveDocument({ type: TEXT, text: api }),
  "/SECURITY.md": serveDocument({ type: TEXT, text: security }),
};
