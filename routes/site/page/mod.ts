/**
 * GET /: a page for people who need a password.
 *
 * @module
 */
import { acceptsLanguages } from "@std/http/negotiation";
import type { Field } from "../../api/fields.ts";
import { API } from "../../api/mod.ts";
import type { Handler } from "../../context.ts";
import { headerField } from "../../header_fields.ts";
import { CSS, escapeHtml, HTML, JAVASCRIPT, PAGE_HEADERS } from "../html.ts";
import { serveDocument } from "../static.ts";
import icon from "./icon.svg" with { type: "text" };
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import script from "./page.js" with { type: "text" };
import { TEXTS } from "./texts.js";
import texts from "./texts.js" with { type: "text" };

/** The languages of the page; the first one is the default. */
const PAGE_LANGUAGES = ["en", "sv"] as const;

/** The name of a language in that language, such as "Svenska". */
function nameOf(language: string): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const name = names.of(language)!;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The input of a field, with its label, its limits and a place for an error. */
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
    const defaultValue = name === "language" ? language : field.default;
    const options = values.map((value) => {
      const selected = value === defaultValue ? " selected" : "";
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
    // Only for the pointer: keyboard and screen reader use the number.
    `<input type="range" id="${id}-slider" ${range} data-twin="${id}" tabindex="-1" aria-hidden="true">` +
    `<span class="limits">${minimum}–${maximum}</span></div>${error}</div>`;
}

/** The page in a language. */
function page(language: typeof PAGE_LANGUAGES[number]): string {
  const endpoints = Object.values(API);
  const tabs = endpoints.map(({ type }) =>
    `<button type="button" role="tab" id="tab-${type}" aria-controls="panel-${type}" data-text="${type}"></button>`
  );
  const panels = endpoints.map(({ type: kind, fields }) => {
    const inputs = (which: (field: Field<unknown>) => boolean) =>
      Object.entries(fields).filter(([, field]) => which(field))
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
    serveDocument({
      type: HTML,
      text: () => page(language),
      headers: { ...PAGE_HEADERS, "content-language": language },
      chosenBy: "Accept-Language",
    }),
  ]),
);

/** The handlers of the page and its files by path. */
export const PAGE: Readonly<Record<string, Handler>> = {
  "/": (request, context) => {
    const { headers } = request;
    // acceptsLanguages() reads the whole field, so a field that is too long is
    // ignored.
    const language = headerField(headers, "accept-language") !== null &&
        acceptsLanguages(request, ...PAGE_LANGUAGES) || PAGE_LANGUAGES[0];
    return PAGES[language]!(request, context);
  },
  "/page/page.css": serveDocument({ type: CSS, text: style }),
  "/page/page.js": serveDocument({ type: JAVASCRIPT, text: script }),
  "/page/texts.js": serveDocument({ type: JAVASCRIPT, text: texts }),
  "/page/icon.svg": serveDocument({ type: "image/svg+xml", text: icon }),
};
