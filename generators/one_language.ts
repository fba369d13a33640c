/**
 * Passwords of the words of one language.
 *
 * @module
 */
import type { WordLists } from "../wordlists/lists.ts";
import { completeOptions, extended, type OptionTable } from "./options.ts";
import {
  PASSPHRASE_OPTIONS,
  type PassphraseOptions,
  passphrases,
} from "./passphrase.ts";
import {
  type GeneratorResult,
  type Passwords,
  passwordsOrThrow,
  type Refusal,
  refusedResult,
} from "./passwords.ts";

/** The options of random words of one language. */
export interface WordStyle extends PassphraseOptions {
  /** The number of words, 1 to 10. The default is 4. */
  readonly wordCount: number;
}

/** These options, for four words. */
export const WORD_OPTIONS = /* @__PURE__ */ extended(PASSPHRASE_OPTIONS, {
  wordCount: { default: 4, range: [1, 10] },
}) satisfies OptionTable<WordStyle>;

/** Why one word has no place for digits; also if there are no digits. */
export function wordRefusal(
  { wordCount, numberPosition }: WordStyle,
): Refusal | undefined {
  const needsGap = numberPosition === "between" || numberPosition === "all";
  if (wordCount > 1 || !needsGap) return undefined;
  return {
    options: ["numberPosition"],
    explain: () =>
      'Must be "before" or "after" when wordCount is 1: one word has nothing between.',
  };
}

/** Passwords of words that are each drawn from the same list. */
export function wordsFrom(
  list: readonly string[],
  options: WordStyle,
): GeneratorResult {
  const refusal = wordRefusal(options);
  if (refusal) return refusedResult(refusal);
  return passphrases(Array(options.wordCount).fill(list), options);
}

/** Checks options, and returns the passwords of words of a list. */
export function checkedWords(
  list: readonly string[],
  options: Partial<WordStyle>,
): Passwords {
  const complete = completeOptions(options, WORD_OPTIONS);
  return passwordsOrThrow(wordsFrom(list, complete));
}

/** The lists of a sentence. */
export type SentenceLists = Omit<WordLists, "words">;

/** Passwords of an adjective, a noun, a verb and an adverb. */
export function sentencesFrom(
  { adjectives, nouns, verbs, adverbs }: SentenceLists,
  options: PassphraseOptions,
): GeneratorResult {
  return passphrases([adjectives, nouns, verbs, adverbs], options);
}

/** Checks options, and returns the passwords of a sentence. */
export function checkedSentences(
  lists: SentenceLists,
  options: Partial<PassphraseOptions>,
): Passwords {
  const complete = completeOptions(options, PASSPHRASE_OPTIONS);
  return passwordsOrThrow(sentencesFrom(lists, complete));
}
