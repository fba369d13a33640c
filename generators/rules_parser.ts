/**
 * The Password Rules language, in which sites publish what they demand of passwords:
 * `minlength: 8; required: upper; required: digit; allowed: [-_]`.
 *
 * Sources: https://developer.apple.com/password-rules/ and
 * https://github.com/apple/password-manager-resources (README.md,
 * tools/PasswordRulesParser.js, pull request 1255).
 *
 * @module
 */
import { CLASSES } from "./character_options.ts";
import { MAX_LENGTH } from "./mixed_strings.ts";
import type { RunLimits } from "./runs.ts";

/** What a text in the Password Rules language says. */
export interface PasswordRules extends RunLimits {
  /**
   * The sets of which each password has a character, as they were written; it has n
   * of a set that stands n times.
   */
  readonly required: readonly string[];
  /** All allowed characters, those of `required` included. */
  readonly allowed: string;
  /** The least length; 0 without a rule. */
  readonly minLength: number;
  /** The greatest length, at most 128. */
  readonly maxLength: number;
}

/** The named classes. A site that takes all characters takes those of the service. */
function namedClasses(): Map<string, string> {
  const { lowercase, uppercase, numbers, specialCharacters } = CLASSES;
  const printable = lowercase + uppercase + numbers + specialCharacters;
  return new Map(Object.entries({
    upper: uppercase,
    lower: lowercase,
    digit: numbers,
    special: specialCharacters,
    "ascii-printable": printable,
    unicode: printable,
  }));
}

const isSpace = (c: string) => c !== "" && " \t\r\n\f".includes(c);
const isLetter = (c: string) => /^[a-zA-Z-]$/.test(c);
const isDigit = (c: string) => /^[0-9]$/.test(c);

/** Joins sets of characters, without repeated ones. */
const union = (sets: readonly string[]) => [...new Set(sets.join(""))].join("");

/**
 * Parses a text in the Password Rules language. It reads each character once.
 *
 * `max-consecutive` is both `max-repeating` and `max-sequential`. Of several
 * maxima the smallest counts, and of several minima the largest. An empty value is
 * ignored. In a custom class the space and what is not printable ASCII is ignored.
 *
 * A text with an error gives a message, which names the position of the error; it
 * counts from 1.
 */
export function parsePasswordRules(
  text: Iterable<string>,
): PasswordRules | string {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

function parse(text: Iterable<string>): PasswordRules {
  const named = namedClasses();
  const source = text[Symbol.iterator]();
  let position = 0;
  let c = ""; // the character at the position; empty at the end
  const advance = () => {
    const { done, value } = source.next();
    c = done ? "" : value;
    position++;
  };
  const fail = (expected: string, at = position): never => {
    throw new SyntaxError(`Expected ${expected} at character ${at}.`);
  };
  /** Takes the characters of a kind. */
  const take = (isOfKind: (c: string) => boolean) => {
    let taken = "";
    for (; isOfKind(c); advance()) taken += c;
    return taken;
  };

  const number = (min: number, max = Infinity) => {
    const start = position;
    const value = Number(take(isDigit) || NaN);
    if (value >= min && value <= max) return value;
    const to = max < Infinity ? `from ${min} to ${max}` : `of at least ${min}`;
    return fail(`a number ${to}`, start);
  };
  /** The characters of a custom class, after its "[". */
  const custom = () => {
    let characters = "";
    for (let isFirst = true; c !== "]"; isFirst = false) {
      if (c === "") fail('"]"');
      if (c === "-" && !isFirst) fail('no "-", except after "[",');
      if (c > " " && c <= "~") characters += c;
      advance();
    }
    advance();
    // "]" is in a class if it is the last character.
    if (c !== "]") return characters;
    advance();
    return characters + "]";
  };
  /** A list of classes: all their characters. */
  const classes = () => {
    const sets: string[] = [];
    while (true) {
      const start = position;
      if (c === "[") {
        advance();
        sets.push(custom());
      } else {
        const name = take(isLetter).toLowerCase();
        sets.push(
          named.get(name) ??
            fail(`"[" or one of ${[...named.keys()].join(", ")}`, start),
        );
      }
      take(isSpace);
      if (c !== ",") return union(sets);
      advance();
      take(isSpace);
    }
  };

  const required: string[] = [];
  let allowed: string | undefined;
  let minLength = 0;
  const maxima = {
    maxLength: MAX_LENGTH,
    maxRepeating: Infinity,
    maxSequential: Infinity,
  };
  const lower = (limit: number, ...names: (keyof typeof maxima)[]) => {
    for (const name of names) maxima[name] = Math.min(maxima[name], limit);
  };
  const properties = new Map<string, () => void>(Object.entries({
    required: () => {
      const start = position;
      required.push(classes() || fail("a class that is not empty", start));
    },
    allowed: () => allowed = (allowed ?? "") + classes(),
    minlength: () => {
      minLength = Math.max(minLength, number(0, maxima.maxLength));
    },
    maxlength: () => lower(number(Math.max(1, minLength)), "maxLength"),
    "max-repeating": () => lower(number(1), "maxRepeating"),
    "max-sequential": () => lower(number(1), "maxSequential"),
    "max-consecutive": () => lower(number(1), "maxRepeating", "maxSequential"),
  }));

  advance();
  take(isSpace);
  while (c !== "") {
    const start = position;
    const read = properties.get(take(isLetter)) ??
      fail(`one of ${[...properties.keys()].join(", ")}`, start);
    if (c !== ":") fail('":"');
    advance();
    take(isSpace);
    if (c !== ";" && c !== "") read();
    take(isSpace);
    if (c !== ";" && c !== "") fail('";" or the end');
    advance();
    take(isSpace);
  }
  return {
    required,
    allowed: allowed === undefined && required.length === 0
      ? named.get("unicode")!
      : union([...required, allowed ?? ""]),
    minLength,
    ...maxima,
  };
}
