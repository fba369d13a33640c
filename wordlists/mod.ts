/**
 * The word lists, by language and part of speech.
 *
 * @module
 */
import en from "./en/mod.ts";
import sv from "./sv/mod.ts";

/** The word lists by language. The keys are the values of `language`. */
export const WORDLISTS = { sv, en };

/** The name of a language in a request. */
export type Language = keyof typeof WORDLISTS;

/**
 * The names of the languages.
 *
 * @example
 * ```ts
 * import { LANGUAGES, WORDLISTS } from "./mod.ts";
 * import { assert } from "@std/assert";
 *
 * for (const language of LANGUAGES) {
 *   assert(WORDLISTS[language].words.length >= 1024);
 * }
 * ```
 */
export const LANGUAGES: readonly Language[] = Object.keys(
  WORDLISTS,
) as Language[];
