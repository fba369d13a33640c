/**
 * Passwords of English words, and their exact strength in bits.
 *
 * @example
 * ```ts
 * import { wordPasswords } from "@pwgen/api/words/en";
 * import { assertMatch } from "@std/assert";
 *
 * const { bits, generate } = wordPasswords({ separator: "-", numberLength: 0 });
 * assertMatch(generate(), /^\p{Lu}\p{Ll}+(-\p{Lu}\p{Ll}+){3}$/u); // Lucky-Walrus-Airline-Honey
 * console.log(bits); // 48.69...
 * ```
 *
 * @module
 */
import words from "../../../wordlists/en/words.txt" with { type: "text" };
import { type WordPasswords, wordsIn } from "../language.ts";

export type { PassphraseOptions, Passwords, WordStyle } from "../language.ts";
export type { WordPasswords };

/**
 * Returns the passwords of random English words, as {@linkcode WordPasswords} says.
 *
 * @example
 * ```ts
 * import { wordPasswords } from "@pwgen/api/words/en";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = wordPasswords({ wordCount: 6, separator: " " });
 * assertMatch(generate(), /^[0-9]{2}( \p{Lu}\p{Ll}+){6}$/u);
 * ```
 */
export const wordPasswords: WordPasswords = wordsIn(words);
