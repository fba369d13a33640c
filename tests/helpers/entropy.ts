/**
 * The numbers of possible passwords, as whole numbers. They follow from the
 * specification, and they are counted in another way than in the generators.
 *
 * @module
 */
import { assert } from "@std/assert";
import { formatBits } from "../../routes/api/password.ts";
import { type Language, WORDLISTS } from "../../wordlists/mod.ts";

/**
 * Returns log2 of a number of passwords, with two decimals, rounded down. It is
 * exact: 2^(n/100) <= count if and only if 2^n <= count^100.
 */
export function exactBits(count: bigint): string {
  return (floorLog2(count ** 100n) / 100).toFixed(2);
}

/**
 * Fails unless a number of bits is log2 of a count to 1e-9, and is the same as exact
 * integers where it is rounded down.
 */
export function assertBits(bits: number, count: bigint, where?: unknown): void {
  const name = () => `${JSON.stringify(where)}: ${bits} of ${count}`;
  if (count === 0n) return assert(bits === -Infinity, name());
  const exact = log2(count);
  if (!(Math.abs(bits - exact) < 1e-9)) assert(false, name());
  // minimumEntropy compares the entropy with whole numbers of bits.
  if (Math.floor(bits) !== floorLog2(count)) assert(false, name());
  // Closer to a hundredth than doubles are exact, the exact count decides which
  // hundredth is the one below.
  if (Math.abs(exact - Math.round(exact * 100) / 100) < 1e-10) {
    assert(formatBits(bits) === exactBits(count), name());
  }
}

/** log2 of a whole number, rounded down. */
export function floorLog2(n: bigint): number {
  const digits = n.toString(16);
  return 4 * digits.length + 27 - Math.clz32(parseInt(digits[0]!, 16));
}

/** log2 of a whole number, from its highest 13 hexadecimal digits. */
export function log2(n: bigint): number {
  const digits = n.toString(16);
  return Math.log2(parseInt(digits.slice(0, 13), 16)) +
    4 * Math.max(0, digits.length - 13);
}

/** The number of sequences with one word of each list. */
export function sequences(...lists: readonly (readonly string[])[]): bigint {
  return lists.reduce((count, { length }) => count * BigInt(length), 1n);
}

/** The settings that the number of passwords of words depends on. */
interface PassphraseSettings {
  readonly language: Language;
  readonly numberPosition: "before" | "after" | "between" | "all";
  readonly numberLength: number;
  readonly separator?: string;
  readonly maximumLength?: number;
}

/** The sequences so far by their lists: how many have each number of letters. */
const byLetters = new Map<string, bigint[]>();

/**
 * Counts the sequences with one word of each list that have at most some letters. It
 * multiplies polynomials, in which the power of x is the number of letters.
 */
function shortSequences(
  name: string,
  lists: readonly (readonly string[])[],
  letters: number,
): bigint {
  let product = byLetters.get(name);
  if (product === undefined) {
    product = [1n];
    for (const list of lists) {
      const next: bigint[] = [];
      for (const word of list.map(({ length }) => length)) {
        next[word] = (next[word] ?? 0n) + 1n;
      }
      const before: bigint[] = product;
      product = [];
      for (const [i, count] of before.entries()) {
        for (const [j, words = 0n] of next.entries()) {
          product[i + j] = (product[i + j] ?? 0n) + count * words;
        }
      }
    }
    byLetters.set(name, product);
  }
  return product.slice(0, Math.max(0, letters + 1))
    .reduce((sum, count) => sum + count, 0n);
}

/** The number of passwords with one word of each list. */
function countPassphrases(
  settings: PassphraseSettings,
  lists: readonly (readonly string[])[],
): bigint {
  const { language, numberPosition, numberLength } = settings;
  const { separator = "", maximumLength = 0 } = settings;
  const words = lists.length;
  const places = { before: 1, after: 1, between: words - 1, all: words + 1 };
  const digits = numberLength === 0 ? 0 : places[numberPosition];
  const others = digits * numberLength +
    (words + digits - 1) * separator.length;
  const isSentence = lists[0] !== WORDLISTS[language].words;
  const name = `${language} ${isSentence ? "sentence" : words}`;
  const letters = maximumLength === 0 ? Infinity : maximumLength - others;
  return shortSequences(name, lists, letters) *
    10n ** BigInt(digits * numberLength);
}

/** The number of passwords of words. */
export function countWords(
  settings: PassphraseSettings & { readonly wordCount: number },
): bigint {
  const { language, wordCount } = settings;
  return countPassphrases(
    settings,
    Array(wordCount).fill(WORDLISTS[language].words),
  );
}

/** The number of sentences. */
export function countSentences(settings: PassphraseSettings): bigint {
  const { adjectives, nouns, verbs, adverbs } = WORDLISTS[settings.language];
  return countPassphrases(settings, [adjectives, nouns, verbs, adverbs]);
}

/** The sizes of the classes: all characters, and without those that look alike. */
const SIZES = {
  lowercase: [26, 25], // l
  uppercase: [26, 24], // I O
  numbers: [10, 8], // 0 1
  swedishCharacters: [6, 6],
  specialCharacters: [28, 27], // |
} as const;

/** The name of a class of characters. */
export type ClassName = keyof typeof SIZES;
export const CLASS_NAMES = Object.keys(SIZES) as ClassName[];

/** The settings that the characters of a password depend on. */
type AlphabetSettings =
  & { readonly [Name in ClassName]: boolean }
  & {
    readonly excludeAmbiguous?: boolean;
    readonly specialCharacterSet?: string;
  };

/** The settings that the number of passwords of characters depends on. */
export type CharacterSettings = AlphabetSettings & {
  readonly length: number;
  readonly specialCharacterPercentage: number;
};

/** The sizes of the enabled classes. */
export function classSizes(settings: AlphabetSettings): number[] {
  const { excludeAmbiguous = false, specialCharacterSet = "" } = settings;
  const specials = excludeAmbiguous
    ? specialCharacterSet.replace("|", "")
    : specialCharacterSet;
  return CLASS_NAMES.filter((name) => settings[name]).map((name) =>
    name === "specialCharacters" && specialCharacterSet !== ""
      ? specials.length
      : SIZES[name][excludeAmbiguous ? 1 : 0]
  );
}

/**
 * The places of a password of characters: how many are for a special character, and
 * how many for the other classes. Without a percentage, all are for any class.
 */
function placesOf(settings: CharacterSettings) {
  const { length, specialCharacters, specialCharacterPercentage } = settings;
  const sizes = classSizes(settings);
  if (!specialCharacters || specialCharacterPercentage === 0) {
    return { special: 0, specials: 0, others: length, sizes };
  }
  const specials = sizes.pop()!; // the last class
  // Integers up to the division, so that halves are rounded up exactly.
  const share = Math.floor(
    (2 * length * specialCharacterPercentage + 100) / 200,
  );
  const special = sizes.length === 0 ? length : Math.max(1, share);
  return { special, specials, others: length - special, sizes };
}

/** The number of passwords of characters. */
export function countCharacters(settings: CharacterSettings): bigint {
  const { special, specials, others, sizes } = placesOf(settings);
  return choose(special + others, special) *
    BigInt(specials) ** BigInt(special) * countStrings(sizes, others);
}

/**
 * The greatest `count` of a request for characters: 20,000 characters are drawn for
 * all passwords on average. Only strings without a character of some class are
 * rejected, and they have no place that is for special characters.
 */
export function mostPasswords(
  settings: CharacterSettings,
  characters = 20_000n,
): number {
  const { special, others, sizes } = placesOf(settings);
  const all = BigInt(sizes.reduce((a, b) => a + b, 0)) ** BigInt(others);
  const strings = countStrings(sizes, others);
  return Number(
    characters * strings / (BigInt(special) * strings + BigInt(others) * all),
  );
}

/** The rows of Pascal's triangle so far. */
const triangle: bigint[][] = [[1n]];

/** The number of ways to choose `k` of `n` places. */
function choose(n: number, k: number): bigint {
  for (let row = triangle.length; row <= n; row++) {
    const last = triangle[row - 1]!;
    triangle[row] = [1n, ...last.map((ways, i) => ways + (last[i + 1] ?? 0n))];
  }
  return triangle[n]![k]!;
}

/** The counts so far by sizes and length, since each occurs in many settings. */
const counts = new Map<string, bigint>();

/**
 * Counts the strings in which each class occurs, or all strings if there is no
 * room for each class. It adds one class at a time, by the number of its places;
 * the program uses inclusion and exclusion instead.
 *
 * @param sizes the numbers of characters of the classes
 * @param length the length of the strings
 */
export function countStrings(sizes: readonly number[], length: number): bigint {
  if (length < sizes.length) {
    return BigInt(sizes.reduce((a, b) => a + b, 0)) ** BigInt(length);
  }
  if (sizes.length === 0) return length === 0 ? 1n : 0n;
  const key = `${sizes} ${length}`;
  let count = counts.get(key);
  if (count === undefined) {
    const [size, ...others] = sizes;
    count = 0n;
    for (let k = 1; k <= length - others.length; k++) {
      count += choose(length, k) * BigInt(size!) ** BigInt(k) *
        countStrings(others, length - k);
    }
    counts.set(key, count);
  }
  return count;
}
