/**
 * The language of the page, and its texts.
 *
 * @module
 */

/** The name of the language. */
export let language = "en";

/** @type {Record<string, string>} */
let texts = {};

/**
 * @param {string} name of the language
 * @param {Record<string, string>} all its texts
 */
export function setTexts(name, all) {
  language = name;
  texts = all;
}

/** @param {string} key */
export const hasText = (key) => Object.hasOwn(texts, key);

/**
 * The text of a key; a value replaces its name in braces. What is no key stays.
 *
 * @param {string} key
 * @param {object} [values]
 * @returns {string}
 */
export function text(key, values = {}) {
  const all = new Map(Object.entries(values));
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => {
    const value = all.get(name);
    return typeof value === "number"
      ? value.toLocaleString(language)
      : String(value);
  });
}
