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
import { parseLists } from "../../../wordlists/lists.ts";
import adjectives from "../../../wordlists/en/adjectives.txt" with {
  type: "text",
};
import adverbs from "../../../wordlists/en/adverbs.txt" with { type: "text" };
import nouns from "../../../wordlists/en/nouns.txt" with { type: "text" };
import verbs from "../../../wordlists/en/verbs.txt" with { type: "text" };
import type { PassphraseOptions } from "../../passphrase.ts";
import type { Passwords } from "../../passwords.ts";
import { sentencesOf } from "../../sentence.ts";

export type { PassphraseOptions, Passwords };

const lists = /* @__PURE__ */ parseLists({ adjectives, nouns, verbs, adverbs });

/**
 * Returns the passwords of an English adjective, a noun, a verb and an adverb. Each word is
 * drawn uniformly and independently from its list. With `maximumLength` or
 * `minimumLength` all passwords within these lengths are equally likely instead.
 *
 * @param options what differs from a sentence with capitals after two digits
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or the options together allow
 *   no password, such as a `maximumLength` of five
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
export function sentencePasswords(
  options: Partial<PassphraseOptions> = {},
): Passwords {
  return sentencesOf(lists, options);
}
