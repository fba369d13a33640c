/**
 * The elements of the page. A region is a function of the state whose result is plain:
 * so a test needs no browser.
 *
 * @module
 */

/**
 * @typedef {string | Made} Content
 *
 * @typedef {object} Made an element to make
 * @property {string} name
 * @property {Content[]} content
 * @property {string} [className]
 * @property {string} [lang]
 * @property {string} [href]
 * @property {number} [key] a new one makes it anew, so that it is heard again
 * @property {string} [id]
 * @property {string} [value]
 * @property {string} [type]
 * @property {string} [dir]
 * @property {string} [scope]
 * @property {boolean} [selected]
 * @property {string} [ariaLabel]
 *
 * @typedef {object} Properties of an element
 * @property {Content | Content[]} [text] its content
 * @property {Record<string, string>} [attributes]
 * @property {string} [className]
 * @property {string} [lang]
 * @property {string} [style]
 * @property {string} [value]
 * @property {boolean} [checked]
 * @property {boolean} [disabled]
 * @property {boolean} [hidden]
 * @property {string | null} [ariaBusy]
 * @property {string | null} [ariaDisabled]
 * @property {string | null} [ariaInvalid]
 * @property {string | null} [ariaLabel]
 * @property {string | null} [ariaValueNow]
 * @property {string | null} [ariaValueText]
 *
 * @typedef {Record<string, Properties>} Region the properties of elements, by their ids
 */

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found) return found;
  throw new Error(`No element has the id ${id}`);
}

/**
 * A value of this type.
 *
 * @template T
 * @param {new () => T} type
 * @param {unknown} value
 * @returns {T}
 */
export function as(type, value) {
  if (value instanceof type) return value;
  throw new TypeError(`No ${type.name}: ${value}`);
}

/**
 * An element to make.
 *
 * @param {string} name
 * @param {string} className
 * @param {...Content} content
 * @returns {Made}
 */
export const element = (name, className, ...content) => ({
  name,
  className,
  content,
});

/**
 * @param {Content} content
 * @returns {Node | string}
 */
export function build(content) {
  if (typeof content === "string") return content;
  const { name, content: inner, ...own } = content;
  const made = Object.assign(document.createElement(name), own);
  made.append(...inner.map(build));
  return made;
}

/** @type {WeakMap<HTMLElement, string>} */
const drawn = new WeakMap();

/**
 * Gives elements their properties. What has not changed is not made anew, so that a
 * screen reader does not repeat it.
 *
 * @param {Region} region
 */
export function draw(region) {
  for (
    const [id, { text, attributes = {}, ...own }] of Object.entries(region)
  ) {
    const found = Object.assign(byId(id), own);
    for (const each of Object.entries(attributes)) found.setAttribute(...each);
    const key = JSON.stringify(text);
    if (text === undefined || drawn.get(found) === key) continue;
    drawn.set(found, key);
    found.replaceChildren(...[text].flat().map(build));
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/**
 * Says a text to a screen reader.
 *
 * @param {string} text
 * @param {number} [visibleMs] how long all people see it
 */
export function announce(text, visibleMs = 0) {
  // Outside of a modal dialog, nothing is heard.
  const status = document.querySelector("dialog[open] [role=status]") ??
    byId("announcement");
  status.textContent = text;
  status.classList.toggle("toast", visibleMs > 0);
  clearTimeout(toastTimer);
  if (visibleMs === 0) return;
  toastTimer = setTimeout(() => {
    status.textContent = "";
    status.classList.remove("toast");
  }, visibleMs);
}
