/**
 * GET /: a page for people who want a password.
 *
 * @module
 */
import { acceptsLanguages } from "@std/http/negotiation";
import { CHARACTER_FIELDS } from "../characters.ts";
import type { Field, Fields } from "../fields.ts";
import { escapeHtml, HTML, PAGE_HEADERS } from "../html.ts";
import { PHRASE_FIELDS } from "../password.ts";
import { headerField } from "../header_field.ts";
import { serveResource } from "../static.ts";
import type { Handler } from "../types.ts";
import { WORD_FIELDS } from "../words.ts";
import icon from "./icon.svg" with { type: "text" };
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import script from "./page.js" with { type: "text" };
import { TEXTS } from "./texts.js";
import texts from "./texts.js" with { type: "text" };

/** The languages of the page; the first is for who reads neither. */
const PAGE_LANGUAGES = ["en", "sv"] as const;

const KINDS: Readonly<Record<string, Fields>> = {
  characters: CHARACTER_FIELDS,
  words: WORD_FIELDS,
  sentence: PHRASE_FIELDS,
};

/** The name of a language in itself, such as "Svenska". */
function nameOf(language: string): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const name = names.of(language)!;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The input of a field, with its label, its limits and room for an error. */
function input(
  id: string,
  name: string,
  field: Field<unknown>,
  language: string,
): string {
  const label = `<label for="${id}" data-text="${name}"></label>`;
  const error = `<p class="error" id="${id}-error"></p>`;
  const common = `id="${id}" name="${name}" aria-describedby="${id}-error"`;
  const { minimum, maximum, enum: values } = field.schema;
  if (field.type === "boolean") {
    const checked = field.default ? " checked" : "";
    return `<div class="field"><div class="check"><input type="checkbox" ${common}${checked}>${label}</div>${error}</div>`;
  }
  if (values !== undefined) {
    const byDefault = name === "language" ? language : field.default;
    const options = values.map((value) => {
      const selected = value === byDefault ? " selected" : "";
      return name === "language"
        ? `<option value="${value}" lang="${value}"${selected}>${
          nameOf(value)
        }</option>`
        : `<option value="${value}"${selected} data-text="${name}.${value}"></option>`;
    });
    return `<div class="field">${label}<select ${common}>${
      options.join("")
    }</select>${error}</div>`;
  }
  const range = `min="${minimum}" max="${maximum}" value="${field.default}"`;
  return `<div class="field">${label}<div class="number">` +
    `<input type="number" ${common} ${range} data-twin="${id}-slider">` +
    // For the pointer alone: keyboard and screen reader have the number.
    `<input type="range" id="${id}-slider" ${range} data-twin="${id}" tabindex="-1" aria-hidden="true">` +
    `<span class="limits">${minimum}–${maximum}</span></div>${error}</div>`;
}

/** The page in a language. */
function page(language: typeof PAGE_LANGUAGES[number]): string {
  const kinds = Object.keys(KINDS);
  const tabs = kinds.map((kind) =>
    `<button type="button" role="tab" id="tab-${kind}" aria-controls="panel-${kind}" data-text="${kind}"></button>`
  );
  const panels = kinds.map((kind) => {
    const inputs = (which: (field: Field<unknown>) => boolean) =>
      Object.entries(KINDS[kind]!).filter(([, field]) => which(field))
        .map(([name, field]) => input(`${kind}-${name}`, name, field, language))
        .join("\n");
    return `<div role="tabpanel" id="panel-${kind}" aria-labelledby="tab-${kind}" hidden>` +
      `<form id="form-${kind}" data-kind="${kind}" autocomplete="off" novalidate>` +
      `<div class="grid">${inputs(({ type }) => type !== "boolean")}</div>` +
      `<div class="grid">${inputs(({ type }) => type === "boolean")}</div>` +
      `</form></div>`;
  });
  const texts: Record<string, string> = TEXTS[language];
  return template
    .replace('lang=""', `lang="${language}"`)
    .replace("<!-- tabs -->", tabs.join(""))
    .replace("<!-- panels -->", panels.join("\n"))
    .replace(
      /(data-text="([^"]+)")>/g,
      (_, attribute, key) => `${attribute}>${escapeHtml(texts[key]!)}`,
    )
    .replace(
      /data-label="([^"]+)"/g,
      (attribute, key) =>
        `${attribute} aria-label="${escapeHtml(texts[key]!)}"`,
    );
}

const PAGES: Readonly<Record<string, Handler>> = Object.fromEntries(
  PAGE_LANGUAGES.map((language) => [
    language,
    serveResource({
      type: HTML,
      text: () => page(language),
      headers: {
        ...PAGE_HEADERS,
        "content-language": language,
        "vary": "accept-language",
      },
    }),
  ]),
);

/** What GET answers with, by path. */
export const PAGE: Readonly<Record<string, Handler>> = {
  "/": (request, context) => {
    const { headers } = request;
    const language = headerField(headers, "accept-language") !== null &&
        acceptsLanguages(request, ...PAGE_LANGUAGES) || PAGE_LANGUAGES[0];
    return PAGES[language]!(request, context);
  },
  "/page/page.css": serveResource({
    type: "text/css; charset=utf-8",
    text: () => style,
  }),
  "/page/page.js": serveResource({
    type: "text/javascript; charset=utf-8",
    text: () => script,
  }),
  "/page/texts.js": serveResource({
    type: "text/javascript; charset=utf-8",
    text: () => texts,
  }),
  "/page/icon.svg": serveResource({ type: "image/svg+xml", text: () => icon }),
};
