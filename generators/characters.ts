/**
 * Passwords of random characters.
 *
 * @module
 */
import { randomIndex } from "./random.ts";

/** The maximum length of a password, in characters. */
export const MAX_LENGTH = 128;

/** Options of a password of random characters. */
export interface CharacterOptions {
  /** The number of characters, 1 to {@linkcode MAX_LENGTH}. */
  readonly length: number;
  /** Use a-z. */
  readonly lowercase: boolean;
  /** Use A-Z. */
  readonly uppercase: boolean;
  /** Use 0-9. */
  readonly numbers: boolean;
  /** Use the 28 special characters. */
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
};

/**
 * The classes of characters. Every character is one UTF-16 unit in NFC. The
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

/** The characters that look alike in many fonts. */
const AMBIGUOUS = /[0O1lI|]/g;

/** The names of the classes. They are also the options that enable them. */
const CLASS_NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];
const SPECIALS_MASK = 1 << CLASS_NAMES.indexOf("specialCharacters");
/** The bit after those of the classes: without the ambiguous characters. */
const UNAMBIGUOUS_MASK = 1 << CLASS_NAMES.length;

/**
 * Says whether the options allow a password: at least one class is enabled.
 *
 * @param options the options; one that is undefined could be any value
 * @returns whether some password is possible
 *
 * @example
 * ```ts
 * import { CHARACTER_DEFAULTS, isPossible } from "./characters.ts";
 * import { assert } from "@std/assert";
 *
 * assert(isPossible(CHARACTER_DEFAULTS));
 * ```
 */
export function isPossible(
  options: { readonly [N in keyof typeof CLASSES]?: boolean | undefined },
): boolean {
  return CLASS_NAMES.some((name) => options[name] !== false);
}

/** The characters of the enabled classes. */
interface Alphabet {
  /** The characters of all classes. */
  readonly characters: readonly string[];
  /** For each character: the mask with the bit of its class. */
  readonly classMasks: Uint8Array;
  /** The number of classes. */
  readonly classCount: number;
  /** log2 of the number of strings of each length, from 0 to 128. */
  readonly bits: Float64Array;
}

function alphabetOf(classes: readonly string[]): Alphabet {
  const characters = classes.flatMap((members) => [...members]);
  const classMasks = Uint8Array.from(
    classes.flatMap((members, i) => Array(members.length).fill(1 << i)),
  );
  const exclusions = exclusionsOf(classes);
  return {
    characters,
    classMasks,
    classCount: classes.length,
    bits: Float64Array.from(
      { length: MAX_LENGTH + 1 },
      (_, length) =>
        stringBits(length, characters.length, classes.length, exclusions),
    ),
  };
}

/**
 * Returns log2 of the number of strings of a length that {@linkcode drawString}
 * can draw.
 *
 * Inclusion and exclusion: there are N^length strings over N characters. Subtract
 * those without one class. Add those without two classes, since they were
 * subtracted twice. And so on. The sum is N^length times the share of strings that
 * have every class. This share is above 1/64, so rounding errors of doubles do not
 * change the result. The tests compare all settings with exact integers.
 */
function stringBits(
  length: number,
  size: number,
  classCount: number,
  exclusions: readonly Exclusion[],
): number {
  if (length === 0) return 0;
  const most = length * Math.log2(size);
  if (length < classCount || classCount < 2) return most;
  let share = 0;
  for (const [sign, rest] of exclusions) {
    share += sign * (rest / size) ** length;
  }
  // Some strings always lack a class. If their share is too small for a double,
  // take the next smaller double: 68 of 16 characters are 271.99 bits, not 272.
  return Math.min(most + Math.log2(share), most * (1 - Number.EPSILON));
}

/** A term of the sum: its sign, and the number of remaining characters. */
type Exclusion = readonly [sign: 1 | -1, size: number];

function exclusionsOf(classes: readonly string[]): Exclusion[] {
  const exclusions: Exclusion[] = [];
  for (let bits = 0; bits < 1 << classes.length; bits++) {
    const left = classes.filter((_, i) => !(bits & (1 << i)));
    const sign = (classes.length - left.length) % 2 === 0 ? 1 : -1;
    exclusions.push([sign, left.join("").length]);
  }
  return exclusions;
}

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
 * Draws a string uniformly from all strings over the alphabet that contain every
 * class (from all strings, if the length has no room for every class). A string
 * without some class is rejected, and another one is drawn.
 *
 * Why it is uniform: each string has the same probability 1/N^length, so each
 * accepted string has the same probability too. To draw one character per class
 * and to shuffle is not uniform: a string that can be made in more ways is more
 * likely.
 *
 * How long it takes: the worst request is length 5 with five classes and without
 * ambiguous characters. There one string in 63 is accepted
 * (5! · 25 · 24 · 8 · 6 · 27 / 90^5 = 0.0158), so 316 characters are drawn on
 * average. With the default options nine in ten strings are accepted.
 */
function drawString(length: number, alphabet: Alphabet): string {
  const { characters, classMasks, classCount } = alphabet;
  const size = characters.length;
  const allMask = (1 << classCount) - 1;
  while (true) {
    let drawn = "";
    let seenMask = 0;
    // Two characters per draw: a uniform pair is two independent uniform
    // characters, for half the randomness. (A table of all pairs would save the
    // division, but under load its cache misses cost two microseconds.)
    for (let i = 1; i < length; i += 2) {
      const pair = randomIndex(size * size);
      const first = Math.floor(pair / size);
      const second = pair % size;
      drawn += characters[first]! + characters[second]!;
      seenMask |= classMasks[first]! | classMasks[second]!;
    }
    if (length % 2 === 1) {
      const index = randomIndex(size);
      drawn += characters[index]!;
      seenMask |= classMasks[index]!;
    }
    if (seenMask === allMask || length < classCount) return drawn;
  }
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

/** Generates passwords, and counts the possible ones. */
export interface CharacterGenerator {
  /**
   * Generates a password. All passwords that the options allow are equally likely.
   *
   * @param options the options
   * @returns the password, of `options.length` characters
   * @throws {RangeError} if no class is enabled
   */
  readonly password: (options: CharacterOptions) => string;
  /**
   * Counts the passwords that the options allow.
   *
   * @param options the options
   * @returns log2 of their number, in bits
   * @throws {RangeError} if no class is enabled
   */
  readonly entropy: (options: CharacterOptions) => number;
}

/**
 * Makes a generator. The service uses {@linkcode CLASSES}. The tests use smaller
 * classes, for which they can enumerate all passwords.
 *
 * @param classes the characters of each class; no character may be in two
 *   classes, and no class may have only ambiguous characters
 * @returns the generator
 *
 * @example
 * ```ts
 * import { CHARACTER_DEFAULTS, characterGenerator } from "./characters.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { entropy } = characterGenerator({
 *   lowercase: "ab",
 *   uppercase: "AB",
 *   numbers: "01",
 *   swedishCharacters: "å",
 *   specialCharacters: "!",
 * });
 * const bits = entropy({
 *   ...CHARACTER_DEFAULTS,
 *   length: 3,
 *   uppercase: false,
 *   numbers: false,
 *   specialCharacters: false,
 * });
 * assertEquals(bits, 3); // aaa to bbb
 * ```
 */
export function characterGenerator(
  classes: Readonly<Record<keyof typeof CLASSES, string>>,
): CharacterGenerator {
  const members = CLASS_NAMES.map((name) => classes[name]);
  const unambiguous = members.map((chars) => chars.replace(AMBIGUOUS, ""));
  // By mask. Each alphabet is made at its first use, since all 64 would delay the
  // start.
  const alphabets: Alphabet[] = [];
  const alphabet = (mask: number) =>
    alphabets[mask] ??= alphabetOf(
      (mask & UNAMBIGUOUS_MASK ? unambiguous : members)
        .filter((_, i) => mask & (1 << i)),
    );

  /** Plans how many special characters a password has, and from which alphabets. */
  function plan(options: CharacterOptions) {
    const { length, specialCharacters, specialCharacterPercentage } = options;
    if (!isPossible(options)) {
      throw new RangeError("Cannot make a password: no class is enabled");
    }
    let enabled = 0;
    CLASS_NAMES.forEach((name, i) => enabled |= options[name] ? 1 << i : 0);
    const flag = options.excludeAmbiguous ? UNAMBIGUOUS_MASK : 0;
    const specials = alphabet(SPECIALS_MASK | flag);
    if (!specialCharacters || specialCharacterPercentage === 0) {
      return { specialCount: 0, specials, others: alphabet(enabled | flag) };
    }
    const others = enabled & ~SPECIALS_MASK;
    // Integers up to the division, so that halves are rounded up exactly.
    const share = Math.floor((length * specialCharacterPercentage + 50) / 100);
    const specialCount = others === 0 ? length : Math.max(1, share);
    return { specialCount, specials, others: alphabet(others | flag) };
  }

  return {
    password: (options) => {
      const { specialCount, specials, others } = plan(options);
      if (specialCount === 0) return drawString(options.length, others);
      return interleave(
        drawString(specialCount, specials),
        drawString(options.length - specialCount, others),
      );
    },
    // The positions, the special and the other characters are independent, and
    // the password determines each of them. So the numbers of choices multiply.
    entropy: (options) => {
      const { length } = options;
      const { specialCount, specials, others } = plan(options);
      if (specialCount === 0) return others.bits[length]!;
      return chooseBits(length, specialCount) +
        specials.bits[specialCount]! + others.bits[length - specialCount]!;
    },
  };
}

const generator = characterGenerator(CLASSES);

/**
 * Generates a password of random characters. All passwords that the options allow
 * are equally likely.
 *
 * With `excludeAmbiguous` no class contains the characters 0 O 1 l I |. Each
 * enabled class occurs at least once if the length has room for all of them. With
 * a percentage, the number of special characters is exactly
 * `round(length * percentage / 100)`. A half is rounded up, and the number is at
 * least one. Each other class then occurs at least once if the other positions
 * have room for all of them. If no other class is enabled, all characters are
 * special.
 *
 * @param options the options
 * @returns the password, of `options.length` characters
 * @throws {RangeError} if no class is enabled
 *
 * @example
 * ```ts
 * import { CHARACTER_DEFAULTS, characterPassword } from "./characters.ts";
 * import { assertMatch } from "@std/assert";
 *
 * const pin = characterPassword({
 *   ...CHARACTER_DEFAULTS,
 *   length: 6,
 *   lowercase: false,
 *   uppercase: false,
 *   specialCharacters: false,
 * });
 * assertMatch(pin, /^[0-9]{6}$/);
 * ```
 */
export function characterPassword(options: CharacterOptions): string {
  return generator.password(options);
}

/**
 * Counts the passwords that {@linkcode characterPassword} can generate.
 *
 * @param options the options
 * @returns log2 of their number, in bits
 * @throws {RangeError} if no class is enabled
 *
 * @example
 * ```ts
 * import { CHARACTER_DEFAULTS, characterEntropy } from "./characters.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const bits = characterEntropy({
 *   ...CHARACTER_DEFAULTS,
 *   length: 6,
 *   lowercase: false,
 *   uppercase: false,
 *   specialCharacters: false,
 * });
 * assertEquals(bits, 6 * Math.log2(10));
 * ```
 */
export function characterEntropy(options: CharacterOptions): number {
  return generator.entropy(options);
}
