/**
 * Passwords of random characters.
 *
 * @module
 */
import { randomIndex } from "./random.ts";

/** What a password of random characters is to consist of. */
export interface CharacterOptions {
  /** Characters in the password, 1 to 128. */
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
   * Share of special characters in percent, 0 to 100. 0 leaves it to chance.
   * Without `specialCharacters` it has no meaning.
   */
  readonly specialCharacterPercentage: number;
}

/**
 * The classes of characters. Every character is one UTF-16 unit in NFC and
 * none needs escaping in a JSON string. The special characters are the
 * printable ASCII punctuation without the four that break quoting: `"`, `'`,
 * the backtick and the backslash.
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

/** What characters are drawn from: some classes, laid end to end. */
interface Alphabet {
  /** Every character of the classes, once. */
  readonly characters: readonly string[];
  /** For each character the bit of its class. */
  readonly classBits: Uint8Array;
  /** The bits of all the classes together. */
  readonly allBits: number;
  /** How many classes there are. */
  readonly classCount: number;
  /** For each length, 0 to 128, the exact log2 of how many strings there are. */
  readonly bits: Float64Array;
}

const MAX_LENGTH = 128;

function alphabetOf(classes: readonly string[]): Alphabet {
  const characters = classes.flatMap((members) => [...members]);
  const classBits = Uint8Array.from(
    classes.flatMap((members, i) => Array(members.length).fill(1 << i)),
  );
  const exclusions = exclusionsOf(classes);
  return {
    characters,
    classBits,
    allBits: (1 << classes.length) - 1,
    classCount: classes.length,
    bits: Float64Array.from(
      { length: MAX_LENGTH + 1 },
      (_, length) =>
        stringBits(length, characters.length, classes.length, exclusions),
    ),
  };
}

/**
 * The exact logarithm of how many strings of some length {@linkcode drawString}
 * can draw.
 *
 * By inclusion and exclusion: of N^length strings, those that lack a class are
 * taken away, those that lack two classes were taken away twice and are added
 * again, and so on. With N^length before the brackets, what is left inside is
 * the share of strings that is kept. It is above 1/60, so that doubles lose
 * nothing that shows: the tests hold every setting against whole numbers.
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
  let share = 1;
  for (const { sign, left } of exclusions) {
    share += sign * (left / size) ** length;
  }
  // Some strings are always thrown away. Where they are too few for a double,
  // the one next below still says so: 68 of 16 characters are 271.99 bits.
  return Math.min(most + Math.log2(share), most * (1 - Number.EPSILON));
}

/** A set of classes to leave out: the sign of its term, and what is left. */
interface Exclusion {
  readonly sign: 1 | -1;
  readonly left: number;
}

function exclusionsOf(classes: readonly string[]): Exclusion[] {
  const exclusions: Exclusion[] = [];
  for (let bits = 1; bits < 1 << classes.length; bits++) {
    const left = classes.filter((_, i) => !(bits & (1 << i)));
    exclusions.push({
      sign: (classes.length - left.length) % 2 === 0 ? 1 : -1,
      left: left.join("").length,
    });
  }
  return exclusions;
}

/** log2 of n!, for each n from 0 to 128. */
const factorialBits = new Float64Array(MAX_LENGTH + 1);
for (let n = 1; n <= MAX_LENGTH; n++) {
  factorialBits[n] = factorialBits[n - 1]! + Math.log2(n);
}

/** log2 of the number of ways to choose `k` of `n` places. */
function chooseBits(n: number, k: number): number {
  return factorialBits[n]! - factorialBits[k]! - factorialBits[n - k]!;
}

/**
 * Draws a string in which every character of the alphabet may stand anywhere
 * and, where there is room, every class occurs.
 *
 * Why it is uniform: a string of independent uniform characters has
 * probability 1/N^length whatever it is, so among the strings that are kept
 * each is as likely as any other. Drawing one character a class and shuffling
 * is not: a string is then likelier the more often it could have been made.
 *
 * How long it takes: a string is kept with probability 1 - P(some class is
 * missing). Over all requests that is lowest for length 5 with all five
 * classes, where one string in 60 is kept: 5! · 26 · 26 · 10 · 6 · 28 / 96^5
 * = 0.0167, 299 characters on average. The default request keeps nine in ten.
 */
function drawString(length: number, alphabet: Alphabet): string {
  const { characters, classBits, allBits, classCount } = alphabet;
  const size = characters.length;
  while (true) {
    let drawn = "";
    let seenBits = 0;
    // Two characters a draw: a uniform choice among all pairs is a uniform choice
    // of each, independent of the other, for half the randomness. A table of the
    // pairs would save the division, but under load no cache holds it: it makes
    // the drawing slower by two microseconds.
    for (let i = 1; i < length; i += 2) {
      const pair = randomIndex(size * size);
      const first = Math.floor(pair / size);
      const second = pair % size;
      drawn += characters[first]! + characters[second]!;
      seenBits |= classBits[first]! | classBits[second]!;
    }
    if (length % 2 === 1) {
      const index = randomIndex(size);
      drawn += characters[index]!;
      seenBits |= classBits[index]!;
    }
    if (seenBits === allBits || length < classCount) return drawn;
  }
}

/**
 * Puts the characters of `some` between those of `others`, both in their
 * order, at places chosen uniformly among all choices of places.
 *
 * Selection sampling (Knuth, The Art of Computer Programming, volume 2,
 * 3.4.2, algorithm S): each place goes to `some` with probability (left of
 * `some`) / (places left), which makes every choice of places equally likely.
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

/** What a choice of classes can make and how much it is worth. */
export interface CharacterGenerator {
  /**
   * Makes a password. All that the options permit are equally likely.
   *
   * @param options what the password is to consist of
   * @returns the password, `options.length` characters long
   * @throws {RangeError} if no class is enabled
   */
  readonly password: (options: CharacterOptions) => string;
  /**
   * Counts the passwords that the options permit.
   *
   * @param options what the password is to consist of
   * @returns log2 of their number, in bits
   * @throws {RangeError} if no class is enabled
   */
  readonly entropy: (options: CharacterOptions) => number;
}

/**
 * Makes a generator out of classes of characters. The classes of the service
 * are {@linkcode CLASSES}; others are for tests, which count by hand.
 *
 * @param classes the members of each class; no character may stand in two
 * @returns the generator
 *
 * @example
 * ```ts
 * import { characterGenerator } from "./characters.ts";
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
 *   length: 3,
 *   lowercase: true,
 *   uppercase: false,
 *   numbers: false,
 *   specialCharacters: false,
 *   swedishCharacters: false,
 *   specialCharacterPercentage: 0,
 * });
 * assertEquals(bits, 3); // aaa to bbb
 * ```
 */
export function characterGenerator(
  classes: Readonly<Record<keyof typeof CLASSES, string>>,
): CharacterGenerator {
  // The specials have the highest bit, so that the first half of the table is
  // the alphabets without them.
  const members = [
    classes.lowercase,
    classes.uppercase,
    classes.numbers,
    classes.swedishCharacters,
    classes.specialCharacters,
  ];
  const specialsBit = 16;
  // Each made when it is first asked for, and not all 32 at every start.
  const alphabets: (Alphabet | undefined)[] = Array(32).fill(undefined);
  const alphabet = (bits: number) =>
    alphabets[bits] ??= alphabetOf(members.filter((_, i) => bits & (1 << i)));

  /** The alphabet of all places; or those of special and of other places. */
  function plan(options: CharacterOptions): Plan {
    const { length, specialCharacters, specialCharacterPercentage } = options;
    const otherBits = (options.lowercase ? 1 : 0) |
      (options.uppercase ? 2 : 0) |
      (options.numbers ? 4 : 0) |
      (options.swedishCharacters ? 8 : 0);
    if (!specialCharacters || specialCharacterPercentage === 0) {
      const bits = otherBits | (specialCharacters ? specialsBit : 0);
      if (bits === 0) {
        throw new RangeError("Cannot make a password: no class is enabled");
      }
      return { specialCount: 0, others: alphabet(bits) };
    }
    // Whole numbers until the division, so that a half is exactly a half.
    const share = Math.floor((length * specialCharacterPercentage + 50) / 100);
    const specialCount = otherBits === 0 ? length : Math.max(1, share);
    return { specialCount, others: alphabet(otherBits) };
  }

  const specials = alphabet(specialsBit);
  return {
    password: (options) => {
      const { specialCount, others } = plan(options);
      if (specialCount === 0) return drawString(options.length, others);
      return interleave(
        drawString(specialCount, specials),
        drawString(options.length - specialCount, others),
      );
    },
    // Places, specials and the other characters are independent, and each can
    // be read off the password again: the numbers of choices multiply.
    entropy: (options) => {
      const { length } = options;
      const { specialCount, others } = plan(options);
      if (specialCount === 0) return others.bits[length]!;
      return chooseBits(length, specialCount) +
        specials.bits[specialCount]! + others.bits[length - specialCount]!;
    },
  };
}

/** How many characters are special by demand, and what the others are. */
interface Plan {
  readonly specialCount: number;
  readonly others: Alphabet;
}

const generator = characterGenerator(CLASSES);

/**
 * Makes a password of random characters. All the passwords that the options
 * permit are equally likely.
 *
 * Each enabled class occurs at least once where the length has room for all of
 * them. With a percentage, exactly `round(length * percentage / 100)`
 * characters are special, halves up and at least one, and the other classes
 * occur at least once where the other places have room for all of them; with
 * no other class all characters are special.
 *
 * @param options what the password is to consist of
 * @returns the password, `options.length` characters long
 * @throws {RangeError} if no class is enabled
 *
 * @example
 * ```ts
 * import { characterPassword } from "./characters.ts";
 * import { assertMatch } from "@std/assert";
 *
 * const pin = characterPassword({
 *   length: 6,
 *   lowercase: false,
 *   uppercase: false,
 *   numbers: true,
 *   specialCharacters: false,
 *   swedishCharacters: false,
 *   specialCharacterPercentage: 0,
 * });
 * assertMatch(pin, /^[0-9]{6}$/);
 * ```
 */
export function characterPassword(options: CharacterOptions): string {
  return generator.password(options);
}

/**
 * Counts the passwords of random characters that the options permit.
 *
 * @param options what the password is to consist of
 * @returns log2 of their number, in bits
 * @throws {RangeError} if no class is enabled
 *
 * @example
 * ```ts
 * import { characterEntropy } from "./characters.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const bits = characterEntropy({
 *   length: 6,
 *   lowercase: false,
 *   uppercase: false,
 *   numbers: true,
 *   specialCharacters: false,
 *   swedishCharacters: false,
 *   specialCharacterPercentage: 0,
 * });
 * assertEquals(bits, 6 * Math.log2(10));
 * ```
 */
export function characterEntropy(options: CharacterOptions): number {
  return generator.entropy(options);
}
