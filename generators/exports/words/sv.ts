/**
 * Passwords of Swedish words, and their exact strength in bits.
 *
 * @example
 * ```ts
 * import { wordPasswords } from "@pwgen/api/words/sv";
 * import { assertMatch } from "@std/assert";
 *
 * const { bits, generate } = wordPasswords({ separator: "-", numberLength: 0 });
 * assertMatch(generate(), /^\p{Lu}\p{Ll}+(-\p{Lu}\p{Ll}+){3}$/u); // Glass-Kvarn-Tidning-Stig
 * console.log(bits); // 49.59...
 * ```
 *
 * @module
 */
import { parseList } from "../../../wordlists/lists.ts";
import words from "../../../wordlists/sv/words.txt" with { type: "text" };
import type { Passwords } from "../../passwords.ts";
import { wordsOf, type WordStyle } from "../../words.ts";

export type { PassphraseOptions } from "../../passphrase.ts";
export type { Passwords, WordStyle };

/** The words, parsed at the first use. */
let list: readonly string[] | undefined;

/**
 * Returns the passwords of random Swedish words. Each word is drawn uniformly and
 * independently. With `maximumLength` or `minimumLength` all passwords within these
 * lengths are equally likely instead.
 *
 * @param options what differs from four words with capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or the options together allow
 *   no password, such as digits between words with one word
 *
 * @example
 * ```ts
 * import { wordPasswords } from "@pwgen/api/words/sv";
 * import { assertMatch } from "@std/assert";
 *
 * const { generate } = wordPasswords({ wordCount: 6, separator: " " });
 * assertMatch(generate(), /^[0-9]{2}( \p{Lu}\p{Ll}+){6}$/u);
 * ```
 */
export function wordPasswords(options: Partial<WordStyle> = {}): Passwords {
  return wordsOf(list ??= parseList(words), options);
}
