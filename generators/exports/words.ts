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
import {
  type Language,
  LANGUAGE_OPTION,
  WORDLISTS,
} from "../../wordlists/mod.ts";
import { completeOptions, defaultsOf, extended } from "../options.ts";
import type { Passwords } from "../passwords.ts";
import { WORD_OPTIONS, wordsOrThrow, type WordStyle } from "../words.ts";

export type { WordLists } from "../../wordlists/lists.ts";
export { type Language, LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
export {
  CASINGS,
  NUMBER_POSITIONS,
  type PassphraseOptions,
  SEPARATORS,
} from "../passphrase.ts";
export type { Passwords, WordStyle };

/** The options of random words. */
export interface WordOptions extends WordStyle {
  /** The language of the words. The default is "sv". */
  readonly language: Language;
}

const OPTIONS = /* @__PURE__ */ extended(WORD_OPTIONS, {
  language: LANGUAGE_OPTION,
});

/** The options of {@linkcode wordPasswords} that a call leaves out. */
export const WORD_DEFAULTS: WordOptions = /* @__PURE__ */ defaultsOf(OPTIONS);

/**
 * Returns the passwords of random words. Each word is drawn uniformly and
 * independently from the list of the language. With `maximumLength` or
 * `minimumLength` all passwords within these lengths are equally likely instead.
 *
 * @param options what differs from {@linkcode WORD_DEFAULTS}, four Swedish words with
 *   capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or the options together allow
 *   no password, such as digits between words with one word
 *
 * @example
 * ```ts
 * import { wordPasswords } from "@pwgen/api";
 * import { assert, assertMatch } from "@std/assert";
 *
 * const { bits, generate } = wordPasswords({ language: "en", separator: "-" });
 * assertMatch(generate(), /^[0-9]{2}(-[A-Z][a-z]+){4}$/); // 07-Lucky-Walrus-Airline-Honey
 * assert(bits > 50);
 * ```
 */
export function wordPasswords(
  options: Partial<WordOptions> = {},
): Passwords {
  const complete = completeOptions(options, OPTIONS);
  return wordsOrThrow(WORDLISTS[complete.language].words, complete);
}
