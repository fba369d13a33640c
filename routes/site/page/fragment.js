/**
 * The fragment of the address: the purpose and the settings, and never a password, a
 * name or the name of a network. A browser does not send it.
 *
 * @module
 */
import { errorOf, fieldsOf, isIgnored, numberOf } from "./fields.js";
import { isPreset, PRESETS, purposesOf } from "./purposes.js";
import { initialValues, settingsFor } from "./settings.js";

/**
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./purposes.js").PresetName} PresetName
 */

/**
 * The names of presets in links to former versions.
 *
 * @type {Record<string, string>}
 */
const FORMER = {
  characters: "manager",
  words: "remember",
  rules: "site",
  google: "entra",
};

/** The names that a link has, or had, beside those of the settings. */
const OTHERS = ["purpose", "what", "kind", "page", "under", "count"];

/**
 * Writes the preset and the values that it does not have.
 *
 * @param {Settings} settings
 * @returns {string} without "#"
 */
export function fragmentOf({ preset, purpose, values, language }) {
  const written = new URLSearchParams({ purpose: preset });
  if (purpose !== purposesOf(preset)[0]) written.set("under", purpose);
  const { kind } = PRESETS[preset];
  const initial = initialValues(preset);
  for (const [name, field] of Object.entries(fieldsOf(kind))) {
    const value = values[name];
    // The language of the words is that of the page until one is chosen.
    const isKept = name === "language"
      ? language !== ""
      : value !== initial[name];
    const isValid = isIgnored(kind, name, values) ||
      !errorOf(name, field, value);
    if (isKept && isValid) written.set(name, String(value));
  }
  return String(written);
}

/**
 * The value of an input, if it takes a text of a link.
 *
 * @param {string} name
 * @param {import("./fields.js").Field | undefined} field
 * @param {string} text
 */
function valueIn(name, field, text) {
  if (!field) return undefined;
  if (typeof field.default === "boolean") return text === "true";
  if (field.values && !field.values.includes(text)) return undefined;
  if (text.length > (field.maxLength ?? 6)) return undefined;
  return errorOf(name, field, text) ? undefined : text;
}

/**
 * Reads what a link of this version, or of a former one, asks for.
 *
 * @param {string} hash
 * @returns {{ settings: Settings, page: string | null, count: number, unknown: string[] }}
 *   with the language of the page and the number of passwords, if it names them, and
 *   the names of what the page does not have
 */
export function readFragment(hash) {
  const written = new URLSearchParams(hash.replace(/^#/, ""));
  const names = ["purpose", "what", "kind"]
    .flatMap((name) => written.get(name) ?? []);
  const known = names.map((name) => FORMER[name] ?? name).find(isPreset);
  const preset = known ?? "manager";
  const settings = settingsFor(preset, written.get("under"));
  const values = { ...settings.values };
  const unknown = known ? [] : names.slice(0, 1);
  const fields = new Map(Object.entries(fieldsOf(PRESETS[preset].kind)));
  for (const [name, text] of written) {
    if (OTHERS.includes(name)) continue;
    const value = valueIn(name, fields.get(name), text);
    if (value === undefined) unknown.push(name);
    else values[name] = value;
  }
  const isChosen = fields.has("language") && written.has("language") &&
    !unknown.includes("language");
  return {
    settings: {
      ...settings,
      values,
      language: isChosen ? String(values["language"]) : "",
      words: numberOf(values["wordCount"]) ?? 0,
    },
    page: written.get("page"),
    count: Number(written.get("count") ?? 1),
    unknown,
  };
}
