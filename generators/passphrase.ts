/**
 * Passwords of words: casing, replacements and digits.
 *
 * @module
 */
import { boundedSequences } from "./bounded_sequences.ts";
import { MINIMUM_ENTROPY } from "./minimum_entropy.ts";
import type { OptionTable, TextOption } from "./options.ts";
import type { Limit, PasswordGenerator, Refusal } from "./passwords.ts";
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
   * The signs of which a random one stands between two parts, none twice, at most 16
   * of printable ASCII that are no letter or digit; empty for `separator`, which is ""
   * otherwise. With `replaceWithSpecialCharacters` none of them is @, !, $ or #. The
   * default is "".
   */
  readonly separatorSet: string;
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
  /**
   * The minimum number of bits, 0 to 512: the number of words, or in a sentence of the
   * digits in each digit sequence, is raised to the smallest that has them. 0 raises
   * nothing. The default is 0.
   */
  readonly minimumEntropy: number;
}

const SEPARATOR_SET: TextOption = {
  default: "",
  maxLength: 16,
  // Code points, since languages disagree on which signs to escape in a class.
  pattern: /^[\x20-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E]*$/,
  isAllowed: (value) => new Set(value).size === value.length,
  expected:
    "at most 16 different printable ASCII characters, space included, that are no letter or digit",
  ignoredIf: { separator: SEPARATORS.slice(1) },
};

/** These options, for words with capitals after two digits. */
export const PASSPHRASE_OPTIONS = {
  casing: { default: "title", values: CASINGS },
  numberPosition: {
    default: "before",
    values: NUMBER_POSITIONS,
    ignoredIf: { numberLength: 0 },
  },
  numberLength: { default: 2, range: [0, 12] },
  replaceSwedishCharacters: { default: false },
  replaceWithSpecialCharacters: { default: false },
  separator: { default: "", values: SEPARATORS },
  separatorSet: SEPARATOR_SET,
  maximumLength: { default: 0, range: [0, 256] },
  minimumLength: { default: 0, range: [0, 128] },
  excludeSwedishCharacters: { default: false },
  minimumEntropy: MINIMUM_ENTROPY,
} as const satisfies OptionTable<PassphraseOptions>;

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

/** Writes the first letter of a word in upper case. */
export function withCapital(word: string): string {
  return word.replace(/^./u, (letter) => letter.toUpperCase());
}

/** Returns a list with a capital letter at the beginning of each word. */
const capitalised = /* @__PURE__ */ once((list) => list.map(withCapital));

/** Leaves out the words with å, ä or ö. */
const withoutSwedish = /* @__PURE__ */ once((list) =>
  list.filter((word) => !/[åäö]/.test(word))
);

/**
 * Writes the letters of a text: in upper case for this casing, then with Swedish letters
 * replaced, then with special characters. With both replacements å becomes @.
 */
export function withReplacements(
  text: string,
  options: PassphraseOptions,
): string {
  let written = options.casing === "upper" ? text.toUpperCase() : text;
  if (options.replaceSwedishCharacters) {
    written = written.replace(
      /[åäö]/gi,
      (letter) => "aaoAAO"["åäöÅÄÖ".indexOf(letter)]!,
    );
  }
  return options.replaceWithSpecialCharacters
    ? written.replace(
      /[aish]/gi,
      (letter) => "@@!!$$##"["aAiIsShH".indexOf(letter)]!,
    )
    : written;
}

function digits(count: number): string {
  let drawn = "";
  for (let i = 0; i < count; i++) drawn += randomIndex(10);
  return drawn;
}

/** Returns what stands in a gap between two parts. */
function gapOf({ separator, separatorSet }: PassphraseOptions): string {
  return separatorSet
    ? separatorSet[randomIndex(separatorSet.length)]!
    : separator;
}

/**
 * Writes a password. All digits and signs are uniform and independent.
 */
function write(
  lists: readonly (readonly string[])[],
  pick: (list: readonly string[], i: number) => number,
  options: PassphraseOptions,
): string {
  const { casing, numberPosition, numberLength } = options;
  const hasDigits = (place: typeof numberPosition) =>
    numberLength > 0 && (numberPosition === place || numberPosition === "all");
  const inGaps = hasDigits("between");

  let password = hasDigits("before")
    ? digits(numberLength) + gapOf(options)
    : "";
  for (let i = 0; i < lists.length; i++) {
    if (i > 0) password += gapOf(options);
    if (i > 0 && inGaps) password += digits(numberLength) + gapOf(options);
    const hasCapital = casing === "title" || (casing === "first" && i === 0);
    const list = hasCapital ? capitalised(lists[i]!) : lists[i]!;
    password += list[pick(list, i)]!;
  }
  if (hasDigits("after")) password += gapOf(options) + digits(numberLength);
  // Digits and separators contain no letter, so this changes only the words.
  return withReplacements(password, options);
}

const anyWord = (list: readonly string[]) => randomIndex(list.length);

/** Says why options of words or sentences allow no password. */
export function passphraseRefusals(options: PassphraseOptions): Refusal[] {
  const { separator, separatorSet, minimumLength, maximumLength } = options;
  const refusals: Refusal[] = [];
  const refuse = (limit: Limit, message: string, ...options: string[]) =>
    refusals.push({ options, limit, message });
  if (separator !== "" && separatorSet !== "") {
    refuse(
      { reason: "separators" },
      'One of separator and separatorSet must be "".',
      "separator",
      "separatorSet",
    );
  } else if (
    options.replaceWithSpecialCharacters && /[@!$#]/.test(separatorSet)
  ) {
    refuse(
      { reason: "replacements" },
      "Must be without @, !, $ and # when replaceWithSpecialCharacters is true: words have these signs then.",
      "separatorSet",
    );
  }
  if (maximumLength > 0 && minimumLength > maximumLength) {
    refuse(
      { reason: "aboveMaximumLength", maximum: maximumLength },
      `Must be at most ${maximumLength}, the maximumLength.`,
      "minimumLength",
    );
    refuse(
      { reason: "belowMinimumLength", minimum: minimumLength },
      `Must be at least ${minimumLength}, the minimumLength, or 0 for none.`,
      "maximumLength",
    );
  }
  return refusals;
}

/**
 * Returns the passwords of one word of each list. All words, digits and signs are
 * uniform and independent. A digit sequence may begin with zeros. With `maximumLength`
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
 * separator, and their number is the same. No word contains a sign of `separatorSet`
 * either, also after the replacements ({@linkcode passphraseRefusals}). So the signs of
 * a password can be read from it, and each gap multiplies the number by that of the
 * signs.
 */
export function passphrases(
  allLists: readonly (readonly string[])[],
  options: PassphraseOptions,
): ReturnType<PasswordGenerator> {
  const { numberPosition, numberLength, separator, separatorSet } = options;
  const { minimumLength, maximumLength } = options;
  const lists = options.excludeSwedishCharacters
    ? allLists.map(withoutSwedish)
    : allLists;
  const words = lists.length;
  const places = { before: 1, after: 1, between: words - 1, all: words + 1 };
  const sequences = numberLength === 0 ? 0 : places[numberPosition];
  const digitCount = sequences * numberLength;
  const gaps = words + sequences - 1;
  const signs = separatorSet.length;
  const otherBits = digitCount * Math.log2(10) + gaps * Math.log2(signs || 1);
  if (maximumLength === 0 && minimumLength === 0) {
    let count = 1;
    for (const { length } of lists) count *= length;
    return {
      bits: Math.log2(count) + otherBits,
      generate: () => write(lists, anyWord, options),
    };
  }
  // Casing and replacements do not change the length of a word: those of a list of a
  // program are written with them already.
  const others = digitCount + gaps * (signs > 0 ? 1 : separator.length);
  const { bits, letters: [shortest, longest], draw } = boundedSequences(
    lists,
    minimumLength - others,
    (maximumLength || Infinity) - others,
  );
  const [min, max] = [shortest + others, longest + others];
  if (bits < 0) {
    const refusal: Refusal = maximumLength > 0 && maximumLength < min
      ? {
        options: ["maximumLength"],
        limit: { reason: "tooShort", minimum: min },
        message: `Must be at least ${min} with these settings, or 0 for none.`,
      }
      : minimumLength > max
      ? {
        options: ["minimumLength"],
        limit: { reason: "tooLong", maximum: max },
        message: `Must be at most ${max} with these settings.`,
      }
      : {
        options: ["minimumLength", "maximumLength"],
        limit: { reason: "noLength" },
        message: "No password has a length between these two.",
      };
    return { refusal: () => refusal };
  }
  return {
    bits: bits + otherBits,
    generate: () => {
      const places = draw();
      return write(lists, (_, i) => places[i]!, options);
    },
  };
}
