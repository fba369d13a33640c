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
import {
  type Language,
  LANGUAGE_OPTION,
  WORDLISTS,
} from "../../wordlists/mod.ts";
import { completeOptions, defaultsOf, extended } from "../options.ts";
import { PASSPHRASE_OPTIONS, type PassphraseOptions } from "../passphrase.ts";
import type { Passwords } from "../passwords.ts";
import { sentencesOrThrow } from "../sentence.ts";

export type { WordLists } from "../../wordlists/lists.ts";
export { type Language, LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
export {
  CASINGS,
  NUMBER_POSITIONS,
  type PassphraseOptions,
  SEPARATORS,
} from "../passphrase.ts";
export type { Passwords };

/** The options of a sentence. */
export interface SentenceOptions extends PassphraseOptions {
  /** The language of the words. The default is "sv". */
  readonly language: Language;
}

const OPTIONS = /* @__PURE__ */ extended(PASSPHRASE_OPTIONS, {
  language: LANGUAGE_OPTION,
});

/** The options of {@linkcode sentencePasswords} that a call leaves out. */
export const SENTENCE_DEFAULTS: SentenceOptions = /* @__PURE__ */ defaultsOf(
  OPTIONS,
);

/**
 * Returns the passwords of an adjective, a noun, a verb and an adverb. Each word is
 * drawn uniformly and independently from its list. With `maximumLength` or
 * `minimumLength` all passwords within these lengths are equally likely instead.
 *
 * @param options what differs from {@linkcode SENTENCE_DEFAULTS}, a Swedish sentence
 *   with capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or the options together allow
 *   no password, such as a `maximumLength` of five
 *
 * @example
 * ```ts
 * import { sentencePasswords } from "@pwgen/api";
 * import { assert, assertMatch } from "@std/assert";
 *
 * const { bits, generate } = sentencePasswords({ casing: "first", separator: " " });
 * assertMatch(generate(), /^[0-9]{2} \p{Lu}\p{Ll}+( \p{Ll}+){3}$/u); // 53 Snabba rävar hoppar tyst
 * assert(bits > 40);
 * ```
 */
export function sentencePasswords(
  options: Partial<SentenceOptions> = {},
): Passwords {
  const complete = completeOptions(options, OPTIONS);
  return sentencesOrThrow(WORDLISTS[complete.language], complete);
}
