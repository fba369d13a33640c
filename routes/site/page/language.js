/**
 * The language of the page, and its texts.
 *
 * @module
 */
import { urlOf } from "./api.js";
import { all, byId } from "./dom.js";

let current = document.documentElement.lang;

/** The texts by language; those of the other one are loaded when they are used. */
const texts = { [current]: JSON.parse(byId("texts").textContent) };

export const language = () => current;

export const hasText = (key) => Object.hasOwn(texts[current], key);

/** The text of a key; a value replaces its name in braces. */
export function text(key, values = {}) {
  return texts[current][key].replace(
    /\{(\w+)\}/g,
    (_, name) => values[name]?.toLocaleString(current),
  );
}

/** Keeps all but the language of the texts. */
export async function setLanguage(language) {
  if (!texts[language]) {
    const headers = { "accept-language": language };
    const page = await (await fetch(urlOf("./"), { headers })).text();
    const [, json] = /id="texts">(.*?)<\/script>/s.exec(page);
    texts[language] = JSON.parse(json);
  }
  current = document.documentElement.lang = language;
  for (const each of all("[data-text]")) {
    each.textContent = text(each.dataset.text);
  }
  for (const each of all("[data-label]")) {
    each.ariaLabel = text(each.dataset.label);
  }
  for (const each of all("[data-placeholder]")) {
    each.placeholder = text(each.dataset.placeholder);
  }
  for (const button of all(".languages button")) {
    button.ariaPressed = String(button.lang === language);
  }
  byId("announcement").textContent = "";
}
