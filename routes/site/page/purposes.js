/**
 * What people need a password for: the server makes the choice of a purpose from it,
 * the page its form.
 *
 * @module
 */

/**
 * @typedef {"manager" | "remember" | "sentence" | "type" | "pupil" | "wifi" | "pin"
 *   | "site" | "entra"} PresetName
 *
 * @typedef {object} Preset
 * @property {[PresetName, ...PresetName[]]} [of] the purposes of which it is a choice;
 *   without it, it is a purpose of its own
 * @property {"characters" | "words" | "sentence"} kind the endpoint
 * @property {string[]} first the fields that stand first
 * @property {Record<string, string | number | boolean>} values that are no defaults
 * @property {number} [perWord] the characters that a maximum length needs for one word
 *   more
 */

const HYPHENS = { casing: "lower", separator: "-", numberPosition: "after" };

/** Short words have five letters and a hyphen: six are stronger than five long ones. */
const PER_WORD = 6;
/** @param {number} wordCount */
const short = (wordCount) => ({
  wordCount,
  maximumLength: PER_WORD * wordCount,
});

/**
 * The presets in the order of the page. Capitals cost errors, so words to type have
 * none.
 *
 * @type {Record<PresetName, Preset>}
 */
export const PRESETS = {
  manager: {
    kind: "characters",
    first: ["length", "specialCharacters"],
    values: {},
  },
  remember: {
    kind: "words",
    first: ["wordCount", "language"],
    values: { ...HYPHENS, wordCount: 5 },
  },
  sentence: {
    of: ["remember"],
    kind: "sentence",
    first: ["language"],
    values: HYPHENS,
  },
  type: {
    kind: "words",
    first: ["wordCount", "language"],
    values: {
      ...HYPHENS,
      ...short(6),
      numberLength: 0,
      // A listener writes å, ä and ö whatever the password has.
      excludeSwedishCharacters: true,
    },
    perWord: PER_WORD,
  },
  pupil: {
    of: ["type", "remember"],
    kind: "words",
    first: ["wordCount", "language"],
    // Three short words, and a hyphen and two digits.
    values: {
      ...HYPHENS,
      wordCount: 3,
      maximumLength: short(3).maximumLength + 3,
      excludeSwedishCharacters: true,
    },
    perWord: PER_WORD,
  },
  wifi: {
    kind: "words",
    first: ["wordCount", "language"],
    // The keyboard of a TV shows small letters and digits at once, but no signs.
    values: {
      wordCount: 5,
      casing: "lower",
      numberPosition: "between",
      numberLength: 1,
      maximumLength: 63,
      excludeSwedishCharacters: true,
    },
  },
  pin: {
    kind: "characters",
    first: ["length"],
    values: {
      length: 6,
      lowercase: false,
      uppercase: false,
      specialCharacters: false,
    },
  },
  site: {
    kind: "characters",
    first: [
      "length",
      "excludeAmbiguous",
      "lowercase",
      "uppercase",
      "numbers",
      "specialCharacters",
      "beginWithLetter",
      "specialCharacterSet",
    ],
    values: {},
  },
  // docs/api.md has the source of the rule.
  entra: {
    of: ["site"],
    kind: "characters",
    first: ["length"],
    // A person types it, so without characters that look alike.
    values: { length: 16, excludeAmbiguous: true, beginWithLetter: true },
  },
};

/**
 * @param {string} name
 * @returns {name is PresetName}
 */
export function isPreset(name) {
  return Object.hasOwn(PRESETS, name);
}

/**
 * The purposes of a preset; the first one is where it stands by itself.
 *
 * @param {PresetName} name
 * @returns {[PresetName, ...PresetName[]]}
 */
export const purposesOf = (name) => PRESETS[name].of ?? [name];

/** The names of all presets. */
export const NAMES = Object.keys(PRESETS).filter(isPreset);

/** The names of those that are purposes. */
export const PURPOSES = NAMES.filter((name) => !PRESETS[name].of);

/**
 * The presets among which a purpose has a choice.
 *
 * @param {PresetName} purpose
 */
export const choicesOf = (purpose) =>
  NAMES.filter((name) => purposesOf(name).includes(purpose));
