/**
 * The word lists, by language and part of speech.
 *
 * @module
 */
import en from "./en/mod.ts";
import sv from "./sv/mod.ts";

/**
 * The word lists by language. The keys are the values of `language`.
 *
 * @example
 * ```ts
 * import { WORDLISTS } from "@pwgen/api/words";
 * import { assert } from "@std/assert";
 *
 * assert(WORDLISTS.en.words.includes("lucky"));
 * ```
 */
export const WORDLISTS = { sv, en };

/** The name of a language. */
export type Language = keyof typeof WORDLISTS;

/** The language of words if none is named. */
export const DEFAULT_LANGUAGE: Language = "sv";

/** The names of the languages. */
export const LANGUAGES: readonly Language[] = /* @__PURE__ */ Object.keys(
  WORDLISTS,
) as Language[];
