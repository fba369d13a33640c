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
  exclusionsOf,
  hasMinimum,
  hasOwnCharacters,
  MINIMA,
  OPTION_NAMES,
  runLimitsOf,
  WITH_MINIMUM,
} from "./character_options.ts";
import { hasLetter } from "./mixed_strings.ts";
import type { Limit, Reason, Refusal } from "./passwords.ts";

/** Why options allow no password. */
export interface CharacterRefusal extends Refusal {
  /** The options on which this depends. */
  readonly reads: readonly (keyof CharacterOptions)[];
}

/** The characters of a class, also the hyphen of groups. */
function charactersOf(
  name: keyof Classes,
  options: CharacterOptions,
  classes: Classes,
): string {
  return classOf(name, { ...options, groupLength: 0 }, classes).characters;
}

/** Classes: one must be enabled, and none may have only characters that are left out. */
function classRefusals(
  options: CharacterOptions,
  classes: Classes,
): CharacterRefusal[] {
  const enabled = CLASS_NAMES.filter((name) => options[name]);
  if (enabled.length === 0) {
    return [{
      options: [],
      reads: ["swedishCharacters"],
      limit: { reason: "noClass" },
      message:
        "At least one of lowercase, uppercase, numbers, specialCharacters and swedishCharacters must be true.",
    }];
  }
  if (!hasOwnCharacters(options)) return [];
  const withoutExclusion = { ...options, excludeCharacters: "" };
  const exclusions = exclusionsOf(options).join(" or ");
  const besides = exclusions && `, besides those that ${exclusions} leaves out`;
  return enabled
    .filter((name) => charactersOf(name, options, classes) === "")
    .map((name): CharacterRefusal =>
      charactersOf(name, withoutExclusion, classes) === ""
        ? {
          options: ["specialCharacterSet"],
          reads: [name],
          limit: { reason: "noCharacter" },
          message:
            `Must have a character that ${exclusions} does not leave out.`,
        }
        : {
          options: ["excludeCharacters"],
          reads: [name, "specialCharacterSet"],
          limit: { reason: "noCharacter" },
          message: `Must leave a character of ${name}${besides}.`,
        }
    );
}

/** Minima: their classes must be enabled, and they must have a place. */
function minimumRefusals(options: CharacterOptions): CharacterRefusal[] {
  if (!hasMinimum(options)) return [];
  const { length } = options;
  const asked = WITH_MINIMUM.filter((name) => options[MINIMA[name]] > 0);
  const refusals = asked.filter((name) => !options[name])
    .map((name): CharacterRefusal => ({
      options: [MINIMA[name]],
      reads: [name],
      limit: { reason: "classIsOff", maximum: 0 },
      message: `Must be 0 when ${name} is false.`,
    }));
  const possible = asked.filter((name) => options[name]);
  const sumOf = (names: typeof asked) =>
    names.reduce((sum, name) => sum + options[MINIMA[name]], 0);
  const refuse = (names: typeof asked, limit: Limit, message: string) =>
    refusals.push({
      options: names.map((name) => MINIMA[name]),
      reads: OPTION_NAMES,
      limit,
      message,
    });
  const sum = sumOf(possible);
  const exact = exactSpecials(options);
  if (sum > length) {
    refuse(
      possible,
      { reason: "sumOfMinima", length: sum },
      `Must be less, or length at least ${sum}, the sum of the minima.`,
    );
  } else if (exact !== undefined) {
    const specials = possible.filter((name) => name === "specialCharacters");
    const others = possible.filter((name) => name !== "specialCharacters");
    const left = length - exact;
    if (sumOf(specials) > exact) {
      refuse(
        specials,
        { reason: "percentage", maximum: exact },
        `Must be at most ${exact}, the number of special characters that specialCharacterPercentage gives.`,
      );
    }
    if (sumOf(others) > left) {
      refuse(
        others,
        { reason: "besidePercentage", maximum: left },
        `Must be at most ${left}, together with other minima: so many places are left by specialCharacterPercentage.`,
      );
    }
  }
  return refusals;
}

/** A first letter must be allowed and have a place; the hyphens of groups must be allowed. */
function placeRefusals(
  options: CharacterOptions,
  classes: Classes,
): CharacterRefusal[] {
  const { length, beginWithLetter, specialCharacters, groupLength } = options;
  const refusals: CharacterRefusal[] = [];
  const refuseLetter = (reason: Reason, message: string) =>
    refusals.push({
      options: ["beginWithLetter"],
      reads: OPTION_NAMES,
      limit: { reason },
      message: `Must be false: ${message}.`,
    });
  const others = (options.numbers ? options.minimumNumbers : 0) +
    (exactSpecials(options) ??
      (specialCharacters ? options.minimumSpecialCharacters : 0));
  const isLetters = (name: keyof Classes) =>
    options[name] && hasLetter(charactersOf(name, options, classes));
  if (beginWithLetter && !CLASS_NAMES.some(isLetters)) {
    refuseLetter(
      "noLetter",
      "lowercase, uppercase and swedishCharacters are false, or excludeCharacters leaves no letter of them",
    );
  } else if (beginWithLetter && others >= length) {
    refuseLetter(
      "noPlaceForLetter",
      `${others} digits and special characters leave no place for a letter`,
    );
  }
  const isExcluded = options.excludeCharacters.includes("-");
  const specials = charactersOf("specialCharacters", options, classes);
  const hasMore = specials.includes("-") && specials !== "-";
  if (groupLength > 0 && (isExcluded || specialCharacters && !hasMore)) {
    refusals.push({
      options: ["groupLength"],
      reads: isExcluded ? [] : ["specialCharacters", "specialCharacterSet"],
      limit: { reason: "hyphen" },
      message:
        "Must be unset: the hyphen must be allowed, and not the only special character.",
    });
  }
  return refusals;
}

/** Runs: what cannot be counted together with them. */
function runRefusals(options: CharacterOptions): CharacterRefusal[] {
  const limits = runLimitsOf(options);
  const refusals: CharacterRefusal[] = [];
  if (limits.length > 0 && exactSpecials(options) !== undefined) {
    refusals.push({
      options: limits,
      reads: ["specialCharacters"],
      limit: { reason: "runsAndPercentage" },
      message: "Must be unset with a specialCharacterPercentage.",
    });
  }
  const { lowercase, uppercase, minimumLowercase, minimumUppercase } = options;
  const isCut = lowercase && uppercase &&
    Math.max(minimumLowercase, minimumUppercase) > 1;
  if (options.maximumSequential > 0 && isCut) {
    refusals.push({
      options: limits,
      reads: ["lowercase", "uppercase"],
      limit: { reason: "runsAndMinima" },
      message:
        "maximumSequential must be unset if both cases are on and one has a minimum above 1.",
    });
  }
  return refusals;
}

/** Says why options allow no password, of their `length` or of any; all reasons. */
export function characterRefusals(
  options: CharacterOptions,
  classes: Classes = CLASSES,
): CharacterRefusal[] {
  return [
    ...classRefusals(options, classes),
    ...minimumRefusals(options),
    ...placeRefusals(options, classes),
    ...runRefusals(options),
  ];
}
