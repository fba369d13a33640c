/**
 * Passwords of random words of a list.
 *
 * @module
 */
import { completeOptions, extended, type OptionTable } from "./options.ts";
import {
  PASSPHRASE_OPTIONS,
  type PassphraseOptions,
  passphraseRefusals,
  passphrases,
} from "./passphrase.ts";
import { passwordsOrThrow, type Sizes } from "./minimum_entropy.ts";
import { impossible, type Passwords, type Refusal } from "./passwords.ts";

/** The options of random words of one language. */
export interface WordStyle extends PassphraseOptions {
  /** The number of words, 1 to 10. The default is 4. */
  readonly wordCount: number;
}

/** These options, for four words. */
export const WORD_OPTIONS = /* @__PURE__ */ extended(PASSPHRASE_OPTIONS, {
  wordCount: { default: 4, range: [1, 10] },
}) satisfies OptionTable<WordStyle>;

/** Says why options of words allow no password. */
export function wordRefusals(options: WordStyle): Refusal[] {
  const { wordCount, numberPosition } = options;
  const refusals = passphraseRefusals(options);
  // Also without digits.
  const needsGap = numberPosition === "between" || numberPosition === "all";
  if (wordCount > 1 || !needsGap) return refusals;
  return [...refusals, {
    options: ["numberPosition"],
    limit: { reason: "oneWord" },
    message:
      'Must be "before" or "after" when wordCount is 1: one word has nothing between.',
  }];
}

/** Returns the words of one list for options without a reason for a refusal. */
export function wordSizes(
  list: readonly string[],
  options: WordStyle,
  first: readonly string[] = list,
): Sizes {
  return {
    passwords: (wordCount) =>
      passphrases([first, ...Array(wordCount - 1).fill(list)], options),
    option: "wordCount",
    size: options.wordCount,
    maximum: WORD_OPTIONS.wordCount.range[1],
  };
}

/** The words of one list as the library returns them. */
export function wordsOrThrow(
  list: readonly string[],
  options: WordStyle,
  first = list,
): Passwords {
  const [refusal] = wordRefusals(options);
  if (refusal) throw impossible(refusal);
  return passwordsOrThrow(
    wordSizes(list, options, first),
    options.minimumEntropy,
  );
}

/** The passwords of the words of one language as the library returns them. */
export function wordsOf(
  list: readonly string[],
  options: Partial<WordStyle>,
): Passwords {
  return wordsOrThrow(list, completeOptions(options, WORD_OPTIONS));
}
