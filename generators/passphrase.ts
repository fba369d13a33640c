/**
 * Passwords of words: casing, replacements and digits.
 *
 * @module
 */
import { boundedSequences } from "./bounded_sequences.ts";
import type { OptionTable } from "./options.ts";
import { type GeneratorResult, refusedResult } from "./passwords.ts";
import { randomIndex } from "./random.ts";

/** The casings of words. */
export const CASINGS: readonly ["lower", "upper", "first", "title"] =
  /* @__PURE__ */ Object.freeze(["lower", "upper", "first", "title"]);

/** The positions of digit sequences. */
export const NUMBER_POSITIONS: readonly ["before", "after", "between", "all"] =
  /* @__PURE__ */ Object.freeze(["before", "after", "between", "all"]);

/** The strings that can stand between the parts of a password. */
export const SEPARATORS: readonly ["", "-", ".", "_", " ", ","] =
  /* @__PURE__ */ Object.freeze(["", "-", ".", "_", " ", ","]);

/** The style of the words, and the position of the digits. */
export interface PassphraseOptions {
  /**
   * `lower` and `upper`: the case of all letters. `first`: upper case for the first
   * letter of the first word. `title`: for the first letter of each word. The
   * default is "title".
   */
  readonly casing: typeof CASINGS[number];
  /**
   * `before`: digits, then words. `after`: words, then digits. `between`: one digit
   * sequence in each gap. `all`: all of these positions. The default is "before".
   */
  readonly numberPosition: typeof NUMBER_POSITIONS[number];
  /** Digits in each digit sequence, 0 to 12. The default is 2. */
  readonly numberLength: number;
  /** Replace å and ä with a, and ö with o. The default is false. */
  readonly replaceSwedishCharacters: boolean;
  /** Replace a, i, s and h with @, !, $ and #. The default is false. */
  readonly replaceWithSpecialCharacters: boolean;
  /**
   * What stands between two parts; a part is a word or a digit sequence. The default
   * is "".
   */
  readonly separator: typeof SEPARATORS[number];
  /**
   * The maximum number of characters of a password, 0 to 256; 0 is none. The default
   * is 0.
   */
  readonly maximumLength: number;
  /**
   * The minimum number of characters of a password, 0 to 128. The default is 0.
   */
  readonly minimumLength: number;
  /**
   * Use only words that are spelled without å, ä and ö. The default is false.
   */
  readonly excludeSwedishCharacters: boolean;
}

/** These options, for words with capitals after two digits. */
export const PASSPHRASE_OPTIONS = {
  casing: { default: "title", values: CASINGS },
  numberPosition: { default: "before", values: NUMBER_POSITIONS },
  numberLength: { default: 2, range: [0, 12] },
  replaceSwedishCharacters: { default: false },
  replaceWithSpecialCharacters: { default: false },
  separator: { default: "", values: SEPARATORS },
  maximumLength: { default: 0, range: [0, 256] },
  minimumLength: { default: 0, range: [0, 128] },
  excludeSwedishCharacters: { default: false },
} as const satisfies OptionTable<PassphraseOptions>;

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

type List = readonly string[];

/**
 * Converts each list once, since the conversion of each drawn word would be half
 * the cost of a password.
 */
function once(convert: (list: List) => List): (list: List) => List {
  const converted = new WeakMap<List, List>();
  return (list) => {
    let words = converted.get(list);
    if (words === undefined) converted.set(list, words = convert(list));
    return words;
  };
}

/** Returns a list with a capital letter at the beginning of each word. */
const capitalised = /* @__PURE__ */ once((list) =>
  list.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
);

/** Leaves out the words with å, ä or ö. */
const withoutSwedish = /* @__PURE__ */ once((list) =>
  list.filter((word) => !/[åäö]/.test(word))
);

function digits(count: number): string {
  let drawn = "";
  for (let i = 0; i < count; i++) drawn += randomIndex(10);
  return drawn;
}

/**
 * Writes a password. The order is: casing, replacement of Swedish letters,
 * replacement with special characters. With both replacements å becomes @. All
 * digits are uniform and independent.
 */
function write(
  lists: readonly (readonly string[])[],
  pick: (list: readonly string[], i: number) => number,
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
    password += list[pick(list, i)]!;
  }
  if (hasDigits("after")) password += separator + digits(numberLength);
  // Digits and separators contain no letter, so this changes only the words.
  if (casing === "upper") password = password.toUpperCase();
  if (options.replaceSwedishCharacters) {
    password = password.replace(/[åäö]/gi, (letter) => SWEDISH[letter]!);
  }
  if (options.replaceWithSpecialCharacters) {
    password = password.replace(/[aish]/gi, (letter) => SPECIAL[letter]!);
  }
  return password;
}

const anyWord = (list: readonly string[]) => randomIndex(list.length);

/**
 * Returns the passwords of one word of each list. All words and digits are uniform
 * and independent. A digit sequence may begin with zeros. With `maximumLength`
 * only the passwords of at most so many characters remain, with `minimumLength`
 * those of at least so many, all equally likely.
 *
 * Their number is the product of the numbers of choices, because different choices
 * give different passwords. Digits separate words. Without digits, no two
 * sequences of words of a list are spelled alike: the list is uniquely decodable.
 * The four lists of a sentence are even prefix-free. The style does not change
 * this. Casing changes only the case of letters. The lists are uniquely decodable
 * also after the replacement of Swedish letters. Each special character replaces
 * one letter. (tests/wordlists/lists_test.ts decides this for each list.) A part of
 * a uniquely decodable list is one, too. No word contains a separator. So a password
 * without its separators is the password that the same choices give without a
 * separator, and their number is the same.
 */
export function passphrases(
  allLists: readonly (readonly string[])[],
  options: PassphraseOptions,
): GeneratorResult {
  const { numberPosition, numberLength, separator } = options;
  const { minimumLength, maximumLength } = options;
  const lists = options.excludeSwedishCharacters
    ? allLists.map(withoutSwedish)
    : allLists;
  const words = lists.length;
  const places = { before: 1, after: 1, between: words - 1, all: words + 1 };
  const sequences = numberLength === 0 ? 0 : places[numberPosition];
  const digitCount = sequences * numberLength;
  const digitBits = digitCount * Math.log2(10);
  if (maximumLength === 0 && minimumLength === 0) {
    let count = 1;
    for (const { length } of lists) count *= length;
    return {
      bits: Math.log2(count) + digitBits,
      generate: () => write(lists, anyWord, options),
    };
  }
  // Casing and replacements do not change the length of a word.
  const others = digitCount + (words + sequences - 1) * separator.length;
  const { bits, letters: [shortest, longest], draw } = boundedSequences(
    lists,
    minimumLength - others,
    (maximumLength || Infinity) - others,
  );
  const [min, max] = [shortest + others, longest + others];
  if (bits < 0) {
    return refusedResult(
      maximumLength > 0 && maximumLength < min
        ? {
          options: ["maximumLength"],
          explain: () =>
            `Must be at least ${min} with these settings, or 0 for none.`,
        }
        : minimumLength > max
        ? {
          options: ["minimumLength"],
          explain: () => `Must be at most ${max} with these settings.`,
        }
        : {
          options: ["minimumLength", "maximumLength"],
          explain: () => "No password has a length between these two.",
        },
    );
  }
  return {
    bits: bits + digitBits,
    generate: () => {
      const places = draw();
      return write(lists, (_, i) => places[i]!, options);
    },
  };
}
