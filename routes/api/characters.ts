/**
 * POST /api/pwgen/characters
 *
 * @module
 */
import {
  CHARACTER_OPTIONS,
  CLASSES,
} from "../../generators/character_options.ts";
import { characterRefusals } from "../../generators/character_refusals.ts";
import { characterSizes } from "../../generators/characters.ts";
import { PASSWORD_RULES, readRules } from "../../generators/rules.ts";
import {
  type Endpoint,
  errorsOf,
  passwordEndpoint,
  type RequestOf,
  type ValidatedTogether,
} from "./endpoint.ts";
import {
  boolean,
  type Declaration,
  type FieldErrors,
  integer,
  text,
} from "./fields.ts";

const NO_SPECIALS = { values: { specialCharacters: false } };

/** A field for a number of characters; 0 is none. */
const limit = (
  since: string,
  option: typeof CHARACTER_OPTIONS["minimumNumbers" | "groupLength"],
  texts: Pick<Declaration<number>, "description">,
) => integer({ since, ...option, ...texts });

const fields = {
  length: integer({
    ...CHARACTER_OPTIONS.length,
    description: "Number of characters",
  }),
  lowercase: boolean({
    ...CHARACTER_OPTIONS.lowercase,
    description: "Use `a-z`",
  }),
  uppercase: boolean({
    ...CHARACTER_OPTIONS.uppercase,
    description: "Use `A-Z`",
  }),
  numbers: boolean({
    ...CHARACTER_OPTIONS.numbers,
    description: "Use `0-9`",
  }),
  specialCharacters: boolean({
    ...CHARACTER_OPTIONS.specialCharacters,
    description: `Use \`${CLASSES.specialCharacters}\``,
  }),
  swedishCharacters: boolean({
    ...CHARACTER_OPTIONS.swedishCharacters,
    description: "Use `åäöÅÄÖ`",
  }),
  specialCharacterPercentage: integer({
    ...CHARACTER_OPTIONS.specialCharacterPercentage,
    description:
      "Share of special characters in percent; 0 leaves it to chance",
    ignoredIf: NO_SPECIALS,
  }),
  excludeAmbiguous: boolean({
    since: "1.1.0",
    ...CHARACTER_OPTIONS.excludeAmbiguous,
    description: "Leave out the characters that look alike: `0O1lI|`",
  }),
  specialCharacterSet: text({
    since: "1.2.0",
    ...CHARACTER_OPTIONS.specialCharacterSet,
    description: "The special characters, none twice; empty for those above",
    ignoredIf: NO_SPECIALS,
  }),
  minimumLowercase: limit("1.3.0", CHARACTER_OPTIONS.minimumLowercase, {
    description: "Minimum number of characters `a-z`",
  }),
  minimumUppercase: limit("1.3.0", CHARACTER_OPTIONS.minimumUppercase, {
    description: "Minimum number of characters `A-Z`",
  }),
  minimumNumbers: limit("1.3.0", CHARACTER_OPTIONS.minimumNumbers, {
    description: "Minimum number of digits",
  }),
  minimumSpecialCharacters: limit(
    "1.3.0",
    CHARACTER_OPTIONS.minimumSpecialCharacters,
    { description: "Minimum number of special characters" },
  ),
  excludeCharacters: text({
    since: "1.3.0",
    ...CHARACTER_OPTIONS.excludeCharacters,
    description:
      "Characters that never occur, even with `passwordRules`; empty for none",
  }),
  beginWithLetter: boolean({
    since: "1.3.0",
    ...CHARACTER_OPTIONS.beginWithLetter,
    description: "Begin with a letter, even with `passwordRules`",
  }),
  maximumRepeating: limit("1.4.0", CHARACTER_OPTIONS.maximumRepeating, {
    description: "Maximum number of equal characters in a row; 0 for any",
  }),
  maximumSequential: limit("1.4.0", CHARACTER_OPTIONS.maximumSequential, {
    description:
      "Maximum number of characters in a row that follow one another in `a-z` or `0-9`, up or down, without regard to case, such as `Abc` and `321`; 0 for any",
  }),
  groupLength: limit("1.4.0", CHARACTER_OPTIONS.groupLength, {
    description:
      "Number of characters in each group; a hyphen, which `length` does not count, separates two groups. 0 for no groups",
  }),
  passwordRules: text({
    since: "1.2.0",
    ...PASSWORD_RULES,
    description:
      "Rules of a web site in the Password Rules language, instead of the settings for classes; empty for none",
  }),
};

type CharacterRequest = RequestOf<typeof fields>;

/** The fields whose meaning `passwordRules` replaces. */
const REPLACED = [
  ...Object.keys(CLASSES) as (keyof typeof CLASSES)[],
  "specialCharacterPercentage",
  "specialCharacterSet",
  "minimumLowercase",
  "minimumUppercase",
  "minimumNumbers",
  "minimumSpecialCharacters",
  "maximumRepeating",
  "maximumSequential",
  "groupLength",
] as const;

/** The passwords of a request without rules. */
function byClasses(
  { values, errors }: CharacterRequest,
): ValidatedTogether {
  const refusals = characterRefusals(values);
  if (refusals.length === 0) return { sizes: characterSizes(values) };
  // A refusal means nothing if a value on which it depends is invalid.
  const meant = refusals
    .filter(({ reads }) => !reads.some((name) => name in errors));
  return { errors: errorsOf(...meant) };
}

/** The passwords of a request with rules. */
function byRules(
  { values, sent }: CharacterRequest,
): ValidatedTogether {
  const errors: FieldErrors = {};
  for (const name of REPLACED) {
    const { default: value } = fields[name];
    if (values[name] === value) continue;
    errors[name] = [
      `Must be ${JSON.stringify(value)}, the default, with passwordRules.`,
    ];
  }
  const sizes = readRules(values.passwordRules, values, sent.has("length"));
  return "message" in sizes
    ? { errors: { ...errors, ...errorsOf(sizes) } }
    : { errors, sizes };
}

/** The endpoint: a password of random characters. */
export const characters: Endpoint = passwordEndpoint({
  type: "characters",
  about: {
    summary: "Random characters",
    description:
      "A password of random characters, and every one that the settings allow is equally likely. Each enabled class of characters occurs at least once if the length has room for all of them; at least one class must be enabled. If `specialCharacterPercentage` is above 0, exactly this share of the characters is special. With `passwordRules`, the rules of a web site replace the fields for classes.",
    examples: {
      defaults: {
        summary: "All settings have their defaults",
        value: {},
        passwords: [":MEw4_dUbb?oPVc*2[Mf"],
      },
      batch: {
        summary: "Three passwords of letters and digits",
        value: { count: 3, length: 12, specialCharacters: false },
        passwords: [
          "b3DNmCi2vXkQ",
          "Wm8ZrT5cYpL1",
          "q7JfXh2sRkD9",
        ],
      },
      rules: {
        summary: "The rules of a web site",
        value: {
          passwordRules:
            "minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; required: digit; required: [-!@#]",
        },
        passwords: ["uP3@xWc9-LdT#q7K"],
      },
    },
    invalid: {
      summary: "Two fields with errors",
      value: { length: 129, lowercase: "yes" },
    },
  },
  fields,
  validateTogether: (request) =>
    // Without valid rules, the meaning of the fields for classes is unknown.
    "passwordRules" in request.errors
      ? {}
      : (request.values.passwordRules === "" ? byClasses : byRules)(request),
});
