/**
 * Passwords of random words.
 *
 * @module
 */
import {
  DEFAULT_LANGUAGE,
  type Language,
  LANGUAGES,
  WORDLISTS,
} from "../wordlists/mod.ts";
import {
  WORD_STYLE_DEFAULTS,
  WORD_STYLE_LIMITS,
  wordsFrom,
  type WordStyle,
} from "./one_language.ts";
import { completeOptions, extended, type Limits } from "./options.ts";
import {
  type GeneratorResult,
  type Passwords,
  passwordsOrThrow,
} from "./passwords.ts";

/** The options of random words. */
export interface WordOptions extends WordStyle {
  /** The language of the words. The default is "sv". */
  readonly language: Language;
}

/** The options of {@linkcode wordPasswords} that a call leaves out. */
export const WORD_DEFAULTS: WordOptions = /* @__PURE__ */ extended(
  WORD_STYLE_DEFAULTS,
  { language: DEFAULT_LANGUAGE },
);

const LIMITS: Limits<WordOptions> = /* @__PURE__ */ extended(
  WORD_STYLE_LIMITS,
  { language: { values: LANGUAGES } },
);

/** The passwords of options that are complete and allowed. */
export function wordGenerator(options: WordOptions): GeneratorResult {
  return wordsFrom(WORDLISTS[options.language].words, options);
}

/**
 * Returns the passwords of random words. Each word is drawn uniformly and
 * independently from the list of the language. With `maximumLength` or
 * `minimumLength` all passwords within these lengths are equally likely instead.
 *
 * @param options what differs from {@linkcode WORD_DEFAULTS}, four Swedish words with
 *   capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, `wordCount` is 1 and digits
 *   are to be between words, or no password has an allowed length
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
export function wordPasswords(options: Partial<WordOptions> = {}): Passwords {
  const complete = completeOptions(options, WORD_DEFAULTS, LIMITS);
  return passwordsOrThrow(wordGenerator(complete));
}
