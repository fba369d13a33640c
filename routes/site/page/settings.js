/**
 * The settings: what a person has chosen, and the request for it.
 *
 * @module
 */
import {
  bodyOf,
  errorOf,
  fieldsOf,
  initialOf,
  isIgnored,
  numberOf,
} from "./fields.js";
import { language } from "./language.js";
import { PRESETS, purposesOf } from "./purposes.js";

/**
 * @typedef {import("./fields.js").Value} Value
 * @typedef {import("./fields.js").Values} Values
 * @typedef {import("./purposes.js").PresetName} PresetName
 *
 * @typedef {object} Settings
 * @property {PresetName} preset a purpose, or one of its choices
 * @property {PresetName} purpose
 * @property {Values} values of all inputs
 * @property {string} language of the words; empty until a person chooses it
 * @property {number} words the latest valid number of words
 *
 * @typedef {object} Wanted what settings ask for
 * @property {string} path
 * @property {Record<string, unknown>} body
 * @property {string} key tells it from other requests
 * @property {(import("./fields.js").Note & { name: string })[]} errors what is wrong
 *   with the field of this name
 * @property {Settings} settings
 */

/**
 * The values of a preset at first.
 *
 * @param {PresetName} preset
 * @returns {Values}
 */
export function initialValues(preset) {
  const { kind, values: own } = PRESETS[preset];
  /** @type {Record<string, string | number | boolean>} */
  const chosen = { ...own, language };
  return Object.fromEntries(
    Object.entries(fieldsOf(kind)).map(([name, field]) => {
      const value = chosen[name] ?? initialOf(field);
      return [name, typeof value === "number" ? String(value) : value];
    }),
  );
}

/**
 * The settings of a preset, one of the choices of a purpose.
 *
 * @param {PresetName} preset
 * @param {string | null} [purpose]
 * @param {Settings} [before] whose language of the words stays, if it was chosen
 * @returns {Settings}
 */
export function settingsFor(preset, purpose, before) {
  const [first, ...others] = purposesOf(preset);
  const values = initialValues(preset);
  const words = numberOf(values["wordCount"]) ?? 0;
  const chosen = before?.language ?? "";
  if (chosen && "language" in values) values["language"] = chosen;
  return {
    preset,
    purpose: others.find((name) => name === purpose) ?? first,
    values,
    language: chosen,
    words,
  };
}

/**
 * The settings with another value. Short words stay short: each word more has room for
 * its letters and a separator.
 *
 * @param {Settings} settings
 * @param {string} name
 * @param {Value} value
 * @returns {Settings}
 */
export function withValue(settings, name, value) {
  const { kind, perWord } = PRESETS[settings.preset];
  const values = { ...settings.values, [name]: value };
  const language = name === "language" ? String(value) : settings.language;
  const field = fieldsOf(kind)[name];
  const isCount = name === "wordCount" && field && !errorOf(name, field, value);
  if (!isCount) return { ...settings, values, language };
  const words = numberOf(value) ?? 0;
  const length = numberOf(values["maximumLength"]);
  if (perWord && length) {
    const adapted = length + perWord * (words - settings.words);
    values["maximumLength"] = String(Math.max(adapted, 1));
  }
  return { ...settings, values, language, words };
}

/**
 * A number that is greater or smaller, as the range of its field permits.
 *
 * @param {Settings} settings
 * @param {string} name
 * @param {number} difference
 * @returns {string}
 */
export function stepped({ preset, values }, name, difference) {
  const field = fieldsOf(PRESETS[preset].kind)[name];
  const [min, max] = field?.range ?? [0, 0];
  const value = numberOf(values[name]) || Number(field?.default || min);
  return String(Math.min(Math.max(value + difference, min), max));
}

/**
 * What settings ask for.
 *
 * @param {Settings} settings
 * @returns {Wanted}
 */
export function requestOf(settings) {
  const { preset, values } = settings;
  const path = PRESETS[preset].kind;
  const body = bodyOf(path, values);
  const errors = Object.entries(fieldsOf(path)).flatMap(([name, field]) => {
    const error = isIgnored(path, name, values)
      ? undefined
      : errorOf(name, field, values[name]);
    return error ? [{ ...error, name }] : [];
  });
  const key = JSON.stringify([path, body, errors]);
  return { path, body, key, errors, settings };
}
