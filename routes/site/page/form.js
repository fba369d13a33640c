/**
 * The inputs of a form: their values, and which of them have an effect.
 *
 * @module
 */

/** The inputs of fields: a button has no name. */
export function inputsOf(form) {
  return [...form.elements].filter(({ name }) => name);
}

/** The value of an input, as the API takes it; undefined for an empty number. */
export function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  if (input.type !== "number") return input.value;
  return input.value === "" ? undefined : input.valueAsNumber;
}

/** Sets a value, or its text in the fragment of a URL. */
export function setValue(input, value) {
  if (input.type === "checkbox") input.checked = String(value) === "true";
  else input.value = value;
}

/** Whether an input has the default of the API. */
function isDefault(input) {
  if (input.type === "checkbox") return input.checked === input.defaultChecked;
  return input.options
    ? input.options[input.selectedIndex].defaultSelected
    : input.value === input.defaultValue;
}

/** The values in a form that have an effect and are no defaults of the API. */
export function bodyOf(form) {
  const inputs = inputsOf(form).filter((input) =>
    !input.disabled && !isDefault(input)
  );
  return Object.fromEntries(
    inputs.map((input) => [input.name, valueOf(input)]),
  );
}

/** Whether the rules in a form replace a field. */
export const isReplaced = (field, { elements: { passwordRules } }) =>
  "replaced" in field.dataset && passwordRules.value !== "";

/** Disables the fields that are ignored with the values of others. */
export function disableIgnored(form) {
  const inputs = inputsOf(form);
  const values = Object.fromEntries(
    inputs.map((input) => [input.name, valueOf(input)]),
  );
  for (const input of inputs) {
    const field = input.closest(".field");
    const { ignoredIf } = field.dataset;
    // An empty number means 0.
    input.disabled = isReplaced(field, form) || ignoredIf !== undefined &&
        Object.entries(JSON.parse(ignoredIf)).every(([name, value]) =>
          [value].flat().includes(values[name] ?? 0)
        );
  }
}
