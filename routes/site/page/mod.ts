/**
 * GET /, /en and /sv: a page for people who need a password. GET /list, /list-en and
 * /list-sv: one for several people.
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
import frame from "./frame.html" with { type: "text" };
import icon from "./icon.svg" with { type: "text" };
import { LANGUAGES, type PageLanguage, textsIn } from "./languages.ts";
import listStyle from "./list/list.css" with { type: "text" };
import listTemplate from "./list/list.html" with { type: "text" };
import style from "./page.css" with { type: "text" };
import template from "./page.html" with { type: "text" };
import { choicesOf, NAMES as PRESET_NAMES, PURPOSES } from "./purposes.js";
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

/** The kinds of password for a list. */
const KINDS = PRESET_NAMES.map((name) =>
  `<option value="${name}" data-text="${
    PURPOSES.includes(name) ? "purpose" : "preset"
  }.${name}"></option>`
).join("");

/** What differs between the pages. */
interface Page {
  /** How its addresses begin; they end in the language. */
  readonly prefix: "" | "list-";
  /** The names of its script and its style sheet. */
  readonly script: "page" | "list";
  /** The keys of its title, and of what it promises. */
  readonly heading: string;
  readonly claim: string;
  /** The body of a request that does the same without scripts. */
  readonly body: string;
  readonly main: string;
}

const ONE: Page = {
  prefix: "",
  script: "page",
  heading: "title",
  claim: "promise",
  body: "{}",
  main: template,
};

const SEVERAL: Page = {
  prefix: "list-",
  script: "list",
  heading: "list.title",
  claim: "list.stays",
  body: '{"count":30}',
  main: listTemplate,
};

/** The HTML of a page, still without texts. */
const framed = (page: Page) =>
  frame.replace(
    /\{(prefix|script|heading|claim|body|main)\}/g,
    (_, part: keyof Page) => page[part],
  );

/** The links of each page to those in other languages, for search engines. */
const alternates = ({ prefix }: Page) =>
  [
    `<link rel="alternate" hreflang="x-default" href="${
      prefix === "" ? "./" : "list"
    }">`,
    ...NAMES.map((name) =>
      `<link rel="alternate" hreflang="${name}" href="${prefix}${name}">`
    ),
  ].join("\n");

/** The links to the page in the other languages, which keep the settings. */
const others = ({ prefix }: Page, language: PageLanguage) =>
  NAMES.filter((name) => name !== language).map((name) =>
    `<a href="${prefix}${name}" hreflang="${name}" lang="${name}" data-settings>${
      LANGUAGES[name].name
    }</a>`
  ).join("\n");

/** A value for a script element, which only "<" could end. */
const json = (value: unknown) =>
  JSON.stringify(value).replaceAll("<", "\\u003c");

/** The texts that the scripts of a page need. */
const textsOf = ({ prefix }: Page, language: PageLanguage) =>
  Object.fromEntries(
    Object.entries(textsIn(language)).filter(([key]) =>
      prefix !== "" || !key.startsWith("list.")
    ),
  );

/** The HTML of a page in a language. */
const htmlIn = (page: Page, language: PageLanguage) =>
  localize(framed(page), language)
    .replace("{alternates}", alternates(page))
    .replace("{others}", others(page, language))
    .replace("{purposes}", localize(TILES, language))
    .replace("{presets}", localize(SELECTS, language))
    .replace("{kinds}", localize(KINDS, language))
    .replace("{forms}", () => localize(forms(), language))
    .replace('"{fields}"', () => json(declarations()))
    .replace('"{texts}"', () => json(textsOf(page, language)));

/**
 * A page in a language, made at the first request.
 *
 * @param page the page
 * @param language the language
 * @param chosenBy the request header field that chose it
 */
function pageIn(
  page: Page,
  language: PageLanguage,
  chosenBy?: string,
): Handler {
  const { headers, ...document } = htmlDocument(() => htmlIn(page, language));
  return serveDocument({
    ...document,
    headers: { ...headers, "content-language": language },
    ...chosenBy && { chosenBy },
  });
}

/** The handlers of a page: at one address Accept-Language chooses the language. */
function addressesOf(page: Page): Record<string, Handler> {
  const chosen = Object.fromEntries(
    NAMES.map((name) => [name, pageIn(page, name, "Accept-Language")]),
  );
  return {
    [page.prefix === "" ? "/" : "/list"]: (request, context) =>
      chosen[languageFor(request)]!(request, context),
    ...Object.fromEntries(
      NAMES.map((name) => [`/${page.prefix}${name}`, pageIn(page, name)]),
    ),
  };
}

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

/** A style sheet without comments and needless spaces. */
const styleSheet = (style: string) =>
  serveDocument({
    type: CSS,
    text: () =>
      style.replace(/ *\/\*.*?\*\/\n?/gs, "")
        .replace(/\s*([{};,])\s*/g, "$1").replaceAll(": ", ":"),
  });

/** The handlers of GET by path. */
export const PAGE: Readonly<Record<string, Handler>> = {
  ...JAVASCRIPTS,
  ...addressesOf(ONE),
  ...addressesOf(SEVERAL),
  "/page/page.css": styleSheet(style),
  "/page/list.css": styleSheet(style + listStyle),
  "/page/icon.svg": serveDocument({ type: "image/svg+xml", text: icon }),
  "/page/icon.png": serveDocument({
    type: "image/png",
    text: () => Uint8Array.fromBase64(touchIcon.trim()),
  }),
};
