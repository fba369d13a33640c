/**
 * The address: its fragment has the purpose and the settings, and never a password, a
 * name or the name of a network. A browser does not send it.
 *
 * @module
 */
import { addRegion, all, byId } from "./dom.js";
import { errorOf, setValue, valueOf } from "./form.js";
import { language, setLanguage } from "./language.js";
import { PRESETS, purposesOf } from "./purposes.js";
import { choose, currentInputs, settings } from "./settings.js";

/** Writes the preset and the values that it does not have. */
function drawAddress() {
  if (!settings.isTouched) return;
  const { preset, purpose } = settings;
  const values = new URLSearchParams({ purpose: preset, page: language() });
  if (purpose !== purposesOf(preset)[0]) values.set("under", purpose);
  for (const input of currentInputs()) {
    const value = String(valueOf(input) ?? "");
    // Without its value, the language of the words would be that of the page.
    const isKept = input.name === "language" ||
      value !== input.dataset.initial;
    if (isKept && !errorOf(input)) values.set(input.name, value);
  }
  // Safari permits 100 changes in 30 seconds.
  const hash = `#${values}`;
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

/** Reads the preset, the values and the language. */
export async function readAddress() {
  const values = new URLSearchParams(location.hash.slice(1));
  // Links to former versions name a kind, or a purpose that is none any more.
  const kinds = { words: "remember", rules: "site" };
  const names = ["purpose", "what", "kind"].map((name) => values.get(name));
  const known = names.map((name) => kinds[name] ?? name)
    .find((name) => Object.hasOwn(PRESETS, name));
  const other = all(".languages button")
    .find(({ lang }) => lang === values.get("page"))?.lang ?? language();
  // Without the texts of the other language, the page stays in this one.
  await setLanguage(other).catch(() => setLanguage(language()));
  setValue(byId("count"), "");
  choose(known ?? "manager", values.get("under"));
  for (const input of currentInputs()) {
    const value = values.get(input.name);
    const { value: before, maxLength } = input;
    // The validity of a value that a script sets does not depend on its length.
    const isTooLong = maxLength >= 0 && value?.length > maxLength;
    if (value === null || isTooLong) continue;
    setValue(input, value);
    if (errorOf(input) || input.selectedIndex === -1) {
      setValue(input, before);
    } else if (input.name === "language") input.dataset.chosen = "";
  }
  byId("people").open ||= valueOf(byId("count")) > 1;
}

addRegion(drawAddress);
