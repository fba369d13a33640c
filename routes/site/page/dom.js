/**
 * What all regions of the page share: its elements, and when it is drawn.
 *
 * @module
 */

export const byId = (id) => document.getElementById(id);
export const all = (selector) => [...document.querySelectorAll(selector)];

/** Sets a content only if its text changes, so that a screen reader does not repeat it. */
export function write(element, ...content) {
  const made = document.createDocumentFragment();
  made.append(...content);
  if (element.textContent !== made.textContent) element.replaceChildren(made);
}

/** The values that an element was drawn with. */
const drawnWith = new WeakMap();

/** Whether an element must be drawn again, because one of these values is new. */
export function isNew(element, ...values) {
  const before = drawnWith.get(element);
  drawnWith.set(element, values);
  return values.some((value, i) => value !== before?.[i]);
}

export function element(name, className, ...content) {
  const created = document.createElement(name);
  created.className = className;
  created.append(...content);
  return created;
}

/** The functions that draw the regions; each reads the state, and writes to its own. */
const regions = [];

export const addRegion = (draw) => regions.push(draw);

/** Draws the page after a change of the state. */
export function update() {
  for (const draw of regions) draw();
}

let toastTimer = 0;

/**
 * Says a text to a screen reader.
 *
 * @param text
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
