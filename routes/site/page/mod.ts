/**
 * GET /: a page for people who need a password.
 *
 * @module
 */
import { acceptsLanguages } from "@std/http/negotiation";
import metadata from "../../../deno.json" with { type: "json" };
import type { Handler } from "../../../http/context.ts";
import { headerField } from "../../../http/negotiation.ts";
import { CSS, escapeHtml, htmlDocument, JAVASCRIPT } from "../html.ts";
import { serveDocument } from "../static.ts";
import { forms } from "./forms.ts";
import touchIcon from "./icon.png.txt" with { type: "text" };
import icon from "./icon.svg" with { type: "text" };
import { LANGUAGES, type PageLanguage, textsIn } from "./languages.ts";
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import { PRESETS, purposesOf } from "./purposes.js";
import { script, SCRIPTS } from "./script.ts";

/** An input that neither a browser nor its extensions may fill or keep. */
const PRIVATE =
  'autocomplete="off" autocapitalize="off" spellcheck="false" data-1p-ignore="true" data-lpignore="true" data-bwignore="true" data-form-type="other"';

/**
 * Writes the texts of a language into the elements of a page: into those with
 * `data-text`, and as the label or the placeholder of others.
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
    .replace("{language}", language)
    .replaceAll("data-private", PRIVATE)
    .replace(/\{(title|description)\}/g, (_, key) => text(key))
    .replace("{version}", metadata.version)
    .replace(
      /(data-text="([^"]+)"[^>]*)>/g,
      (_, attributes, key) => `${attributes}>${text(key)}`,
    )
    .replace(
      /data-label="([^"]+)"/g,
      (label, key) => `${label} aria-label="${text(key)}"`,
    )
    .replace(
      /data-placeholder="([^"]+)"/g,
      (placeholder, key) => `${placeholder} placeholder="${text(key)}"`,
    );
}

/** The names of all presets, and those that are purposes. */
const NAMES = Object.keys(PRESETS) as (keyof typeof PRESETS)[];
const PURPOSES = NAMES.filter((name) => purposesOf(name)[0] === name);

const TILES = PURPOSES.map((purpose) =>
  `<label><input type="radio" name="purpose" value="${purpose}">` +
  `<span data-text="purpose.${purpose}"></span></label>`
).join("");

/** The choices of the purposes that have several. */
const SELECTS = PURPOSES.map((purpose) => {
  const options = NAMES.filter((name) => purposesOf(name).includes(purpose))
    .map((name) =>
      `<option value="${name}" data-text="preset.${name}"></option>`
    );
  return options.length < 2 ? "" : `<div class="field" hidden>` +
    `<label for="of-${purpose}"><span data-text="presets.${purpose}"></span></label>` +
    `<select id="of-${purpose}" class="presets" name="${purpose}">` +
    `${options.join("")}</select></div>`;
}).join("");

/** The buttons for the languages of the page. */
const BUTTONS = Object.entries(LANGUAGES).map(([language, { name }]) =>
  `<button type="button" lang="${language}">${name}</button>`
).join("\n");

/** The page in a language, made at the first request. */
function pageIn(language: PageLanguage): Handler {
  const { headers, ...document } = htmlDocument(() =>
    localize(template, language)
      .replace("{languages}", BUTTONS)
      .replace("{purposes}", localize(TILES, language))
      .replace("{presets}", localize(SELECTS, language))
      .replace("{forms}", () => localize(forms(), language))
      // In a script element only "<" could end it.
      .replace(
        '"{texts}"',
        () => JSON.stringify(textsIn(language)).replaceAll("<", "\\u003c"),
      )
  );
  return serveDocument({
    ...document,
    headers: { ...headers, "content-language": language },
    chosenBy: "Accept-Language",
  });
}

const PAGES = Object.fromEntries(
  (Object.keys(LANGUAGES) as PageLanguage[])
    .map((language) => [language, pageIn(language)]),
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
  (Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]).map((name) => [
    `/page/${name}.js`,
    serveDocument({ type: JAVASCRIPT, text: () => script(name) }),
  ]),
);

/** The handlers of GET by path. */
export const PAGE: Readonly<Record<string, Handler>> = {
  ...JAVASCRIPTS,
  "/": (request, context) => PAGES[languageFor(request)]!(request, context),
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
