/**
 * Passwords of random characters, of words, as a sentence, and by the rules of a web
 * site. Each call returns `bits`, the exact strength, and `generate()`: all passwords
 * that the options allow are equally likely. It needs no permission and no network.
 *
 * @example
 * ```ts
 * import { characterPasswords } from "@pwgen/api";
 * import { assertEquals } from "@std/assert";
 *
 * const { bits, generate } = characterPasswords({ length: 16 });
 * assertEquals(generate().length, 16);
 * assertEquals(bits.toFixed(2), "103.61");
 * ```
 *
 * @module
 */
export * from "./exports/characters.ts";
export * from "./exports/list.ts";
export * from "./exports/rules.ts";
export * from "./exports/sentence.ts";
export * from "./exports/words.ts";
