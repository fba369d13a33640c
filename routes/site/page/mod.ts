/**
 * GET /, /en and /sv: a page for people who need a password.
 *
 * @module
 */
import { acceptsLanguages } from "@std/http/negotiation";
import metadata from "../../../deno.json" with { type: "json" };
import type { Handler } from "../../../http/context.ts";
import { headerField } from "../../../http/negotiation.ts";
import { CSS, escapeHtml, htmlDocument, JAVASCRIPT } from "../html.ts";
import { serveDocument } from "../static.ts";
import { declarations, forms } from "./forms.ts";
import touchIcon from "./icon.png.txt" with { type: "text" };
import icon from "./icon.svg" with { type: "text" };
import { LANGUAGES, type PageLanguage, textsIn } from "./languages.ts";
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import { choicesOf, PURPOSES } from "./purposes.js";
import { joined, SCRIPTS } from "./script.ts";

/** An input that neither a browser nor its extensions may fill or keep. */
const PRIVATE =
  'autocomplete="off" autocapitalize="off" spellcheck="false" data-1p-ignore="true" data-lpignore="true" data-bwignore="true" data-form-type="other"';

/**
 * Writes the texts of a language into the elements of a page: into those with
 * `data-text`, and as the label of others.
 *
 * @param html the page
 * @param language the language of the visitor
 * @returns the page in this language
 */
export function localize(html: string, language: PageLanguage): string {
  const texts = textsIn(language);
  const text = (key: string) => escapeHtml(texts[key]!);
  return html
    .replace(/^ +/gm, "") // the indentation
    .replaceAll("{language}", language)
    .replaceAll("data-private", PRIVATE)
    .replace(/\{(title|description)\}/g, (_, key) => text(key))
    .replace("{version}", metadata.version)
    .replace(
      /\sdata-text="([^"]+)"([^>]*)>/g,
      (_, key, attributes) => `${attributes}>${text(key)}`,
    )
    .replace(
      /data-label="([^"]+)"/g,
      (_, key) => `aria-label="${text(key)}"`,
    );
}

const TILES = PURPOSES.map((purpose) =>
  `<label><input type="radio" id="purpose-${purpose}" name="purpose" value="${purpose}">` +
  `<span data-text="purpose.${purpose}"></span></label>`
).join("");

/** The choices of the purposes that have several. */
const SELECTS = PURPOSES.map((purpose) => {
  const options = choicesOf(purpose).map((name) =>
    `<option value="${name}" data-text="preset.${name}"></option>`
  );
  return options.length < 2
    ? ""
    : `<div id="choice-${purpose}" class="field" hidden>` +
      `<label for="of-${purpose}"><span data-text="presets.${purpose}"></span></label>` +
      `<select id="of-${purpose}" class="presets" name="${purpose}">` +
      `${options.join("")}</select></div>`;
}).join("");

/** The languages of the page. */
const NAMES = Object.keys(LANGUAGES) as PageLanguage[];

/** The links of each page to the others, for search engines. */
const ALTERNATES = [
  '<link rel="alternate" hreflang="x-default" href="./">',
  ...NAMES.map((name) =>
    `<link rel="alternate" hreflang="${name}" href="${name}">`
  ),
].join("\n");

/** The links to the page in the other languages, which keep the settings. */
const others = (language: PageLanguage) =>
  NAMES.filter((name) => name !== language).map((name) =>
    `<a href="${name}" hreflang="${name}" lang="${name}" data-settings>${
      LANGUAGES[name].name
    }</a>`
  ).join("\n");

/** A value for a script element, which only "<" could end. */
const json = (value: unknown) =>
  JSON.stringify(value).replaceAll("<", "\\u003c");

/** The HTML of the page in a language. */
const htmlIn = (language: PageLanguage) =>
  localize(template, language)
    .replace("{alternates}", ALTERNATES)
    .replace("{others}", others(language))
    .replace("{purposes}", localize(TILES, language))
    .replace("{presets}", localize(SELECTS, language))
    .replace("{forms}", () => localize(forms(), language))
    .replace('"{fields}"', () => json(declarations()))
    .replace('"{texts}"', () => json(textsIn(language)));

/**
 * The page in a language, made at the first request.
 *
 * @param language the language
 * @param chosenBy the request header field that chose it
 */
function pageIn(language: PageLanguage, chosenBy?: string): Handler {
  const { headers, ...document } = htmlDocument(() => htmlIn(language));
  return serveDocument({
    ...document,
    headers: { ...headers, "content-language": language },
    ...chosenBy && { chosenBy },
  });
}

/** The handlers of the page in each language, where Accept-Language chooses it. */
const CHOSEN = Object.fromEntries(
  NAMES.map((name) => [name, pageIn(name, "Accept-Language")]),
);

/**
 * Chooses the first language of the page in the order of Accept-Language.
 *
 * @param request the request
 * @returns the language; English if the client prefers none of them
 */
export function languageFor(request: Request): PageLanguage {
  // acceptsLanguages() would read a field of any length.
  if (headerField(request.headers, "accept-language") === null) return "en";
  // "*" is any language.
  return acceptsLanguages(request)
    .map((range) => range.toLowerCase().split("-", 1)[0]!.replace("*", "en"))
    .find((name): name is PageLanguage => Object.hasOwn(LANGUAGES, name)) ??
    "en";
}

/** The handlers of the scripts by path. */
const JAVASCRIPTS = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, modules]) => [
    `/page/${name}.js`,
    serveDocument({ type: JAVASCRIPT, text: () => joined(modules) }),
  ]),
);

/** The handlers of GET by path. */
export const PAGE: Readonly<Record<string, Handler>> = {
  ...JAVASCRIPTS,
  "/": (request, context) => CHOSEN[languageFor(request)]!(request, context),
  ...Object.fromEntries(NAMES.map((name) => [`/${name}`, pageIn(name)])),
  "/page/page.css": serveDocument({
    type: CSS,
    text: () =>
      style.replace(/ *\/\*.*?\*\/\n?/gs, "")
        .replace(/\s*([{};,])\s*/g, "$1").replaceAll(": ", ":"),
  }),
  "/page/icon.svg": serveDocument({ type: "image/svg+xml", text: icon }),
  "/page/icon.png": serveDocument({
    type: "image/png",
    text: () => Uint8Array.fromBase64(touchIcon.trim()),
  }),
};
