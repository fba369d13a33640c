/**
 * POST /api/pwgen/words
 *
 * @module
 */
import {
  PASSPHRASE_OPTIONS,
  type PassphraseOptions,
} from "../../generators/passphrase.ts";
import {
  WORD_OPTIONS,
  wordRefusals,
  wordSizes,
} from "../../generators/words.ts";
import {
  type Language,
  LANGUAGE_OPTION,
  LANGUAGES,
  WORDLISTS,
} from "../../wordlists/mod.ts";
import {
  type Endpoint,
  MINIMUM_ENTROPY_TEXTS,
  passwordEndpoint,
} from "./endpoint.ts";
import { fieldsOf } from "./fields.ts";

const NO_SWEDISH = {
  /** The languages without these letters; a getter, since their lists take time. */
  get language() {
    const isWithout = (language: Language) =>
      Object.values(WORDLISTS[language]).every((list: readonly string[]) =>
        list.every((word) => !/[åäö]/.test(word))
      );
    return LANGUAGES.filter(isWithout);
  },
};

type Options = PassphraseOptions & { readonly language: Language };

/** The fields of the endpoint for sentences. */
export const PASSPHRASE_FIELDS = fieldsOf<Options>({
  ...PASSPHRASE_OPTIONS,
  language: LANGUAGE_OPTION,
}, {
  language: { description: "Language of the words" },
  casing: {
    description:
      "Which letters of the words are upper case. `lower`: none; `upper`: all; `first`: the first of the first word; `title`: the first of each word",
  },
  numberPosition: {
    description:
      "Where digit sequences stand; `between`: one in each gap; `all`: everywhere. `before` and `after` mean the words",
  },
  numberLength: {
    description: "Number of digits in each digit sequence; 0 for none",
  },
  replaceSwedishCharacters: {
    description: "Replace `å` and `ä` with `a`, and `ö` with `o`. Both cases",
    ignoredIf: NO_SWEDISH,
  },
  replaceWithSpecialCharacters: {
    description:
      "Replace `a`, `i`, `s` and `h` with `@`, `!`, `$` and `#`. Both cases",
  },
  separator: {
    since: "1.1.0",
    description: "Text between two parts; a part is a word or digit sequence",
    identifiers: {
      "": "Nothing",
      "-": "Hyphen",
      ".": "FullStop",
      "_": "Underscore",
      " ": "Space",
      ",": "Comma",
    },
  },
  separatorSet: {
    since: "1.4.0",
    description:
      "Random separators: one of these characters between each two parts. List none twice. They replace `separator`; empty for none",
  },
  maximumLength: {
    since: "1.2.0",
    description:
      "Maximum number of characters, including digits and separators; 0 for none",
  },
  minimumLength: {
    since: "1.3.0",
    description:
      "Minimum number of characters, including digits and separators; 0 for none",
  },
  excludeSwedishCharacters: {
    since: "1.3.0",
    description: "Use only words that are spelled without `å`, `ä` and `ö`",
    ignoredIf: NO_SWEDISH,
  },
  minimumEntropy: MINIMUM_ENTROPY_TEXTS,
});

const { language, ...others } = PASSPHRASE_FIELDS;

const { wordCount } = WORD_OPTIONS;
const fields = {
  language,
  ...fieldsOf<{ wordCount: number }>({ wordCount }, {
    wordCount: { description: "Number of words" },
  }),
  ...others,
};

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
  fields,
  validateTogether: ({ values }) => ({
    refusals: wordRefusals(values),
    sizes: wordSizes(WORDLISTS[values.language].words, values),
  }),
});
