/**
 * What people need a password for: the server makes the choice of a purpose from it,
 * the page its form.
 *
 * @module
 */

const HYPHENS = { casing: "lower", separator: "-", numberPosition: "after" };

/** Short words have five letters and a hyphen: six are stronger than five long ones. */
const PER_WORD = 6;
const short = (wordCount) => ({
  wordCount,
  maximumLength: PER_WORD * wordCount,
});

/**
 * The presets in the order of the page. A purpose is a preset of its own; `of` are the
 * purposes of which another preset is a choice. Each has the endpoint, the fields that
 * stand first, and the values that are no defaults. `perWord` are the characters that
 * a maximum length needs for one word more. Capitals cost errors, so words to type have
 * none.
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
      "specialCharacterSet",
      "lowercase",
      "uppercase",
      "numbers",
      "specialCharacters",
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

/** The purposes of a preset, the first one by itself. */
export const purposesOf = (name) => PRESETS[name].of ?? [name];
