/**
 * What passwords of words have in common: casing, replacements and digits.
 *
 * @module
 */
import { randomIndex } from "./random.ts";

/** The ways to write the letters of the words. */
export const CASINGS = ["lower", "upper", "first", "title"] as const;

/** The places for digit sequences. */
export const NUMBER_POSITIONS = ["before", "after", "between", "all"] as const;

/** How the words of a password are written and where its digits stand. */
export interface PhraseOptions {
  /**
   * `lower` and `upper`: every letter. `first`: the first letter of the first
   * word upper, all others lower. `title`: the first letter of every word.
   */
  readonly casing: typeof CASINGS[number];
  /**
   * `before`: digits, then words. `after`: words, then digits. `between`: one
   * digit sequence in each gap. `all`: all of these places.
   */
  readonly numberPosition: typeof NUMBER_POSITIONS[number];
  /** Digits in each digit sequence, 0 to 12. */
  readonly numberLength: number;
  /** Write å and ä as a, and ö as o. */
  readonly replaceSwedishCharacters: boolean;
  /** Write a, i, s and h as @, !, $ and #. */
  readonly replaceWithSpecialCharacters: boolean;
}

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

/** The lists with a capital letter first, each made when it is first needed. */
const capitalised = new Map<readonly string[], readonly string[]>();

/**
 * A list as its words are to be written. Capital letters are put to a whole list
 * once: done for each word drawn, they were half the cost of a password.
 */
function cased(
  list: readonly string[],
  casing: PhraseOptions["casing"],
  isFirst: boolean,
): readonly string[] {
  if (casing !== "title" && !(casing === "first" && isFirst)) return list;
  let words = capitalised.get(list);
  if (words === undefined) {
    words = list.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    capitalised.set(list, words);
  }
  return words;
}

function digits(count: number): string {
  let drawn = "";
  for (let i = 0; i < count; i++) drawn += randomIndex(10);
  return drawn;
}

/**
 * Draws one word from each list, uniformly and independently, writes them as
 * asked and joins them, with digits where they are asked for and nothing else
 * between. Digits are uniform and independent too, with leading zeros.
 *
 * Casing comes before the replacements, and the Swedish letters before the
 * special characters, so that with both å ends as @.
 *
 * @param lists one list of lower-case words for each word of the password
 * @param options how to write the words and where to put digits
 * @returns the password
 *
 * @example
 * ```ts
 * import { phrase } from "./phrase.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const password = phrase([["snabba"], ["rävar"]], {
 *   casing: "title",
 *   numberPosition: "before",
 *   numberLength: 0,
 *   replaceSwedishCharacters: true,
 *   replaceWithSpecialCharacters: true,
 * });
 * assertEquals(password, "$n@bb@R@v@r");
 * ```
 */
export function phrase(
  lists: readonly (readonly string[])[],
  options: PhraseOptions,
): string {
  const { casing, numberPosition, numberLength } = options;
  const all = numberPosition === "all";
  const inGaps = all || numberPosition === "between";

  let password = all || numberPosition === "before" ? digits(numberLength) : "";
  for (let i = 0; i < lists.length; i++) {
    if (i > 0 && inGaps) password += digits(numberLength);
    const list = cased(lists[i]!, casing, i === 0);
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
  return all || numberPosition === "after"
    ? password + digits(numberLength)
    : password;
}

/** log2 of the number of digits there are. */
const DIGIT_BITS = Math.log2(10);

/**
 * Counts the passwords that {@linkcode phrase} can make out of lists.
 *
 * The numbers of choices multiply because no two ways of choosing make the same
 * password. Digits and letters tell each other apart. The words can be read off
 * again one after another, since in a list no word is the beginning of another;
 * that holds for the words as they are written, too: casing changes no letter
 * into another, the replacement of Swedish letters is part of the lists'
 * promise, and special characters stand for one letter each.
 *
 * @param lists one list for each word of the password, with its promise kept
 * @param options how to write the words and where to put digits
 * @returns log2 of the number of passwords, in bits
 *
 * @example
 * ```ts
 * import { phraseEntropy } from "./phrase.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const list = ["glide", "hum", "run", "sing"];
 * const bits = phraseEntropy([list, list], {
 *   casing: "title",
 *   numberPosition: "all",
 *   numberLength: 2,
 *   replaceSwedishCharacters: true,
 *   replaceWithSpecialCharacters: true,
 * });
 * assertEquals(bits, 2 + 2 + 6 * Math.log2(10));
 * ```
 */
export function phraseEntropy(
  lists: readonly (readonly string[])[],
  options: PhraseOptions,
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
