/**
 * The numbers of possible passwords, as whole numbers. They follow from the
 * specification, and they are counted in another way than in the generators.
 *
 * @module
 */
import { type Language, WORDLISTS } from "../../wordlists/mod.ts";

/**
 * Returns log2 of a number of passwords, with two decimals, rounded down. It is
 * exact: 2^(n/100) <= count if and only if 2^n <= count^100.
 */
export function exactBits(count: bigint): string {
  return (floorLog2(count ** 100n) / 100).toFixed(2);
}

/** log2 of a whole number, rounded down. */
export function floorLog2(n: bigint): number {
  return n.toString(2).length - 1;
}

/** log2 of a whole number, from its 60 highest bits. */
export function log2(n: bigint): number {
  const shift = BigInt(Math.max(0, floorLog2(n) - 59));
  return Math.log2(Number(n >> shift)) + Number(shift);
}

/** The number of sequences with one word of each list. */
export function sequences(...lists: readonly (readonly string[])[]): bigint {
  return lists.reduce((count, { length }) => count * BigInt(length), 1n);
}

/** The settings that the number of passwords of words depends on. */
interface PhraseSettings {
  readonly language: Language;
  readonly numberPosition: "before" | "after" | "between" | "all";
  readonly numberLength: number;
}

/** The number of digit strings beside `words` words. */
function countDigits(
  { numberPosition, numberLength }: PhraseSettings,
  words: number,
): bigint {
  const places = { before: 1, after: 1, between: words - 1, all: words + 1 };
  return 10n ** BigInt(places[numberPosition] * numberLength);
}

/** The number of passwords of words. */
export function countWords(
  settings: PhraseSettings & { readonly wordCount: number },
): bigint {
  const { language, wordCount } = settings;
  return BigInt(WORDLISTS[language].words.length) ** BigInt(wordCount) *
    countDigits(settings, wordCount);
}

/** The number of sentences. */
export function countSentences(settings: PhraseSettings): bigint {
  const { adjectives, nouns, verbs, adverbs } = WORDLISTS[settings.language];
  return sequences(adjectives, nouns, verbs, adverbs) *
    countDigits(settings, 4);
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

/** The settings that the number of passwords of characters depends on. */
export type CharacterSettings =
  & { readonly [Name in ClassName]: boolean }
  & {
    readonly length: number;
    readonly specialCharacterPercentage: number;
    readonly excludeAmbiguous: boolean;
  };

/** The number of passwords of characters. */
export function countCharacters(settings: CharacterSettings): bigint {
  const { length, specialCharacterPercentage, excludeAmbiguous } = settings;
  const names = CLASS_NAMES.filter((name) => settings[name]);
  if (!settings.specialCharacters || specialCharacterPercentage === 0) {
    return countStrings(names, length, excludeAmbiguous);
  }
  const others = names.filter((name) => name !== "specialCharacters");
  const rounded = Number(
    BigInt(2 * length * specialCharacterPercentage + 100) / 200n,
  );
  const special = others.length === 0 ? length : Math.max(1, rounded);
  return choose(length, special) *
    countStrings(["specialCharacters"], special, excludeAmbiguous) *
    countStrings(others, length - special, excludeAmbiguous);
}

function choose(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 1; i <= k; i++) ways = ways * BigInt(n - i + 1) / BigInt(i);
  return ways;
}

/** The counts so far, since each one occurs in many settings. */
const counts = new Map<string, bigint>();

/**
 * Counts the strings in which each class occurs, or all strings if there is no
 * room for each class. It adds one class at a time, by the number of its places;
 * the program uses inclusion and exclusion instead.
 */
export function countStrings(
  names: readonly ClassName[],
  length: number,
  excludeAmbiguous = false,
): bigint {
  if (length === 0) return 1n;
  const key = `${names} ${length} ${excludeAmbiguous}`;
  const known = counts.get(key);
  if (known !== undefined) return known;
  const sizes = names.map((name) => SIZES[name][excludeAmbiguous ? 1 : 0]);
  let count: bigint;
  if (length < sizes.length) {
    count = BigInt(sizes.reduce((a, b) => a + b, 0)) ** BigInt(length);
  } else {
    // ways[n]: strings of n characters in which each class so far occurs.
    let ways: bigint[] = [1n, ...Array(length).fill(0n)];
    for (const size of sizes) {
      const next: bigint[] = Array(length + 1).fill(0n);
      for (let n = 0; n <= length; n++) {
        let places = 1n; // n over k
        for (let k = 1; k <= n; k++) {
          places = places * BigInt(n - k + 1) / BigInt(k);
          if (ways[n - k] !== 0n) {
            next[n]! += ways[n - k]! * places * BigInt(size) ** BigInt(k);
          }
        }
      }
      ways = next;
    }
    count = ways[length]!;
  }
  counts.set(key, count);
  return count;
}
