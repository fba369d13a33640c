/**
 * Passwords that the rules of a web site allow.
 *
 * @module
 */
import { CHARACTER_OPTIONS, withoutExcluded } from "./character_options.ts";
import { MAX_STEPS } from "./exclusion.ts";
import { hasLetter } from "./mixed_strings.ts";
import { passwordsOrThrow } from "./minimum_entropy.ts";
import { checkOption, completeOptions } from "./options.ts";
import {
  type GeneratorResult,
  impossible,
  type PasswordGenerator,
  type Passwords,
  type Refusal,
  refusedResult,
} from "./passwords.ts";
import { MAX_TRIES } from "./rejection.ts";
import { parsePasswordRules, type PasswordRules } from "./rules_parser.ts";
import {
  MAX_REQUIRED,
  smallestSets,
  stepsOf,
  type StringRules,
  stringSet,
} from "./strings.ts";

/** The options of passwords that the rules of a site allow. */
export interface RuleOptions {
  /**
   * The number of characters, 1 to 128. The default is 20, or what the rules permit
   * that is nearest.
   */
  readonly length: number;
  /**
   * Leave out the characters that look alike: 0 O 1 l I |. The default is false.
   */
  readonly excludeAmbiguous: boolean;
  /**
   * Characters that occur nowhere, at most 128. It is read in NFC. The default is
   * "".
   */
  readonly excludeCharacters: string;
  /** The first character is a letter. The default is false. */
  readonly beginWithLetter: boolean;
  /**
   * The minimum number of bits, 0 to 512: the length is raised to the smallest that the
   * rules permit and that has them. 0 raises nothing. The default is 0.
   */
  readonly minimumEntropy: number;
}

/** The passwords that rules allow, or why there is none. */
type ByRules =
  | {
    readonly generator: PasswordGenerator<RuleOptions>;
    /** The greatest length to count. */
    readonly maximum: number;
    readonly refusal?: undefined;
  }
  | { readonly refusal: Refusal };

/**
 * Reads rules. There is a refusal for a text with an error, for rules that nothing
 * meets, and for those with more required sets than can be counted.
 *
 * @param text the rules
 * @param options their length is set to the nearest that the rules permit
 * @param isGiven whether the length is not the default
 */
export function readRules(
  text: string,
  options: RuleOptions & { length: number },
  isGiven: boolean,
): ByRules {
  const refuse = (reason: string, option = "passwordRules") => ({
    refusal: { options: [option], explain: () => reason },
  });
  const rules = parsePasswordRules(text);
  if (typeof rules === "string") return refuse(rules);
  const restrict = (set: string) => withoutExcluded(set, options);
  const required = rules.required.map(restrict);
  const allowed = restrict(rules.allowed);
  if (allowed === "" || required.includes("")) {
    const ofAmbiguous = { ...options, excludeCharacters: "" };
    const isEmpty = (set: string) => withoutExcluded(set, ofAmbiguous) === "";
    if (rules.required.some(isEmpty)) {
      return refuse(
        "A required set has only characters that excludeAmbiguous leaves out.",
      );
    }
    if (isEmpty(rules.allowed)) return refuse("No character is allowed.");
    return refuse(
      "Must leave a character of each required set of passwordRules, and of what they allow.",
      "excludeCharacters",
    );
  }
  const { length: different } = smallestSets(required);
  if (different > MAX_REQUIRED) {
    return refuse(
      `At most ${MAX_REQUIRED} sets can be required, besides those that contain another required set; got ${different}.`,
    );
  }
  const { beginWithLetter, length, minimumEntropy } = options;
  if (beginWithLetter && !hasLetter(allowed)) {
    return refuse(
      "Must be false: passwordRules allow no letter that is not left out.",
      "beginWithLetter",
    );
  }
  const { minLength, maxLength } = rules;
  const nearest = Math.min(Math.max(length, minLength), maxLength);
  if (isGiven && length !== nearest) {
    const min = Math.max(1, minLength);
    return refuse(
      `Must be from ${min} to ${maxLength} with these passwordRules.`,
      "length",
    );
  }
  options.length = nearest;
  // Without minimumEntropy, greater lengths need not be counted.
  const maximum = minimumEntropy === 0 ? nearest : maxLength;
  const all = { ...rules, required, allowed };
  return { generator: generatorOf(all, beginWithLetter, maximum), maximum };
}

/**
 * Makes a generator of the passwords that rules allow, for lengths up to `maxLength`.
 * They have a refusal if too few strings of the length meet the rules, or if these
 * cannot be counted in time.
 */
function generatorOf(
  rules: PasswordRules,
  beginWithLetter: boolean,
  maxLength: number,
): PasswordGenerator<RuleOptions> {
  const { maxRepeating, maxSequential } = rules;
  const all: StringRules = {
    characters: rules.allowed,
    required: smallestSets(rules.required),
    beginWithLetter,
    maxRepeating,
    maxSequential,
  };
  const steps = stepsOf(all, maxLength);
  if (steps > MAX_STEPS) {
    const none = refusedResult({
      options: ["passwordRules"],
      explain: () =>
        steps === Infinity
          ? "With max-sequential (or max-consecutive), a set that is required more than once must have all allowed characters of a-z, A-Z and 0-9, or none: others cannot be counted in time."
          : `Sets that are required more than once take too long to count for a length of ${maxLength}: less often, or fewer sets, are possible.`,
    });
    return () => none;
  }
  const strings = stringSet(all, maxLength);
  const isRare = ({ drawnCharacters }: GeneratorResult, length: number) =>
    !(drawnCharacters! <= MAX_TRIES * length);
  const isRareWith = (changes: Partial<StringRules>, length: number) =>
    isRare(stringSet({ ...all, ...changes }, length)(length), length);
  /** Names the rule that leaves too few strings of a length. */
  const narrowest = (length: number) => {
    const noLimits = { maxRepeating: Infinity, maxSequential: Infinity };
    if (isRareWith({ ...noLimits, beginWithLetter: false }, length)) {
      const sizes = rules.required.map((set) => set.length);
      const number = 1 + sizes.indexOf(Math.min(...sizes));
      return `the required sets are too small for this length, above all number ${number}`;
    }
    // To find out which of two limits is too small would take one more count.
    return maxSequential === Infinity
      ? "max-repeating (or max-consecutive) is too small for this length"
      : maxRepeating === Infinity
      ? "max-sequential (or max-consecutive) is too small for this length"
      : "max-repeating and max-sequential (or max-consecutive) are too small for this length";
  };
  return ({ length }) => {
    const passwords = strings(length);
    if (!isRare(passwords, length)) return passwords;
    const isFirst = () =>
      beginWithLetter && !isRareWith({ beginWithLetter: false }, length);
    return refusedResult({
      // To count again takes time, and at most one refusal is shown.
      get options() {
        return [isFirst() ? "beginWithLetter" : "passwordRules"];
      },
      explain: () =>
        isFirst()
          ? `Must be false: with a letter first, fewer than 1 in ${MAX_TRIES} strings of ${length} allowed characters meet passwordRules.`
          : `Fewer than 1 in ${MAX_TRIES} strings of ${length} allowed characters meet the rules: ${
            narrowest(length)
          }.`,
    });
  };
}

/** The option of rules as a text. */
export const PASSWORD_RULES = {
  default: "",
  maxLength: 1000,
  expected: "a string of at most 1000 characters",
} as const;

/**
 * Returns the passwords that the rules of a web site allow, in the Password Rules
 * language. All of them are equally likely, whatever the rules are.
 *
 * @param passwordRules the rules, at most 1,000 characters
 * @param options the length, and what is left out; the defaults are 20 characters, or
 *   the nearest length that the rules permit, and nothing
 * @returns the passwords, and the bits of each of them
 * @throws {TypeError} if the rules are no string, or an option has another name or type
 * @throws {RangeError} if the rules have an error, whose position the message names, an
 *   option is out of its range, or fewer than 1 in 64 strings of the allowed characters
 *   meet the rules
 *
 * @example
 * ```ts
 * import { rulePasswords } from "@pwgen/api";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const { bits, generate } = rulePasswords(
 *   "minlength: 8; maxlength: 12; required: upper; required: digit; allowed: lower",
 *   { excludeAmbiguous: true },
 * );
 * assertMatch(generate(), /^(?=.*[A-Z])(?=.*[2-9])[A-Za-z2-9]{12}$/);
 * assertEquals(Math.floor(bits), 69);
 * ```
 */
export function rulePasswords(
  passwordRules: string,
  options: Partial<RuleOptions> = {},
): Passwords {
  checkOption("passwordRules", passwordRules, PASSWORD_RULES);
  const {
    length,
    excludeAmbiguous,
    excludeCharacters,
    beginWithLetter,
    minimumEntropy,
  } = CHARACTER_OPTIONS;
  const complete = completeOptions(options, {
    length,
    excludeAmbiguous,
    excludeCharacters,
    beginWithLetter,
    minimumEntropy,
  });
  const read = readRules(
    passwordRules,
    complete,
    options.length !== undefined,
  );
  if (read.refusal) throw impossible(read.refusal);
  return passwordsOrThrow(read.generator, complete, "length", read.maximum);
}
