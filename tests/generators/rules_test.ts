import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  parsePasswordRules,
  type PasswordRules,
} from "../../generators/rules_parser.ts";
import { readRules, sortedSet } from "../helpers/password_rules.ts";
import { cases, type Random, withRandom } from "../helpers/random.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGIT = "0123456789";
const SPECIAL = "!#$%&()*+,-./:;<=>?@[]^_{|}~";
const ALL = LOWER + UPPER + DIGIT + SPECIAL;

const NOTHING: PasswordRules = {
  required: [],
  allowed: ALL,
  minLength: 0,
  maxLength: 128,
  maxRepeating: Infinity,
  maxSequential: Infinity,
};

/** A set is the same in any order. */
function sorted(rules: PasswordRules | string): PasswordRules | string {
  return typeof rules === "string" ? rules : {
    ...rules,
    required: rules.required.map(sortedSet),
    // No character may be there twice.
    allowed: [...rules.allowed].sort().join(""),
  };
}

Deno.test("parsePasswordRules() reads classes, numbers, white space and empty values", () => {
  const cases: [string, Partial<PasswordRules>][] = [
    ["", {}],
    [" \t\r\n\f", {}],
    ["required:; max-repeating: ;maxlength:", {}],
    ["\trequired:digit ;\n", { required: [DIGIT], allowed: DIGIT }],
    [
      "required: [b] ,\t[1], []; required: UPPer; required: [1b]; allowed: [2a]",
      { required: ["1b", UPPER, "1b"], allowed: "12ab" + UPPER },
    ],
    ["allowed: lower,[-_]", { allowed: LOWER + "-_" }],
    ["allowed: uniCODE, ascii-printable, special", { allowed: ALL }],
    ["allowed: [;:,[]]", { allowed: ";:,[]" }],
    // The space, and what is not printable ASCII, is ignored.
    ["allowed: [ a\t\n\u0000\u007f\u00e5\u{1f600}]", { allowed: "a" }],
    ["allowed: []", { allowed: "" }],
    // The largest minimum and the smallest maximum count.
    ["minlength: 6; minlength: 0009; minlength: 8", { minLength: 9 }],
    ["maxlength: 30; maxlength: 20; maxlength: 25", { maxLength: 20 }],
    [`minlength: 128; maxlength: ${"9".repeat(900)}`, { minLength: 128 }],
    [
      "max-consecutive: 3; max-repeating: 2; max-sequential: 4",
      { maxRepeating: 2, maxSequential: 3 },
    ],
  ];
  for (const [text, expected] of cases) {
    const parsed = sorted(parsePasswordRules(text));
    assertEquals(parsed, sorted({ ...NOTHING, ...expected }), text);
  }
});

const PROPERTIES = "required, allowed, minlength, maxlength, max-repeating"
  .concat(", max-sequential, max-consecutive").split(", ");
const PROPERTY = `one of ${PROPERTIES.join(", ")}`;
const CLASS =
  '"[" or one of upper, lower, digit, special, ascii-printable, unicode';
const END = '";" or the end';
const NO_HYPHEN = 'no "-", except after "[",';

Deno.test("parsePasswordRules() names the position of an error, by code points, and what is expected", () => {
  const cases: [string, string, number][] = [
    ["minlength", '":"', 10],
    ["minlength : 8", '":"', 10],
    ["min length: 8", PROPERTY, 1],
    ["  constructor: 1", PROPERTY, 3],
    ["minlength: 8;;", PROPERTY, 14],
    // Other white space than that of the language.
    ["\vminlength: 8", PROPERTY, 1],
    ["minlength: \u0665", "a number from 0 to 128", 12],
    ["minlength: 129", "a number from 0 to 128", 12],
    ["minlength: 8.0", END, 13],
    ["maxlength: 0", "a number of at least 1", 12],
    ["maxlength: 7; minlength: 8", "a number from 0 to 7", 26],
    ["minlength: 8; maxlength: 7", "a number of at least 8", 26],
    ["max-consecutive: 00", "a number of at least 1", 18],
    ["required: __proto__", CLASS, 11],
    ["required: upper, , lower", CLASS, 18],
    ["required: upper lower", END, 17],
    ["allowed: [a]b]", END, 13],
    ["allowed: [", '"]"', 11],
    ["allowed: [a-z]", NO_HYPHEN, 12],
    ["required: [ \u00e5\u{1f600}]", "a class that is not empty", 11],
    ["allowed: [\u{1f600}\u{1f600}a-]", NO_HYPHEN, 14],
    // A surrogate alone is one code point.
    ["allowed: [\ud83d]; minlength: x", "a number from 0 to 128", 26],
  ];
  for (const [text, expected, position] of cases) {
    const message = `Expected ${expected} at character ${position}.`;
    assertEquals(parsePasswordRules(text), message, text);
  }
});

const CLASSES = "upper lower digit special unicode ascii-printable UPPER [ab]"
  .concat(" [-!] [x]] [] 1").split(" ");
const NUMBERS = "8 20 1 0 007 129 upper".split(" ");
const PIECES = [..." ;:,[]-aA0\t\n\f\v\u00e5\u0000\u007f\"'`\\", "; ", ": "]
  .concat(", ", "]]", "\u{1f600}", "\ud800", "__proto__", "constructor")
  .concat("9".repeat(30));

/** A text: properties, mostly in the right form, of which some parts are changed. */
function randomText(random: Random): string {
  const properties = Array.from({ length: random.below(6) }, () => {
    const name = random.pick(PROPERTIES);
    if (/max|min/.test(name)) return `${name}: ${random.pick(NUMBERS)}`;
    const classes = [random.pick(CLASSES), random.pick(CLASSES)];
    return `${name}: ${classes.join(random.pick([",", ", ", " "]))}`;
  });
  let text = properties.join(random.pick([";", "; "]));
  for (let changes = random.below(4); changes > 0; changes--) {
    const start = random.below(text.length + 1);
    const end = start + random.below(4);
    text = text.slice(0, start) + random.pick(PIECES) + text.slice(end);
  }
  return text;
}

withRandom.test("parsePasswordRules() gives the rules of a second parser or an error for random texts, and reads each character once", (random) => {
  let [valid, passes, read] = [0, 0, 0];
  const texts = cases(100_000);
  for (let i = 0; i < texts; i++) {
    const text = randomText(random);
    const { length } = [...text];
    [passes, read] = [0, 0];
    const counted = {
      *[Symbol.iterator]() {
        passes++;
        for (const c of text) {
          read++;
          yield c;
        }
      },
    };
    const parsed = parsePasswordRules(counted);
    assertEquals(passes, 1);
    const expected = readRules(text);
    if (expected !== undefined) {
      valid++;
      assertEquals(read, length);
      assertEquals(sorted(parsed), expected, JSON.stringify(text));
      continue;
    }
    assert(typeof parsed === "string", JSON.stringify(text));
    const [, position] = /^Expected .+ at character (\d+)\.$/.exec(parsed)!;
    assert(Number(position) >= 1 && Number(position) <= read + 1, parsed);
    // No message repeats the text.
    assertMatch(parsed, /^[ -~]{20,150}$/);
  }
  assert(valid > texts / 10 && valid < texts * 0.9, `${valid} valid texts`);
});
