/**
 * POST /api/pwgen/characters
 *
 * @module
 */
import {
  characterPasswords,
  CLASSES,
  isPossible,
  withoutAmbiguous,
} from "../../generators/characters.ts";
import { MAX_LENGTH } from "../../generators/strings.ts";
import type { FieldErrors } from "../problem.ts";
import { boolean, integer, type Rule, since, text } from "./fields.ts";
import { type Endpoint, passwordEndpoint } from "./password.ts";
import type { PasswordRules } from "./password_rules.ts";
import { readRules, rulePasswords } from "./rule_passwords.ts";

const fields = {
  length: integer(1, MAX_LENGTH, 20, "Number of characters"),
  lowercase: boolean(true, "Use `a-z`"),
  uppercase: boolean(true, "Use `A-Z`"),
  numbers: boolean(true, "Use `0-9`"),
  specialCharacters: boolean(true, `Use \`${CLASSES.specialCharacters}\``),
  swedishCharacters: boolean(false, "Use `åäöÅÄÖ`"),
  specialCharacterPercentage: integer(
    0,
    100,
    0,
    "Share of special characters in percent; 0 leaves it to chance",
  ),
  excludeAmbiguous: since(
    "1.1.0",
    boolean(false, "Leave out the characters that look alike: `0O1lI|`"),
  ),
  specialCharacterSet: since(
    "1.2.0",
    text(
      32,
      "at most 32 different printable ASCII characters that are no letter, digit or space",
      "The special characters, none twice; empty for those above",
      /^[!-/:-@[-`{-~]*$/,
      (value) => new Set(value).size === value.length,
    ),
  ),
  passwordRules: since(
    "1.2.0",
    text(
      1000,
      "a string of at most 1000 characters",
      "Rules of a web site in the Password Rules language, instead of the settings for classes; empty for none",
    ),
  ),
};

/** The fields whose meaning `passwordRules` replaces. */
const REPLACED = [
  ...Object.keys(CLASSES) as (keyof typeof CLASSES)[],
  "specialCharacterPercentage",
  "specialCharacterSet",
] as const;

/** The rule of a request with `passwordRules`. */
const judgeRules: Rule<typeof fields> = (values, sent) => {
  const errors: FieldErrors = {};
  for (const name of REPLACED) {
    const value = fields[name].default;
    if (values[name] !== undefined && values[name] !== value) {
      errors[name] = [
        `Must be ${JSON.stringify(value)}, the default, with passwordRules.`,
      ];
    }
  }
  const { length, passwordRules, excludeAmbiguous = false } = values;
  const rules = readRules(passwordRules!, excludeAmbiguous);
  if (typeof rules === "string") {
    errors.passwordRules = [rules];
  } else if (
    length !== undefined && sent.has("length") &&
    (length < rules.minLength || length > rules.maxLength)
  ) {
    const least = Math.max(1, rules.minLength);
    errors.length = [
      `Must be from ${least} to ${rules.maxLength} with these passwordRules.`,
    ];
  }
  return errors;
};

/** The endpoint: a password of random characters. */
export const characters: Endpoint = passwordEndpoint({
  type: "characters",
  fields,
  sizeField: "length",
  rule: (values, sent) => {
    if (values.passwordRules === undefined) return;
    if (values.passwordRules !== "") return judgeRules(values, sent);
    const errors: FieldErrors = {};
    if (!isPossible(values)) {
      errors.$ = [
        "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
      ];
    }
    const { specialCharacters, specialCharacterSet, excludeAmbiguous } = values;
    if (
      specialCharacters && excludeAmbiguous && specialCharacterSet &&
      withoutAmbiguous(specialCharacterSet) === ""
    ) {
      errors.specialCharacterSet = [
        "Must have a character that excludeAmbiguous does not leave out.",
      ];
    }
    return errors;
  },
  passwords: (values) => {
    const { length, passwordRules, excludeAmbiguous } = values;
    if (passwordRules === "") {
      return { of: characterPasswords(values).ofLength };
    }
    // The rule has refused rules with an error.
    const rules = readRules(passwordRules, excludeAmbiguous) as PasswordRules;
    return rulePasswords(rules, length);
  },
});
