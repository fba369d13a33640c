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
}

function alphabetOf(classes: readonly string[]): Alphabet {
  const characters = classes.flatMap((members) => [...members]);
  const classBits = Uint8Array.from(
    classes.flatMap((members, i) => Array(members.length).fill(1 << i)),
  );
  return {
    characters,
    classBits,
    allBits: (1 << classes.length) - 1,
    classCount: classes.length,
  };
}

// The specials have the highest bit, so that the first half of the table is
// the alphabets without them.
const SPECIALS_BIT = 16;
const alphabets: readonly Alphabet[] = Array.from(
  { length: 32 },
  (_, bits) =>
    alphabetOf(Object.values(CLASSES).filter((_, i) => bits & (1 << i))),
);

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
 * missing). That is lowest for length 5 with all five classes, where one
 * string in 60 is kept: 5! · 26 · 26 · 10 · 6 · 28 / 96^5 = 0.0167, 299
 * characters on average. The default request keeps nine in ten.
 */
function drawString(length: number, alphabet: Alphabet): string {
  const { characters, classBits, allBits, classCount } = alphabet;
  const size = characters.length;
  while (true) {
    let drawn = "";
    let seenBits = 0;
    for (let i = 0; i < length; i++) {
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
  const { length, specialCharacters, specialCharacterPercentage } = options;
  const otherBits = (options.lowercase ? 1 : 0) |
    (options.uppercase ? 2 : 0) |
    (options.numbers ? 4 : 0) |
    (options.swedishCharacters ? 8 : 0);
  if (!specialCharacters || specialCharacterPercentage === 0) {
    const bits = otherBits | (specialCharacters ? SPECIALS_BIT : 0);
    if (bits === 0) {
      throw new RangeError("Cannot make a password: no class is enabled");
    }
    return drawString(length, alphabets[bits]!);
  }
  // Whole numbers until the division, so that a half is exactly a half.
  const share = Math.floor((length * specialCharacterPercentage + 50) / 100);
  const specialCount = otherBits === 0 ? length : Math.max(1, share);
  return interleave(
    drawString(specialCount, alphabets[SPECIALS_BIT]!),
    drawString(length - specialCount, alphabets[otherBits]!),
  );
}
