/**
 * GET /: a page for people who need a password.
 *
 * @module
 */
import { acceptsLanguages } from "@std/http/negotiation";
import metadata from "../../../deno.json" with { type: "json" };
import type { Localized } from "../../api/fields.ts";
import { API } from "../../api/mod.ts";
import type { Handler } from "../../../http/context.ts";
import { headerField } from "../../../http/negotiation.ts";
import { CSS, escapeHtml, htmlDocument, JAVASCRIPT } from "../html.ts";
import { serveDocument } from "../static.ts";
import { forms } from "./forms.ts";
import touchIcon from "./icon.png.txt" with { type: "text" };
import icon from "./icon.svg" with { type: "text" };
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import { PRESETS, purposesOf } from "./purposes.js";
import { script, SCRIPTS } from "./script.ts";
import { TEXTS } from "./texts.ts";

/** The name of a language of the page. */
export type PageLanguage = keyof Localized;

/**
 * The texts of the fields: the key of a label is the name of the field, and that of
 * a value both names.
 */
function fieldTexts(): Record<string, Localized> {
  const texts: Record<string, Localized> = {};
  for (const { fields } of Object.values(API)) {
    for (
      const [name, { label, help, ignoredIf, names }] of Object.entries(fields)
    ) {
      if (!label) continue; // not on the page
      texts[name] = label;
      if (help) texts[`help.${name}`] = help;
      if (ignoredIf) texts[`why.${name}`] = ignoredIf.why;
      for (const [value, text] of Object.entries(names ?? {})) {
        texts[`${name}.${value}`] = text;
      }
    }
  }
  return texts;
}

/** The texts of the page in a language, by key. */
export function textsIn(language: PageLanguage): Record<string, string> {
  const entries = Object.entries({ ...fieldTexts(), ...TEXTS });
  return Object.fromEntries(
    entries.map(([key, text]) => [key, text[language]]),
  );
}

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

/** The page in both languages, made at the first request. */
function pageIn(language: PageLanguage): Handler {
  const { headers, ...document } = htmlDocument(() =>
    localize(template, language)
      .replace("{purposes}", localize(TILES, language))
      .replace("{presets}", localize(SELECTS, language))
      .replace("{forms}", () => localize(forms(), language))
      // In a script element only "<" could end it.
      .replace(
        '"{texts}"',
        () =>
          JSON.stringify(
            textsIn(language),
            (_, text) => text === "" ? undefined : text,
          ).replaceAll("<", "\\u003c"),
      )
  );
  return serveDocument({
    ...document,
    headers: { ...headers, "content-language": language },
    chosenBy: "Accept-Language",
  });
}

/**
 * Chooses the first language of the page in the order of Accept-Language.
 *
 * @param request the request
 * @returns the language
 */
export function languageFor(request: Request): PageLanguage {
  // acceptsLanguages() would read a field of any length.
  if (headerField(request.headers, "accept-language") === null) return "en";
  const first = acceptsLanguages(request)
    .map((range) => range.toLowerCase().split("-", 1)[0]!)
    .find((language) => ["*", "en", "sv"].includes(language));
  return first === "sv" ? "sv" : "en";
}

const PAGES = { en: pageIn("en"), sv: pageIn("sv") };

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
  "/": (request, context) => PAGES[languageFor(request)](request, context),
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
