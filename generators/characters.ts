/**
 * Passwords of random characters.
 *
 * @module
 */
import {
  noPasswords,
  type PasswordGenerator,
  type Passwords,
  type Refusal,
} from "./passwords.ts";
import { randomIndex } from "./random.ts";
import { MAX_LENGTH, stringSet } from "./strings.ts";

/** Options of a password of random characters. */
export interface CharacterOptions {
  /** The number of characters, 1 to 128. */
  readonly length: number;
  /** Use a-z. */
  readonly lowercase: boolean;
  /** Use A-Z. */
  readonly uppercase: boolean;
  /** Use 0-9. */
  readonly numbers: boolean;
  /** Use special characters. */
  readonly specialCharacters: boolean;
  /** Use å ä ö Å Ä Ö. */
  readonly swedishCharacters: boolean;
  /**
   * The share of special characters in percent, 0 to 100. 0 leaves it to chance.
   * It is ignored without `specialCharacters`.
   */
  readonly specialCharacterPercentage: number;
  /** Leave out the characters that look alike: 0 O 1 l I |. */
  readonly excludeAmbiguous: boolean;
  /** The special characters, none twice; empty for the 28 of {@linkcode CLASSES}. */
  readonly specialCharacterSet: string;
}

/** The options of a password of 20 letters, digits and special characters. */
export const CHARACTER_DEFAULTS: CharacterOptions = {
  length: 20,
  lowercase: true,
  uppercase: true,
  numbers: true,
  specialCharacters: true,
  swedishCharacters: false,
  specialCharacterPercentage: 0,
  excludeAmbiguous: false,
  specialCharacterSet: "",
};

/**
 * The classes of characters, the special characters last. Every character is one UTF-16 unit in NFC. The
 * special characters are the printable ASCII punctuation without four characters
 * that break quoting: `"`, `'`, the backtick and the backslash.
 *
 * @example
 * ```ts
 * import { CLASSES } from "./characters.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(CLASSES.specialCharacters.length, 28);
 * ```
 */
export const CLASSES = {
  lowercase: "abcdefghijklmnopqrstuvwxyz",
  uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  numbers: "0123456789",
  swedishCharacters: "åäöÅÄÖ",
  specialCharacters: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
} as const;

/** The names of the options that leave out characters. */
export const EXCLUSIONS = ["excludeAmbiguous"] as const;

/** What the options leave out, of a class and of the rules of a site. */
export type Exclusions = Pick<CharacterOptions, typeof EXCLUSIONS[number]>;

/** All characters that look alike in many fonts. */
const AMBIGUOUS = /[0O1lI|]/g;

/**
 * Removes the characters that options leave out.
 *
 * @param characters the characters
 * @param options what to leave out
 * @returns those that remain
 *
 * @example
 * ```ts
 * import { withoutExcluded } from "./characters.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const options = { excludeAmbiguous: true };
 * assertEquals(withoutExcluded("0123|", options), "23");
 * ```
 */
export function withoutExcluded(
  characters: string,
  { excludeAmbiguous }: Exclusions,
): string {
  return excludeAmbiguous ? characters.replace(AMBIGUOUS, "") : characters;
}

/** The names of the classes are also the options that enable them. */
const CLASS_NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

const BOOLEANS = [...CLASS_NAMES, ...EXCLUSIONS];

const NO_CLASS: Refusal = {
  options: [],
  explain: () =>
    "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
};
const NO_SPECIALS: Refusal = {
  options: ["specialCharacterSet"],
  explain: () =>
    "Must have a character that excludeAmbiguous does not leave out.",
};

/** log2 of n!, for each n from 0 to 128. */
const factorialBits = new Float64Array(MAX_LENGTH + 1);
for (let n = 1; n <= MAX_LENGTH; n++) {
  factorialBits[n] = factorialBits[n - 1]! + Math.log2(n);
}

/** log2 of the number of ways to choose `k` of `n` positions. */
function chooseBits(n: number, k: number): number {
  return factorialBits[n]! - factorialBits[k]! - factorialBits[n - k]!;
}

/**
 * Mixes two strings and keeps the order of each. All choices of positions for the
 * first string are equally likely.
 *
 * Selection sampling (Knuth, The Art of Computer Programming, volume 2, section
 * 3.4.2, algorithm S): each position goes to the first string with probability
 * (characters left in it) / (positions left).
 */
function interleave(some: string, others: string): string {
  const length = some.length + others.length;
  let mixed = "";
  let taken = 0;
  for (let i = 0; i < length; i++) {
    const left = some.length - taken;
    mixed += randomIndex(length - i) < left
      ? some[taken++]!
      : others[i - taken]!;
  }
  return mixed;
}

/** The strings with a character of each set, or all if there is no room for each. */
function stringsOf(sets: readonly string[]): (length: number) => Passwords {
  const characters = sets.join("");
  const all = stringSet({ characters, required: [] });
  const withEach = stringSet({ characters, required: sets });
  return (length) => (length < sets.length ? all : withEach)(length);
}

function makeGenerator(
  options: CharacterOptions,
  classes: Readonly<Record<keyof typeof CLASSES, string>>,
): PasswordGenerator<CharacterOptions> {
  const { specialCharacters, specialCharacterSet: own } = options;
  const sets = CLASS_NAMES.filter((name) => options[name])
    .map((name) => name === "specialCharacters" && own || classes[name])
    .map((set) => withoutExcluded(set, options));
  const refusal = sets.length === 0
    ? NO_CLASS
    : sets.includes("")
    ? NO_SPECIALS
    : undefined;
  if (refusal) {
    const none = noPasswords(refusal);
    return () => none;
  }
  if (!specialCharacters || options.specialCharacterPercentage === 0) {
    const all = stringsOf(sets);
    return ({ length }) => all(length);
  }
  const ofSpecials = stringsOf(sets.slice(-1));
  const ofOthers = stringsOf(sets.slice(0, -1));
  return ({ length, specialCharacterPercentage: percentage }) => {
    // Integers up to the division, so that halves are rounded up exactly.
    const share = Math.floor((length * percentage + 50) / 100);
    const count = sets.length === 1 ? length : Math.max(1, share);
    const specials = ofSpecials(count);
    const others = ofOthers(length - count);
    return {
      // The positions, the special and the other characters are independent, and
      // the password determines each of them. So the numbers of choices multiply.
      bits: chooseBits(length, count) + specials.bits + others.bits,
      // The special characters are of one class, so no try is rejected.
      drawnCharacters: count + others.drawnCharacters!,
      generate: () => interleave(specials.generate(), others.generate()),
    };
  };
}

/** The generators of the service, by a number with a bit for each boolean. */
const generators: PasswordGenerator<CharacterOptions>[] = [];

/**
 * Makes a generator for options that differ only in `length`.
 *
 * @param options the options, of any length
 * @param classes the characters of each class; no character may be in two
 *   classes, and no class may have only characters that options leave out. The
 *   tests use smaller classes, for which they can enumerate all passwords
 * @returns the generator
 *
 * @example
 * ```ts
 * import { CHARACTER_DEFAULTS, characterGenerator } from "./characters.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const options = {
 *   ...CHARACTER_DEFAULTS,
 *   uppercase: false,
 *   numbers: false,
 *   specialCharacters: false,
 * };
 * const passwords = characterGenerator(options);
 * assertEquals(passwords({ ...options, length: 1 }).bits, Math.log2(26));
 * ```
 */
export function characterGenerator(
  options: CharacterOptions,
  classes: Readonly<Record<keyof typeof CLASSES, string>> = CLASSES,
): PasswordGenerator<CharacterOptions> {
  if (classes !== CLASSES || options.specialCharacterSet !== "") {
    return makeGenerator(options, classes);
  }
  let bits = Number(options.specialCharacterPercentage > 0);
  for (const name of BOOLEANS) bits = 2 * bits + Number(options[name]);
  return generators[bits] ??= makeGenerator(options, classes);
}

/**
 * Returns the passwords of random characters that the options allow.
 *
 * With `excludeAmbiguous` no class contains the characters 0 O 1 l I |. Each
 * enabled class occurs at least once if the length has room for all of them. With
 * a percentage, the number of special characters is exactly
 * `round(length * percentage / 100)`. A half is rounded up, and the number is at
 * least one. Each other class then occurs at least once if the other positions
 * have room for all of them. If no other class is enabled, all characters are
 * special.
 *
 * How long it takes: the worst options are length 5 with five classes and one
 * special character. There one string in 321 is accepted
 * (5! · 26 · 26 · 10 · 6 · 1 / 69^5). With the defaults nine in ten are accepted.
 *
 * @param options the options
 * @returns the passwords, of `options.length` characters; with a refusal if no class
 *   is enabled, or if `excludeAmbiguous` leaves no special character
 *
 * @example
 * ```ts
 * import { CHARACTER_DEFAULTS, characterPasswords } from "./characters.ts";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const pins = characterPasswords({
 *   ...CHARACTER_DEFAULTS,
 *   length: 6,
 *   lowercase: false,
 *   uppercase: false,
 *   specialCharacters: false,
 * });
 * assertMatch(pins.generate(), /^[0-9]{6}$/);
 * assertEquals(pins.bits, Math.log2(10 ** 6));
 * ```
 */
export function characterPasswords(options: CharacterOptions): Passwords {
  return characterGenerator(options)(options);
}
