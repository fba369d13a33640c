/**
 * Passwords that the rules of a web site allow, in the Password Rules language of Apple
 * and WebKit, and their exact strength in bits.
 *
 * @example
 * ```ts
 * import { rulePasswords } from "@pwgen/api/rules";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = rulePasswords("maxlength: 8; required: digit");
 * assertMatch(generate(), /^[0-9]{8}$/);
 * ```
 *
 * @module
 */
export type { RuleOptions } from "../character_options.ts";
export { rulePasswords } from "../rules.ts";
export type { Passwords } from "../passwords.ts";
