/**
 * Passwords that the rules of a web site allow.
 *
 * @module
 */
import { withoutAmbiguous } from "../../generators/characters.ts";
import {
  MAX_REQUIRED,
  smallestSets,
  type StringSet,
  stringSet,
} from "../../generators/strings.ts";
import { Problem } from "../problem.ts";
import type { PasswordsBySize } from "./password.ts";
import { parsePasswordRules, type PasswordRules } from "./password_rules.ts";

/**
 * How many tries a password takes on average at most: at least so great a share of
 * the strings over the allowed characters meets the rules.
 */
const MOST_TRIES = 64;

/**
 * Reads rules.
 *
 * @param text the rules, in the Password Rules language
 * @param excludeAmbiguous whether to leave out characters that look alike
 * @returns the rules; for rules that nothing meets, or that are too many to count,
 *   a message
 *
 * @example
 * ```ts
 * import { readRules } from "./rule_passwords.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(readRules("allowed: [01]", true), "No character is allowed.");
 * ```
 */
export function readRules(
  text: string,
  excludeAmbiguous: boolean,
): PasswordRules | string {
  const rules = parsePasswordRules(text);
  if (typeof rules === "string") return rules;
  const restrict = excludeAmbiguous ? withoutAmbiguous : (set: string) => set;
  const required = rules.required.map(restrict);
  const allowed = restrict(rules.allowed);
  if (required.includes("")) {
    return "A required set has only characters that excludeAmbiguous leaves out.";
  }
  if (allowed === "") return "No character is allowed.";
  const { length } = smallestSets(required);
  if (length > MAX_REQUIRED) {
    return `At most ${MAX_REQUIRED} sets can be required, besides those that contain another required set; got ${length}.`;
  }
  return { ...rules, required, allowed };
}

/**
 * Returns the passwords that rules allow. All are equally likely.
 *
 * @param rules the rules
 * @param length the length that the request asks for; it is raised or lowered to
 *   the lengths that the rules allow
 * @returns the passwords by length; for a length at which the rules are too narrow,
 *   what explains this
 *
 * @example
 * ```ts
 * import { readRules, rulePasswords } from "./rule_passwords.ts";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const rules = readRules("allowed: [ab]; max-repeating: 1", false);
 * assert(typeof rules !== "string");
 * const two = rulePasswords(rules, 2).of(2); // ab ba
 * assert(typeof two !== "function");
 * assertEquals(two.bits, 1);
 * ```
 */
export function rulePasswords(
  rules: PasswordRules,
  length: number,
): PasswordsBySize {
  const { required, allowed: characters, maxRepeating, maxSequential } = rules;
  const strings = stringSet({
    ...{ characters, required, maxRepeating, maxSequential },
  });
  const isNarrow = ({ share }: StringSet, length: number) =>
    share(length) < 1 / MOST_TRIES;
  /** Names the rule that leaves too few strings of a length. */
  const narrowest = (length: number) => {
    if (isNarrow(stringSet({ characters, required }), length)) {
      const sizes = required.map((set) => set.length);
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
  return {
    from: Math.min(Math.max(length, rules.minLength), rules.maxLength),
    to: rules.maxLength,
    of: (length) => {
      if (!isNarrow(strings, length)) return strings.of(length);
      return () => {
        const few =
          `Fewer than 1 in ${MOST_TRIES} strings of ${length} allowed`;
        const passwordRules = [
          `${few} characters meet the rules: ${narrowest(length)}.`,
        ];
        return Problem.ofFields({ passwordRules });
      };
    },
  };
}
