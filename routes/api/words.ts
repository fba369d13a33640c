/**
 * POST /api/pwgen/words
 *
 * @module
 */
import {
  type PassphraseOptions,
  separatorRefusal,
  SEPARATORS,
} from "../../generators/passphrase.ts";
import {
  WORD_OPTIONS,
  wordRefusal,
  wordSizes,
} from "../../generators/words.ts";
import {
  type Language,
  LANGUAGE_OPTION,
  LANGUAGES,
  WORDLISTS,
} from "../../wordlists/mod.ts";
import { type Endpoint, errorsOf, passwordEndpoint } from "./endpoint.ts";
import { boolean, type FieldErrors, integer, oneOf, text } from "./fields.ts";

const language = oneOf({
  ...LANGUAGE_OPTION,
  description: "Language of the words",
});

const wordCount = integer({
  ...WORD_OPTIONS.wordCount,
  description: "Number of words",
});

const NO_SWEDISH = {
  /** The languages without these letters; a getter, since their lists take time. */
  get values() {
    const isWithout = (language: Language) =>
      Object.values(WORDLISTS[language]).every((list: readonly string[]) =>
        list.every((word) => !/[åäö]/.test(word))
      );
    return { language: LANGUAGES.filter(isWithout) };
  },
};

/** The fields that the endpoints for words and for sentences share. */
const style = {
  casing: oneOf({
    ...WORD_OPTIONS.casing,
    description:
      "Upper-case letters: `lower` none, `upper` all, `first` the first letter of the first word, `title` the first letter of each word",
  }),
  numberPosition: oneOf({
    ...WORD_OPTIONS.numberPosition,
    description:
      "Position of the digit sequences: before the words, after them, between them (one in each gap), or all of these",
    ignoredIf: { values: { numberLength: 0 } },
  }),
  numberLength: integer({
    ...WORD_OPTIONS.numberLength,
    description: "Number of digits in each digit sequence; 0 for none",
  }),
  replaceSwedishCharacters: boolean({
    ...WORD_OPTIONS.replaceSwedishCharacters,
    description:
      "Replace `å` and `ä` with `a`, and `ö` with `o`, in both cases",
    ignoredIf: NO_SWEDISH,
  }),
  replaceWithSpecialCharacters: boolean({
    ...WORD_OPTIONS.replaceWithSpecialCharacters,
    description:
      "Replace `a`, `i`, `s` and `h` with `@`, `!`, `$` and `#`, in both cases",
  }),
  separator: oneOf({
    since: "1.1.0",
    ...WORD_OPTIONS.separator,
    identifiers: {
      "": "Nothing",
      "-": "Hyphen",
      ".": "FullStop",
      "_": "Underscore",
      " ": "Space",
      ",": "Comma",
    },
    description:
      "String between two parts; a part is a word or a digit sequence",
  }),
  separatorSet: text({
    since: "1.4.0",
    ...WORD_OPTIONS.separatorSet,
    description:
      "Characters of which a random one stands in each gap between two parts, instead of `separator`, none twice; empty for none",
    ignoredIf: { values: { separator: SEPARATORS.slice(1) } },
  }),
  maximumLength: integer({
    since: "1.2.0",
    ...WORD_OPTIONS.maximumLength,
    description:
      "Maximum number of characters, including digits and separators; 0 for none",
  }),
  minimumLength: integer({
    since: "1.3.0",
    ...WORD_OPTIONS.minimumLength,
    description:
      "Minimum number of characters, including digits and separators; 0 for none",
  }),
  excludeSwedishCharacters: boolean({
    since: "1.3.0",
    ...WORD_OPTIONS.excludeSwedishCharacters,
    description: "Use only words that are spelled without `å`, `ä` and `ö`",
    ignoredIf: NO_SWEDISH,
  }),
};

/** The fields of the endpoint for sentences. */
export const PASSPHRASE_FIELDS = { language, ...style };

/** Validates the fields that the endpoints for words and for sentences share. */
export function validateStyle(values: PassphraseOptions): FieldErrors {
  const { minimumLength, maximumLength } = values;
  const errors = errorsOf(separatorRefusal(values));
  if (maximumLength === 0 || minimumLength <= maximumLength) return errors;
  return {
    ...errors,
    minimumLength: [`Must be at most ${maximumLength}, the maximumLength.`],
    maximumLength: [
      `Must be at least ${minimumLength}, the minimumLength, or 0 for none.`,
    ],
  };
}

/** The endpoint: a password of random words. */
export const words: Endpoint = passwordEndpoint({
  type: "words",
  about: {
    summary: "Random words",
    description:
      "A password of random words. Each word is drawn independently from one list. Casing, replacements, digits and `separator` are applied in this order. With one word `numberPosition` cannot be `between` or `all`.",
    examples: {
      defaults: {
        summary: "All settings have their defaults",
        value: {},
        passwords: ["41MidnattMyntaFjärilStork"],
      },
      integerInString: {
        summary: "Five English words, then digits, and an integer as a string",
        value: { language: "en", wordCount: "5", numberPosition: "after" },
        passwords: ["ZincAmplifierOrchardPuffinSnip65"],
      },
      separated: {
        summary: "Hyphens between the words, and at least 75 bits",
        value: {
          language: "en",
          casing: "lower",
          numberLength: 0,
          separator: "-",
          minimumEntropy: 75,
        },
        passwords: ["zinc-amplifier-orchard-puffin-snip-garden-tulip"],
      },
    },
    invalid: {
      summary: "Digits between words, but only one word",
      value: { wordCount: 1, numberPosition: "between" },
    },
  },
  fields: { language, wordCount, ...style },
  validateTogether: ({ values }) => ({
    errors: { ...validateStyle(values), ...errorsOf(wordRefusal(values)) },
    sizes: wordSizes(WORDLISTS[values.language].words, values),
  }),
});
