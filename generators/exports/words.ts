/**
 * Passwords of random words, Swedish or English, and their exact strength in bits.
 * `@pwgen/api/words/en` and `@pwgen/api/words/sv` carry one language only.
 *
 * @example
 * ```ts
 * import { wordPasswords } from "@pwgen/api/words";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const { bits, generate } = wordPasswords({ language: "en", separator: " " });
 * assertEquals(generate().split(" ").length, 5); // 07 Lucky Walrus Airline Honey
 * assert(bits > 50);
 * ```
 *
 * @module
 */
export { WORD_DEFAULTS, type WordOptions, wordPasswords } from "../words.ts";
export type { WordStyle } from "../one_language.ts";
export {
  CASINGS,
  NUMBER_POSITIONS,
  type PassphraseOptions,
  SEPARATORS,
} from "../passphrase.ts";
export type { Passwords } from "../passwords.ts";
export type { WordLists } from "../../wordlists/lists.ts";
export { type Language, LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
