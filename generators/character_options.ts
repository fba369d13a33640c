/**
 * The options of random characters, and what they mean.
 *
 * @module
 */
import { MINIMUM_ENTROPY } from "./minimum_entropy.ts";
import { MAX_LENGTH, type RequiredSet } from "./mixed_strings.ts";
import { defaultsOf, type OptionRow, type OptionTable } from "./options.ts";

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
  /**
   * How many equal characters are in a row at most, 0 to 128; 0 is any. The default is
   * 0.
   */
  readonly maximumRepeating: number;
  /**
   * How many characters are in a row at most that follow one another in a-z or 0-9, up
   * or down, without regard to case ("aBc", "321"), 0 to 128; 0 is any. The default is
   * 0.
   */
  readonly maximumSequential: number;
  /**
   * A hyphen stands after each so many characters but the last, 0 to 32; 0 is none. It
   * does not count towards `length`, and is no special character then. The default is 0.
   */
  readonly groupLength: number;
  /**
   * The minimum number of bits, 0 to 512: `length` is raised to the smallest that has
   * them. 0 raises nothing. The default is 0.
   */
  readonly minimumEntropy: number;
}

const SPECIAL_CHARACTER_SET = {
  default: "",
  maxLength: 32,
  // Code points, since languages disagree on which signs to escape in a class.
  pattern: /^[\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E]*$/,
  isAllowed: (value: string) => new Set(value).size === value.length,
  expected:
    "at most 32 different printable ASCII characters that are no letter, digit or space",
  isReplacedByRules: true,
  ignoredIf: { specialCharacters: false },
} as const;

const EXCLUDE_CHARACTERS = {
  default: "",
  maxLength: 128,
  expected: "a string of at most 128 characters without U+FFFD",
  // Bytes that are not UTF-8 become U+FFFD: what they should exclude would occur.
  isAllowed: (value: string) => !value.includes("\ufffd"),
  // Some programs write å as "a" with a ring (NFD); that does not mean "a".
  isNormalized: true,
} as const;

const CLASS = { default: true, isReplacedByRules: true } as const;

/** A minimum or a limit; 0 is none. */
const NUMBER = {
  default: 0,
  range: [0, MAX_LENGTH],
  isReplacedByRules: true,
} as const;

/** These options, for 20 letters, digits and special characters. */
export const CHARACTER_OPTIONS = {
  length: { default: 20, range: [1, MAX_LENGTH] },
  lowercase: CLASS,
  uppercase: CLASS,
  numbers: CLASS,
  specialCharacters: CLASS,
  swedishCharacters: { default: false, isReplacedByRules: true },
  specialCharacterPercentage: {
    default: 0,
    range: [0, 100],
    isReplacedByRules: true,
    ignoredIf: { specialCharacters: false },
  },
  excludeAmbiguous: { default: false },
  specialCharacterSet: SPECIAL_CHARACTER_SET,
  minimumLowercase: NUMBER,
  minimumUppercase: NUMBER,
  minimumNumbers: NUMBER,
  minimumSpecialCharacters: NUMBER,
  excludeCharacters: EXCLUDE_CHARACTERS,
  beginWithLetter: { default: false },
  maximumRepeating: NUMBER,
  maximumSequential: NUMBER,
  groupLength: { default: 0, range: [0, 32], isReplacedByRules: true },
  minimumEntropy: MINIMUM_ENTROPY,
} as const satisfies OptionTable<CharacterOptions>;

/**
 * The options of {@linkcode CharacterOptions} that the rules of a site do not replace.
 * The default length is 20, or the nearest that the rules permit.
 */
export type RuleOptions = Pick<
  CharacterOptions,
  | "length"
  | "excludeAmbiguous"
  | "excludeCharacters"
  | "beginWithLetter"
  | "minimumEntropy"
>;

const isOfRules = ([, option]: [string, OptionRow]) =>
  !option.isReplacedByRules;

/** These options. */
export const RULE_OPTIONS = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries<OptionRow>(CHARACTER_OPTIONS).filter(
    isOfRules,
  ),
) as unknown as OptionTable<RuleOptions>;

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
export const CLASSES: Classes = Object.freeze({
  lowercase: "abcdefghijklmnopqrstuvwxyz",
  uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  numbers: "0123456789",
  swedishCharacters: "åäöÅÄÖ",
  specialCharacters: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
});

/** The options that leave out characters, each with these characters. */
const EXCLUSIONS = {
  // They look alike in many fonts.
  excludeAmbiguous: "0O1lI|",
} as const;

/** The names of the exclusions that are true. */
export function exclusionsOf(
  options: RuleOptions,
): (keyof typeof EXCLUSIONS)[] {
  return (Object.keys(EXCLUSIONS) as (keyof typeof EXCLUSIONS)[])
    .filter((name) => options[name]);
}

/** Removes the characters that options leave out. */
export function withoutExcluded(
  characters: string,
  options: RuleOptions,
): string {
  let excluded = options.excludeCharacters;
  for (const name of exclusionsOf(options)) excluded += EXCLUSIONS[name];
  if (excluded === "") return characters;
  let kept = "";
  for (const c of characters) if (!excluded.includes(c)) kept += c;
  return kept;
}

/** The names of the classes are also the options that enable them. */
export const CLASS_NAMES = /* @__PURE__ */ Object.keys(
  CLASSES,
) as (keyof Classes)[];

/** The options that say how many characters of a class there are at least. */
export const MINIMA = {
  lowercase: "minimumLowercase",
  uppercase: "minimumUppercase",
  numbers: "minimumNumbers",
  specialCharacters: "minimumSpecialCharacters",
} as const;

export const WITH_MINIMUM = /* @__PURE__ */ Object.keys(
  MINIMA,
) as (keyof typeof MINIMA)[];

export function hasMinimum(options: CharacterOptions): boolean {
  return options.minimumLowercase + options.minimumUppercase +
      options.minimumNumbers + options.minimumSpecialCharacters > 0;
}

/** The options above 0 that limit runs. */
export function runLimitsOf(
  options: CharacterOptions,
): ("maximumRepeating" | "maximumSequential")[] {
  return (["maximumRepeating", "maximumSequential"] as const)
    .filter((name) => options[name] > 0);
}

export function hasOwnCharacters(
  { specialCharacterSet, excludeCharacters }: CharacterOptions,
): boolean {
  return specialCharacterSet !== "" || excludeCharacters !== "";
}

/** The options on which a refusal can depend; `minimumEntropy` is checked after it. */
export const OPTION_NAMES =
  (/* @__PURE__ */ Object.keys(CHARACTER_OPTIONS) as (keyof CharacterOptions)[])
    .filter((name) => name !== "minimumEntropy");

export const BOOLEANS = /* @__PURE__ */ OPTION_NAMES.filter((name) =>
  typeof CHARACTER_OPTIONS[name].default === "boolean"
);

/** A class that options enable: its characters, and how many there are at least. */
export function classOf(
  name: keyof Classes,
  options: CharacterOptions,
  classes: Classes,
): RequiredSet {
  const set = name === "specialCharacters" && options.specialCharacterSet;
  const characters = withoutExcluded(set || classes[name], options);
  return {
    characters: options.groupLength > 0
      ? characters.replace("-", "")
      : characters,
    min: name === "swedishCharacters"
      ? 0
      : name === "specialCharacters" && options.specialCharacterPercentage > 0
      ? Math.max(1, options.minimumSpecialCharacters)
      : options[MINIMA[name]],
  };
}

/** How many special characters a percentage gives; undefined without one. */
export function exactSpecials(
  options: CharacterOptions,
  length = options.length,
): number | undefined {
  const { specialCharacters, specialCharacterPercentage } = options;
  if (!specialCharacters || specialCharacterPercentage === 0) return undefined;
  const hasOthers = CLASS_NAMES.some((name) =>
    name !== "specialCharacters" && options[name]
  );
  if (!hasOthers) return length;
  // Integers up to the division, so that halves are rounded up exactly.
  return Math.max(
    1,
    Math.floor((length * specialCharacterPercentage + 50) / 100),
  );
}
