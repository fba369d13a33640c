/**
 * Passwords that read like an English sentence, and their exact strength in bits.
 *
 * @example
 * ```ts
 * import { sentencePasswords } from "@pwgen/api/sentence/en";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = sentencePasswords({ separator: " ", numberLength: 0 });
 * assertMatch(generate(), /^\p{L}+( \p{L}+){3}$/u); // Quick Foxes Jump Merrily
 * ```
 *
 * @module
 */
import adjectives from "../../../wordlists/en/adjectives.txt" with {
  type: "text",
};
import adverbs from "../../../wordlists/en/adverbs.txt" with { type: "text" };
import nouns from "../../../wordlists/en/nouns.txt" with { type: "text" };
import verbs from "../../../wordlists/en/verbs.txt" with { type: "text" };
import { type SentencePasswords, sentencesIn } from "../language.ts";

export type { PassphraseOptions, Passwords } from "../language.ts";
export type { SentencePasswords };

const lists = { adjectives, nouns, verbs, adverbs };

/**
 * Returns the passwords of English sentences, as {@linkcode SentencePasswords} says.
 *
 * @example
 * ```ts
 * import { sentencePasswords } from "@pwgen/api/sentence/en";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = sentencePasswords({ casing: "first", separator: " " });
 * assertMatch(generate(), /^[0-9]{2} \p{Lu}\p{Ll}+( \p{Ll}+){3}$/u);
 * ```
 */
export const sentencePasswords: SentencePasswords = sentencesIn(lists);
