/**
 * Request bodies for random characters as people and sites need them. The service must
 * have passwords for each of them, whatever the limits of its work are.
 *
 * @module
 */
import type { Random } from "../helpers/random.ts";

/** A request body. */
export type JsonBody = Record<string, unknown>;

/** Special characters as sites list them: "-" first, "]" last. */
const SPECIALS =
  "-_ -._ -@. -_.! -_.,:;! -+_!#?* -%&_?#= -!@#&*+ ._!*() $#@ !#$% !@#$% !?#%+=._ !&=?* @$!%*?& #$%^&!@ !#$%&*@^ !@#$%^&*() !#$%&*?@ -!@#$%&*_+=<> -!@#^&*=+;: -!#$&+/?@_ ~!^*()_+?. ~!@#$%^*()_+= !#$%&/()=? -<=>~!|()@#{}$%,.?^'&*_+`:;\"[] -~!@#$%^&*_+=`|(){}[:;\"'<>,.?/]"
    .split(" ");

/** What sites and people do not want, besides special characters and ... */
const UNWANTED = ["0Oo1lI", "aeiouyAEIOUY", "åäöÅÄÖ ", "yzYZ", "B8S5Z2"];

/** ... special characters that are left out. */
const UNWANTED_SPECIALS = ["<>&", " \"'`;\\<>", '/"@ ', ";:", '\\/:*?"<>|'];

/** Lengths that sites name: the least and the greatest. */
const BOUNDS =
  "6-15 6-32 8-16 8-20 8-25 8-32 8-64 8- 9-24 10- 10-30 12- 12-40 14-"
    .split(" ").concat("15-64 16-99 8-128 -30 -128".split(" "));

/** Says yes with a probability in percent. */
const chance = (random: Random, percent: number) => random.below(100) < percent;

/** A length: mostly 8 to 40, some 4 to 128. */
const lengthFrom = (random: Random, least: number, most: number): number => {
  const usual = chance(random, 85);
  const low = Math.min(Math.max(least, usual ? 8 : 4), most);
  const high = Math.max(low, Math.min(usual ? 40 : 128, most));
  return low + random.below(high - low + 1);
};

/** The fields that can stand beside classes and beside rules. */
function shared(random: Random, hasLetters: boolean): JsonBody {
  return {
    ...chance(random, 20) && { excludeAmbiguous: true },
    ...hasLetters && chance(random, 15) && { beginWithLetter: true },
    ...chance(random, 30) &&
      { count: random.pick([0, 1, 2, 5, 10, 20, 25, 50, 100]) },
  };
}

/** A body with the fields for classes. */
function ofClasses(random: Random): JsonBody {
  if (chance(random, 5)) {
    const digits = { lowercase: false, uppercase: false };
    const length = 4 + random.below(9);
    return {
      ...digits,
      specialCharacters: false,
      length,
      ...chance(random, 20) && { maximumRepeating: 1 + random.below(2) },
      ...chance(random, 20) && { maximumSequential: 2 + random.below(2) },
      ...shared(random, false),
    };
  }
  const off = random.pickWeighted<string[]>([
    [50, []],
    [20, ["specialCharacters"]],
    [10, ["uppercase"]],
    [10, ["uppercase", "specialCharacters"]],
    [5, ["lowercase"]],
    [5, ["numbers"]],
  ]);
  const body: JsonBody = Object.fromEntries(off.map((name) => [name, false]));
  const isOn = (name: string) => !off.includes(name);
  const length = lengthFrom(random, 4, 128);
  if (chance(random, 90)) body["length"] = length;
  if (chance(random, 15)) body["swedishCharacters"] = true;

  const hasSpecials = isOn("specialCharacters");
  const set = hasSpecials && chance(random, 30) ? random.pick(SPECIALS) : "";
  if (set !== "") body["specialCharacterSet"] = set;
  if (chance(random, 20)) {
    const signs = set === "" ? UNWANTED_SPECIALS : [];
    const letters = body["swedishCharacters"] ? ["0Oo1lI"] : UNWANTED;
    body["excludeCharacters"] = random.pick([...letters, ...signs]);
  }

  const hasHyphen = set === "" || set.startsWith("-");
  if (hasHyphen && chance(random, 10)) {
    body["groupLength"] = 3 + random.below(4);
  }

  // A percentage goes with no limit of runs.
  const hasPercentage = hasSpecials && chance(random, 8);
  if (hasPercentage) {
    body["specialCharacterPercentage"] = 5 * (1 + random.below(8));
  }
  const hasRuns = !hasPercentage && length <= 64 && chance(random, 35);
  if (hasRuns && chance(random, 70)) {
    body["maximumRepeating"] = (length > 32 ? 2 : 1) + random.below(3);
  }
  const hasSequences = hasRuns && chance(random, 50);
  if (hasSequences) body["maximumSequential"] = 2 + random.below(3);

  if (chance(random, 35)) {
    // A place is left for a letter and for each class.
    let places = (body["length"] === undefined ? 20 : length) / 2 - 1;
    for (
      const name of ["Numbers", "SpecialCharacters", "Lowercase", "Uppercase"]
    ) {
      const isLetters = name.endsWith("case");
      if (!isOn(name[0]!.toLowerCase() + name.slice(1))) continue;
      if (hasPercentage && name === "SpecialCharacters") continue;
      const most = hasSequences && isLetters
        ? 1
        : random.pick([0, 1, 2, 2, 3, 4]);
      if (most === 0 || most > places) continue;
      body[`minimum${name}`] = most;
      places -= most;
    }
  }
  if (chance(random, 20)) {
    body["minimumEntropy"] = 8 * (5 + random.below(28));
  }
  return { ...body, ...shared(random, true) };
}

/** A body with the rules of a site. */
function ofRules(random: Random): JsonBody {
  const custom = `[${random.pick(SPECIALS)}]`;
  const isRepeated = chance(random, 25);
  // Three of two characters are too rare.
  const special = isRepeated
    ? "special"
    : random.pick(["special", custom, custom]);
  const sets = random.pickWeighted<readonly string[]>([
    [6, []],
    [6, ["lower", "upper", "digit"]],
    [10, ["lower", "upper", "digit", special]],
    [3, ["upper", "digit", special]],
    [3, ["lower, upper", "digit"]],
    [2, ["lower, upper", "digit", special]],
    [2, ["digit"]],
    // Sets that have common characters.
    [2, ["lower", "upper", `digit, ${special}`]],
    [2, ["lower, upper", "lower, digit"]],
    [2, ["lower, upper", `digit, ${special}`, "upper, digit"]],
    [2, ["lower, upper, digit", special, "digit"]],
  ]);
  const isNumber = sets.length === 0 && chance(random, 20);
  const rules = sets.flatMap((set) => {
    const times = isRepeated && chance(random, 60) ? 2 + random.below(2) : 1;
    return Array<string>(times).fill(`required: ${set}`);
  });
  const hasLetters = sets.some((set) => /upper|lower/.test(set));
  if (isNumber) rules.push("allowed: digit");
  else if (!hasLetters || chance(random, 40)) {
    const more = [special, `lower, digit, ${special}`].concat(
      "lower, digit",
      "ascii-printable",
    );
    const complete = ["lower, upper, digit", `upper,lower,digit,${special}`]
      .concat("ascii-printable", "unicode");
    rules.push(`allowed: ${random.pick(hasLetters ? more : complete)}`);
  }
  const run = chance(random, 35) ? 1 + random.below(4) : Infinity;
  if (run < Infinity) {
    const name = random.pickWeighted([
      [5, "consecutive"],
      [1, "repeating"],
      [1, "sequential"],
    ]);
    rules.unshift(`max-${name}: ${run}`);
  }
  const [low = "", high = ""] = (isNumber ? "4-8" : random.pick(BOUNDS))
    .split("-");
  if (high !== "") rules.unshift(`maxlength: ${high}`);
  if (low !== "") rules.unshift(`minlength: ${low}`);
  const least = Math.max(Number(low), isRepeated ? 12 : 4);
  // Of long strings, too few have no two equal characters in a row.
  const most = Math.min(Number(high || 128), run === 1 ? 40 : 128);
  const hasLength = chance(random, 50) && !isNumber;
  const hasBits = chance(random, 20) && !isNumber;
  return {
    passwordRules: rules.join("; ") + random.pick(["", ";"]),
    ...hasLength && { length: lengthFrom(random, least, most) },
    ...chance(random, 15) && !isNumber &&
      { excludeCharacters: random.pick(UNWANTED) },
    ...hasBits && {
      minimumEntropy: 8 * (5 + random.below(Math.min(28, most / 2 - 5))),
    },
    ...shared(random, !isNumber),
  };
}

/**
 * Random bodies for random characters that have passwords, half of them with the rules
 * of a site.
 */
export const realisticBodies = (random: Random, count: number): JsonBody[] =>
  Array.from(
    { length: count },
    (_, i) => (i % 2 === 0 ? ofClasses : ofRules)(random),
  );
