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
import { passwordsOrThrow, type Sizes } from "./minimum_entropy.ts";
import { MAX_LENGTH, type RequiredSet } from "./mixed_strings.ts";
import { completeOptions } from "./options.ts";
import {
  impossible,
  type PasswordGenerator,
  type Passwords,
} from "./passwords.ts";
import { isRare, MAX_TRIES, type Strings, StringSet } from "./strings.ts";
import { Work } from "./work.ts";

/** How many characters sets require together. */
function roomOf(sets: readonly RequiredSet[]): number {
  return sets.reduce((sum, { min }) => sum + min, 0);
}

/**
 * The strings with so many characters of each class, and at least one of each if there is
 * room for all; with a share, besides the special characters.
 */
function stringsOf(
  options: CharacterOptions,
  classes: Classes,
): (length: number, share?: number) => Strings {
  // The special characters are the last class.
  const required = CLASS_NAMES.filter((name) => options[name])
    .map((name) => classOf(name, options, classes));
  const withEach = required.map((set) => ({
    ...set,
    min: Math.max(1, set.min),
  }));
  const room = roomOf(withEach);
  const roomOfOthers = roomOf(withEach.slice(0, -1));
  const work = new Work({
    options: runLimitsOf(options),
    message:
      "Must be unset, or the minima smaller: the passwords cannot be counted in time.",
  });
  const withMinima = (required: readonly RequiredSet[]) =>
    new StringSet({
      characters: required.map(({ characters }) => characters).join(""),
      required,
      beginWithLetter: options.beginWithLetter,
      minimumEntropy: options.minimumEntropy,
      maxRepeating: options.maximumRepeating || Infinity,
      maxSequential: options.maximumSequential || Infinity,
      ignoreCase: true,
    }, work);
  // Most requests need one of the two.
  let stringsWithEach: StringSet | undefined;
  let others: StringSet | undefined;
  return (length, share) => {
    const hasRoom = share === undefined
      ? length >= room
      : length - share >= roomOfOthers;
    const strings = hasRoom
      ? stringsWithEach ??= withMinima(withEach)
      : others ??= withMinima(required);
    return strings.ofLength(length, share);
  };
}

/** Adds a hyphen after each so many characters but the last. */
function inGroups(passwords: Strings, groupLength: number): Strings {
  const generate = () => {
    const text = passwords.generate();
    let grouped = text.slice(0, groupLength);
    for (let at = groupLength; at < text.length; at += groupLength) {
      grouped += `-${text.slice(at, at + groupLength)}`;
    }
    return grouped;
  };
  return { ...passwords, generate };
}

/**
 * The strings of the service without limits and sets, by a bit for each boolean. Their
 * counts are kept and take 170,000 steps together, so their work never ends. They do not
 * depend on minimumEntropy, which matters only for limits.
 */
const common: ReturnType<typeof stringsOf>[] = [];

function commonStringsOf(options: CharacterOptions): typeof common[number] {
  let bits = Number(options.specialCharacterPercentage > 0);
  for (const name of BOOLEANS) bits = 2 * bits + Number(options[name]);
  return common[bits] ??= stringsOf(options, CLASSES);
}

/**
 * Returns the passwords for options without a reason for a refusal. No character may be
 * in two classes; the tests use smaller ones, for which they can list all passwords.
 */
export function characterSizes(
  options: CharacterOptions,
  classes: Classes = CLASSES,
): Sizes {
  const limits = runLimitsOf(options);
  const isCommon = classes === CLASSES && limits.length === 0 &&
    options.groupLength === 0 && !hasMinimum(options) &&
    !hasOwnCharacters(options);
  const strings = isCommon
    ? commonStringsOf(options)
    : stringsOf(options, classes);
  const passwords: PasswordGenerator = (length) => {
    const passwords = strings(length, exactSpecials(options, length));
    if (isRare(passwords.rarityOfRuns)) {
      return {
        refusal: () => ({
          options: limits,
          limit: { reason: "rare" },
          message:
            `Must be greater: fewer than 1 in ${MAX_TRIES} passwords of ${length} characters have such short runs.`,
        }),
      };
    }
    return options.groupLength === 0
      ? passwords
      : inGroups(passwords, options.groupLength);
  };
  const { length: size } = options;
  return { passwords, option: "length", size, maximum: MAX_LENGTH };
}

/**
 * Returns the passwords of random characters that the options allow.
 *
 * Each enabled class occurs at least once if the length has room for all of them.
 * With a percentage, the number of special characters is exactly
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
  return passwordsOrThrow(characterSizes(complete), complete.minimumEntropy);
}
