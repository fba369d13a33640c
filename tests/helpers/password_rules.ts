/**
 * The Password Rules language, read by a second program: one regular expression for
 * a property.
 *
 * @module
 */
import type { PasswordRules } from "../../generators/rules_parser.ts";

const SPACE = "[ \\t\\r\\n\\f]*";
const CLASS =
  "(?:[uU][pP]{2}[eE][rR]|[lL][oO][wW][eE][rR]|[dD][iI][gG][iI][tT]" +
  "|[sS][pP][eE][cC][iI][aA][lL]|[uU][nN][iI][cC][oO][dD][eE]" +
  "|[aA][sS][cC][iI]{2}-[pP][rR][iI][nN][tT][aA][bB][lL][eE]" +
  "|\\[-?[^-\\]]*\\]\\]?)";
const CLASSES = `${CLASS}(?:${SPACE},${SPACE}${CLASS})*`;
const PROPERTY = RegExp(
  `${SPACE}(?:(required|allowed):${SPACE}(${CLASSES})?` +
    `|(minlength|maxlength|max-(?:repeating|sequential|consecutive)):${SPACE}([0-9]+)?)` +
    `${SPACE}(?:;|$)`,
  "y",
);

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGIT = "0123456789";
const SPECIAL = "!#$%&()*+,-./:;<=>?@[]^_{|}~";
const ALL = LOWER + LOWER.toUpperCase() + DIGIT + SPECIAL;

/** The characters of a list of classes, sorted. */
function charactersOf(classes: string): string {
  const all = [...classes.matchAll(RegExp(CLASS, "g"))].map(([text]) => {
    if (text.startsWith("[")) {
      return text.slice(1, -1).replace(/[^!-~]/g, "");
    }
    const name = text.toLowerCase();
    const known = { lower: LOWER, upper: LOWER.toUpperCase(), digit: DIGIT };
    return { ...known, special: SPECIAL }[name] ?? ALL;
  });
  return sortedSet(all.join(""));
}

/** The characters of a text, sorted, none twice. */
export function sortedSet(text: string): string {
  return [...new Set(text)].sort().join("");
}

/**
 * Reads a text.
 *
 * @param text the text
 * @returns what it says, with sorted characters; undefined if it has an error
 */
export function readRules(text: string): PasswordRules | undefined {
  const required: string[] = [];
  const allowed: string[] = [];
  const numbers: Record<string, number[]> = {};
  let end = 0;
  while (/[^ \t\r\n\f]/.test(text.slice(end))) {
    PROPERTY.lastIndex = end;
    const match = PROPERTY.exec(text);
    if (match === null) return undefined;
    end = PROPERTY.lastIndex;
    const [, set, classes, limit, digits] = match;
    if (set !== undefined && classes !== undefined) {
      (set === "required" ? required : allowed).push(charactersOf(classes));
    }
    if (limit !== undefined && digits !== undefined) {
      (numbers[limit] ??= []).push(Number(digits));
    }
  }
  const min = (...names: string[]) =>
    Math.min(...names.flatMap((name) => numbers[name] ?? []));
  const minLength = Math.max(0, ...numbers["minlength"] ?? []);
  const maxLength = Math.min(128, min("maxlength"));
  const maxRepeating = min("max-repeating", "max-consecutive");
  const maxSequential = min("max-sequential", "max-consecutive");
  if (
    required.includes("") || minLength > maxLength ||
    Math.min(maxLength, maxRepeating, maxSequential) < 1
  ) return undefined;
  const isAny = required.length + allowed.length === 0;
  return {
    required,
    allowed: isAny
      ? sortedSet(ALL)
      : sortedSet([...required, ...allowed].join("")),
    minLength,
    maxLength,
    maxRepeating,
    maxSequential,
  };
}
