/**
 * Why options of random characters allow no password.
 *
 * @module
 */
import {
  type CharacterOptions,
  CLASS_NAMES,
  CLASSES,
  type Classes,
  classOf,
  exactSpecials,
  hasMinimum,
  hasOwnCharacters,
  MINIMA,
  OPTION_NAMES,
  runLimitsOf,
  WITH_MINIMUM,
} from "./character_options.ts";
import { hasLetter } from "./mixed_strings.ts";
import type { Refusal } from "./passwords.ts";

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
  ) => refusals.push({ options: names, reads, message });

  const enabled = CLASS_NAMES.filter((name) => options[name]);
  if (enabled.length === 0) {
    refuse(
      [],
      ["swedishCharacters"],
      "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
    );
  }
  // The hyphens of groups are considered below.
  const setOf = (name: keyof Classes, options: CharacterOptions) =>
    classOf(name, { ...options, groupLength: 0 }, classes).characters;
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
  const exact = exactSpecials(options);
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

  const { specialCharacters, groupLength } = options;
  const isExcluded = options.excludeCharacters.includes("-");
  const specials = setOf("specialCharacters", options);
  const hasOthers = specials.includes("-") && specials !== "-";
  if (groupLength > 0 && (isExcluded || specialCharacters && !hasOthers)) {
    refuse(
      ["groupLength"],
      isExcluded ? [] : ["specialCharacters", "specialCharacterSet"],
      "Must be unset: the hyphen must be allowed, and not the only special character.",
    );
  }

  const limits = runLimitsOf(options);
  const { maximumSequential, minimumLowercase, minimumUppercase } = options;
  if (limits.length > 0 && exact !== undefined) {
    refuse(
      limits,
      ["specialCharacters"],
      "Must be unset with a specialCharacterPercentage.",
    );
  }
  if (
    maximumSequential > 0 && options.lowercase && options.uppercase &&
    Math.max(minimumLowercase, minimumUppercase) > 1
  ) {
    refuse(
      limits,
      ["lowercase", "uppercase"],
      "maximumSequential must be unset if both cases are on and one has a minimum above 1.",
    );
  }
  return refusals;
}
