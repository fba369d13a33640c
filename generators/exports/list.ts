/**
 * Passwords of the words of your own list, in any language, and their exact strength in
 * bits.
 *
 * @example
 * ```ts
 * import { listPasswords } from "@pwgen/api/list";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const words = ["aalto", "hämärä", "kuusi", "pöllö"];
 * const { bits, generate } = listPasswords(words, { wordCount: 6, numberLength: 0 });
 * assertMatch(generate(), /^\p{Lu}\p{Ll}+(-\p{Lu}\p{Ll}+){5}$/u);
 * assertEquals(bits, 12);
 * ```
 *
 * @module
 */
export { listPasswords } from "../list.ts";
export {
  CASINGS,
  NUMBER_POSITIONS,
  type PassphraseOptions,
  SEPARATORS,
} from "../passphrase.ts";
export type { Passwords } from "../passwords.ts";
export type { WordStyle } from "../words.ts";
