/**
 * Passwords that read like a sentence, Swedish or English, and their exact strength in
 * bits. `@pwgen/api/sentence/en` and `@pwgen/api/sentence/sv` carry one language only.
 *
 * @example
 * ```ts
 * import { sentencePasswords } from "@pwgen/api/sentence";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = sentencePasswords({ separator: " ", numberLength: 0 });
 * assertMatch(generate(), /^\p{L}+( \p{L}+){3}$/u); // Snabba Rävar Hoppar Tyst
 * ```
 *
 * @module
 */
export {
  SENTENCE_DEFAULTS,
  type SentenceOptions,
  sentencePasswords,
} from "../sentence.ts";
export {
  CASINGS,
  NUMBER_POSITIONS,
  type PassphraseOptions,
  SEPARATORS,
} from "../passphrase.ts";
export type { Passwords } from "../passwords.ts";
export type { WordLists } from "../../wordlists/lists.ts";
export { type Language, LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
