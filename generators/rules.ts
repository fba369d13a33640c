/**
 * Passwords that the rules of a web site allow.
 *
 * @module
 */
import {
  exclusionsOf,
  RULE_OPTIONS,
  type RuleOptions,
  withoutExcluded,
} from "./character_options.ts";
import { hasLetter, type RequiredSet } from "./mixed_strings.ts";
import { passwordsOrThrow, type Sizes } from "./minimum_entropy.ts";
import { checkOption, completeOptions } from "./options.ts";
import {
  impossible,
  type Limit,
  type PasswordGenerator,
  type Passwords,
  type Refusal,
} from "./passwords.ts";
import { parsePasswordRules } from "./rules_parser.ts";
import { isRare, MAX_TRIES, type StringRules, StringSet } from "./strings.ts";
import { Work } from "./work.ts";

/** The maximum number of required sets, since 2^n terms are counted. */
const MAX_REQUIRED = 6;

/**
 * Reads rules. There is a refusal for a text with an error, for rules that nothing
 * meets, and for those with more required sets than can be counted.
 *
 * @param text the rules
 * @param options the options
 * @param isGiven whether the caller gave the length; else the nearest one that the
 *   rules permit is taken
 */
export function readRules(
  text: string,
  options: RuleOptions,
  isGiven: boolean,
): Sizes | Refusal {
  const refuse = (
    limit: Limit,
    message: string,
    option = "passwordRules",
  ): Refusal => ({ options: [option], limit, message });
  const rules = parsePasswordRules(text);
  if (typeof rules === "string") return refuse({ reason: "syntax" }, rules);
  const restrict = (set: string) => withoutExcluded(set, options);
  const required = rules.required.map(restrict);
  const characters = restrict(rules.allowed);
  if (characters === "" || required.includes("")) {
    const noCharacter = { reason: "noCharacter" } as const;
    const ofAmbiguous = { ...options, excludeCharacters: "" };
    const isEmpty = (set: string) => withoutExcluded(set, ofAmbiguous) === "";
    if (rules.required.some(isEmpty)) {
      return refuse(
        noCharacter,
        `A required set has only characters that ${
          exclusionsOf(options).join(" or ")
        } leaves out.`,
      );
    }
    if (isEmpty(rules.allowed)) {
      return refuse(noCharacter, "No character is allowed.");
    }
    return refuse(
      noCharacter,
      "Must leave a character of each required set of passwordRules, and of what they allow.",
      "excludeCharacters",
    );
  }
  const sets = smallestSets(required);
  const innermost = sets.filter((set) => !sets.some(isInside(set)));
  if (innermost.length > MAX_REQUIRED) {
    return refuse(
      { reason: "requiredSets" },
      `At most ${MAX_REQUIRED} sets can be required, besides those that contain another required set; got ${innermost.length}.`,
    );
  }
  const { beginWithLetter, length, minimumEntropy } = options;
  if (beginWithLetter && !hasLetter(characters)) {
    return refuse(
      { reason: "noLetter" },
      "Must be false: passwordRules allow no letter that is not left out.",
      "beginWithLetter",
    );
  }
  const { minLength, maxLength } = rules;
  const size = Math.min(Math.max(length, minLength), maxLength);
  if (isGiven && length !== size) {
    const minimum = Math.max(1, minLength);
    return refuse(
      { reason: "rules", minimum, maximum: maxLength },
      `Must be from ${minimum} to ${maxLength} with these passwordRules.`,
      "length",
    );
  }
  const passwords = generatorOf(
    { ...rules, characters, required: sets, beginWithLetter, minimumEntropy },
    required,
  );
  return { passwords, option: "length", size, maximum: maxLength };
}

/** Returns whether another set has characters of this set only. */
const isInside = (set: RequiredSet) => (other: RequiredSet) =>
  other !== set &&
  [...other.characters].every((c) => set.characters.includes(c));

/**
 * Counts how often each required set stands, and leaves out the sets that contain
 * another one that stands as often: a string with enough characters of the smaller
 * set has enough of the larger set too.
 */
export function smallestSets(required: readonly string[]): RequiredSet[] {
  const sets: { characters: string; min: number }[] = [];
  for (const characters of required) {
    const set = { characters, min: 1 };
    const equal = sets.filter(isInside(set))
      .find((other) => other.characters.length === characters.length);
    if (equal) equal.min++;
    else sets.push(set);
  }
  return sets.filter((set) =>
    !sets.filter(isInside(set)).some(({ min }) => min >= set.min)
  );
}

/**
 * Makes a generator of the passwords that rules allow. There is a refusal if too few
 * strings of the length meet the rules.
 *
 * @param written the required sets in the order of the text
 */
function generatorOf(
  rules: StringRules,
  written: readonly string[],
): PasswordGenerator {
  const { beginWithLetter, maxRepeating, maxSequential } = rules;
  const work = new Work({
    options: ["passwordRules"],
    message:
      "The passwords cannot be counted in time: fewer required sets, sets that are required less often, or a smaller length are possible. With max-sequential (or max-consecutive), a set that is required more than once must have all allowed characters of a-z, A-Z and 0-9, or none.",
  });
  const isRareWith = (changes: Partial<StringRules>, length: number) =>
    isRare(
      new StringSet({ ...rules, ...changes }, work).ofLength(length).rarity,
    );
  /** Names the rule that leaves too few strings of a length. */
  const narrowest = (length: number) => {
    const noLimits = { maxRepeating: Infinity, maxSequential: Infinity };
    if (isRareWith({ ...noLimits, beginWithLetter: false }, length)) {
      const sizes = written.map((set) => set.length);
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
  const refusalOf = (length: number): Refusal =>
    beginWithLetter && !isRareWith({ beginWithLetter: false }, length)
      ? {
        options: ["beginWithLetter"],
        limit: { reason: "rare" },
        message:
          `Must be false: with a letter first, fewer than 1 in ${MAX_TRIES} strings of ${length} allowed characters meet passwordRules.`,
      }
      : {
        options: ["passwordRules"],
        limit: { reason: "rare" },
        message:
          `Fewer than 1 in ${MAX_TRIES} strings of ${length} allowed characters meet the rules: ${
            narrowest(length)
          }.`,
      };
  const strings = new StringSet(rules, work);
  return (length) => {
    const passwords = strings.ofLength(length);
    return isRare(passwords.rarity)
      ? { refusal: () => refusalOf(length) }
      : passwords;
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
  const complete = completeOptions(options, RULE_OPTIONS);
  const sizes = readRules(
    passwordRules,
    complete,
    options.length !== undefined,
  );
  if ("message" in sizes) throw impossible(sizes);
  return passwordsOrThrow(sizes, complete.minimumEntropy);
}
