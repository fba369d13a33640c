/**
 * Passwords of random characters.
 *
 * @module
 */
import {
  hasLetter,
  interleave,
  MAX_LENGTH,
  mixedStrings,
  type RequiredSet,
} from "./mixed_strings.ts";
import {
  completeOptions,
  defaultsOf,
  type OptionTable,
  type TextOption,
} from "./options.ts";
import {
  type GeneratorResult,
  type PasswordGenerator,
  type Passwords,
  passwordsOrThrow,
  type Refusal,
  refusedResult,
} from "./passwords.ts";
import { alphabetOf, bitsOf, rejecting } from "./rejection.ts";

/** The options of random characters. */
export interface CharacterOptions {
  /** The number of characters, 1 to 128. The default is 20. */
  readonly length: number;
  /** Use a-z. The default is true. */
  readonly lowercase: boolean;
  /** Use A-Z. The default is true. */
  readonly uppercase: boolean;
  /** Use 0-9. The default is true. */
  readonly numbers: boolean;
  /** Use special characters. The default is true. */
  readonly specialCharacters: boolean;
  /** Use å ä ö Å Ä Ö. The default is false. */
  readonly swedishCharacters: boolean;
  /**
   * The share of special characters in percent, 0 to 100. 0 leaves it to chance. It
   * is ignored without `specialCharacters`. The default is 0.
   */
  readonly specialCharacterPercentage: number;
  /**
   * Leave out the characters that look alike: 0 O 1 l I |. The default is false.
   */
  readonly excludeAmbiguous: boolean;
  /**
   * The special characters, none twice, at most 32 of printable ASCII; empty for the
   * 28 of {@linkcode CLASSES}. The default is "".
   */
  readonly specialCharacterSet: string;
  /**
   * How many characters of a-z there are at least, 0 to 128. The default is 0.
   */
  readonly minimumLowercase: number;
  /**
   * How many characters of A-Z there are at least, 0 to 128. The default is 0.
   */
  readonly minimumUppercase: number;
  /** How many digits there are at least, 0 to 128. The default is 0. */
  readonly minimumNumbers: number;
  /**
   * How many special characters there are at least, 0 to 128. The default is 0.
   */
  readonly minimumSpecialCharacters: number;
  /**
   * Characters that occur nowhere, at most 128. It is read in NFC. The default is
   * "".
   */
  readonly excludeCharacters: string;
  /** The first character is a letter. The default is false. */
  readonly beginWithLetter: boolean;
}

const MINIMUM = { default: 0, range: [0, MAX_LENGTH] } as const;

const SPECIAL_CHARACTER_SET: TextOption = {
  default: "",
  maxLength: 32,
  // Code points, since languages disagree on which signs to escape in a class.
  pattern: /^[\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E]*$/,
  isAllowed: (value) => new Set(value).size === value.length,
  expected:
    "at most 32 different printable ASCII characters that are no letter, digit or space",
};

const EXCLUDE_CHARACTERS: TextOption = {
  default: "",
  maxLength: 128,
  expected: "a string of at most 128 characters without U+FFFD",
  // Bytes that are not UTF-8 become U+FFFD: what they should exclude would occur.
  isAllowed: (characters) => !characters.includes("\ufffd"),
};

/** These options, for 20 letters, digits and special characters. */
export const CHARACTER_OPTIONS = {
  length: { default: 20, range: [1, MAX_LENGTH] },
  lowercase: { default: true },
  uppercase: { default: true },
  numbers: { default: true },
  specialCharacters: { default: true },
  swedishCharacters: { default: false },
  specialCharacterPercentage: { default: 0, range: [0, 100] },
  excludeAmbiguous: { default: false },
  specialCharacterSet: SPECIAL_CHARACTER_SET,
  minimumLowercase: MINIMUM,
  minimumUppercase: MINIMUM,
  minimumNumbers: MINIMUM,
  minimumSpecialCharacters: MINIMUM,
  excludeCharacters: EXCLUDE_CHARACTERS,
  beginWithLetter: { default: false },
} as const satisfies OptionTable<CharacterOptions>;

/** The options of {@linkcode characterPasswords} that a call leaves out. */
export const CHARACTER_DEFAULTS: CharacterOptions = /* @__PURE__ */ defaultsOf(
  CHARACTER_OPTIONS,
);

/** The characters of each class. */
export type Classes = Readonly<
  Record<
    | "lowercase"
    | "uppercase"
    | "numbers"
    | "swedishCharacters"
    | "specialCharacters",
    string
  >
>;

/**
 * The classes of characters, the special characters last. Every character is one
 * UTF-16 unit in NFC. The special characters are the printable ASCII punctuation
 * without four characters that break quoting: `"`, `'`, the backtick and the
 * backslash.
 *
 * @example
 * ```ts
 * import { CLASSES } from "@pwgen/api";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(CLASSES.specialCharacters.length, 28);
 * ```
 */
export const CLASSES: Classes = /* @__PURE__ */ Object.freeze({
  lowercase: "abcdefghijklmnopqrstuvwxyz",
  uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  numbers: "0123456789",
  swedishCharacters: "åäöÅÄÖ",
  specialCharacters: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
});

/** What the options leave out, of a class and of the rules of a site. */
export type Exclusions = Pick<
  CharacterOptions,
  "excludeAmbiguous" | "excludeCharacters"
>;

/** All characters that look alike in many fonts. */
const AMBIGUOUS = /[0O1lI|]/g;

/** Removes the characters that options leave out. */
export function withoutExcluded(
  characters: string,
  { excludeAmbiguous, excludeCharacters }: Exclusions,
): string {
  const left = excludeAmbiguous
    ? characters.replace(AMBIGUOUS, "")
    : characters;
  if (excludeCharacters === "") return left;
  // Some programs write å as "a" with a ring (NFD); that does not mean "a".
  const excluded = excludeCharacters.normalize("NFC");
  let kept = "";
  for (const c of left) if (!excluded.includes(c)) kept += c;
  return kept;
}

/** The names of the classes are also the options that enable them. */
const CLASS_NAMES = Object.keys(CLASSES) as (keyof Classes)[];

/** The options that say how many characters of a class there are at least. */
const MINIMA = {
  lowercase: "minimumLowercase",
  uppercase: "minimumUppercase",
  numbers: "minimumNumbers",
  specialCharacters: "minimumSpecialCharacters",
} as const;

const WITH_MINIMUM = Object.keys(MINIMA) as (keyof typeof MINIMA)[];

function hasMinimum(options: CharacterOptions): boolean {
  return options.minimumLowercase + options.minimumUppercase +
      options.minimumNumbers + options.minimumSpecialCharacters > 0;
}

function hasOwnCharacters(
  { specialCharacterSet, excludeCharacters }: CharacterOptions,
): boolean {
  return specialCharacterSet !== "" || excludeCharacters !== "";
}

const OPTION_NAMES = Object.keys(
  CHARACTER_OPTIONS,
) as (keyof CharacterOptions)[];

const BOOLEANS = OPTION_NAMES.filter((name) =>
  typeof CHARACTER_OPTIONS[name].default === "boolean"
);

/** A class that options enable: its characters, and how many there are at least. */
function classOf(
  name: keyof Classes,
  options: CharacterOptions,
  classes: Classes,
): RequiredSet {
  const own = name === "specialCharacters" && options.specialCharacterSet;
  return {
    characters: withoutExcluded(own || classes[name], options),
    min: name === "swedishCharacters" ? 0 : options[MINIMA[name]],
  };
}

/** How many special characters a percentage gives; undefined without one. */
function exactSpecials(
  { length, specialCharacters, specialCharacterPercentage }: CharacterOptions,
  isOnlyClass: boolean,
): number | undefined {
  if (!specialCharacters || specialCharacterPercentage === 0) return undefined;
  if (isOnlyClass) return length;
  // Integers up to the division, so that halves are rounded up exactly.
  return Math.max(
    1,
    Math.floor((length * specialCharacterPercentage + 50) / 100),
  );
}

/** Why options allow no password. */
export interface CharacterRefusal extends Refusal {
  /** The options on which this depends. */
  readonly reads: readonly (keyof CharacterOptions)[];
}

/** Says why options allow no password, of their `length` or of any; all reasons. */
export function characterRefusals(
  options: CharacterOptions,
  classes: Classes = CLASSES,
): CharacterRefusal[] {
  const refusals: CharacterRefusal[] = [];
  const refuse = (
    names: readonly string[],
    reads: CharacterRefusal["reads"],
    message: string,
  ) => refusals.push({ options: names, reads, explain: () => message });

  const enabled = CLASS_NAMES.filter((name) => options[name]);
  if (enabled.length === 0) {
    refuse(
      [],
      ["swedishCharacters"],
      "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
    );
  }
  const setOf = (name: keyof Classes, options: CharacterOptions) =>
    classOf(name, options, classes).characters;
  // No class has only characters that other options leave out.
  for (const name of hasOwnCharacters(options) ? enabled : []) {
    if (setOf(name, options) !== "") continue;
    if (setOf(name, { ...options, excludeCharacters: "" }) === "") {
      refuse(
        ["specialCharacterSet"],
        [name],
        "Must have a character that excludeAmbiguous does not leave out.",
      );
    } else {
      const besides = options.excludeAmbiguous
        ? ", besides those that excludeAmbiguous leaves out"
        : "";
      refuse(
        ["excludeCharacters"],
        [name, "specialCharacterSet"],
        `Must leave a character of ${name}${besides}.`,
      );
    }
  }

  const { length } = options;
  const exact = exactSpecials(options, enabled.length === 1);
  if (hasMinimum(options)) {
    const asked = WITH_MINIMUM.filter((name) => options[MINIMA[name]] > 0);
    const possible = asked.filter((name) => options[name]);
    for (const name of asked) {
      if (options[name]) continue;
      refuse([MINIMA[name]], [name], `Must be 0 when ${name} is false.`);
    }
    /** Refuses minima that are together above a number of places. */
    const refuseAbove = (
      places: number,
      names: typeof asked,
      message: (sum: number) => string,
    ) => {
      const minima = names.map((name) => MINIMA[name]);
      const sum = minima.reduce((sum, minimum) => sum + options[minimum], 0);
      if (sum > places) refuse(minima, OPTION_NAMES, message(sum));
      return sum > places;
    };
    const isTooMuch = refuseAbove(
      length,
      possible,
      (sum) =>
        `Must be less, or length at least ${sum}, the sum of the minima.`,
    );
    if (!isTooMuch && exact !== undefined) {
      const isSpecial = (name: string) => name === "specialCharacters";
      refuseAbove(
        exact,
        possible.filter(isSpecial),
        () =>
          `Must be at most ${exact}, the number of special characters that specialCharacterPercentage gives.`,
      );
      refuseAbove(
        length - exact,
        possible.filter((name) => !isSpecial(name)),
        () =>
          `Must be at most ${
            length - exact
          }, together with other minima: so many places are left by specialCharacterPercentage.`,
      );
    }
  }

  if (options.beginWithLetter) {
    const minimumOf = (name: keyof typeof MINIMA) =>
      options[name] ? options[MINIMA[name]] : 0;
    const others = minimumOf("numbers") +
      (exact ?? minimumOf("specialCharacters"));
    if (!enabled.some((name) => hasLetter(setOf(name, options)))) {
      refuse(
        ["beginWithLetter"],
        OPTION_NAMES,
        "Must be false: lowercase, uppercase and swedishCharacters are false, or excludeCharacters leaves no letter of them.",
      );
    } else if (others >= length) {
      refuse(
        ["beginWithLetter"],
        OPTION_NAMES,
        `Must be false: ${others} digits and special characters leave no place for a letter.`,
      );
    }
  }
  return refusals;
}

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
