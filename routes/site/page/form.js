/**
 * The inputs of a form: their values, what is wrong with one, and which have an effect.
 *
 * @module
 */

/** The inputs of fields: a button has no name. */
export function inputsOf(form) {
  return [...form.elements].filter(({ name }) => name);
}

/** A text that takes digits: the wheel does not change it, and "1e1" is no number. */
const isNumber = (input) => input.inputMode === "numeric";

/** Whether a comma stands between all signs, as in "!, @, #". */
const isListed = (signs) => /^[^,](,[^,])+$/.test(signs);

/** Special characters without spaces, and without the commas of a list. */
const signsOf = (text) => {
  const signs = text.replace(/\s/g, "");
  return isListed(signs) ? signs.replaceAll(",", "") : signs;
};

/** The value of an input, as the API takes it; undefined for an empty number. */
export function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  if (input.name === "specialCharacterSet") return signsOf(input.value);
  if (!isNumber(input)) return input.value;
  const digits = input.value.trim();
  if (digits === "") return undefined;
  return /^\d{1,6}$/.test(digits) ? Number(digits) : NaN;
}

/** Sets a value, or its text in the fragment of a URL. */
export function setValue(input, value) {
  if (input.type === "checkbox") input.checked = String(value) === "true";
  else input.value = value;
}

/** What is wrong with a value: the key of a text, and what belongs to it. */
export function errorOf(input) {
  if (input.disabled) return undefined;
  const value = valueOf(input);
  if (isNumber(input)) {
    const { min, max } = input.dataset;
    const isValid = value === undefined
      ? !input.required
      : value >= min && value <= max;
    return isValid ? undefined : { key: "range", min, max };
  }
  const [, sign] = input.name === "specialCharacterSet"
    ? /(.).*\1/.exec(value) ?? []
    : [];
  return sign && { key: "twice", sign };
}

/** What a person may not expect of a value: the key of a text. */
export function noteOf(input) {
  const { name, value, form } = input;
  const compact = value.replace(/\s/g, "");
  if (name === "specialCharacterSet" && isListed(compact)) {
    return { key: "note.listed", signs: [...signsOf(value)].join(" ") };
  }
  if (name !== "excludeCharacters" || value === "") return undefined;
  if (form.elements.swedishCharacters.checked) return undefined;
  const letters = new Set(value.match(/[a-z]/gi));
  return letters.size === 0
    ? { key: "note.swedish" }
    : { key: "note.letters", letters: [...letters].join(", ") };
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

/** Disables the fields that are ignored with the values of others. */
export function disableIgnored(form) {
  const inputs = inputsOf(form);
  const values = Object.fromEntries(
    inputs.map((input) => [input.name, valueOf(input)]),
  );
  for (const input of inputs) {
    const { ignoredIf } = input.closest(".field").dataset;
    // An empty number means 0.
    input.disabled = ignoredIf !== undefined &&
      Object.entries(JSON.parse(ignoredIf)).every(([name, value]) =>
        [value].flat().includes(values[name] ?? 0)
      );
  }
}
