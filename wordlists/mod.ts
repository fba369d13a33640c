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

/** The language of a request that names none. */
export const DEFAULT_LANGUAGE: Language = "sv";

/** The names of the languages. */
export const LANGUAGES: readonly Language[] = Object.keys(
  WORDLISTS,
) as Language[];
