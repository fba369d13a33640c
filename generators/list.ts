/**
 * Passwords of random words of a list that is not ours.
 *
 * @module
 */
import { completeOptions } from "./options.ts";
import {
  type PassphraseOptions,
  withCapital,
  withReplacements,
} from "./passphrase.ts";
import { impossible, type Passwords } from "./passwords.ts";
import { WORD_OPTIONS, wordsOrThrow, type WordStyle } from "./words.ts";

/** {@linkcode randomIndex} chooses among so many. */
const MAX_WORDS = 65_536;

/**
 * What no word has: white space, invisible characters (but not those within words of
 * Persian and of Indian languages), a mark that would join the separator before it, and
 * what a decoder writes for bytes that are not UTF-8.
 */
const WRONG = /^$|^\p{M}|[\s\p{Cc}\p{Cs}\ufffd]|(?![\u200c\u200d])\p{Cf}/u;

function refuse(option: string, message: string): never {
  throw impossible({ options: [option], message });
}

function quoted(word: string): string {
  return JSON.stringify(word.slice(0, 64));
}

/** Checks each word by itself; the caller may be a program in JavaScript. */
function checkWords(words: unknown): void {
  const isArray = Array.isArray(words);
  if (!isArray || words.findIndex((word) => typeof word !== "string") >= 0) {
    throw new TypeError(
      "Cannot make a password: words must be an array of strings",
    );
  }
  const wrong = words.findIndex((word) => WRONG.test(word));
  if (wrong < 0) return;
  refuse(
    "words",
    `Must not be empty, have white space, invisible characters or U+FFFD, or begin with a combining mark: number ${
      wrong + 1
    } is ${quoted(words[wrong])}.`,
  );
}

/** Writes the words in lower case or with a capital, and with the replacements. */
function written(
  words: readonly string[],
  hasCapital: boolean,
  options: PassphraseOptions,
): readonly string[] {
  const originals = new Map<string, string>();
  for (const word of words) {
    const lower = word.normalize("NFC").toLowerCase();
    if (options.excludeSwedishCharacters && /[åäö]/.test(lower)) continue;
    const cased = hasCapital ? withCapital(lower) : lower;
    // The upper case of a letter in NFC may be two characters that are not.
    const text = withReplacements(cased, options).normalize("NFC");
    const other = originals.get(text);
    if (other !== undefined) {
      refuse(
        "words",
        `Must differ as they are written: ${quoted(other)} and ${
          quoted(word)
        } are both ${quoted(text)}.`,
      );
    }
    originals.set(text, word);
  }
  if (originals.size === 0 || originals.size > MAX_WORDS) {
    refuse("words", `Must be 1 to ${MAX_WORDS}; got ${originals.size}.`);
  }
  return [...originals.keys()];
}

/**
 * Returns the passwords of random words of your own list, in any language. Each word is
 * drawn uniformly and independently. With `maximumLength` or `minimumLength` all
 * passwords within these lengths are equally likely instead; these count code points.
 *
 * The bits are exact because a separator, which stands in no word, is between all parts:
 * each password can be read as only one choice of words and digits. Without it, "some"
 * and "thing" could be "something". The words are read in NFC and in lower case, by the
 * rules of Unicode that do not depend on a language; then casing and replacements apply.
 *
 * @param words 1 to 65,536 words without white space and invisible characters. No two
 *   are written alike, such as "Arm" and "arm"
 * @param options what differs from four words with capitals after two digits, with a
 *   hyphen between the parts; `separator` is "" only with a `separatorSet`
 * @returns the passwords, and the bits of each of them. To check a list of 8,000 words
 *   takes some milliseconds, so keep the result
 * @throws {TypeError} if the words are no array of strings, or an option has another name
 *   or type
 * @throws {RangeError} if a word is not allowed, or contains a separator, an option is
 *   out of its range, or the options together allow no password
 *
 * @example
 * ```ts
 * import { listPasswords } from "@pwgen/api";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const words = ["aalto", "hämärä", "kuusi", "pöllö"];
 * const { bits, generate } = listPasswords(words, { numberLength: 0 });
 * // Such as Kuusi-Aalto-Pöllö-Kuusi:
 * assertMatch(generate(), /^\p{Lu}\p{Ll}+(-\p{Lu}\p{Ll}+){3}$/u);
 * assertEquals(bits, 4 * Math.log2(4));
 * ```
 */
export function listPasswords(
  words: readonly string[],
  options: Partial<WordStyle> = {},
): Passwords {
  const complete = completeOptions(options, WORD_OPTIONS);
  checkWords(words);

  const { casing, separatorSet } = complete;
  const separator = options.separator ?? (separatorSet === "" ? "-" : "");
  const others = written(words, casing === "title", complete);
  const first = casing === "first" ? written(words, true, complete) : others;
  const option = separatorSet === "" ? "separator" : "separatorSet";
  const signs = separatorSet === "" ? [separator] : [...separatorSet];
  for (const sign of signs) {
    if (sign === "") refuse(option, "Must not be empty: your words need one.");
    const word = [...first, ...others].find((word) => word.includes(sign));
    if (word !== undefined) {
      refuse(
        option,
        `Must stand in no word: ${quoted(sign)} is in ${
          quoted(word)
        }, and a space is in none.`,
      );
    }
  }
  const style = {
    ...complete,
    separator,
    // The words are written already.
    casing: "lower",
    replaceSwedishCharacters: false,
    replaceWithSpecialCharacters: false,
    excludeSwedishCharacters: false,
  } as const;
  return wordsOrThrow(others, style, first);
}
