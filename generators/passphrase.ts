/**
 * Passwords of words: casing, replacements and digits.
 *
 * @module
 */
import { randomIndex } from "./random.ts";

/** The casings of words. */
export const CASINGS = ["lower", "upper", "first", "title"] as const;

/** The positions of digit sequences. */
export const NUMBER_POSITIONS = ["before", "after", "between", "all"] as const;

/** The strings that can stand between the parts of a password. */
export const SEPARATORS = ["", "-", ".", "_", " ", ","] as const;

/** The style of the words, and the position of the digits. */
export interface PassphraseOptions {
  /**
   * `lower` and `upper`: the case of all letters. `first`: upper case for the
   * first letter of the first word. `title`: for the first letter of each word.
   */
  readonly casing: typeof CASINGS[number];
  /**
   * `before`: digits, then words. `after`: words, then digits. `between`: one
   * digit sequence in each gap. `all`: all of these positions.
   */
  readonly numberPosition: typeof NUMBER_POSITIONS[number];
  /** Digits in each digit sequence, 0 to 12. */
  readonly numberLength: number;
  /** Replace å and ä with a, and ö with o. */
  readonly replaceSwedishCharacters: boolean;
  /** Replace a, i, s and h with @, !, $ and #. */
  readonly replaceWithSpecialCharacters: boolean;
  /** What stands between two parts; a part is a word or a digit sequence. */
  readonly separator: typeof SEPARATORS[number];
}

/** The options of words with capitals, after two digits. */
export const PASSPHRASE_DEFAULTS: PassphraseOptions = {
  casing: "title",
  numberPosition: "before",
  numberLength: 2,
  replaceSwedishCharacters: false,
  replaceWithSpecialCharacters: false,
  separator: "",
};

const SWEDISH: Readonly<Record<string, string>> = {
  å: "a",
  ä: "a",
  ö: "o",
  Å: "A",
  Ä: "A",
  Ö: "O",
};
const SPECIAL: Readonly<Record<string, string>> = {
  a: "@",
  A: "@",
  i: "!",
  I: "!",
  s: "$",
  S: "$",
  h: "#",
  H: "#",
};

/** The results of {@linkcode capitalised}. */
const capitalisedLists = new Map<readonly string[], readonly string[]>();

/**
 * Returns a list with a capital letter at the beginning of each word. A list is
 * converted once, since the conversion of each drawn word would be half the cost of
 * a password.
 */
function capitalised(list: readonly string[]): readonly string[] {
  let words = capitalisedLists.get(list);
  if (words === undefined) {
    words = list.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    capitalisedLists.set(list, words);
  }
  return words;
}

function digits(count: number): string {
  let drawn = "";
  for (let i = 0; i < count; i++) drawn += randomIndex(10);
  return drawn;
}

/**
 * Generates a password. It draws one word from each list, applies the style, and
 * joins words and digit sequences with the separator. All words and digits are
 * uniform and independent. A digit sequence may begin with zeros.
 *
 * The order is: casing, replacement of Swedish letters, replacement with special
 * characters, digits, separator. With both replacements å becomes @.
 *
 * @param lists a list of lower-case words for each word of the password
 * @param options the style of the words, and the position of the digits
 * @returns the password
 *
 * @example
 * ```ts
 * import { passphrase, PASSPHRASE_DEFAULTS } from "./passphrase.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const password = passphrase([["snabba"], ["rävar"]], {
 *   ...PASSPHRASE_DEFAULTS,
 *   numberLength: 0,
 *   replaceSwedishCharacters: true,
 *   replaceWithSpecialCharacters: true,
 *   separator: "-",
 * });
 * assertEquals(password, "$n@bb@-R@v@r");
 * ```
 */
export function passphrase(
  lists: readonly (readonly string[])[],
  options: PassphraseOptions,
): string {
  const { casing, numberPosition, numberLength, separator } = options;
  const hasDigits = (place: typeof numberPosition) =>
    numberLength > 0 && (numberPosition === place || numberPosition === "all");
  const inGaps = hasDigits("between");

  let password = hasDigits("before") ? digits(numberLength) + separator : "";
  for (let i = 0; i < lists.length; i++) {
    if (i > 0) password += separator;
    if (i > 0 && inGaps) password += digits(numberLength) + separator;
    const hasCapital = casing === "title" || (casing === "first" && i === 0);
    const list = hasCapital ? capitalised(lists[i]!) : lists[i]!;
    let word = list[randomIndex(list.length)]!;
    if (casing === "upper") word = word.toUpperCase();
    if (options.replaceSwedishCharacters) {
      word = word.replace(/[åäö]/gi, (letter) => SWEDISH[letter]!);
    }
    if (options.replaceWithSpecialCharacters) {
      word = word.replace(/[aish]/gi, (letter) => SPECIAL[letter]!);
    }
    password += word;
  }
  return hasDigits("after")
    ? password + separator + digits(numberLength)
    : password;
}

/** The entropy of a digit, in bits. */
const DIGIT_BITS = Math.log2(10);

/**
 * Counts the passwords that {@linkcode passphrase} can generate.
 *
 * The result is the product of the numbers of choices, because different choices
 * give different passwords. Digits separate words. Without digits, no two
 * sequences of words of a list are spelled alike: the list is uniquely decodable.
 * The four lists of a sentence are even prefix-free. The style does not change
 * this. Casing changes only the case of letters. The lists are uniquely decodable
 * also after the replacement of Swedish letters. Each special character replaces
 * one letter. (tests/wordlists/lists_test.ts decides this for each list.) No word
 * contains a separator. So a password without its separators is the password that
 * the same choices give without a separator, and their number is the same.
 *
 * @param lists a uniquely decodable list for each word of the password
 * @param options the style of the words, and the position of the digits
 * @returns log2 of the number of passwords, in bits
 *
 * @example
 * ```ts
 * import { PASSPHRASE_DEFAULTS, passphraseEntropy } from "./passphrase.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const list = ["glide", "hum", "run", "sing"];
 * const bits = passphraseEntropy([list, list], {
 *   ...PASSPHRASE_DEFAULTS,
 *   numberPosition: "all",
 * });
 * assertEquals(bits, 2 + 2 + 6 * Math.log2(10));
 * ```
 */
export function passphraseEntropy(
  lists: readonly (readonly string[])[],
  options: PassphraseOptions,
): number {
  const sequences = {
    before: 1,
    after: 1,
    between: lists.length - 1,
    all: lists.length + 1,
  };
  let ways = 1;
  for (const { length } of lists) ways *= length;
  return Math.log2(ways) +
    sequences[options.numberPosition] * options.numberLength * DIGIT_BITS;
}
