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
});
