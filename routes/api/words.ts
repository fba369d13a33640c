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
  names: {
    sv: { en: "Svenska", sv: "Svenska" },
    en: { en: "English", sv: "English" },
  },
  description: "Language of the words",
  label: { en: "Language of the words", sv: "Ordens språk" },
});

const wordCount = integer({
  ...WORD_OPTIONS.wordCount,
  description: "Number of words",
  label: { en: "Number of words", sv: "Antal ord" },
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
  why: {
    en: "Applies only to Swedish words.",
    sv: "Gäller bara svenska ord.",
  },
};

/** The fields that the endpoints for words and for sentences share. */
const style = {
  casing: oneOf({
    ...WORD_OPTIONS.casing,
    names: {
      lower: { en: "none", sv: "alla små" },
      upper: { en: "ALL LETTERS", sv: "ALLA STORA" },
      first: {
        en: "Start of the first word",
        sv: "Första ordet med stor bokstav",
      },
      title: { en: "Start Of Every Word", sv: "Varje Ord Med Stor Bokstav" },
    },
    description:
      "Upper-case letters: `lower` none, `upper` all, `first` the first letter of the first word, `title` the first letter of each word",
    label: { en: "Capital letters", sv: "Stora och små bokstäver" },
  }),
  numberPosition: oneOf({
    ...WORD_OPTIONS.numberPosition,
    names: {
      before: { en: "before the words", sv: "före orden" },
      after: { en: "after the words", sv: "efter orden" },
      between: { en: "between the words", sv: "mellan orden" },
      all: {
        en: "before, between and after the words",
        sv: "före, mellan och efter orden",
      },
    },
    description:
      "Position of the digit sequences: before the words, after them, between them (one in each gap), or all of these",
    label: { en: "Where the digits go", sv: "Siffrornas plats" },
    ignoredIf: {
      values: { numberLength: 0 },
      why: {
        en: "Applies only with digits.",
        sv: "Gäller bara med siffror.",
      },
    },
  }),
  numberLength: integer({
    ...WORD_OPTIONS.numberLength,
    description: "Number of digits in each digit sequence; 0 for none",
    label: { en: "Digits in each place", sv: "Antal siffror på varje plats" },
  }),
  replaceSwedishCharacters: boolean({
    ...WORD_OPTIONS.replaceSwedishCharacters,
    description:
      "Replace `å` and `ä` with `a`, and `ö` with `o`, in both cases",
    label: {
      en: "Write å and ä as a, ö as o",
      sv: "Skriv å och ä som a och ö som o",
    },
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
    names: {
      "": { en: "nothing", sv: "inget" },
      "-": { en: "hyphen -", sv: "bindestreck -" },
      ".": { en: "full stop .", sv: "punkt ." },
      "_": { en: "underscore _", sv: "understreck _" },
      " ": { en: "space", sv: "mellanslag" },
      ",": { en: "comma ,", sv: "komma ," },
    },
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
    label: { en: "Between the words", sv: "Tecken mellan orden" },
  }),
  separatorSet: text({
    since: "1.4.0",
    ...WORD_OPTIONS.separatorSet,
    description:
      "Characters of which a random one stands in each gap between two parts, instead of `separator`, none twice; empty for none",
    label: {
      en: "A random one of these in each gap",
      sv: "Slumpa ett av de här tecknen i varje mellanrum",
    },
    ignoredIf: {
      values: { separator: SEPARATORS.slice(1) },
      why: {
        en: "Applies only without another separator.",
        sv: "Gäller bara utan annat tecken mellan orden.",
      },
    },
  }),
  maximumLength: integer({
    since: "1.2.0",
    ...WORD_OPTIONS.maximumLength,
    description:
      "Maximum number of characters, including digits and separators; 0 for none",
    label: { en: "Maximum length", sv: "Högsta antal tecken" },
  }),
  minimumLength: integer({
    since: "1.3.0",
    ...WORD_OPTIONS.minimumLength,
    description:
      "Minimum number of characters, including digits and separators; 0 for none",
    label: { en: "Minimum length", sv: "Lägsta antal tecken" },
  }),
  excludeSwedishCharacters: boolean({
    since: "1.3.0",
    ...WORD_OPTIONS.excludeSwedishCharacters,
    description: "Use only words that are spelled without `å`, `ä` and `ö`",
    label: {
      en: "Only words without å, ä and ö",
      sv: "Bara ord utan å, ä och ö",
    },
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
