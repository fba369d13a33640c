/**
 * Passwords of random characters.
 *
 * @module
 */
import {
  BOOLEANS,
  CHARACTER_OPTIONS,
  type CharacterOptions,
  CLASS_NAMES,
  CLASSES,
  type Classes,
  classOf,
  exactSpecials,
  hasMinimum,
  hasOwnCharacters,
} from "./character_options.ts";
import { characterRefusals } from "./character_refusals.ts";
import {
  hasLetter,
  interleave,
  mixedStrings,
  type RequiredSet,
} from "./mixed_strings.ts";
import { completeOptions } from "./options.ts";
import {
  type GeneratorResult,
  type PasswordGenerator,
  type Passwords,
  passwordsOrThrow,
  refusedResult,
} from "./passwords.ts";
import { alphabetOf, bitsOf, rejecting } from "./rejection.ts";

/** log2 of n!, by n, as far as it was needed. */
const factorialBits = [0];

/** log2 of the number of ways to choose `k` of `n` positions. */
function chooseBits(n: number, k: number): number {
  for (let i = factorialBits.length; i <= n; i++) {
    factorialBits.push(factorialBits[i - 1]! + Math.log2(i));
  }
  return factorialBits[n]! - factorialBits[k]! - factorialBits[n - k]!;
}

/**
 * To draw and to reject is three times as fast as to draw how many characters each class
 * has, unless characters must be counted or it takes more tries than these.
 */
const MAX_TRIES = 2;

/**
 * The strings with so many characters of each class, and at least one if there is
 * room for all.
 */
function stringsOf(
  classes: readonly RequiredSet[],
  beginWithLetter: boolean,
): (length: number) => GeneratorResult {
  const sizeOf = (classes: readonly RequiredSet[]) =>
    classes.reduce((sum, { characters }) => sum + characters.length, 0);
  const size = sizeOf(classes);
  const first = beginWithLetter
    ? sizeOf(classes.filter(({ characters }) => hasLetter(characters)))
    : size;
  const withMinima = (classes: readonly RequiredSet[]) => {
    const { count, draw } = mixedStrings(classes, beginWithLetter);
    const required = classes.filter(({ min }) => min > 0);
    /** Whether every string has enough characters of each class. */
    const isAny = required.every(({ characters, min }) =>
      characters.length === size || (min === 1 && characters.length === first)
    );
    const mustCount = required.some(({ min }) => min > 1);
    let reject: ((length: number) => string) | undefined;
    const drawByRejection = (length: number) => {
      const characters = classes.map(({ characters }) => characters).join("");
      reject ??= rejecting(alphabetOf(characters, required, beginWithLetter));
      return reject(length);
    };
    const make = (length: number) => {
      const all = length === 0 ? 1 : first * size ** (length - 1);
      const possible = count(length);
      const tries = all / possible;
      const isFast = tries <= MAX_TRIES && !mustCount;
      return {
        bits: bitsOf(possible, all, isAny),
        drawnCharacters: isFast ? length * tries : length,
        generate: () => isFast ? drawByRejection(length) : draw(length),
      };
    };
    const made: GeneratorResult[] = [];
    return (length: number) => made[length] ??= make(length);
  };
  const each = classes.map((one) => ({ ...one, min: Math.max(1, one.min) }));
  const room = each.reduce((sum, { min }) => sum + min, 0);
  // Most requests need one of the two.
  let all: ReturnType<typeof withMinima> | undefined;
  let withEach: ReturnType<typeof withMinima> | undefined;
  return (length) =>
    length < room
      ? (all ??= withMinima(classes))(length)
      : (withEach ??= withMinima(each))(length);
}

function makeGenerator(
  options: CharacterOptions,
  classes: Classes,
): PasswordGenerator<CharacterOptions> {
  const { beginWithLetter } = options;
  const parts = CLASS_NAMES.filter((name) => options[name])
    .map((name) => classOf(name, options, classes));
  const isOnlyClass = parts.length === 1;
  if (exactSpecials(options, isOnlyClass) === undefined) {
    const all = stringsOf(parts, beginWithLetter);
    return ({ length }) => all(length);
  }
  // The special characters are the last class.
  const ofSpecials = stringsOf([{ ...parts.pop()!, min: 0 }], false);
  const ofOthers = stringsOf(parts, beginWithLetter);
  const first = Number(beginWithLetter);
  return (options) => {
    const { length } = options;
    const share = exactSpecials(options, isOnlyClass)!;
    const specials = ofSpecials(share);
    const others = ofOthers(length - share);
    return {
      // The positions, the special and the other characters are independent, and
      // the password determines each of them. So the numbers of choices multiply.
      bits: chooseBits(length - first, share) + specials.bits + others.bits,
      // The special characters are of one class, so no try is rejected.
      drawnCharacters: share + others.drawnCharacters!,
      generate: () => {
        const special = specials.generate();
        const other = others.generate();
        return other.slice(0, first) + interleave(special, other.slice(first));
      },
    };
  };
}

/** The generators of the service, by a number with a bit for each boolean. */
const generators: PasswordGenerator<CharacterOptions>[] = [];

/**
 * Makes a generator for options that differ only in `length`, without a reason for a
 * refusal. No character may be in two classes; the tests use smaller ones, for which
 * they can list all passwords.
 */
export function characterGenerator(
  options: CharacterOptions,
  classes: Classes = CLASSES,
): PasswordGenerator<CharacterOptions> {
  if (
    classes !== CLASSES || hasMinimum(options) || hasOwnCharacters(options)
  ) return makeGenerator(options, classes);
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
 * @param options what differs from {@linkcode CHARACTER_DEFAULTS}, 20 letters, digits
 *   and special characters
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if an option has another name or type
 * @throws {RangeError} if an option is out of its range, or the options together allow
 *   no password, such as ten digits in a length of eight
 *
 * @example
 * ```ts
 * import { characterPasswords } from "@pwgen/api";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const pins = characterPasswords({
 *   length: 6,
 *   lowercase: false,
 *   uppercase: false,
 *   specialCharacters: false,
 * });
 * assertMatch(pins.generate(), /^[0-9]{6}$/);
 * assertEquals(pins.bits, Math.log2(10 ** 6));
 * ```
 */
export function characterPasswords(
  options: Partial<CharacterOptions> = {},
): Passwords {
  const complete = completeOptions(options, CHARACTER_OPTIONS);
  const [refusal] = characterRefusals(complete);
  return passwordsOrThrow(
    refusal ? refusedResult(refusal) : characterGenerator(complete)(complete),
  );
}
