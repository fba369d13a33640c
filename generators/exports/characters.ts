/**
 * Passwords of random characters, and their exact strength in bits.
 *
 * @example
 * ```ts
 * import { characterPasswords } from "@pwgen/api/characters";
 * import { assertEquals } from "@std/assert";
 *
 * const { bits, generate } = characterPasswords({ length: 16 });
 * assertEquals(generate().length, 16);
 * assertEquals(bits.toFixed(2), "103.61");
 * ```
 *
 * @module
 */
export {
  CHARACTER_DEFAULTS,
  type CharacterOptions,
  CLASSES,
  type Classes,
} from "../character_options.ts";
export { characterPasswords } from "../characters.ts";
export type { Passwords } from "../passwords.ts";
