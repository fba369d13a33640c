/**
 * What people need a password for: the server makes the choice of a purpose from it,
 * the page its form.
 *
 * @module
 */

const HYPHENS = { casing: "lower", separator: "-", numberPosition: "after" };

/** So many short words: six of them are stronger than five long ones. */
const short = (wordCount) => ({
  wordCount,
  maximumLength: Math.floor(5.7 * wordCount),
});

/**
 * The purposes in the order of the page. Each has the endpoint, the fields that stand
 * first, and the values that are no defaults; `sizes` are values for buttons, each
 * with its verdict. Capitals cost errors, so words to type have none.
 */
export const PURPOSES = {
  manager: {
    kind: "characters",
    first: ["length", "specialCharacters", "count"],
    values: {},
  },
  remember: {
    kind: "words",
    first: ["wordCount", "language", "count"],
    values: { ...HYPHENS, wordCount: 5 },
  },
  type: {
    kind: "words",
    first: ["language", "maximumLength", "count"],
    values: {
      ...HYPHENS,
      ...short(6),
      numberLength: 0,
      // A listener writes å, ä and ö whatever the password has.
      excludeSwedishCharacters: true,
    },
    sizes: { weak: [short(3), short(4)], strong: [short(6)] },
  },
  pin: {
    kind: "characters",
    first: ["count"],
    values: {
      length: 6,
      lowercase: false,
      uppercase: false,
      specialCharacters: false,
    },
    sizes: { pin: [{ length: 4 }, { length: 6 }, { length: 8 }] },
  },
  site: {
    kind: "characters",
    first: [
      ...["length", "lowercase", "uppercase", "numbers", "specialCharacters"],
      ...["specialCharacterSet", "minimumLowercase", "minimumUppercase"],
      ...["minimumNumbers", "minimumSpecialCharacters", "excludeCharacters"],
      ...["beginWithLetter", "count"],
    ],
    values: {},
  },
};

/** The other kind of password to remember. */
export const SENTENCE = {
  kind: "sentence",
  first: ["language", "count"],
  values: HYPHENS,
};
