/**
 * Strings of random characters that meet rules: how many there are, and one of them.
 *
 * @module
 */
import { type Alphabet, countByExclusion } from "./exclusion.ts";
import {
  doublesOf,
  hasLetter,
  MAX_LENGTH,
  MixedStrings,
  type RequiredSet,
} from "./mixed_strings.ts";
import type { DrawnPasswords } from "./passwords.ts";
import { randomIndex } from "./random.ts";
import {
  hasShortRuns,
  limitsFor,
  type RunLimits,
  sortedCodes,
} from "./runs.ts";
import type { Work } from "./work.ts";

/** How many strings may be proposed for one that meets the rules, on average. */
export const MAX_TRIES = 64;

/** So many tries take less time than to draw how many characters each class has. */
const MAX_FAST_TRIES = 2;

/** The rules for strings. */
export interface StringRules extends RunLimits {
  /** The allowed characters, each one UTF-16 unit below 256, and none twice. */
  readonly characters: string;
  /** Sets of allowed characters, and how many of each a string has at least. */
  readonly required: readonly RequiredSet[];
  /** Whether the first character is a letter. */
  readonly beginWithLetter: boolean;
  /** The bits that are asked for: longer strings are counted too if they are needed. */
  readonly minimumEntropy: number;
}

/** The strings of a length that meet rules. */
export interface Strings extends DrawnPasswords {
  readonly drawnCharacters: number;
  /** How many strings over the characters there are for each of them. */
  readonly rarity: number;
  /** How many strings with enough characters of each set there are for each of them. */
  readonly rarityOfRuns: number;
}

/** Tells whether strings are too rare to draw. */
export function isRare(rarity: number): boolean {
  // Exactly so many can be a little more in doubles.
  return !(rarity <= MAX_TRIES * (1 + 2 ** -40));
}

/** Sorts the characters of strings, and looks for the sets in them. */
function alphabetOf(rules: StringRules): Alphabet {
  const { characters, required, beginWithLetter } = rules;
  const codes = sortedCodes(characters, rules);
  const starts = beginWithLetter
    ? characters.replace(/\P{L}/gu, "")
    : characters;
  const hasStarts = (set: string) =>
    set.length >= starts.length && [...starts].every((c) => set.includes(c));
  const sets = required.filter(({ characters, min }) =>
    min > 1 || min === 1 && !hasStarts(characters)
  );
  // Every code is below 256: a table takes less time than a search in each set.
  const masks: number[] = Array(256).fill(0);
  for (const [i, { characters }] of sets.entries()) {
    for (let at = 0; at < characters.length; at++) {
      masks[characters.charCodeAt(at)]! |= 1 << i;
    }
  }
  return { codes, starts, sets, masks };
}

/**
 * Splits the characters into the sets and the rest, if no character is in two sets, and
 * if a first letter is of sets that have only letters.
 */
function classesOf(
  { codes, sets, masks }: Alphabet,
  beginWithLetter: boolean,
): readonly RequiredSet[] | undefined {
  const isMixed = ({ characters }: RequiredSet) =>
    hasLetter(characters) && /\P{L}/u.test(characters);
  if (
    codes.some((code) => masks[code]! & (masks[code]! - 1)) ||
    beginWithLetter && sets.some(isMixed)
  ) return undefined;
  const rest = codes.filter((code) => masks[code] === 0);
  if (rest.length === 0) return sets;
  const characters = String.fromCharCode(...rest);
  return [characters.replace(/\P{L}/gu, ""), characters.replace(/\p{L}/gu, "")]
    .filter((characters) => characters !== "")
    .map((characters): RequiredSet => ({ characters, min: 0 }))
    .concat(sets);
}

/** Draws a string of a length uniformly, whatever sets it has characters of. */
function drawAny({ codes, starts }: Alphabet, length: number): string {
  const { length: size } = codes;
  let drawn = starts.length < size ? starts[randomIndex(starts.length)]! : "";
  let left = length - drawn.length;
  // Two characters per draw: a uniform pair is two independent uniform
  // characters, for half the randomness. (A table of all pairs would save the
  // division, but under load its cache misses cost two microseconds.)
  for (; left > 1; left -= 2) {
    const pair = randomIndex(size * size);
    drawn += String.fromCharCode(
      codes[Math.floor(pair / size)]!,
      codes[pair % size]!,
    );
  }
  if (left === 1) drawn += String.fromCharCode(codes[randomIndex(size)]!);
  return drawn;
}

/** Tells whether a string has enough characters of each set. */
function hasEnough(text: string, { sets, masks }: Alphabet): boolean {
  let seen = 0;
  for (let i = 0; i < text.length; i++) seen |= masks[text.charCodeAt(i)]!;
  if (seen !== (1 << sets.length) - 1) return false;
  return sets.every(({ min }, set) => {
    let count = min === 1 ? 1 : 0;
    for (let i = 0; count < min && i < text.length; i++) {
      count += masks[text.charCodeAt(i)]! >> set & 1;
    }
    return count >= min;
  });
}

/**
 * log2 of how many strings are permitted, in bits. If some string is missing and these
 * are too few for a double, it is the next smaller double: 68 of 16 characters are 271.99
 * bits, not 272.
 *
 * @param count how many are permitted
 * @param total how many there are
 * @param hasAll whether all of these are permitted
 */
function bitsOf(count: number, total: number, hasAll: boolean): number {
  const bits = Math.log2(count);
  return hasAll || count === total && total <= Number.MAX_SAFE_INTEGER
    ? bits
    : Math.min(bits, Math.log2(total) * (1 - Number.EPSILON));
}

/**
 * The strings that meet rules, by length.
 *
 * How one is drawn: a string is proposed until one meets the rules. Each proposal has the
 * same probability, so each string that meets them has the same probability too. Proposed
 * are all strings over the characters or, if these are rejected too often, those with
 * enough characters of each set. (To draw one character of each set and to shuffle is not
 * uniform: a string that can be made in more ways is more likely.)
 *
 * Why there are two counts: to count the characters of each class takes a sum for each
 * class (mixed_strings.ts), where states for four minima of 32 would be 33^4; but it does
 * not know which characters are neighbours. Exclusion (exclusion.ts) takes 3,000 steps for
 * runs in 20 characters, where states for the last character would take 184,000.
 */
export class StringSet {
  readonly #alphabet: Alphabet;
  /** Undefined if a character is in two sets. */
  readonly #mixed: MixedStrings | undefined;
  readonly #limits: RunLimits;
  /** No string is shorter. */
  readonly #least: number;
  /** The counts of strings with limits or without classes, by length. */
  #counts: readonly number[] = [];
  readonly #known: Strings[] = [];

  constructor(
    private readonly rules: StringRules,
    private readonly work: Work,
  ) {
    const { required, beginWithLetter } = rules;
    this.#alphabet = alphabetOf(rules);
    const classes = classesOf(this.#alphabet, beginWithLetter);
    this.#mixed = classes && new MixedStrings(classes, beginWithLetter, work);
    this.#limits = limitsFor(this.#alphabet.codes, rules);
    const minima = required.map(({ min }) => min);
    this.#least = classes
      ? minima.reduce((sum, min) => sum + min, 0)
      : Math.max(...minima);
  }

  /**
   * Returns the strings of a length. With a share they have exactly so many characters of
   * the last set: then the sets have all characters, none is in two, and there are no
   * limits of runs.
   *
   * @returns the strings; their number can be 0
   * @throws {TooMuchWork} if they cannot be counted in time
   */
  ofLength(length: number, share?: number): Strings {
    // Not those of all shares: the strings of common settings are kept for ever.
    return share === undefined
      ? this.#known[length] ??= this.#ofLength(length)
      : this.#ofLength(length, share);
  }

  #ofLength(length: number, share?: number): Strings {
    const mixed = this.#mixed;
    const { maxRepeating, maxSequential } = this.#limits;
    const isLimited = Math.min(maxRepeating, maxSequential) < length;
    const count = length < this.#least
      ? 0
      : mixed && !isLimited
      ? mixed.count(length, share)
      : this.#countOf(length);
    const { total, hasAll } = this.#withoutRules(length, share);
    const hasFew = (strings: number) =>
      share !== undefined || total > MAX_FAST_TRIES * strings;
    // The classes are counted only if they are needed.
    const ofSets = isLimited
      ? mixed && hasFew(count) ? mixed.count(length) : total
      : count;
    const byClass = mixed && hasFew(ofSets) ? mixed : undefined;
    const isPermitted = (text: string) =>
      (byClass || hasEnough(text, this.#alphabet)) &&
      (!isLimited || hasShortRuns(text, this.#limits));
    return {
      bits: bitsOf(count, total, hasAll && !isLimited),
      rarity: total / count,
      rarityOfRuns: ofSets / count,
      drawnCharacters: length * (byClass ? ofSets : total) / count,
      generate: () => {
        while (true) {
          const text = byClass
            ? byClass.draw(length, share)
            : drawAny(this.#alphabet, length);
          if (isPermitted(text)) return text;
        }
      },
    };
  }

  #countOf(length: number): number {
    if (length >= this.#counts.length) {
      const { minimumEntropy } = this.rules;
      // No string is shorter that has so many bits; some have one or two more.
      const needed = minimumEntropy &&
        2 + Math.ceil(minimumEntropy / Math.log2(this.#alphabet.codes.length));
      const last = this.#counts.length === 0
        ? Math.max(length, needed)
        : 2 * length;
      this.#counts = countByExclusion(
        this.#alphabet,
        this.#limits,
        Math.min(MAX_LENGTH, last),
        this.work,
      );
    }
    return this.#counts[length]!;
  }

  /** How many strings there are without the rules, and whether all of these meet the sets. */
  #withoutRules(length: number, share = 0): { total: number; hasAll: boolean } {
    const { codes, starts, sets } = this.#alphabet;
    const { required, beginWithLetter } = this.rules;
    const specials = share === 0 ? undefined : required.at(-1)!;
    const special = specials?.characters.length ?? 0;
    const others = codes.length - special;
    const first = beginWithLetter ? starts.length : others;
    const rest = length - share;
    const choices = doublesOf(Math.max(0, length - Number(beginWithLetter)));
    return {
      total: choices[share]! * special ** share *
        (rest === 0 ? 1 : first * others ** (rest - 1)),
      hasAll: sets.every((set) =>
        set === specials || set.characters.length === others
      ),
    };
  }
}
