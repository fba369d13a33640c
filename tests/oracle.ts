/**
 * The oracle: what the API promises for a request body. It is written by hand from
 * the specification and its decisions, and reads nothing of the program but the word
 * lists and types. It counts in another way than the program. A new field changes the tables
 * here, and what they say about the passwords.
 *
 * @module
 */
import type { CharacterOptions } from "../generators/character_options.ts";
import type { WordOptions } from "../generators/exports/words.ts";
import { WORDLISTS } from "../wordlists/mod.ts";
import { exactBits } from "./helpers/entropy.ts";
import { readRules, sortedSet } from "./helpers/password_rules.ts";
import {
  countByLength,
  meeting,
  type WrittenRules,
} from "./helpers/strings.ts";

/** A field of the first version. */
export type V1Row =
  | { type: "integer"; range: readonly [number, number]; default: number }
  | { type: "boolean"; default: boolean }
  | { type: "string"; values: readonly string[]; default: string };

/** A field that takes many strings, with examples. */
export interface TextRow {
  type: "text";
  maxLength: number;
  pattern?: string;
  /** A character that the string may not have. */
  without?: string;
  /** What a message says about the allowed strings. */
  expected: string;
  valid: readonly string[];
  invalid: readonly string[];
  default: "";
}

/** A field. */
export type Row = V1Row | TextRow;

/** The fields of an endpoint by name. */
export type Table<R = Row> = Readonly<Record<string, R>>;

/** The endpoints. */
export type Kind = "characters" | "words" | "sentence";

const integer = (low: number, high: number, value: number): V1Row => ({
  type: "integer",
  range: [low, high],
  default: value,
});
const boolean = (value: boolean): V1Row => ({
  type: "boolean",
  default: value,
});
const oneOf = (values: readonly string[], value: string): V1Row => ({
  type: "string",
  values,
  default: value,
});

const PASSPHRASE: Table<V1Row> = {
  language: oneOf(["sv", "en"], "sv"),
  casing: oneOf(["lower", "upper", "first", "title"], "title"),
  numberPosition: oneOf(["before", "after", "between", "all"], "before"),
  numberLength: integer(0, 12, 2),
  replaceSwedishCharacters: boolean(false),
  replaceWithSpecialCharacters: boolean(false),
};

/** Version 1.0.0, frozen: it never changes. */
export const V1: Readonly<Record<Kind, Table<V1Row>>> = {
  characters: {
    length: integer(1, 128, 20),
    lowercase: boolean(true),
    uppercase: boolean(true),
    numbers: boolean(true),
    specialCharacters: boolean(true),
    swedishCharacters: boolean(false),
    specialCharacterPercentage: integer(0, 100, 0),
  },
  words: { ...PASSPHRASE, wordCount: integer(1, 10, 4) },
  sentence: PASSPHRASE,
};

const SEPARATOR = oneOf(["", "-", ".", "_", " ", ","], "");
const MINIMUM_ENTROPY = integer(0, 512, 0);
const MAXIMUM_LENGTH = integer(0, 256, 0);
const MINIMUM_LENGTH = integer(0, 128, 0);
const LEAST = integer(0, 128, 0);
const COUNT = integer(0, 100, 0);

const RUN = integer(0, 128, 0);

/** All printable ASCII characters that are no letter, digit or space. */
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

const SPECIAL_CHARACTER_SET: TextRow = {
  type: "text",
  maxLength: 32,
  pattern: "^[\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E]*$",
  expected:
    "at most 32 different printable ASCII characters that are no letter, digit or space",
  valid: ["", PUNCTUATION, ...PUNCTUATION, [...PUNCTUATION].reverse().join("")],
  invalid: [..."aZ09 \t\n\u007fåé€😀", "!!", "!#!", "-_-", "!a", "! #", "!\n"]
    .concat("\n!", "\ud800", "\u0000", `${PUNCTUATION}!`, "!".repeat(33)),
  default: "",
};
const EXCLUDE_CHARACTERS: TextRow = {
  type: "text",
  maxLength: 128,
  without: "\ufffd",
  expected: "a string of at most 128 characters without U+FFFD",
  valid: ["", "0O1lI", "aaa", " \n\u0000", "😀".repeat(128), "åÖ", "ab!$9Z"]
    .concat("a\u030aO\u0308"),
  invalid: [" ".repeat(129), "😀".repeat(129), "\ufffd"],
  default: "",
};
const PASSWORD_RULES: TextRow = {
  type: "text",
  maxLength: 1000,
  expected: "a string of at most 1000 characters",
  valid: ["", " \n", "minlength: 8", "required: upper; allowed: lower, [-_]"]
    // Characters are code points.
    .concat(" ".repeat(1000), `allowed: lower, [${"😀".repeat(982)}]`),
  invalid: [" ".repeat(1001), `allowed: lower, [${"😀".repeat(983)}]`],
  default: "",
};

const SEPARATOR_SET: TextRow = {
  type: "text",
  maxLength: 16,
  pattern: "^[\\x20-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E]*$",
  expected:
    "at most 16 different printable ASCII characters, space included, that are no letter or digit",
  valid: ["", "-_", PUNCTUATION.slice(0, 16), PUNCTUATION.slice(16)]
    .concat([...` ${PUNCTUATION}`], "^]\\[", " .,", "-@", "!#"),
  invalid: [..."aZ09\t\n\u007fåéÅ€😀\u00a0", "--", "  ", "-_-", "-a", "- \n"]
    .concat("\n-", "\ud800", "\u0000", PUNCTUATION.slice(0, 17)),
  default: "",
};

/** The fields that later versions added, by version and endpoint. */
export const LATER: Readonly<Record<string, Partial<Record<Kind, Table>>>> = {
  "1.1.0": {
    characters: {
      excludeAmbiguous: boolean(false),
      minimumEntropy: MINIMUM_ENTROPY,
    },
    words: { separator: SEPARATOR, minimumEntropy: MINIMUM_ENTROPY },
    sentence: { separator: SEPARATOR, minimumEntropy: MINIMUM_ENTROPY },
  },
  "1.2.0": {
    characters: {
      specialCharacterSet: SPECIAL_CHARACTER_SET,
      passwordRules: PASSWORD_RULES,
      count: COUNT,
    },
    words: { maximumLength: MAXIMUM_LENGTH, count: COUNT },
    sentence: { maximumLength: MAXIMUM_LENGTH, count: COUNT },
  },
  "1.3.0": {
    characters: {
      minimumLowercase: LEAST,
      minimumUppercase: LEAST,
      minimumNumbers: LEAST,
      minimumSpecialCharacters: LEAST,
      excludeCharacters: EXCLUDE_CHARACTERS,
      beginWithLetter: boolean(false),
    },
    words: {
      minimumLength: MINIMUM_LENGTH,
      excludeSwedishCharacters: boolean(false),
    },
    sentence: {
      minimumLength: MINIMUM_LENGTH,
      excludeSwedishCharacters: boolean(false),
    },
  },
  "1.4.0": {
    characters: {
      maximumRepeating: RUN,
      maximumSequential: RUN,
      groupLength: integer(0, 32, 0),
    },
    words: { separatorSet: SEPARATOR_SET },
    sentence: { separatorSet: SEPARATOR_SET },
  },
};

/**
 * The fields of an endpoint in the current version.
 *
 * @param kind the endpoint
 * @returns the rows by name, with the version that added a later field
 */
export function currentTable(
  kind: Kind,
): Record<string, Row & { since?: string }> {
  const table: Record<string, Row & { since?: string }> = { ...V1[kind] };
  for (const [since, tables] of Object.entries(LATER)) {
    for (const [name, row] of Object.entries(tables[kind] ?? {})) {
      // A field of the first version can get more values.
      table[name] = name in V1[kind] ? row : { ...row, since };
    }
  }
  return table;
}

/** All endpoints. */
export const KINDS: readonly Kind[] = ["characters", "words", "sentence"];

/** The current tables. */
export const TABLES: Readonly<Record<Kind, ReturnType<typeof currentTable>>> = {
  characters: currentTable("characters"),
  words: currentTable("words"),
  sentence: currentTable("sentence"),
};

/** The flag of a field on the command line. */
export const flagOf = (name: string): string =>
  "--" + name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Whether a field takes a value of JSON. */
function isValid(value: unknown, row: Row): boolean {
  if (row.type === "boolean") return typeof value === "boolean";
  if (row.type === "integer") {
    const isText = typeof value === "string";
    if (isText && !/^-?(0|[1-9][0-9]*)$/.test(value)) return false;
    if (!isText && typeof value !== "number") return false;
    const [low, high] = row.range;
    return Number.isInteger(Number(value)) && Number(value) >= low &&
      Number(value) <= high;
  }
  if (typeof value !== "string") return false;
  if (row.type === "string") return row.values.includes(value);
  return [...value].length <= row.maxLength &&
    (row.without === undefined || !value.includes(row.without)) &&
    (row.pattern === undefined ||
      (RegExp(row.pattern).test(value) &&
        new Set(value).size === value.length));
}

/** The values of valid fields, with the defaults of the missing ones. */
type Settings = Record<string, never>;

/** The passwords that settings permit. */
interface Passwords {
  /** How many there are. */
  count: bigint;
  /** Whether a password is one of them. */
  permits: (password: string) => boolean;
}

/** What the API promises for a request. */
export interface Outcome extends Passwords {
  /** The names under `errors`, sorted; none for a valid request. */
  readonly errors: readonly string[];
  /** Entropy-Bits. */
  readonly bits: string;
  /** How many passwords the response lists; undefined without `count` above 0. */
  readonly listed: number | undefined;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";

/** The characters of the classes, special characters last. */
export const CLASSES = {
  lowercase: LOWER,
  uppercase: LOWER.toUpperCase(),
  numbers: "0123456789",
  swedishCharacters: "åäöÅÄÖ",
  specialCharacters: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
};
export type ClassName = keyof typeof CLASSES;
export const CLASS_NAMES = Object.keys(CLASSES) as ClassName[];

/** The settings of a password of characters. */
export type CharacterSettings =
  & Partial<CharacterOptions>
  & Pick<CharacterOptions, ClassName | "length" | "specialCharacterPercentage">;

/** The field for the least number of characters of a class. */
const MINIMA: Readonly<Partial<Record<ClassName, keyof CharacterSettings>>> = {
  lowercase: "minimumLowercase",
  uppercase: "minimumUppercase",
  numbers: "minimumNumbers",
  specialCharacters: "minimumSpecialCharacters",
};

/** The fields that leave out characters, each with these characters. */
export const EXCLUSIONS = { excludeAmbiguous: "0O1lI|" } as const;

/** Characters without those that are left out. */
function restrict(
  characters: string,
  settings: Pick<
    CharacterSettings,
    keyof typeof EXCLUSIONS | "excludeCharacters"
  >,
): string {
  let out = (settings.excludeCharacters ?? "").normalize("NFC");
  for (const [name, left] of Object.entries(EXCLUSIONS)) {
    if (settings[name as keyof typeof EXCLUSIONS]) out += left;
  }
  if (out === "") return characters;
  return [...characters].filter((c) => !out.includes(c)).join("");
}

/** The characters of the enabled classes, without those that are excluded. */
export function setsOf(
  settings: CharacterSettings,
  classes = CLASSES,
): string[] {
  const all = { ...classes };
  all.specialCharacters = settings.specialCharacterSet || all.specialCharacters;
  if (settings.groupLength) {
    all.specialCharacters = all.specialCharacters.replace("-", "");
  }
  return CLASS_NAMES.filter((name) => settings[name])
    .map((name) => restrict(all[name], settings));
}

/** Whether some character is enabled, and one that can be first. */
export const isPossible = (settings: CharacterSettings): boolean =>
  setsOf(settings).some((set) =>
    set !== "" && (!settings.beginWithLetter || isLetters(set))
  );

/** Whether a class has letters. */
const isLetters = (set: string) => /^[a-zåäö]/i.test(set);

/** The rows of Pascal's triangle so far. */
const triangle: bigint[][] = [[1n]];

/** The number of ways to choose `k` of `n` places. */
function choose(n: number, k: number): bigint {
  for (let row = triangle.length; row <= n; row++) {
    const last = triangle[row - 1]!;
    triangle[row] = [1n, ...last.map((ways, i) => ways + (last[i + 1] ?? 0n))];
  }
  return triangle[n]?.[k] ?? 0n;
}

const NO_PASSWORDS: Passwords = { count: 0n, permits: () => false };

const sum = (sizes: readonly number[]) => sizes.reduce((a, b) => a + b, 0);

/** The counts so far by their arguments, since each occurs in many settings. */
const stringCounts = new Map<string, bigint>();

/** A class of so many characters, of which a string has at least so many. */
type Part = readonly [size: number, min: number];

/**
 * Counts the strings with at least so many characters of each class, by inclusion and
 * exclusion. The program adds a class at a time, by the number of its places.
 *
 * @param parts the classes
 * @param length the length of the strings
 */
function countStrings(parts: readonly Part[], length: number): bigint {
  const key = `${parts.join(" ")}, ${length}`;
  return stringCounts.getOrInsertComputed(
    key,
    () => countByExclusion(parts, length),
  );
}

/** Subtracts the strings that have too few of a class, and adds those of two, ... */
function countByExclusion(
  parts: readonly Part[],
  length: number,
): bigint {
  const all = sum(parts.map(([size]) => size));
  let count = 0n;
  for (let missing = 0; missing < 2 ** parts.length; missing++) {
    const few = parts.filter((_, i) => missing & (1 << i));
    // How many strings of the few alone have too few of each, by their length.
    let strings = [1n];
    for (const [size, min] of few) {
      const longer: bigint[] = [];
      for (const [n, ways] of strings.entries()) {
        for (let k = 0; k < min && n + k <= length; k++) {
          longer[n + k] = (longer[n + k] ?? 0n) +
            ways * choose(n + k, k) * BigInt(size) ** BigInt(k);
        }
      }
      strings = longer;
    }
    const rest = BigInt(all - sum(few.map(([size]) => size)));
    for (const [n, ways] of strings.entries()) {
      count += (few.length % 2 ? -1n : 1n) * choose(length, n) * ways *
        rest ** BigInt(length - n);
    }
  }
  return count;
}

/** How many special characters a percentage gives; undefined without one. */
export function shareOf(settings: CharacterSettings): number | undefined {
  const { length, specialCharacters, specialCharacterPercentage } = settings;
  if (!specialCharacters || specialCharacterPercentage === 0) return undefined;
  if (CLASS_NAMES.filter((name) => settings[name]).length === 1) return length;
  // Integers up to the division, so that halves are rounded up exactly.
  const share = Math.floor(
    (2 * length * specialCharacterPercentage + 100) / 200,
  );
  return Math.max(1, share);
}

/** The limits of runs, those above 0. */
const RUN_LIMITS = ["maximumRepeating", "maximumSequential"] as const;

const limitsOf = (settings: Partial<CharacterSettings>) =>
  RUN_LIMITS.filter((name) => settings[name]);

/** The least limit that a run of some characters can reach. */
function leastLimit(settings: CharacterSettings, classes = CLASSES): number {
  const { maximumRepeating, maximumSequential = 0 } = settings;
  if (!maximumRepeating && !maximumSequential) return Infinity;
  const ranges = [LOWER, CLASSES.numbers].map((range) => {
    const places = setsOf(settings, classes).join("").toLowerCase();
    const text = [...range].map((c) => places.includes(c) ? c : " ").join("");
    return text.split(" ").map(({ length }) => length);
  });
  const isReached = Math.max(...ranges.flat()) > maximumSequential;
  return Math.min(
    maximumRepeating || Infinity,
    isReached && maximumSequential || Infinity,
  );
}

/** The minimum of each enabled class, and of each if all of them have room. */
function minimaOf(settings: CharacterSettings, places: number): number[] {
  const asked = CLASS_NAMES.filter((name) => settings[name])
    .map((name) => Number(settings[MINIMA[name]!] ?? 0));
  const each = asked.map((min) => Math.max(1, min));
  return sum(each) <= places ? each : asked;
}

/** The drawn characters of a password in groups; undefined if it is in no groups. */
function ungrouped(
  password: string,
  { groupLength = 0 }: CharacterSettings,
): string | undefined {
  if (groupLength === 0) return password;
  const groups = password.split("-");
  const last = groups.pop()!;
  return last !== "" && last.length <= groupLength &&
      groups.every((group) => group.length === groupLength)
    ? groups.join("") + last
    : undefined;
}

/** The counts so far by rules, since many settings have the same ones. */
const countsOfRules = new Map<string, bigint[]>();

/** Counts the strings of a length that meet rules. */
function countWithRules(rules: WrittenRules, length: number): bigint {
  const key = Object.values(rules).map(String).join("\n");
  let counts = countsOfRules.get(key) ?? [];
  if (counts.length <= length) {
    // Some requests raise the length.
    const last = counts.length === 0 ? length : Math.min(128, 2 * length);
    counts = countByLength(rules, last);
    countsOfRules.set(key, counts);
  }
  return counts[length]!;
}

/** The passwords of characters. None if fewer than 1 in 64 have short runs. */
export function expectedCharacters(
  settings: CharacterSettings,
  classes = CLASSES,
): Passwords {
  const all = expectedClasses(settings, classes);
  const permits = (password: string) => {
    const drawn = ungrouped(password, settings);
    return drawn !== undefined && all.permits(drawn);
  };
  const { length, beginWithLetter = false } = settings;
  // To count the runs of long minima takes minutes, and without need if all are short.
  if (leastLimit(settings, classes) >= length) return { ...all, permits };
  const sets = setsOf(settings, classes);
  const rules = {
    characters: sets.join(""),
    required: minimaOf(settings, length)
      .flatMap((min, i) => Array<string>(min).fill(sets[i]!)),
    beginWithLetter,
    maxRepeating: settings.maximumRepeating || Infinity,
    maxSequential: settings.maximumSequential || Infinity,
    ignoreCase: true,
  };
  const count = countWithRules(rules, length);
  if (count * 64n < all.count) return NO_PASSWORDS;
  const meets = meeting(rules);
  return {
    ...all,
    count,
    permits: (password) =>
      permits(password) && meets(ungrouped(password, settings)!),
  };
}

/** The passwords of characters, without regard to runs and groups. */
function expectedClasses(
  settings: CharacterSettings,
  classes = CLASSES,
): Passwords {
  const { length, beginWithLetter = false } = settings;
  const sets = setsOf(settings, classes);
  const asked = CLASS_NAMES.filter((name) => settings[name])
    .map((name) => Number(settings[MINIMA[name]!] ?? 0));
  const share = shareOf(settings);
  const isShare = share !== undefined;
  const special = share ?? 0;
  const specials = isShare ? sets.pop()! : "";
  const places = length - special;
  const sizes = sets.map((set) => set.length);
  if (isShare && asked.pop()! > special) return NO_PASSWORDS;
  if (sum(asked) > places) return NO_PASSWORDS;
  // Each class occurs if there is room.
  const each = asked.map((min) => Math.max(1, min));
  const minima = sum(each) <= places ? each : asked;
  const parts = sets.map((_, i) => [sizes[i]!, minima[i]!] as const);
  let accepted = countStrings(parts, places);
  if (beginWithLetter) {
    // The first character is one of its class, of which the others need one less.
    accepted = 0n;
    for (const [i, set] of sets.entries()) {
      if (!isLetters(set) || places === 0) continue;
      const others = parts.map(([size, min], j) =>
        [size, i === j ? Math.max(0, min - 1) : min] as const
      );
      accepted += BigInt(sizes[i]!) * countStrings(others, places - 1);
    }
  }
  const characters = sets.join("") + specials;
  return {
    count: choose(length - Number(beginWithLetter), special) *
      BigInt(specials.length) ** BigInt(special) * accepted,
    permits: (password) => {
      const count = (set: string) => {
        let found = 0;
        for (const c of password) if (set.includes(c)) found++;
        return found;
      };
      return password.length === length && count(characters) === length &&
        (!isShare || count(specials) === special) &&
        sets.every((set, i) => count(set) >= minima[i]!) &&
        (!beginWithLetter || isLetters(password));
    },
  };
}

/** The settings of a password of words. */
export type PassphraseSettings =
  & Partial<WordOptions>
  & Pick<WordOptions, "language" | "numberPosition" | "numberLength">;

/** Writes a word in the style of the settings. */
export function writeWord(
  word: string,
  isFirst: boolean,
  settings: Pick<
    PassphraseSettings,
    "casing" | "replaceSwedishCharacters" | "replaceWithSpecialCharacters"
  >,
): string {
  const capital = word[0]!.toUpperCase() + word.slice(1);
  let text = {
    lower: word,
    upper: word.toUpperCase(),
    first: isFirst ? capital : word,
    title: capital,
  }[settings.casing ?? "title"];
  if (settings.replaceSwedishCharacters) {
    text = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  }
  if (!settings.replaceWithSpecialCharacters) return text;
  for (const [letter, special] of ["a@", "i!", "s$", "h#"]) {
    text = text.split(letter!).join(special!)
      .split(letter!.toUpperCase()).join(special!);
  }
  return text;
}

/** The words that are spelled without å, ä and ö. */
const withoutSwedish = (list: readonly string[]): readonly string[] =>
  asciiLists.getOrInsertComputed(
    list,
    () =>
      list.filter((word) =>
        ![..."åäö"].some((letter) => word.includes(letter))
      ),
  );
const asciiLists = new Map<readonly string[], readonly string[]>();

/** The sequences so far by their lists: how many have each number of letters. */
const byLetters = new Map<string, bigint[]>();

/**
 * Counts the sequences with one word of each list, by the number of their letters.
 * It multiplies polynomials, in which the power of x is the number of letters.
 */
function lettersOf(
  name: string,
  lists: readonly (readonly string[])[],
): bigint[] {
  let product = byLetters.get(name) ?? [1n];
  if (byLetters.has(name)) return product;
  for (const list of lists) {
    const next: bigint[] = [];
    for (const { length } of list) next[length] = (next[length] ?? 0n) + 1n;
    const before = product;
    product = [];
    for (const [i, count] of before.entries()) {
      for (const [j, words = 0n] of next.entries()) {
        product[i + j] = (product[i + j] ?? 0n) + count * words;
      }
    }
  }
  byLetters.set(name, product);
  return product;
}

/** The passwords of words; without `wordCount` those of a sentence. */
export function expectedPhrases(settings: PassphraseSettings): Passwords {
  const { language, numberPosition, numberLength, wordCount } = settings;
  const { separator = "", maximumLength = 0, minimumLength = 0 } = settings;
  const { separatorSet = "", excludeSwedishCharacters = false } = settings;
  const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
  let lists: (readonly string[])[] = wordCount === undefined
    ? [adjectives, nouns, verbs, adverbs]
    : Array(wordCount).fill(words);
  if (excludeSwedishCharacters) lists = lists.map(withoutSwedish);
  const has = (place: string) =>
    numberLength > 0 && (numberPosition === place || numberPosition === "all");
  /** The parts of a password: a list, or undefined for digits. */
  const parts = lists.flatMap((list, i) =>
    i > 0 && has("between") ? [undefined, list] : [list]
  );
  if (has("before")) parts.unshift(undefined);
  if (has("after")) parts.push(undefined);
  const digits = numberLength * (parts.length - lists.length);
  /** What can stand in a gap. */
  const signs = separatorSet === "" ? [separator] : [...separatorSet];
  const gaps = parts.length - 1;
  const others = digits + gaps * signs[0]!.length;
  const name = `${language} ${wordCount} ${excludeSwedishCharacters}`;
  const sequences = lettersOf(name, lists).filter((_, letters) =>
    letters + others >= minimumLength &&
    (maximumLength === 0 || letters + others <= maximumLength)
  ).reduce((sum, n) => sum + n, 0n);
  return {
    count: sequences * 10n ** BigInt(digits) *
      BigInt(signs.length) ** BigInt(gaps),
    permits: (password) => {
      if (maximumLength > 0 && password.length > maximumLength) return false;
      if (password.length < minimumLength) return false;
      // The places at which the next part can begin.
      let places = new Set([0]);
      let isFirst = true;
      for (const [i, list] of parts.entries()) {
        const ends = new Set<number>();
        const written = list && writtenWords(list, isFirst, settings);
        for (const place of places) {
          const rest = password.slice(place);
          const start = i > 0
            ? signs.find((sign) => rest.startsWith(sign))
            : "";
          if (start === undefined) continue;
          const from = place + start.length;
          if (written === undefined) {
            const part = password.slice(from, from + numberLength);
            if (part.length === numberLength && /^\d+$/.test(part)) {
              ends.add(from + numberLength);
            }
            continue;
          }
          for (let end = from + 1; end <= from + 12; end++) {
            if (end > password.length) break;
            if (written.has(password.slice(from, end))) ends.add(end);
          }
        }
        if (list) isFirst = false;
        places = ends;
      }
      return places.has(password.length);
    },
  };
}

/** The written words so far by list and style. */
const written = new Map<readonly string[], Record<string, Set<string>>>();

function writtenWords(
  list: readonly string[],
  isFirst: boolean,
  settings: PassphraseSettings,
): Set<string> {
  const { casing, replaceSwedishCharacters, replaceWithSpecialCharacters } =
    settings;
  const style = [
    isFirst,
    casing,
    replaceSwedishCharacters,
    replaceWithSpecialCharacters,
  ].join();
  const ofList = written.get(list) ?? {};
  written.set(list, ofList);
  return ofList[style] ??= new Set(
    list.map((word) => writeWord(word, isFirst, settings)),
  );
}

/** What rules say without the characters that are left out; or the field to change. */
function restrictedRules(settings: Settings) {
  const rules = readRules(settings["passwordRules"]!);
  if (rules === undefined) return "passwordRules";
  const sets = [...rules.required, rules.allowed];
  const isEmptied = (more: object) =>
    sets.some((set) => restrict(set, { ...settings, ...more }) === "");
  if (isEmptied({ excludeCharacters: "" })) return "passwordRules";
  if (isEmptied({})) return "excludeCharacters";
  const all = rules.required.map((set) => sortedSet(restrict(set, settings)));
  const allowed = restrict(rules.allowed, settings);
  const isInside = (set: string, other: string) =>
    [...set].every((c) => other.includes(c));
  const min = (set: string) => all.filter((other) => other === set).length;
  const required = all.filter((set) =>
    !all.some((other) =>
      other !== set && isInside(other, set) && min(other) >= min(set)
    )
  );
  const innermost = new Set(
    all.filter((set) =>
      !all.some((other) => other !== set && isInside(other, set))
    ),
  );
  if (innermost.size > 6) return "passwordRules";
  const beginWithLetter: boolean = settings["beginWithLetter"] ?? false;
  if (beginWithLetter && !/[a-z]/i.test(allowed)) return "beginWithLetter";
  return { ...rules, required, allowed, beginWithLetter };
}

/** The passwords of rules of a length. None if fewer than 1 in 64 strings are. */
function rulePasswords(
  { allowed, minLength: _, maxLength: __, ...others }: Exclude<
    ReturnType<typeof restrictedRules>,
    string
  >,
  length: number,
): Passwords {
  const rules = { ...others, characters: allowed };
  const first = rules.beginWithLetter
    ? allowed.replace(/[^a-z]/gi, "").length
    : allowed.length;
  const count = countWithRules(rules, length);
  const strings = BigInt(first) * BigInt(allowed.length) ** BigInt(length - 1);
  if (count * 64n < strings) return NO_PASSWORDS;
  const meets = meeting(rules);
  return {
    count,
    permits: (password) => [...password].length === length && meets(password),
  };
}

/** The integer field that makes passwords longer; `minimumEntropy` raises it. */
const SIZE_FIELDS = {
  characters: "length",
  words: "wordCount",
  sentence: "numberLength",
} as const;

/** The fields whose meaning `passwordRules` replaces. */
const REPLACED = [
  ...CLASS_NAMES,
  "specialCharacterPercentage",
  "specialCharacterSet",
  ...Object.values(MINIMA),
  ...RUN_LIMITS,
  "groupLength",
];

/**
 * The fields whose values do not fit together, without rules of a site.
 *
 * @param settings the values of the valid fields
 */
function classErrors(settings: Settings): string[] {
  const isValid = (...names: string[]) =>
    names.every((name) => settings[name] !== undefined);
  const errors: string[] = [];
  if (CLASS_NAMES.every((name) => settings[name] === false)) errors.push("$");
  const enabled = CLASS_NAMES.filter((name) => settings[name]);
  const set = (name: ClassName, more: object) =>
    setsOf({ ...settings, groupLength: 0, [name]: true, ...more } as never)[
      enabled.indexOf(name)
    ];
  for (const name of enabled) {
    if (set(name, { excludeCharacters: "" }) === "") {
      errors.push("specialCharacterSet");
    } else if (set(name, {}) === "" && isValid("specialCharacterSet")) {
      errors.push("excludeCharacters");
    }
  }
  const { specialCharacters, groupLength, excludeCharacters = "" } = settings;
  if (groupLength! > 0) {
    const isSet = isValid("specialCharacters", "specialCharacterSet");
    const isLeft = isSet && specialCharacters &&
      /^-.|.-/.test(set("specialCharacters", {})!);
    if (
      (excludeCharacters as string).includes("-") ||
      isSet && specialCharacters && !isLeft
    ) errors.push("groupLength");
  }
  const limits = limitsOf(settings);
  const isBoth = settings["lowercase"] && settings["uppercase"];
  const ofOneCase = Math.max(
    settings["minimumLowercase"] ?? 0,
    settings["minimumUppercase"] ?? 0,
  );
  if (
    specialCharacters && settings["specialCharacterPercentage"]! > 0 ||
    settings["maximumSequential"]! > 0 && isBoth && ofOneCase > 1
  ) errors.push(...limits);
  let [digitsAndSpecials, total] = [0, 0];
  const asked: [name: ClassName, minimum: string, min: number][] = [];
  for (const name of CLASS_NAMES) {
    const minimum = MINIMA[name];
    const min: number = settings[minimum!] ?? 0;
    if (minimum === undefined || min === 0) continue;
    if (settings[name] === false) errors.push(minimum);
    if (!settings[name]) continue;
    asked.push([name, minimum, min]);
    total += min;
    if (/numbers|special/.test(name)) digitsAndSpecials += min;
  }
  const names = Object.keys(TABLES.characters)
    .filter((name) => !/minimumEntropy|count|passwordRules/.test(name));
  if (!isValid(...names)) return errors;
  const { length, specialCharacterPercentage } = settings;
  if (total > length!) errors.push(...asked.map(([, minimum]) => minimum));
  const { minimumSpecialCharacters } = settings;
  if (specialCharacters && specialCharacterPercentage! > 0) {
    const rounded = Math.round(length! * specialCharacterPercentage! / 100);
    const exact = enabled.length === 1 ? length! : Math.max(1, rounded);
    digitsAndSpecials = exact +
      (settings["numbers"] ? settings["minimumNumbers"]! : 0);
    if (total <= length!) {
      if (minimumSpecialCharacters! > exact) {
        errors.push("minimumSpecialCharacters");
      }
      const others = asked.filter(([name]) => name !== "specialCharacters");
      if (sum(others.map(([, , min]) => min)) > length! - exact) {
        errors.push(...others.map(([, minimum]) => minimum));
      }
    }
  }
  if (
    settings["beginWithLetter"] &&
    (!isPossible(settings as never) || digitsAndSpecials >= length!)
  ) errors.push("beginWithLetter");
  return errors;
}

const asciiLowerCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What a request may be refused for, although some service could serve it. */
export type CostRefusal = "time" | "count";

/** For which cost a service has refused a request; undefined if for none. */
export function costRefusal(
  errors: Readonly<Record<string, readonly string[]>>,
): CostRefusal | undefined {
  const messages = Object.values(errors).flat();
  const isTime = messages.some((text) =>
    text.includes("cannot be counted in time")
  );
  const isCount = /^Must be at most \d+ with these/.test(
    errors["count"]?.[0] ?? "",
  );
  return isTime ? "time" : isCount ? "count" : undefined;
}

/** What is an error instead of a refusal for cost that is not permitted. */
const CHEAP = "it is cheap";

/**
 * Says what the API promises for a request body. The contract does not say how much a
 * service can count and draw, but which settings can be dear. tests/fuzz/realistic.ts has
 * the requests that it must serve.
 *
 * @param kind the endpoint
 * @param body the JSON object
 * @param refusal for which cost the service has refused the request
 * @returns the errors, of this refusal if it is permitted; without errors the passwords
 *   that are possible
 */
export function outcome(
  kind: Kind,
  body: Readonly<Record<string, unknown>>,
  refusal?: CostRefusal,
): Outcome {
  const members = Map.groupBy(
    Object.entries(body),
    ([name]) => asciiLowerCase(name),
  );
  const errors = new Set<string>();
  // Rules about several fields ignore the invalid ones.
  const settings: Settings = {};
  for (const [name, row] of Object.entries(TABLES[kind])) {
    const given = members.get(asciiLowerCase(name));
    const value = given === undefined ? row.default : given[0]![1];
    if (given && (given.length > 1 || !isValid(value, row))) errors.add(name);
    else {
      settings[name] =
        (row.type === "integer" ? Number(value) : value) as never;
    }
  }
  const refused = (...more: string[]): Outcome => ({
    errors: [...errors, ...more].sort(),
    count: 0n,
    bits: "",
    listed: undefined,
    permits: () => false,
  });

  const { numberPosition, passwordRules } = settings;
  if (
    settings["wordCount"] === 1 && /^(between|all)$/.test(numberPosition!)
  ) errors.add("numberPosition");
  const { minimumLength = 0, maximumLength = 0 } = settings;
  if (minimumLength > maximumLength && maximumLength > 0) {
    errors.add("minimumLength").add("maximumLength");
  }
  const { separator = "", separatorSet = "" } = settings;
  if (separator !== "" && separatorSet !== "") {
    errors.add("separator").add("separatorSet");
  }
  const replaces = settings["replaceWithSpecialCharacters"] ?? false;
  if (replaces && [..."@!$#"].some((sign) => separatorSet.includes(sign))) {
    errors.add("separatorSet");
  }
  const sizeField = SIZE_FIELDS[kind];
  const { range } = TABLES[kind][sizeField] as V1Row & { type: "integer" };
  let first: number = settings[sizeField]!;
  let last = range[1];
  const { minimumEntropy = 0, count: listed = 0 } = settings;
  let passwordsOf = (size: number) =>
    expectedPhrases({ ...settings, [sizeField]: size } as never);
  /** The fields to change if there is no password of the size that was sent. */
  let impossible = () => {
    const bounds = ["minimumLength", "maximumLength"];
    const none = { ...settings, minimumLength: 0, maximumLength: 0 };
    const alone = bounds.filter((name) =>
      expectedPhrases({ ...none, [name]: settings[name] } as never).count === 0n
    );
    return alone.length > 0 ? alone : bounds;
  };
  /** The fields that can make a request dear. */
  let dear: string[] = [];
  if (kind === "characters" && passwordRules === "") {
    for (const name of classErrors(settings)) errors.add(name);
    const limits = limitsOf(settings);
    passwordsOf = (length) =>
      expectedCharacters({ ...settings, length } as never);
    impossible = () => limits;
    dear = limits;
  } else if (kind === "characters" && passwordRules !== undefined) {
    for (const name of REPLACED) {
      const { [name]: value } = settings;
      if (value !== undefined && value !== TABLES[kind][name]!.default) {
        errors.add(name);
      }
    }
    const rules = restrictedRules(settings);
    if (typeof rules === "string") errors.add(rules);
    else {
      const { minLength, maxLength } = rules;
      const isOutside = first < minLength || first > maxLength;
      if (members.has("length") && isOutside) errors.add("length");
      first = Math.min(Math.max(first, minLength), maxLength);
      last = maxLength;
      passwordsOf = (length) => rulePasswords(rules, length);
      impossible = () => {
        const anyFirst = { ...rules, beginWithLetter: false };
        const isRare = rulePasswords(anyFirst, first).count === 0n;
        return isRare ? ["passwordRules"] : ["beginWithLetter"];
      };
      dear = ["passwordRules"];
    }
  }
  if (refusal === "time") {
    const isDear = errors.size === 0 &&
      (passwordRules || Object.values(MINIMA).some((name) => settings[name]!));
    return refused(...isDear && dear.length > 0 ? dear : [CHEAP]);
  }
  if (errors.size > 0) return refused();

  // Every refusal is of the size that was sent.
  if (passwordsOf(first).count === 0n) return refused(...impossible());
  if (minimumEntropy === 0) last = first;
  for (let size = first; size <= last; size++) {
    const passwords = passwordsOf(size);
    const { count } = passwords;
    if (count >> BigInt(minimumEntropy) === 0n) continue;
    if (refusal === "count") {
      return refused(listed > 1 && dear.length > 0 ? "count" : CHEAP);
    }
    return {
      errors: [],
      bits: exactBits(count),
      listed: listed || undefined,
      ...passwords,
    };
  }
  return refused("minimumEntropy");
}
