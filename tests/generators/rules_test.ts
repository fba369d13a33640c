import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  parsePasswordRules,
  type PasswordRules,
} from "../../generators/rules.ts";
import { readRules, sortedSet } from "../helpers/password_rules.ts";
import { Random, withSeed } from "../helpers/random.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGIT = "0123456789";
const SPECIAL = "!#$%&()*+,-./:;<=>?@[]^_{|}~";
const ALL = LOWER + UPPER + DIGIT + SPECIAL;

const NOTHING: PasswordRules = {
  ...{ required: [], allowed: ALL, minLength: 0, maxLength: 128 },
  ...{ maxRepeating: Infinity, maxSequential: Infinity },
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

function assertParsed(text: string, expected: Partial<PasswordRules>): void {
  assertEquals(
    sorted(parsePasswordRules(text)),
    sorted({ ...NOTHING, ...expected }),
    text,
  );
}

/** The rules with these required sets, and nothing else. */
const required = (...sets: string[]) => ({
  required: sets,
  allowed: sortedSet(sets.join("")),
});

Deno.test("parsePasswordRules() reads classes", () => {
  const cases: [string, string][] = [
    ["upper", UPPER],
    ["UPPER", UPPER],
    ["lOwEr", LOWER],
    ["Digit", DIGIT],
    ["Special", SPECIAL],
    ["ASCII-Printable", ALL],
    ["uniCODE", ALL],
    ["lower, upper", LOWER + UPPER],
    ["lower,upper\t,\n[-_] ,digit", LOWER + UPPER + DIGIT + "-_"],
    ["[abc]", "abc"],
    ["[abca]", "abc"],
    ["[-]", "-"],
    ["[-a]", "-a"],
    ["[]]", "]"],
    ["[a]]", "a]"],
    ["[[]", "["],
    ["[[]]", "[]"],
    ["[-[]]", "-[]"],
    ["[;:,]", ";:,"],
    ["[required: upper]", "requid:p"],
    ["[\"'`\\]", "\"'`\\"],
    // The space, and what is not printable ASCII, is ignored.
    ["[ a\tb\r\nc\u0000d\u007f]", "abcd"],
    ["[\u00e5a\u00a0b\u{1f600}c\u2028]", "abc"],
    ["[a], []", "a"],
    ["[], upper", UPPER],
  ];
  for (const [classes, characters] of cases) {
    assertParsed(`required: ${classes}`, required(characters));
    assertParsed(`allowed: ${classes}`, { allowed: characters });
  }
  assertParsed("allowed: []", { allowed: "" });
  assertParsed("allowed: [ \u00e5]", { allowed: "" });
});

Deno.test("parsePasswordRules() keeps each required set, and allows these and the others", () => {
  assertParsed(
    "required: upper; allowed: [ab]; required: [b], [1]; allowed: [2a]",
    { required: [UPPER, "b1"], allowed: UPPER + "ab12" },
  );
  assertParsed("required: digit; required: digit", {
    ...{ required: [DIGIT, DIGIT], allowed: DIGIT },
  });
});

Deno.test("parsePasswordRules() reads numbers: the smallest maximum and the largest minimum", () => {
  const cases: [string, Partial<PasswordRules>][] = [
    ["minlength: 8", { minLength: 8 }],
    ["minlength: 0", {}],
    ["minlength: 128", { minLength: 128 }],
    ["minlength: 0008", { minLength: 8 }],
    ["minlength: 6; minlength: 9; minlength: 8", { minLength: 9 }],
    ["maxlength: 20", { maxLength: 20 }],
    ["maxlength: 1", { maxLength: 1 }],
    ["maxlength: 30; maxlength: 20; maxlength: 25", { maxLength: 20 }],
    ["maxlength: 129", {}],
    [`maxlength: ${"9".repeat(900)}`, {}],
    ["minlength: 8; maxlength: 8", { minLength: 8, maxLength: 8 }],
    ["maxlength: 8; minlength: 8", { minLength: 8, maxLength: 8 }],
    ["max-repeating: 2", { maxRepeating: 2 }],
    ["max-sequential: 3", { maxSequential: 3 }],
    ["max-consecutive: 2", { maxRepeating: 2, maxSequential: 2 }],
    [
      "max-consecutive: 3; max-repeating: 2; max-sequential: 4",
      { maxRepeating: 2, maxSequential: 3 },
    ],
    ["max-repeating: 3; max-repeating: 1", { maxRepeating: 1 }],
  ];
  for (const [text, expected] of cases) assertParsed(text, expected);
});

Deno.test("parsePasswordRules() reads white space, an optional end and empty values", () => {
  const texts = [
    "minlength:8",
    "minlength: 8;",
    "minlength: 8 ; ",
    "minlength: 8;\n",
  ]
    .concat(
      " \t\r\n\fminlength:\t\r\n\f 8 \t\r\n\f;\t",
      "required:; minlength: 8",
    )
    .concat("minlength: 8; allowed: ;", "minlength: 8; maxlength:")
    .concat("minlength:; max-repeating:;max-sequential: ; minlength: 8");
  for (const text of texts) assertParsed(text, { minLength: 8 });
  for (const text of ["", " ", "\r\n\t\f"]) assertParsed(text, {});
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
    ["minlength 8", '":"', 10],
    ["minlength : 8", '":"', 10],
    ["min length: 8", PROPERTY, 1],
    ["Required: upper", PROPERTY, 1],
    ["  constructor: 1", PROPERTY, 3],
    ["__proto__: 1", PROPERTY, 1],
    ["toString: 1", PROPERTY, 1],
    ["8", PROPERTY, 1],
    ["\u{1f600}", PROPERTY, 1],
    [": 8", PROPERTY, 1],
    [";", PROPERTY, 1],
    ["minlength: 8;;", PROPERTY, 14],
    // Other white space than that of the language.
    ["\vminlength: 8", PROPERTY, 1],
    ["minlength:\u00a08", "a number from 0 to 128", 11],
    ["minlength: x", "a number from 0 to 128", 12],
    ["minlength: -1", "a number from 0 to 128", 12],
    ["minlength: \u0665", "a number from 0 to 128", 12],
    ["minlength: 129", "a number from 0 to 128", 12],
    ["minlength: 8.0", END, 13],
    ["minlength: 8 9", END, 14],
    ["minlength: 8, 9", END, 13],
    ["maxlength: 0", "a number of at least 1", 12],
    ["maxlength: 7; minlength: 8", "a number from 0 to 7", 26],
    ["minlength: 8; maxlength: 7", "a number of at least 8", 26],
    ["max-repeating: 0", "a number of at least 1", 16],
    ["max-sequential: 0", "a number of at least 1", 17],
    ["max-consecutive: 00", "a number of at least 1", 18],
    ["required: number", CLASS, 11],
    ["required: constructor", CLASS, 11],
    ["required: __proto__", CLASS, 11],
    ["required: upperlower", CLASS, 11],
    ["required: upper,", CLASS, 17],
    ["required: upper, , lower", CLASS, 18],
    ["required: , upper", CLASS, 11],
    ["required: upper lower", END, 17],
    ["required: upper maxlength: 9", END, 17],
    ["allowed: [a] ]", END, 14],
    ["allowed: [ab]]]", END, 15],
    ["allowed: [a]b]", END, 13],
    ["allowed: [a", '"]"', 12],
    ["allowed: [", '"]"', 11],
    ["allowed: [a-z]", NO_HYPHEN, 12],
    ["allowed: [--]", NO_HYPHEN, 12],
    ["allowed: [\u00e5-]", NO_HYPHEN, 12],
    ["required: []", "a class that is not empty", 11],
    ["required: [ \u00e5\u{1f600}]", "a class that is not empty", 11],
    ["allowed: [\u{1f600}\u{1f600}a-]", NO_HYPHEN, 14],
    ["allowed: [\u{1f600}]; minlength: x", "a number from 0 to 128", 26],
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
const PIECES = [..." ;:,[]-aA0\t\n\f\v\u00e5\u0000", "; ", ": ", ", ", "]]"]
  .concat("\u{1f600}", "\ud800", "__proto__", "constructor", "9".repeat(30));

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

Deno.test(
  "parsePasswordRules() gives the rules of a second parser or an error for 100,000 random texts, and reads each character once",
  withSeed((next) => {
    const random = new Random(next() * 2 ** 32);
    let [valid, passes, read] = [0, 0, 0];
    for (let i = 0; i < 100_000; i++) {
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
    assert(valid > 10_000 && valid < 90_000, `${valid} valid texts`);
  }),
);
