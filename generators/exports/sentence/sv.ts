/**
 * Passwords that read like a Swedish sentence, and their exact strength in bits.
 *
 * @example
 * ```ts
 * import { sentencePasswords } from "@pwgen/api/sentence/sv";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = sentencePasswords({ separator: " ", numberLength: 0 });
 * assertMatch(generate(), /^\p{L}+( \p{L}+){3}$/u); // Snabba Rävar Hoppar Tyst
 * ```
 *
 * @module
 */
import adjectives from "../../../wordlists/sv/adjectives.txt" with {
  type: "text",
};
import adverbs from "../../../wordlists/sv/adverbs.txt" with { type: "text" };
import nouns from "../../../wordlists/sv/nouns.txt" with { type: "text" };
import verbs from "../../../wordlists/sv/verbs.txt" with { type: "text" };
import { type SentencePasswords, sentencesIn } from "../language.ts";

export type { PassphraseOptions, Passwords } from "../language.ts";
export type { SentencePasswords };

const lists = { adjectives, nouns, verbs, adverbs };

/**
 * Returns the passwords of Swedish sentences, as {@linkcode SentencePasswords} says.
 *
 * @example
 * ```ts
 * import { sentencePasswords } from "@pwgen/api/sentence/sv";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = sentencePasswords({ casing: "first", separator: " " });
 * assertMatch(generate(), /^[0-9]{2} \p{Lu}\p{Ll}+( \p{Ll}+){3}$/u);
 * ```
 */
export const sentencePasswords: SentencePasswords = sentencesIn(lists);
