/**
 * Strings that are drawn again until they meet rules.
 *
 * @module
 */
import { hasLetter, type RequiredSet } from "./mixed_strings.ts";
import { randomIndex } from "./random.ts";

/** How many tries a string takes on average at most. */
export const MAX_TRIES = 64;

/** The characters of strings, and the sets of which these have some. */
export interface Alphabet {
  /** The codes of the characters, in ascending order. */
  readonly codes: readonly number[];
  /** The places of the characters that can be first; undefined if all can. */
  readonly starts: readonly number[] | undefined;
  /** The required sets, without those that the first character is of in any case. */
  readonly sets: readonly RequiredSet[];
  /** For each character: a number with a binary digit for each set that has it. */
  readonly masks: readonly number[];
}

/** Tells whether a character is a letter. */
export const isLetter = (code: number) => hasLetter(String.fromCharCode(code));

/** For each character: a number with a binary digit for each set that has it. */
export function masksOf(
  codes: readonly number[],
  sets: readonly RequiredSet[],
): number[] {
  // Every code is below 256: a table takes less time than a search in each set.
  const masks: number[] = Array(256).fill(0);
  for (const [i, { characters }] of sets.entries()) {
    for (let at = 0; at < characters.length; at++) {
      masks[characters.charCodeAt(at)]! |= 1 << i;
    }
  }
  return codes.map((code) => masks[code]!);
}

/** Sorts the characters of strings, and looks for the sets in them. */
export function alphabetOf(
  characters: string,
  required: readonly RequiredSet[],
  beginWithLetter: boolean,
): Alphabet {
  // Every code is below 256: a table takes less time than to sort them.
  const isUsed: boolean[] = Array(256).fill(false);
  for (let at = 0; at < characters.length; at++) {
    isUsed[characters.charCodeAt(at)] = true;
  }
  const codes: number[] = [];
  for (let code = 0; code < 256; code++) if (isUsed[code]) codes.push(code);
  const starts = beginWithLetter
    ? [...codes.keys()].filter((i) => isLetter(codes[i]!))
    : undefined;
  const sets = required.filter(({ characters, min }) =>
    min > 1 ||
    !starts?.every((i) => characters.includes(String.fromCharCode(codes[i]!)))
  );
  return { codes, starts, sets, masks: masksOf(codes, sets) };
}

/** How many strings of a length there are, whatever sets they have characters of. */
export function sizeOf({ codes, starts }: Alphabet, length: number): number {
  return starts
    ? starts.length * codes.length ** (length - 1)
    : codes.length ** length;
}

/**
 * log2 of how many strings are accepted, in bits. If some string is missing and these
 * are too few for a double, it is the next smaller double: 68 of 16 characters are 271.99
 * bits, not 272.
 *
 * @param count how many are accepted
 * @param all how many there are
 * @param isAll whether all are accepted
 */
export function bitsOf(count: number, all: number, isAll: boolean): number {
  const bits = Math.log2(count);
  return isAll ? bits : Math.min(bits, Math.log2(all) * (1 - Number.EPSILON));
}

/**
 * Makes a function that draws a string of a length with a character of each set, which
 * is also allowed.
 *
 * A string over the characters is drawn uniformly. If it does not meet the rules, it is
 * rejected, and another one is drawn. Each string over the characters has the same
 * probability, so each accepted string has the same probability too. To draw one
 * character of each set and to shuffle is not uniform: a string that can be made in
 * more ways is more likely.
 */
export function rejecting(
  { codes, starts, sets, masks }: Alphabet,
  isAllowed: (text: string) => boolean = () => true,
): (length: number) => string {
  const size = codes.length;
  const allMask = (1 << sets.length) - 1;
  return (length) => {
    while (true) {
      let drawn = "";
      let seenMask = 0;
      let left = length;
      if (starts) {
        const index = starts[randomIndex(starts.length)]!;
        drawn = String.fromCharCode(codes[index]!);
        seenMask = masks[index]!;
        left--;
      }
      // Two characters per draw: a uniform pair is two independent uniform
      // characters, for half the randomness. (A table of all pairs would save the
      // division, but under load its cache misses cost two microseconds.)
      for (; left > 1; left -= 2) {
        const pair = randomIndex(size * size);
        const first = Math.floor(pair / size);
        const second = pair % size;
        drawn += String.fromCharCode(codes[first]!, codes[second]!);
        seenMask |= masks[first]! | masks[second]!;
      }
      if (left === 1) {
        const index = randomIndex(size);
        drawn += String.fromCharCode(codes[index]!);
        seenMask |= masks[index]!;
      }
      if (seenMask === allMask && isAllowed(drawn)) return drawn;
    }
  };
}
