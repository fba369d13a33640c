/**
 * The settings of a form: reading them, which of them have an effect, and keeping
 * them in the fragment of the URL.
 *
 * @module
 */

/** The inputs that are settings: a slider has no name. */
export function inputsOf(form) {
  return [...form.elements].filter(({ name }) => name);
}

/** The value of an input, as the API takes it. */
function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  // NaN becomes null, which the service refuses.
  return input.type === "number" ? input.valueAsNumber : input.value;
}

/**
 * The settings of a form, as a request body. It has no disabled ones: with
 * `passwordRules` the service refuses some of them.
 */
export function settingsOf(form) {
  return Object.fromEntries(
    inputsOf(form).filter(({ disabled }) => !disabled)
      .map((input) => [input.name, valueOf(input)]),
  );
}

/** The slider of a number. */
export function sliderOf(input) {
  return document.getElementById(`${input.id}-slider`);
}

/** Gives each input a place for a note, and each number a slider. */
export function completeFields(form) {
  for (const input of inputsOf(form)) {
    const field = input.closest(".field");
    if (input.type === "number") {
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

/** Shows help, why a setting has no effect, or what is wrong with its value. */
export function setNote(input, note, isError = false) {
  const place = document.getElementById(`${input.id}-note`);
  place.textContent = note;
  place.className = isError ? "error" : "note";
  if (isError) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

const withRules = ({ passwordRules }) => passwordRules && "why.rules";
const withoutSpecials = (settings) =>
  withRules(settings) || !settings.specialCharacters && "why.noSpecials";

/**
 * Why settings have no effect, by name: a key of a text, or a false value. A
 * disabled setting keeps its value.
 */
const WITHOUT_EFFECT = {
  lowercase: withRules,
  uppercase: withRules,
  numbers: withRules,
  specialCharacters: withRules,
  swedishCharacters: withRules,
  specialCharacterPercentage: withoutSpecials,
  specialCharacterSet: withoutSpecials,
  replaceSwedishCharacters: ({ language }) =>
    language !== "sv" && "why.english",
  // minimumEntropy can give digits to a sentence that has none.
  numberPosition: ({ numberLength, wordCount, minimumEntropy }) =>
    numberLength === 0 && (wordCount !== undefined || minimumEntropy === 0) &&
    "why.noDigits",
};

/**
 * Disables the settings that have no effect, and the positions of digits that one
 * word does not have. It removes the notes about errors.
 */
export function disableWithoutEffect(form, text) {
  const inputs = inputsOf(form);
  // The reasons depend on all settings, also on disabled ones.
  for (const input of inputs) input.disabled = false;
  const settings = settingsOf(form);
  for (const input of inputs) {
    const reason = WITHOUT_EFFECT[input.name]?.(settings);
    input.disabled = Boolean(reason);
    const slider = sliderOf(input);
    if (slider) slider.disabled = input.disabled;
    setNote(input, text(reason || `help.${input.name}`) ?? "");
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
}

/** The default of an input, as the server made it. */
function isDefault(input) {
  if (input.type === "checkbox") return input.checked === input.defaultChecked;
  return input.selectedOptions
    ? input.selectedOptions[0]?.defaultSelected
    : input.value === input.defaultValue;
}

/**
 * Writes the kind, the settings and the language of the page to the fragment, which
 * a browser does not send. The fragment has only settings that are not defaults.
 */
export function writeFragment(form, language) {
  const values = new URLSearchParams({
    kind: form.dataset.kind,
    page: language,
  });
  for (const input of inputsOf(form)) {
    // The default language of the words depends on the language of the page.
    const isKept = input.name === "language"
      ? "chosen" in input.dataset
      : !isDefault(input) && input.validity.valid;
    if (isKept) values.set(input.name, String(valueOf(input)));
  }
  history.replaceState(null, "", `#${values}`);
}

/**
 * Reads the fragment into the forms. It ignores what no form takes.
 *
 * @returns the form of the kind, and the language of the page, if they are given
 */
export function readFragment(forms) {
  const values = new URLSearchParams(location.hash.slice(1));
  const form = forms.find(({ dataset }) => dataset.kind === values.get("kind"));
  for (const input of form ? inputsOf(form) : []) {
    const value = values.get(input.name);
    if (value === null) continue;
    if (input.type === "checkbox") {
      input.checked = value === "true";
    } else if (input.type === "number") {
      const { value: before } = input;
      input.value = value;
      if (!input.validity.valid) input.value = before;
      sliderOf(input).value = input.value;
    } else if (
      !input.options || [...input.options].some((each) => each.value === value)
    ) {
      input.value = value;
      if (input.name === "language") input.dataset.chosen = "";
    }
  }
  return { form, language: values.get("page") };
}
