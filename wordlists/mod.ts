/**
 * The word lists, by language and part of speech.
 *
 * @module
 */
import en from "./en/mod.ts";
import type { WordLists } from "./lists.ts";
import sv from "./sv/mod.ts";

/** The name of a language. */
export type Language = "sv" | "en";

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
export const WORDLISTS: Readonly<Record<Language, WordLists>> =
  /* @__PURE__ */ Object.freeze({ sv, en });

/** The names of the languages. */
export const LANGUAGES: readonly Language[] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.keys(WORDLISTS) as Language[],
);

/** The language of words as an option: the default, and the values. */
export const LANGUAGE_OPTION: {
  readonly default: Language;
  readonly values: readonly Language[];
} = { default: "sv", values: LANGUAGES };
