/**
 * What people need a password for, with the values of the fields that fit.
 *
 * @module
 */

/** The kind of each purpose, and its values that are not the defaults. */
export const PURPOSES = {
  manager: ["characters", {}],
  remember: ["words", { wordCount: 5 }],
  // Six short words are stronger than five long ones, and quicker to type.
  type: ["words", {
    wordCount: 6,
    casing: "lower",
    numberLength: 0,
    replaceSwedishCharacters: true,
    maximumLength: 32,
  }],
  pin: ["characters", {
    length: 6,
    lowercase: false,
    uppercase: false,
    specialCharacters: false,
  }],
  site: ["rules", {}],
};
