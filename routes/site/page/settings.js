/**
 * The fields of a form: reading and setting their values, which of them have an
 * effect, and keeping the values in the fragment of the URL.
 *
 * @module
 */
import { NO_EFFECT } from "./texts.js";

/** The inputs of fields: a slider or a tick for a rule has no name. */
export function inputsOf(form) {
  return [...form.elements].filter(({ name }) => name);
}

/** The value of an input, as the API takes it; undefined for an empty number. */
function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  if (input.type !== "number") return input.value;
  const isEmpty = input.value === "" && !input.required &&
    !input.validity.badInput;
  // NaN becomes null, which the service refuses.
  return isEmpty ? undefined : input.valueAsNumber;
}

/** The values in a form, as a request body, without those that have no effect. */
export function settingsOf(form) {
  return Object.fromEntries(
    inputsOf(form).filter(({ disabled }) => !disabled)
      .map((input) => [input.name, valueOf(input)]),
  );
}

export function sliderOf(input) {
  return document.getElementById(`${input.id}-slider`);
}

export function setValue(input, value) {
  if (input.type === "checkbox") input.checked = value;
  else input.value = value;
  const slider = sliderOf(input);
  if (slider) slider.value = input.value;
}

/** Gives each input a place for a note, and some numbers a slider. */
export function completeFields(form) {
  for (const input of inputsOf(form)) {
    const field = input.closest(".field");
    if ("slider" in input.dataset) {
      const slider = document.createElement("input");
      const { min, max, value } = input;
      Object.assign(slider, { type: "range", min, max, defaultValue: value });
      slider.id = `${input.id}-slider`;
      // Only for the pointer: keyboard and screen reader use the number.
      Object.assign(slider, { tabIndex: -1, ariaHidden: "true" });
      slider.dataset.number = input.id;
      field.append(slider);
    }
    const note = document.createElement("p");
    note.id = `${input.id}-note`;
    field.append(note);
    input.setAttribute("aria-describedby", note.id);
  }
}

/**
 * Tells whether a field has no effect, because all of these others have these
 * values.
 */
function hasNoEffect(others, settings) {
  // An empty number means 0.
  return others !== undefined && Object.entries(others).every(
    ([name, value]) => (settings[name] ?? 0) === value,
  );
}

/**
 * Disables the fields that have no effect, and the positions of digits that a
 * single word does not have.
 *
 * @returns why each disabled field has no effect, by name: the key of a text
 */
export function disableWithoutEffect(form) {
  const inputs = inputsOf(form);
  // The reasons depend on all fields, also on disabled ones.
  for (const input of inputs) input.disabled = false;
  const settings = settingsOf(form);
  const reasons = {};
  for (const input of inputs) {
    const others = NO_EFFECT[form.dataset.kind]?.[input.name];
    input.disabled = hasNoEffect(others, settings);
    if (input.disabled) reasons[input.name] = `why.${input.name}`;
  }
  const position = form.elements.namedItem("numberPosition");
  const isOneWord = settings.wordCount === 1;
  for (const option of position?.options ?? []) {
    const needsGap = option.value === "between" || option.value === "all";
    option.hidden = option.disabled = needsGap && isOneWord;
    if (option.disabled && option.selected) {
      position.dataset.kept = option.value;
      position.value = "before";
    }
  }
  // With more words, the person gets the chosen position again.
  if (position?.dataset.kept && !isOneWord) {
    position.value = position.dataset.kept;
    delete position.dataset.kept;
  }
  return reasons;
}

function defaultOf(input) {
  if (input.type === "checkbox") return input.defaultChecked;
  if (!input.options) return input.defaultValue;
  return [...input.options].find(({ defaultSelected }) => defaultSelected)
    .value;
}

/** Whether an input has this value, or without one its default. */
function has(input, value = defaultOf(input)) {
  const current = input.type === "checkbox" ? input.checked : input.value;
  return String(current) === String(value);
}

/**
 * Whether a form has these values, and else the defaults. The language of the
 * words does not count.
 */
export function hasSettings(form, settings) {
  return inputsOf(form).every((input) =>
    input.name === "language" || has(input, settings[input.name])
  );
}

/** Gives a form these values, and else the defaults, except the language. */
export function setSettings(form, settings) {
  for (const input of inputsOf(form)) {
    delete input.dataset.kept;
    if (input.name === "language") continue;
    setValue(input, settings[input.name] ?? defaultOf(input));
  }
}

/**
 * Adds the valid values that are not defaults to the given ones, and writes all
 * to the fragment, which a browser does not send.
 */
export function writeFragment(forms, given) {
  const values = new URLSearchParams(given);
  for (const input of forms.flatMap(inputsOf)) {
    // The default language of the words depends on the language of the page.
    const isKept = input.name === "language"
      ? "chosen" in input.dataset
      : !has(input) && input.validity.valid;
    if (isKept) values.set(input.name, String(valueOf(input)));
  }
  history.replaceState(null, "", `#${values}`);
}

/** Sets the inputs of forms, and ignores the values that an input does not take. */
export function readSettings(forms, values) {
  for (const input of forms.flatMap(inputsOf)) {
    const value = values.get(input.name);
    if (value === null) continue;
    const { value: before } = input;
    setValue(input, input.type === "checkbox" ? value === "true" : value);
    if (!input.validity.valid || input.selectedIndex === -1) {
      setValue(input, before);
    } else if (input.name === "language") input.dataset.chosen = "";
  }
}
