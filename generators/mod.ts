/**
 * A library that makes passwords and counts them exactly. It needs no permission and
 * no network, and knows nothing of the service.
 *
 * @example
 * ```ts
 * import { CHARACTER_DEFAULTS, characterPasswords } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { bits, generate } = characterPasswords({ ...CHARACTER_DEFAULTS, length: 16 });
 * assertEquals(generate().length, 16);
 * assertEquals(bits.toFixed(2), "103.61");
 * ```
 *
 * @module
 */
export * from "./characters.ts";
export * from "./mixed_strings.ts";
export * from "./passphrase.ts";
export * from "./passwords.ts";
export * from "./random.ts";
export * from "./rules.ts";
export * from "./sentence.ts";
export * from "./strings.ts";
export * from "./words.ts";
export * from "../wordlists/mod.ts";
