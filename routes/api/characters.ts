/**
 * POST /api/pwgen/characters
 *
 * @module
 */
import {
  CHARACTER_OPTIONS,
  type CharacterOptions,
  CLASSES,
} from "../../generators/character_options.ts";
import { characterRefusals } from "../../generators/character_refusals.ts";
import { characterSizes } from "../../generators/characters.ts";
import type { Refusal } from "../../generators/passwords.ts";
import { PASSWORD_RULES, readRules } from "../../generators/rules.ts";
import {
  type Endpoint,
  MINIMUM_ENTROPY_TEXTS,
  passwordEndpoint,
  type RequestOf,
  type ValidatedTogether,
} from "./endpoint.ts";
import { fieldsOf } from "./fields.ts";

type Options = CharacterOptions & { readonly passwordRules: string };

const OPTIONS = { ...CHARACTER_OPTIONS, passwordRules: PASSWORD_RULES };

const fields = fieldsOf<Options>(OPTIONS, {
  length: { description: "Number of characters" },
  lowercase: { description: "Use `a-z`" },
  uppercase: { description: "Use `A-Z`" },
  numbers: { description: "Use `0-9`" },
  specialCharacters: { description: `Use \`${CLASSES.specialCharacters}\`` },
  swedishCharacters: { description: "Use `åäöÅÄÖ`" },
  specialCharacterPercentage: {
    description:
      "Share of special characters in percent; 0 leaves it to chance",
  },
  excludeAmbiguous: {
    since: "1.1.0",
    description: "Leave out the characters that look alike: `0O1lI|`",
  },
  specialCharacterSet: {
    since: "1.2.0",
    description:
      "The special characters to use; empty for those of `specialCharacters`. List none twice",
  },
  minimumLowercase: {
    since: "1.3.0",
    description: "Minimum number of characters `a-z`",
  },
  minimumUppercase: {
    since: "1.3.0",
    description: "Minimum number of characters `A-Z`",
  },
  minimumNumbers: {
    since: "1.3.0",
    description: "Minimum number of digits",
  },
  minimumSpecialCharacters: {
    since: "1.3.0",
    description: "Minimum number of special characters",
  },
  excludeCharacters: {
    since: "1.3.0",
    description:
      "Characters that never occur, even with `passwordRules`; empty for none",
  },
  beginWithLetter: {
    since: "1.3.0",
    description: "Begin with a letter, even with `passwordRules`",
  },
  maximumRepeating: {
    since: "1.4.0",
    description: "Maximum number of equal characters in a row; 0 for any",
  },
  maximumSequential: {
    since: "1.4.0",
    description:
      "Maximum length of sequences such as `Abc` or `321`; 0 for any. A sequence goes up or down in `a-z` or `0-9`, without regard to case",
  },
  groupLength: {
    since: "1.4.0",
    description:
      "Characters in each group, with a hyphen between groups; 0 for none. `length` does not count the hyphens",
  },
  passwordRules: {
    since: "1.2.0",
    description:
      "Rules of a site, instead of settings for classes; empty for none. They are in the Password Rules language",
  },
  minimumEntropy: MINIMUM_ENTROPY_TEXTS,
});

type CharacterRequest = RequestOf<typeof fields>;

/** The passwords of a request without rules. */
function byClasses({ values, errors }: CharacterRequest): ValidatedTogether {
  const refusals = characterRefusals(values);
  if (refusals.length === 0) return { sizes: characterSizes(values) };
  // A refusal means nothing if a value on which it depends is invalid.
  return {
    refusals: refusals
      .filter(({ reads }) => !reads.some((name) => name in errors)),
  };
}

/** The passwords of a request with rules. */
function byRules({ values, sent }: CharacterRequest): ValidatedTogether {
  const refusals: Refusal[] = [];
  for (const name of Object.keys(fields) as (keyof Options)[]) {
    const { default: value, isReplacedByRules } = fields[name];
    if (!isReplacedByRules || values[name] === value) continue;
    refusals.push({
      options: [name],
      limit: { reason: "rules" },
      message: `Must be ${
        JSON.stringify(value)
      }, the default, with passwordRules.`,
    });
  }
  const sizes = readRules(values.passwordRules, values, sent.has("length"));
  return "message" in sizes
    ? { refusals: [...refusals, sizes] }
    : { refusals, sizes };
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
