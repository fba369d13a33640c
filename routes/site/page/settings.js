/**
 * The settings: the purpose, its form, and what they ask for.
 *
 * @module
 */
import { failure } from "./api.js";
import { addRegion, all, byId, write } from "./dom.js";
import {
  bodyOf,
  disableIgnored,
  errorOf,
  inputsOf,
  setValue,
  valueOf,
} from "./form.js";
import { language, text } from "./language.js";
import {
  chooseHeading,
  currentTable,
  loadLists,
  tableError,
} from "./people.js";
import { PRESETS, purposesOf } from "./purposes.js";
import { fail, former, showFormer, want } from "./requests.js";

/** The time without input after which the page requests a password. */
const DEBOUNCE_MS = 250;
/** The same time for a text or an invalid value, which may be incomplete. */
const TYPING_MS = 800;

/** The fields of all forms, in the order of their declarations. */
const FIELDS = all(".field[data-field]");

export const settings = {
  /** The name of the purpose, or of one of its choices. */
  preset: "manager",
  purpose: "manager",
  /** Whether a person has changed something. */
  isTouched: false,
  /** The name of the field that a button of its own has changed last. */
  stepped: "",
};

const preset = () => PRESETS[settings.preset];
export const currentForm = () => document.forms.namedItem(preset().kind);

/** The inputs that are in the address. */
export const currentInputs = () => [
  ...inputsOf(currentForm()),
  byId("count"),
];

/** Sets the fields to the values of a preset, one of the choices of a purpose. */
export function choose(name, purpose) {
  const purposes = purposesOf(name);
  settings.preset = name;
  settings.purpose = purposes.includes(purpose) ? purpose : purposes[0];
  const { first, values } = preset();
  const form = currentForm();
  const fields = FIELDS.filter((field) => form.contains(field));
  form.querySelector(".more").append(...fields);
  form.querySelector(".first").append(
    ...first.map((name) =>
      fields.find((field) => field.dataset.field === name)
    ),
  );
  // The language of the words is that of the page until the person chooses one.
  const select = form.elements.namedItem("language");
  const isChosen = select && "chosen" in select.dataset;
  const words = isChosen ? select.value : language();
  form.reset();
  for (const [name, value] of Object.entries({ ...values, language: words })) {
    const input = form.elements.namedItem(name);
    if (input && value !== undefined) setValue(input, value);
  }
  for (const input of inputsOf(form)) {
    input.dataset.initial = String(valueOf(input) ?? "");
  }
  byId("people").open ||= name === "pupil" && settings.purpose === "type";
}

/** What is wrong with the settings: inputs, each with the key of a text. */
function errors() {
  const inputs = currentInputs().map((input) => [input, errorOf(input)]);
  return [...inputs, [byId("table"), tableError()]]
    .filter(([, error]) => error)
    .map(([input, error]) => ({ input, ...error }));
}

/** The settings, as "Undo" brings them back. */
function snapshot() {
  const others = ["table", "heading", "different"].map(byId);
  const values = [...currentInputs(), ...others].map((input) => [
    input,
    input.type === "checkbox" ? input.checked : input.value,
  ]);
  return { preset: settings.preset, purpose: settings.purpose, values };
}

/** What the settings ask for; the same object until they or the table change. */
let request = {};
function currentRequest() {
  disableIgnored(currentForm());
  const { wordCount } = currentForm().elements;
  if (wordCount && !errorOf(wordCount)) {
    wordCount.dataset.before = wordCount.value; // for adaptLength()
  }
  const table = currentTable();
  const asked = {
    path: preset().kind,
    body: bodyOf(currentForm()),
    isDifferent: table.rows.length > 1 && byId("different").checked,
  };
  const wrong = errors();
  const key = JSON.stringify([asked, wrong.map(({ key }) => key)]);
  if (request.key !== key || request.table !== table) {
    request = { ...asked, key, table, errors: wrong };
  }
  request.settings = snapshot();
  return request;
}

/** Requests passwords if the settings have changed. */
export async function applySettings(delay) {
  const loading = loadLists();
  try {
    if (loading) await loading;
  } catch {
    return fail({ error: failure(), again: applySettings });
  }
  want(currentRequest(), delay);
}

/** A person has changed the settings. */
export function settingsChanged(delay) {
  settings.isTouched = true;
  return applySettings(delay);
}

/** Brings the former result back, and its settings. */
function undo() {
  if (!former()) return;
  const { preset, purpose, values } = former().settings;
  choose(preset, purpose);
  for (const [input, value] of values) setValue(input, value);
  if (byId("table").value) chooseHeading();
  showFormer(currentRequest());
}

/** Short words stay short: each word more has room for its letters and a separator. */
function adaptLength({ elements }) {
  const { wordCount, maximumLength } = elements;
  const count = wordCount && valueOf(wordCount);
  if (!count || errorOf(wordCount)) return;
  const { before } = wordCount.dataset;
  const length = valueOf(maximumLength);
  if (!preset().perWord || !length) return;
  const adapted = length + preset().perWord * (count - before);
  maximumLength.value = String(Math.max(adapted, 1));
}

/** Changes a number by a button or a key. */
function step(input, difference) {
  const { min, max } = input.dataset;
  const value = valueOf(input) || Number(input.defaultValue || min);
  const next = Math.min(Math.max(value + difference, min), max);
  if (next === valueOf(input)) return;
  input.value = String(next);
  settings.stepped = input.name;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The purpose, and its form: what it needs stands first. */
function drawForm() {
  const { purpose } = settings;
  document.querySelector(`[name=purpose][value=${purpose}]`).checked = true;
  write(byId("help"), text(`help.${settings.preset}`));
  for (const select of all(".presets")) {
    select.closest(".field").hidden = select.name !== purpose;
    if (select.name === purpose) select.value = settings.preset;
  }
  const form = currentForm();
  for (const each of document.forms) {
    if (each.dataset.kind) each.hidden = each !== form;
  }
  for (const button of all("[data-step]")) {
    const input = button.parentElement.querySelector("input");
    const limit = button.dataset.step < 0 ? "min" : "max";
    button.ariaDisabled = String(input.value === input.dataset[limit]);
  }
}

for (const part of [...all("form[data-kind]"), byId("people")]) {
  part.addEventListener("submit", (event) => event.preventDefault());
  part.addEventListener("input", ({ target }) => {
    const { name, id, form, dataset } = target;
    if (name === "language") dataset.chosen = "";
    if (name === "wordCount") adaptLength(form);
    if (id === "heading") chooseHeading();
    const isText = target.matches("textarea, [type=text]:not([inputmode])");
    const isLong = isText || currentRequest().errors.length > 0;
    settingsChanged(isLong ? TYPING_MS : DEBOUNCE_MS);
  });
  // The person has finished the input, so an invalid value gets its message now.
  part.addEventListener("change", () => settingsChanged(DEBOUNCE_MS));
}
byId("different").addEventListener("change", () => settingsChanged());
for (const radio of all("[name=purpose]")) {
  radio.addEventListener("change", () => {
    choose(radio.value);
    settingsChanged();
    // What comes next is in the window.
    const next = radio.value === "site" ? currentForm() : radio.parentElement;
    (next.querySelector(".field") ?? next).scrollIntoView({ block: "nearest" });
  });
}
for (const select of all(".presets")) {
  select.addEventListener("change", () => {
    choose(select.value, select.name);
    settingsChanged();
  });
}
byId("undo").addEventListener("click", undo);
byId("app").addEventListener("click", ({ target }) => {
  const { step: difference } = target.dataset;
  if (!difference) return;
  step(target.parentElement.querySelector("input"), Number(difference));
});
byId("app").addEventListener("keydown", (event) => {
  const difference = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!difference || event.target.inputMode !== "numeric") return;
  event.preventDefault();
  step(event.target, difference);
});
// What a person types replaces the number.
byId("app").addEventListener("focusin", ({ target }) => {
  if (target.inputMode === "numeric") target.select();
});

addRegion(drawForm);
