/**
 * The texts and examples of the three endpoints in the OpenAPI document.
 *
 * @module
 */

/** The description of an endpoint. */
export interface EndpointText {
  /** The name of the function in a generated client. */
  readonly operationId: string;
  /** A short description. */
  readonly summary: string;
  /** The full description. */
  readonly description: string;
  /** The name of the schema of the request body. */
  readonly schema: string;
  /** The description of that schema. */
  readonly settings: string;
  /** Valid requests by name, each with a possible password. */
  readonly valid: Readonly<
    Record<string, { summary: string; request: object; password: string }>
  >;
  /** Invalid requests by name. */
  readonly invalid: Readonly<
    Record<string, { summary: string; request: Record<string, unknown> }>
  >;
}

/** The descriptions by path. */
export const ENDPOINT_TEXTS: Readonly<Record<string, EndpointText>> = {
  "/api/pwgen/characters": {
    operationId: "generateCharacters",
    summary: "A password of random characters",
    description:
      "Every password that the settings allow is equally likely. Each enabled class of characters occurs at least once if the length has room for all of them. If `specialCharacterPercentage` is above 0, exactly this share of the characters is special (rounded, halves up, at least one). The other places go to the other enabled classes, each at least once if there is room for all of them. If no other class is enabled, all characters are special. Without `specialCharacters` the percentage is ignored. `excludeAmbiguous` leaves out `0 O 1 l I |`. `minimumEntropy` raises `length` if the settings give fewer bits; it changes nothing else.",
    schema: "CharacterPasswordRequest",
    settings:
      "Settings of a password of random characters. At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
    valid: {
      defaults: {
        summary: "All settings have their defaults",
        request: {},
        password: ":MEw4_dUbb?oPVc*2[Mf",
      },
      lettersAndDigits: {
        summary: "16 letters and digits",
        request: { length: 16, specialCharacters: false },
        password: "X9wBv1w0uKpZt3Qd",
      },
      integerInString: {
        summary: "An integer as a string, and a share of special characters",
        request: { length: "12", specialCharacterPercentage: "25" },
        password: "Uo7=kQz_P4;d",
      },
      readable: {
        summary: "Without look-alikes, and with at least 80 bits",
        request: {
          length: 8,
          specialCharacters: false,
          excludeAmbiguous: true,
          minimumEntropy: 80,
        },
        password: "b7Jw2xUqNf4eTk",
      },
    },
    invalid: {
      outOfRange: {
        summary: "Two fields with errors",
        request: { length: 129, lowercase: "yes" },
      },
      noClass: {
        summary: "No class of characters is enabled",
        request: {
          lowercase: false,
          uppercase: false,
          numbers: false,
          specialCharacters: false,
        },
      },
    },
  },
  "/api/pwgen/words": {
    operationId: "generateWords",
    summary: "A password of random words",
    description:
      "One to ten words, each drawn independently from one list. A digit sequence may begin with zeros. The steps are in this order: draw the words, apply the casing, replace Swedish letters, replace letters with special characters (with both replacements å becomes @), insert the digits, insert the `separator` between any two parts (words and digit sequences). The separator does not change the entropy. `minimumEntropy` raises `wordCount` if the settings give fewer bits; it changes nothing else.",
    schema: "WordPasswordRequest",
    settings:
      "Settings of a password of random words. With one word `numberPosition` cannot be `between` or `all`, whatever `numberLength` is.",
    valid: {
      defaults: {
        summary: "All settings have their defaults",
        request: {},
        password: "41MidnattMejramSymmetriUtmärkt",
      },
      fiveEnglishWords: {
        summary: "Five English words, then digits",
        request: { language: "en", wordCount: 5, numberPosition: "after" },
        password: "ZincAmplifierOriginalStoreroomSnip65",
      },
      separated: {
        summary: "Hyphens between the words, and at least 75 bits",
        request: {
          language: "en",
          casing: "lower",
          numberLength: 0,
          separator: "-",
          minimumEntropy: 75,
        },
        password: "zinc-amplifier-original-storeroom-snip-garden",
      },
    },
    invalid: {
      oneWord: {
        summary: "Digits between words, but only one word",
        request: { wordCount: 1, numberPosition: "between" },
      },
      notListed: {
        summary: "A string that is not in the list",
        request: { language: "SV" },
      },
      unreachable: {
        summary: "More bits than ten words have",
        request: { numberLength: 0, minimumEntropy: 500 },
      },
    },
  },
  "/api/pwgen/sentence": {
    operationId: "generateSentence",
    summary: "A password that reads like a sentence",
    description:
      "An adjective, a noun, a verb and an adverb, in this order and in grammatical forms. Casing, replacements, digits and separator work as for `/api/pwgen/words`. Digits may always stand `between` the words. `minimumEntropy` raises `numberLength` if the settings give fewer bits; it changes nothing else.",
    schema: "SentencePasswordRequest",
    settings: "Settings of a password that reads like a sentence.",
    valid: {
      defaults: {
        summary: "All settings have their defaults",
        request: {},
        password: "67GrönrutigaTofflorGnäggarGlatt",
      },
      english: {
        summary: "English, only the first letter in upper case",
        request: { language: "en", casing: "first" },
        password: "76Cultivatedtrusteeshibernatewistfully",
      },
    },
    invalid: {
      notAnInteger: {
        summary: "A number with a fraction",
        request: { numberLength: 2.5 },
      },
    },
  },
};
