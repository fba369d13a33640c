/**
 * What a person does with the settings.
 *
 * @module
 */
import { as, byId } from "./dom.js";
import { KINDS } from "./fields.js";
import { isPreset, PRESETS } from "./purposes.js";
import { want } from "./requests.js";
import { requestOf, settingsFor, stepped, withValue } from "./settings.js";
import { change, state } from "./state.js";

/** The time without input after which the page requests a password. */
const DEBOUNCE_MS = 250;
/** The same time for a text or an invalid value, which may be incomplete. */
const TYPING_MS = 800;

/** The preset whose fields stand first. */
let arranged = "";

/**
 * Moves the fields that a preset needs in front of the others.
 *
 * @type {import("./state.js").Draw}
 */
export function arrange({ settings: { preset } }) {
  if (preset === arranged) return {};
  arranged = preset;
  const { kind, first } = PRESETS[preset];
  const [before, after] = [byId(`${kind}-first`), byId(`${kind}-more`)];
  const fields = [...before.children, ...after.children]
    .map((field) => as(HTMLElement, field))
    .sort((a, b) => Number(a.dataset["order"]) - Number(b.dataset["order"]));
  after.append(...fields);
  before.append(...first.map((name) => byId(`${kind}-${name}-field`)));
  return {};
}

/**
 * A person has changed the settings.
 *
 * @param {import("./settings.js").Settings} settings
 * @param {number} [delay]
 */
function choose(settings, delay) {
  change({ isTouched: true });
  want(settings, delay);
}

/**
 * Changes a number by a button or a key.
 *
 * @param {string} name
 * @param {number} difference
 */
function step(name, difference) {
  const value = stepped(state.settings, name, difference);
  if (value === state.settings.values[name]) return;
  change({ stepped: name });
  choose(withValue(state.settings, name, value), DEBOUNCE_MS);
}

/** @param {EventTarget | null} target */
function readInput(target) {
  if (target instanceof HTMLSelectElement) return target;
  const { type, name, checked, value, inputMode } = as(
    HTMLInputElement,
    target,
  );
  return { name, value: type === "checkbox" ? checked : value, inputMode };
}

/** Listens to the choices of purposes and to the inputs. */
export function listenToInputs() {
  for (const kind of KINDS) {
    const form = byId(`form-${kind}`);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", ({ target }) => {
      const { name, value, inputMode } = readInput(target);
      const settings = withValue(state.settings, name, value);
      const isText = typeof value === "string" && inputMode !== "numeric";
      const isLong = isText || requestOf(settings).errors.length > 0;
      choose(settings, isLong ? TYPING_MS : DEBOUNCE_MS);
    });
    // The person has finished the input, so an invalid value gets its message now.
    form.addEventListener("change", () => choose(state.settings, DEBOUNCE_MS));
    form.addEventListener("click", ({ target }) => {
      const { name, step: difference } = as(HTMLElement, target).dataset;
      if (name) step(name, Number(difference));
    });
    form.addEventListener("keydown", (event) => {
      const difference = new Map([["ArrowUp", 1], ["ArrowDown", -1]])
        .get(event.key);
      const { target } = event;
      const isNumber = target instanceof HTMLInputElement && target.inputMode;
      if (!difference || !isNumber) return;
      event.preventDefault();
      step(target.name, difference);
    });
    // What a person types replaces the number.
    form.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLInputElement && target.inputMode) {
        target.select();
      }
    });
  }
  // A purpose, or one of its choices.
  for (const choice of document.querySelectorAll("[name=purpose], .presets")) {
    choice.addEventListener("change", () => {
      const { name, value } = readInput(choice);
      if (typeof value !== "string" || !isPreset(value)) return;
      choose(settingsFor(value, name, state.settings));
      // What comes next is in the window.
      const next = value === "site" ? byId("characters-length") : choice;
      next.parentElement?.scrollIntoView({ block: "nearest" });
    });
  }
  // The address has the settings: a link in the message only moves the focus.
  byId("message").addEventListener("click", (event) => {
    if (!(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const input = byId(event.target.hash.slice(1));
    input.closest("details")?.setAttribute("open", "");
    input.focus();
  });
}
