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
import { CSS, escapeHtml, htmlDocument, JAVASCRIPT } from "../html.ts";
import { serveDocument } from "../static.ts";
import icon from "./icon.svg" with { type: "text" };
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import clipboard from "./clipboard.js" with { type: "text" };
import script from "./page.js" with { type: "text" };
import request from "./request.js" with { type: "text" };
import result from "./result.js" with { type: "text" };
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
  "page.js": script,
  "request.js": request,
  "result.js": result,
  "settings.js": settings,
  "strength.js": strength,
  "texts.js": texts,
};

/** The name of a language in that language, such as "Svenska". */
function nameOf(language: string): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const name = names.of(language)!;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The input of a field in its label. The script adds a slider and a note. */
function input(
  id: string,
  name: string,
  { type, schema, default: defaultValue }: Field<unknown>,
  language: string,
): string {
  const label = `<span data-text="${name}"></span>`;
  const common = `id="${id}" name="${name}"`;
  if (type === "boolean") {
    const checked = defaultValue ? " checked" : "";
    return `<label class="check"><input type="checkbox" ${common}${checked}>${label}</label>`;
  }
  const { minimum, maximum, enum: values } = schema;
  if (values === undefined) {
    return `<label class="number">${label}<input type="number" ${common} min="${minimum}" max="${maximum}" value="${defaultValue}" required></label>`;
  }
  const isLanguage = name === "language";
  const options = values.map((value) => {
    const isSelected = value === (isLanguage ? language : defaultValue);
    const selected = isSelected ? " selected" : "";
    return isLanguage
      ? `<option value="${value}" lang="${value}"${selected}>${
        nameOf(value)
      }</option>`
      : `<option value="${value}"${selected} data-text="${name}.${value}"></option>`;
  });
  return `<label>${label}<select ${common}>${
    options.join("")
  }</select></label>`;
}

/** The HTML of the page in a language. */
function pageText(language: typeof PAGE_LANGUAGES[number]): string {
  const endpoints = Object.values(API);
  const tabs = endpoints.map(({ type }) =>
    `<button type="button" role="tab" id="tab-${type}" aria-controls="panel-${type}" data-text="${type}"></button>`
  );
  const panels = endpoints.map(({ type: kind, fields }) => {
    const grid = (isBoolean: boolean) => {
      const inputs = Object.entries(fields)
        .filter(([, { type }]) => (type === "boolean") === isBoolean)
        .map(([name, field]) =>
          `<div class="field">${
            input(`${kind}-${name}`, name, field, language)
          }</div>`
        );
      return `<div class="grid">${inputs.join("\n")}</div>`;
    };
    return `<div role="tabpanel" id="panel-${kind}" aria-labelledby="tab-${kind}" hidden>` +
      `<form data-kind="${kind}" autocomplete="off" novalidate>` +
      grid(false) + grid(true) +
      `</form></div>`;
  });
  // What page.js imports, so that it arrives at the same time.
  const preloads = Object.keys(SCRIPTS).filter((name) => name !== "page.js")
    .map((name) => `<link rel="modulepreload" href="page/${name}">`);
  const texts: Record<string, string> = TEXTS[language];
  return template
    .replace(/^ +/gm, "") // the indentation
    .replace('lang=""', `lang="${language}"`)
    .replace("<!-- preloads -->", preloads.join("\n"))
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

/** Languages whose readers usually understand Swedish if they list it. */
const NEAR_SWEDISH = new Set(["nb", "nn", "no", "da", "fi"]);

/**
 * Chooses the language of the page by Accept-Language: the first one in the order
 * of the client. If a language that is near Swedish comes first, Swedish counts
 * wherever it is, and English does not.
 */
function negotiateLanguage(request: Request): string {
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

/**
 * Makes the handlers of the page and its files.
 *
 * @returns the handlers by path
 *
 * @example
 * ```ts
 * import { page } from "./mod.ts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const handler = page()["/"]!;
 * const request = new Request("http://localhost/");
 * const response = await handler(request, { path: "/", peer: "::1" });
 * assertStringIncludes(await response.text(), 'href="docs"');
 * ```
 */
export function page(): Readonly<Record<string, Handler>> {
  const pages = new Map<string, Handler>(PAGE_LANGUAGES.map((language) => {
    const document = htmlDocument(() => pageText(language));
    const headers = { ...document.headers, "content-language": language };
    const chosenBy = "Accept-Language";
    return [language, serveDocument({ ...document, headers, chosenBy })];
  }));
  return {
    "/": (request, context) =>
      pages.get(negotiateLanguage(request))!(request, context),
    "/page/page.css": serveDocument({ type: CSS, text: style }),
    ...Object.fromEntries(
      Object.entries(SCRIPTS).map(([name, text]) => [
        `/page/${name}`,
        serveDocument({ type: JAVASCRIPT, text: withoutComments(text) }),
      ]),
    ),
    "/page/icon.svg": serveDocument({ type: "image/svg+xml", text: icon }),
  };
}
