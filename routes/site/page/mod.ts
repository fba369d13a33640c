/**
 * GET /: a page for people who need a password.
 *
 * @module
 */
import { acceptsLanguages } from "@std/http/negotiation";
import { API } from "../../api/mod.ts";
import type { Handler } from "../../context.ts";
import { headerField } from "../../negotiation.ts";
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
import { TEXTS as PAGE_TEXTS } from "./texts.js";

/** The languages of the page; the first one is the default. */
const PAGE_LANGUAGES = ["en", "sv"] as const;

/**
 * The texts of the fields by key: the name of a field for its label, and the name
 * and a value for the label of that value.
 */
function fieldTexts(
  language: typeof PAGE_LANGUAGES[number],
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { fields } of Object.values(API)) {
    for (const [name, field] of Object.entries(fields)) {
      texts[name] = field.label[language];
      if (field.help) texts[`help.${name}`] = field.help[language];
      if (field.noEffect) texts[`why.${name}`] = field.noEffect.why[language];
      for (const [value, text] of Object.entries(field.names ?? {})) {
        texts[`${name}.${value}`] = text[language];
      }
    }
  }
  return texts;
}

export const TEXTS: Record<"en" | "sv", Record<string, string>> = {
  en: { ...PAGE_TEXTS.en, ...fieldTexts("en") },
  sv: { ...PAGE_TEXTS.sv, ...fieldTexts("sv") },
};

/**
 * For each field of an endpoint: the values of other fields with which it has no
 * effect.
 */
const NO_EFFECT = Object.fromEntries(
  Object.values(API).map(({ type, fields }) => [
    type,
    Object.fromEntries(
      Object.entries(fields).map((
        [name, { noEffect }],
      ) => [name, noEffect?.if]),
    ),
  ]),
);

/** Browsers do not need the block comments, a quarter of a script. */
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
  "texts.js": `export const TEXTS = ${JSON.stringify(TEXTS)};
export const NO_EFFECT = ${JSON.stringify(NO_EFFECT)};
`,
};

function pageIn(language: typeof PAGE_LANGUAGES[number]): Handler {
  const texts = TEXTS[language];
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
 * Chooses the first language of the page in the order of Accept-Language. If a
 * language that is near Swedish comes first, Swedish counts wherever it is, and
 * English does not.
 */
function negotiateLanguage(request: Request): keyof typeof PAGES {
  const [english] = PAGE_LANGUAGES;
  // acceptsLanguages() would read a field of any length.
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
