/**
 * Passwords that read like a sentence.
 *
 * @module
 */
import type { WordLists } from "../wordlists/lists.ts";
import { passwordsOrThrow, type Sizes } from "./minimum_entropy.ts";
import { completeOptions } from "./options.ts";
import {
  PASSPHRASE_OPTIONS,
  type PassphraseOptions,
  passphraseRefusals,
  passphrases,
} from "./passphrase.ts";
import { impossible, type Passwords } from "./passwords.ts";

type Lists = Omit<WordLists, "words">;

/** Returns the sentences for options without a reason for a refusal. */
export function sentenceSizes(
  { adjectives, nouns, verbs, adverbs }: Lists,
  options: PassphraseOptions,
): Sizes {
  const lists = [adjectives, nouns, verbs, adverbs];
  return {
    passwords: (numberLength) =>
      passphrases(lists, { ...options, numberLength }),
    option: "numberLength",
    size: options.numberLength,
    maximum: PASSPHRASE_OPTIONS.numberLength.range[1],
  };
}

/** The sentences as the library returns them. */
export function sentencesOrThrow(
  lists: Lists,
  options: PassphraseOptions,
): Passwords {
  const [refusal] = passphraseRefusals(options);
  if (refusal) throw impossible(refusal);
  return passwordsOrThrow(
    sentenceSizes(lists, options),
    options.minimumEntropy,
  );
}

/** The sentences of one language as the library returns them. */
export function sentencesOf(
  lists: Lists,
  options: Partial<PassphraseOptions>,
): Passwords {
  return sentencesOrThrow(lists, completeOptions(options, PASSPHRASE_OPTIONS));
}
