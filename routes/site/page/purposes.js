/**
 * What people need a password for: the server makes the choice of a purpose from it,
 * the page its form.
 *
 * @module
 */

const HYPHENS = { casing: "lower", separator: "-", numberPosition: "after" };

/** Short words, of five letters and a hyphen: six are stronger than five long ones. */
const short = (wordCount) => ({ wordCount, maximumLength: 6 * wordCount });

/** What a system requires; docs/api.md has the source of each rule. */
const system = (values) => ({
  of: "site",
  kind: "characters",
  first: ["length"],
  values,
});

/** A person types it, so without characters that look alike. */
const TYPED = { length: 16, excludeAmbiguous: true, beginWithLetter: true };

/**
 * The presets in the order of the page. A purpose is a preset of its own; `of` is the
 * purpose of which another preset is a choice. Each has the endpoint, the fields that
 * stand first, and the values that are no defaults; `sizes` are values for buttons,
 * each with its verdict. Capitals cost errors, so words to type have none.
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
    of: "remember",
    kind: "sentence",
    first: ["language"],
    values: HYPHENS,
  },
  type: {
    kind: "words",
    first: ["language", "maximumLength"],
    values: {
      ...HYPHENS,
      ...short(6),
      numberLength: 0,
      // A listener writes å, ä and ö whatever the password has.
      excludeSwedishCharacters: true,
    },
    sizes: [["limited", short(3)], ["limited", short(4)], ["strong", short(6)]],
  },
  pupil: {
    of: "type",
    kind: "words",
    first: ["language"],
    // Three short words, and a hyphen and two digits.
    values: {
      ...HYPHENS,
      wordCount: 3,
      maximumLength: short(3).maximumLength + 3,
      excludeSwedishCharacters: true,
    },
  },
  wifi: {
    of: "type",
    kind: "words",
    first: ["language"],
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
    first: [],
    values: {
      length: 6,
      lowercase: false,
      uppercase: false,
      specialCharacters: false,
    },
    sizes: [4, 6, 8].map((length) => ["pin", { length }]),
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
      "minimumLowercase",
      "minimumUppercase",
      "minimumNumbers",
      "minimumSpecialCharacters",
      "excludeCharacters",
      "beginWithLetter",
      "passwordRules",
    ],
    values: {},
  },
  entra: system(TYPED),
  google: system(TYPED),
  rds: system({ length: 30, excludeCharacters: "/@&" }),
  oracle: system({
    length: 30,
    specialCharacterSet: "_",
    beginWithLetter: true,
  }),
  azure: system({ length: 24 }),
};
