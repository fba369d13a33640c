/**
 * GET /: a page for people who need a password.
 *
 * @module
 */
import { acceptsLanguages } from "@std/http/negotiation";
import type { Handler } from "../../context.ts";
import { headerField } from "../../header_fields.ts";
import { CSS, escapeHtml, htmlDocument, JAVASCRIPT } from "../html.ts";
import { serveDocument } from "../static.ts";
import icon from "./icon.svg" with { type: "text" };
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import clipboard from "./clipboard.js" with { type: "text" };
import draw from "./draw.js" with { type: "text" };
import script from "./page.js" with { type: "text" };
import purposes from "./purposes.js" with { type: "text" };
import request from "./request.js" with { type: "text" };
import rules from "./rules.js" with { type: "text" };
import settings from "./settings.js" with { type: "text" };
import strength from "./strength.js" with { type: "text" };
import { TEXTS } from "./texts.js";
import texts from "./texts.js" with { type: "text" };

/** The languages of the page; the first one is the default. */
const PAGE_LANGUAGES = ["en", "sv"] as const;

/** Removes the block comments, a quarter of a script. Browsers do not need them. */
function withoutComments(script: string): string {
  return script.replace(/^ *\/\*\*.*?\*\/\n/gms, "");
}

const SCRIPTS = {
  "clipboard.js": clipboard,
  "draw.js": draw,
  "page.js": script,
  "purposes.js": purposes,
  "request.js": request,
  "rules.js": rules,
  "settings.js": settings,
  "strength.js": strength,
  "texts.js": texts,
};

/** The page in a language. */
function pageIn(language: typeof PAGE_LANGUAGES[number]): Handler {
  const texts: Record<string, string> = TEXTS[language];
  const { headers, ...document } = htmlDocument(
    template
      .replace(/^ +/gm, "") // the indentation
      .replace('lang=""', `lang="${language}"`)
      .replace("{description}", escapeHtml(texts["description"]!))
      .replace(
        /(data-text="([^"]+)")>/g,
        (_, attribute, key) => `${attribute}>${escapeHtml(texts[key]!)}`,
      )
      .replace(
        /data-label="([^"]+)"/g,
        (attribute, key) =>
          `${attribute} aria-label="${escapeHtml(texts[key]!)}"`,
      ),
  );
  return serveDocument({
    ...document,
    headers: { ...headers, "content-language": language },
    chosenBy: "Accept-Language",
  });
}

/** Languages whose readers usually understand Swedish if they list it. */
const NEAR_SWEDISH = new Set(["nb", "nn", "no", "da", "fi"]);

/**
 * Chooses the language of the page by Accept-Language: the first one in the order
 * of the client. If a language that is near Swedish comes first, Swedish counts
 * wherever it is, and English does not.
 */
function negotiateLanguage(request: Request): keyof typeof PAGES {
  const [english] = PAGE_LANGUAGES;
  // acceptsLanguages() reads the whole field, so a field that is too long is
  // ignored.
  if (headerField(request.headers, "accept-language") === null) return english;
  const accepted = acceptsLanguages(request).map((range) =>
    range.toLowerCase().split("-", 1)[0]!
  );
  const counted = NEAR_SWEDISH.has(accepted[0] ?? "")
    ? ["sv"]
    : [...PAGE_LANGUAGES, "*"];
  const first = accepted.find((language) => counted.includes(language));
  return first === "sv" ? "sv" : english;
}

const PAGES = { en: pageIn("en"), sv: pageIn("sv") };

/** The handlers of the page and its files, by path. */
export const PAGE: Readonly<Record<string, Handler>> = {
  "/": (request, context) =>
    PAGES[negotiateLanguage(request)](request, context),
  "/page/page.css": serveDocument({ type: CSS, text: style }),
  "/page/icon.svg": serveDocument({ type: "image/svg+xml", text: icon }),
  ...Object.fromEntries(
    Object.entries(SCRIPTS).map(([name, text]) => [
      `/page/${name}`,
      serveDocument({ type: JAVASCRIPT, text: withoutComments(text) }),
    ]),
  ),
};
