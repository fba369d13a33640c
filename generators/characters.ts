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
  runLimitsOf,
} from "./character_options.ts";
import { characterRefusals } from "./character_refusals.ts";
import { passwordsOrThrow } from "./minimum_entropy.ts";
import {
  doublesOf,
  hasLetter,
  interleave,
  MAX_LENGTH,
  mixedStrings,
  type RequiredSet,
} from "./mixed_strings.ts";
import { completeOptions } from "./options.ts";
import {
  type GeneratorResult,
  impossible,
  type PasswordGenerator,
  type Passwords,
} from "./passwords.ts";
import { alphabetOf, bitsOf, rejecting } from "./rejection.ts";
import { withShortRuns } from "./short_runs.ts";

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
  limits?: CharacterOptions,
): (length: number) => GeneratorResult {
  const withMinima = (classes: readonly RequiredSet[]) => {
    const { count, draw } = mixedStrings(classes, beginWithLetter);
    const required = classes.filter(({ min }) => min > 0);
    const characters = classes.map((one) => one.characters);
    const { length: size } = characters.join("");
    const { length: first } = characters
      .filter((set) => !beginWithLetter || hasLetter(set)).join("");
    /** Whether every string has enough characters of each class. */
    const isAny = required.every(({ characters, min }) =>
      characters.length === size || (min === 1 && characters.length === first)
    );
    const mustCount = required.some(({ min }) => min > 1);
    // Most requests with settings of their own do not need it.
    const makeAlphabet = () =>
      alphabetOf(characters.join(""), required, beginWithLetter);
    let reject: ((length: number) => string) | undefined;
    const make = (length: number) => {
      const all = length === 0 ? 1 : first * size ** (length - 1);
      const possible = count(length);
      const tries = all / possible;
      const isFast = tries <= MAX_TRIES && !mustCount;
      return {
        bits: bitsOf(possible, all, isAny),
        drawnCharacters: isFast ? length * tries : length,
        generate: () =>
          isFast
            ? (reject ??= rejecting(makeAlphabet()))(length)
            : draw(length),
      };
    };
    const made: GeneratorResult[] = [];
    const strings = limits
      ? withShortRuns(make, required, makeAlphabet(), limits)
      : make;
    return (length: number) => made[length] ??= strings(length);
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
    const limits = runLimitsOf(options).length > 0 ? options : undefined;
    const all = stringsOf(parts, beginWithLetter, limits);
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
      bits: Math.log2(doublesOf(length - first)[share]!) + specials.bits +
        others.bits,
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

/** Adds a hyphen after each so many characters but the last. */
function inGroups(
  passwords: PasswordGenerator<CharacterOptions>,
  groupLength: number,
): PasswordGenerator<CharacterOptions> {
  const groups = RegExp(`.{${groupLength}}(?=.)`, "g");
  return (options) => {
    const result = passwords(options);
    const generate = () => result.generate().replace(groups, "$&-");
    return { ...result, generate };
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
  const { groupLength } = options;
  if (groupLength > 0) {
    return inGroups(makeGenerator(options, classes), groupLength);
  }
  if (
    classes !== CLASSES || hasMinimum(options) || hasOwnCharacters(options) ||
    runLimitsOf(options).length > 0
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
 * special. With a limit of equal or sequential characters, there is no percentage.
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
  if (refusal) throw impossible(refusal);
  const generator = characterGenerator(complete);
  return passwordsOrThrow(generator, complete, "length", MAX_LENGTH);
}
