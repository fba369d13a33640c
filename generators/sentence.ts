/**
 * Passwords that read like a sentence.
 *
 * @module
 */
import { type Language, LANGUAGE_OPTION, WORDLISTS } from "../wordlists/mod.ts";
import { sentencesFrom } from "./one_language.ts";
import { completeOptions, defaultsOf, extended } from "./options.ts";
import { PASSPHRASE_OPTIONS, type PassphraseOptions } from "./passphrase.ts";
import {
  type GeneratorResult,
  type Passwords,
  passwordsOrThrow,
} from "./passwords.ts";

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

/** The passwords of options that are complete and allowed. */
export function sentenceGenerator(options: SentenceOptions): GeneratorResult {
  return sentencesFrom(WORDLISTS[options.language], options);
}

/**
 * Returns the passwords of an adjective, a noun, a verb and an adverb. Each word is
 * drawn uniformly and independently from its list. With `maximumLength` or
 * `minimumLength` all passwords within these lengths are equally likely instead.
 *
 * @param options what differs from {@linkcode SENTENCE_DEFAULTS}, a Swedish sentence
 *   with capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or no password has an allowed
 *   length
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
  return passwordsOrThrow(sentenceGenerator(complete));
}
