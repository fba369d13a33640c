/**
 * POST /api/pwgen/characters
 *
 * @module
 */
import {
  characterEntropy,
  characterPassword,
  CLASSES,
  isPossible,
  MAX_LENGTH,
} from "../../generators/characters.ts";
import { boolean, integer, since } from "./fields.ts";
import { type Endpoint, passwordEndpoint } from "./password.ts";

/** The endpoint: a password of random characters. */
export const characters: Endpoint = passwordEndpoint({
  type: "characters",
  schema: "CharacterPasswordRequest",
  summary: "A password of random characters",
  description:
    "Every password that the settings allow is equally likely. At least one class of characters must be enabled. Each enabled class occurs at least once if the length has room for all of them. If `specialCharacterPercentage` is above 0, exactly this share of the characters is special (rounded, halves up, at least one). The other places go to the other enabled classes, each at least once if there is room for all of them. If no other class is enabled, all characters are special. Without `specialCharacters` the percentage is ignored.",
  fields: {
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
  },
  sizeField: "length",
  rule: (values) =>
    isPossible(values) ? undefined : {
      $: [
        "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
      ],
    },
  generate: characterPassword,
  entropy: characterEntropy,
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
});
