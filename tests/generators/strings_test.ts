import { assert, assertThrows } from "@std/assert";
import { rulePasswords } from "../../generators/mod.ts";
import { assertBits } from "../helpers/entropy.ts";
import { readRules } from "../helpers/password_rules.ts";
import { BOTH, combinations } from "../helpers/settings.ts";
import { assertDraws, assertPasswords } from "../helpers/statistics.ts";
import {
  countByLength,
  everyString,
  meeting,
  type WrittenRules,
} from "../helpers/strings.ts";

/** What a text in the language of sites means to a second program. */
function read(text: string, beginWithLetter: boolean): WrittenRules {
  const { allowed, ...rules } = readRules(text)!;
  return { ...rules, characters: allowed, beginWithLetter };
}

/** Whether fewer than 1 in 64 strings that can be proposed are permitted. */
function isRare(count: bigint, rules: WrittenRules, length: number): boolean {
  const { characters, beginWithLetter } = rules;
  const first = beginWithLetter
    ? characters.replace(/\P{L}/gu, "")
    : characters;
  const proposed = BigInt(first.length) *
    BigInt(characters.length) ** BigInt(length - 1);
  return count === 0n || count * 64n < proposed;
}

// Neighbours in a range; in any order; with a gap; in code points but in no range
// ("/0", "9:", "@A", "Z[", "`a", "z{").
const ALPHABETS = ["a", "bc", "cab", "0123", "acde", "yzAB", "XYZ[", "yz{"]
  .concat("/019:", "`azA@");

/** Required sets of an alphabet: none, one, equal, inside others, overlapping. */
function setsOf(alphabet: string): string[][] {
  const [first = "", ...others] = alphabet;
  const rest = others.join("");
  const sets = [[], [first], [alphabet], [first, first], [first, alphabet]];
  return rest === "" ? sets : sets.concat(
    [[first, rest], [alphabet.slice(0, 2), rest], [rest, rest, first]],
    [[alphabet, alphabet, alphabet, rest, rest], [first, first, rest, rest]],
    [[rest, alphabet.slice(0, -1), alphabet.slice(1, 3), rest]],
  );
}

const SMALL = ALPHABETS.flatMap((alphabet) =>
  combinations({
    required: setsOf(alphabet),
    limits: ["", "1", "2", "3"].flatMap((repeating) =>
      ["", "1", "2", "3"].map((sequential) =>
        `max-repeating: ${repeating}; max-sequential: ${sequential}`
      )
    ),
    beginWithLetter: BOTH,
    length: [1, 2, 3, 4],
  }).map(({ required, limits, ...options }) => {
    const sets = required.map((set) => `required: [${set}]; `).join("");
    return { text: `allowed: [${alphabet}]; ${sets}${limits}`, options };
  })
);

Deno.test("rulePasswords() makes exactly the strings that a naive program lists, each equally often", () => {
  const seen = { uncounted: 0, refused: 0, counted: 0, drawn: 0 };
  for (const { text, options } of SMALL) {
    const { length, beginWithLetter } = options;
    const rules = read(text, beginWithLetter);
    const { characters } = rules;
    const all = everyString(characters, length).filter(meeting(rules));
    const where = JSON.stringify([text, options]);
    const hasLetter = /\p{L}/u.test(characters) || !beginWithLetter;
    if (!hasLetter || isRare(BigInt(all.length), rules, length)) {
      assertThrows(() => rulePasswords(text, options), RangeError);
      seen.refused++;
      continue;
    }
    let passwords;
    try {
      passwords = rulePasswords(text, options);
    } catch (error) {
      // Its message says which sets these are.
      const isRepeated = new Set(rules.required).size < rules.required.length;
      assert(
        isRepeated && rules.maxSequential! < Infinity,
        `${where} ${error}`,
      );
      assert(`${error}`.includes("cannot be counted in time"), `${error}`);
      seen.uncounted++;
      continue;
    }
    seen.counted++;
    const most = seen.counted % 5 > 0 ? 0 : 64;
    assertPasswords(passwords, all, where, most);
    if (all.length <= most) seen.drawn++;
  }
  const { uncounted, refused, counted, drawn } = seen;
  assert(uncounted > 20 && uncounted < counted / 10, JSON.stringify(seen));
  assert(refused > 3000 && drawn > 1000, JSON.stringify(seen));
});

Deno.test("rulePasswords() draws each character of a long string independently", () => {
  const text = "allowed: lower";
  const letters = [...readRules(text)!.allowed];
  for (const length of [127, 128]) {
    const { generate } = rulePasswords(text, { length });
    const draws = Array.from({ length: 200 * letters.length }, generate);
    for (let place = 0; place < length; place++) {
      const codes = draws.map((text) => text.charCodeAt(place) - 97);
      // An earlier character, and the character that is added to it.
      for (const step of [0, 1, 2]) {
        let i = 0;
        const draw = () => {
          const before = step > 0 ? draws[i]!.charCodeAt(place - step) || 0 : 0;
          return letters[(codes[i++]! + before) % 26]!;
        };
        assertDraws(draw, new Set(letters), `${length} ${place} ${step}`);
      }
    }
  }
});

const FOUR = "required: lower; required: upper; required: digit; " +
  "required: special; ";
const CROSSED = "required: [abcxyz012]; required: [XYZabc!#]; ";

Deno.test("rulePasswords() agrees with exact integers to 1e-9 bits at lengths 1 to 128", () => {
  const sets = [
    "allowed: unicode; ",
    FOUR,
    // Overlapping sets.
    `allowed: unicode; ${CROSSED}required: [-0189xyz_]; required: [-]; `,
    // Ranges of many lengths.
    "allowed: [-abcdfghjlmABCDEFGVWXYZ01345789]; required: [ab]; required: [-89]; ",
    // 64 characters: nearly whole numbers of bits.
    "allowed: lower, upper, digit; required: [-_]; ",
    "required: digit; allowed: lower; ",
    "allowed: digit; ",
    "required: [b]; allowed: [abc]; ",
  ];
  const limits = ["repeating: 2", "repeating: 3; max-sequential: 3"]
    .concat("sequential: 2", "consecutive: 1", "repeating: ");
  const runs = "max-repeating: 2; max-sequential: 3";
  const repeated: [text: string, maxLength: number][] = [
    [`required: digit; required: digit; allowed: unicode; ${runs}`, 20],
    [`${FOUR}required: digit; required: digit; ${runs}`, 20],
    ["required: lower; required: lower; allowed: unicode", 40],
    [FOUR + FOUR, 40],
    [
      "required: digit; required: digit; required: digit; required: lower, digit; required: special; allowed: upper",
      40,
    ],
    [`allowed: unicode; ${CROSSED}${CROSSED}required: [-]`, 40],
  ];
  const cases = [
    ...sets.flatMap((set) =>
      limits.map((limit) => [`${set}max-${limit}`, 128] as const)
    ),
    ...repeated,
  ];
  let served = 0;
  for (const [text, maxLength] of cases) {
    for (const beginWithLetter of BOTH) {
      const rules = read(text, beginWithLetter);
      if (beginWithLetter && !/\p{L}/u.test(rules.characters)) continue;
      const counts = countByLength(rules, maxLength);
      for (const [length, count] of counts.entries()) {
        const isAsked = length % 7 === 0 || length < 24 || length > 126;
        if (length === 0 || !isAsked) continue;
        const options = { length, beginWithLetter };
        if (isRare(count, rules, length)) {
          assertThrows(() => rulePasswords(text, options), RangeError);
          continue;
        }
        const { bits } = rulePasswords(text, options);
        assertBits(bits, count, { text, ...options });
        served++;
      }
    }
  }
  assert(served > 1000, `${served}`);
});
