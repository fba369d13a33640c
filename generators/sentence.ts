/**
 * Passwords that read like a sentence.
 *
 * @module
 */
import type { WordLists } from "../wordlists/lists.ts";
import { type PassphraseOptions, passphrases } from "./passphrase.ts";
import type { PasswordGenerator } from "./passwords.ts";

/** Makes a generator of an adjective, a noun, a verb and an adverb. */
export function sentenceGenerator(
  { adjectives, nouns, verbs, adverbs }: Omit<WordLists, "words">,
): PasswordGenerator<PassphraseOptions> {
  const lists = [adjectives, nouns, verbs, adverbs];
  return (options) => passphrases(lists, options);
}
