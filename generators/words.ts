/**
 * Passwords of random words of a list.
 *
 * @module
 */
import { completeOptions, extended, type OptionTable } from "./options.ts";
import {
  PASSPHRASE_OPTIONS,
  type PassphraseOptions,
  passphrases,
} from "./passphrase.ts";
import { passwordsOrThrow } from "./minimum_entropy.ts";
import {
  impossible,
  type PasswordGenerator,
  type Passwords,
  type Refusal,
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

/**
 * Makes a generator of words that are each drawn from the same list, for options
 * without a reason for a refusal.
 */
export function wordGenerator(
  list: readonly string[],
): PasswordGenerator<WordStyle> {
  return (options) => passphrases(Array(options.wordCount).fill(list), options);
}

/** The passwords of a generator of words as the library returns them. */
export function wordsOrThrow(
  generator: PasswordGenerator<WordStyle>,
  options: WordStyle,
): Passwords {
  const refusal = wordRefusal(options);
  if (refusal) throw impossible(refusal);
  return passwordsOrThrow(
    generator,
    options,
    "wordCount",
    WORD_OPTIONS.wordCount.range[1],
  );
}

/** The passwords of the words of one language as the library returns them. */
export function wordsOf(
  list: readonly string[],
  options: Partial<WordStyle>,
): Passwords {
  const complete = completeOptions(options, WORD_OPTIONS);
  return wordsOrThrow(wordGenerator(list), complete);
}
