/**
 * The address: its fragment has the purpose and the settings, and never a password, a
 * name or the name of a network. A browser does not send it.
 *
 * @module
 */
import { addRegion, all, byId, write } from "./dom.js";
import { errorOf, setValue, valueOf } from "./form.js";
import { language, setLanguage, text } from "./language.js";
import { PRESETS, purposesOf } from "./purposes.js";
import { choose, currentInputs, settings } from "./settings.js";

/** The names of presets in links to former versions. */
const FORMER = {
  characters: "manager",
  words: "remember",
  rules: "site",
  google: "entra",
};

/** The names that a link has beside those of the settings. */
const OTHERS = ["purpose", "what", "kind", "page", "under"];

/** What the link asks for and the page does not have. */
let unknown = [];

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

/** Says what is unknown until a person changes something: then the link is another. */
function drawUnknown() {
  const isOver = settings.isTouched || unknown.length === 0;
  // A link cannot put a sentence of its own on the page.
  const names = unknown.map((name) => /^\w{1,30}$/.test(name) ? name : "…");
  write(
    byId("unknown"),
    isOver ? "" : text("unknown", { names: names.slice(0, 5).join(", ") }),
  );
}

/** Sets an input to a value of the link; false if it does not take the value. */
function accepts(input, value) {
  const { value: before, maxLength } = input;
  // The validity of a value that a script sets does not depend on its length.
  if (maxLength >= 0 && value.length > maxLength) return false;
  setValue(input, value);
  if (!errorOf(input) && input.selectedIndex !== -1) return true;
  setValue(input, before);
  return false;
}

/** Reads the preset, the values and the language. */
export async function readAddress() {
  const values = new URLSearchParams(location.hash.slice(1));
  const names = ["purpose", "what", "kind"].map((name) => values.get(name))
    .filter((name) => name !== null);
  const known = names.map((name) => FORMER[name] ?? name)
    .find((name) => Object.hasOwn(PRESETS, name));
  const other = all(".languages button")
    .find(({ lang }) => lang === values.get("page"))?.lang ?? language();
  // Without the texts of the other language, the page stays in this one.
  await setLanguage(other).catch(() => setLanguage(language()));
  setValue(byId("count"), "");
  choose(known ?? "manager", values.get("under"));
  unknown = known ? [] : names.slice(0, 1);
  const inputs = new Map(currentInputs().map((input) => [input.name, input]));
  for (const [name, value] of values) {
    if (OTHERS.includes(name)) continue;
    const input = inputs.get(name);
    if (!input || !accepts(input, value)) unknown.push(name);
    else if (name === "language") input.dataset.chosen = "";
  }
  settings.isTouched = false;
  byId("people").open ||= valueOf(byId("count")) > 1;
}

addRegion(drawAddress);
addRegion(drawUnknown);
