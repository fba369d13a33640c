/**
 * POST /api/pwgen/characters
 *
 * @module
 */
import {
  characterEntropy,
  characterPassword,
} from "../generators/characters.ts";
import { boolean, integer } from "./fields.ts";
import { passwordEndpoint } from "./password.ts";
import type { Handler } from "./types.ts";

/** The fields of CharacterPasswordRequest. */
export const CHARACTER_FIELDS = {
  length: integer(1, 128, 20, "Characters in the password"),
  lowercase: boolean(true, "Use a-z"),
  uppercase: boolean(true, "Use A-Z"),
  numbers: boolean(true, "Use 0-9"),
  specialCharacters: boolean(
    true,
    "Use the special characters !#$%&()*+,-./:;<=>?@[]^_{|}~",
  ),
  swedishCharacters: boolean(false, "Use å, ä, ö, Å, Ä and Ö"),
  specialCharacterPercentage: integer(
    0,
    100,
    0,
    "Share of special characters in percent; 0 leaves it to chance",
  ),
};

/** Answers with a password of random characters. */
export const characters: Handler = passwordEndpoint({
  type: "characters",
  fields: CHARACTER_FIELDS,
  rule: (asked) =>
    asked.lowercase === false && asked.uppercase === false &&
      asked.numbers === false && asked.specialCharacters === false &&
      asked.swedishCharacters === false
      ? {
        $: [
          "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
        ],
      }
      : undefined,
  generate: characterPassword,
  entropy: characterEntropy,
});
