/**
 * Passwords that read like a sentence.
 *
 * @module
 */
import type { WordLists } from "../wordlists/lists.ts";
import { passwordsOrThrow } from "./minimum_entropy.ts";
import { completeOptions } from "./options.ts";
import {
  PASSPHRASE_OPTIONS,
  type PassphraseOptions,
  passphrases,
} from "./passphrase.ts";
import type { PasswordGenerator, Passwords } from "./passwords.ts";

type Lists = Omit<WordLists, "words">;

/** Makes a generator of an adjective, a noun, a verb and an adverb. */
export function sentenceGenerator(
  { adjectives, nouns, verbs, adverbs }: Lists,
): PasswordGenerator<PassphraseOptions> {
  const lists = [adjectives, nouns, verbs, adverbs];
  return (options) => passphrases(lists, options);
}

/** The sentences as the library returns them. */
export function sentencesOrThrow(
  lists: Lists,
  options: PassphraseOptions,
): Passwords {
  const [, maximum] = PASSPHRASE_OPTIONS.numberLength.range;
  const generator = sentenceGenerator(lists);
  return passwordsOrThrow(generator, options, "numberLength", maximum);
}

/** The sentences of one language as the library returns them. */
export function sentencesOf(
  lists: Lists,
  options: Partial<PassphraseOptions>,
): Passwords {
  return sentencesOrThrow(lists, completeOptions(options, PASSPHRASE_OPTIONS));
}
