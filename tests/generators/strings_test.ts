import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { CLASSES } from "../../generators/character_options.ts";
import { MAX_LENGTH } from "../../generators/mixed_strings.ts";
import { smallestSets } from "../../generators/rules.ts";
import { type StringRules, StringSet } from "../../generators/strings.ts";
import { TooMuchWork, Work } from "../../generators/work.ts";
import { drawFor, withDraws } from "../helpers/draws.ts";
import { assertBits } from "../helpers/entropy.ts";
import { BOTH, combinations } from "../helpers/settings.ts";
import {
  countByLength,
  everyString,
  isCut,
  meets,
  type WrittenRules,
} from "../helpers/strings.ts";

const read = ({ required, ...rules }: WrittenRules): StringRules => ({
  beginWithLetter: false,
  minimumEntropy: 0,
  maxRepeating: Infinity,
  maxSequential: Infinity,
  ...rules,
  required: smallestSets(required),
});

const stringsOf = (rules: WrittenRules) =>
  new StringSet(read(rules), new Work({ options: [], message: "" }));

/** The result of a function; undefined if it throws such an error. */
function unless<T>(Failure: typeof Error | typeof TooMuchWork, fn: () => T) {
  try {
    return fn();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The values of a limit. */
const LIMITS = [undefined, 1, 2, 3];
/** Values of which undefined is an absent option. */
type Options = Record<"maxRepeating" | "maxSequential", number | undefined>;

// Neighbours in a range; in any order; with a gap; in code points but in no range
// ("/0", "9:", "@A", "Z[", "`a", "z{"); beyond ASCII.
const ALPHABETS = ["a", "bc", "cab", "0123", "acde", "yzAB", "XYZ["]
  .concat("/019:", "`azA@", "åäb!");

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

const SMALL: WrittenRules[] = ALPHABETS.flatMap((characters) =>
  combinations<{ required: string[]; beginWithLetter: boolean } & Options>({
    required: setsOf(characters),
    beginWithLetter: BOTH,
    maxRepeating: LIMITS,
    maxSequential: LIMITS,
  }).map(({ maxRepeating, maxSequential, ...rules }) => ({
    characters,
    ...rules,
    ...maxRepeating && { maxRepeating },
    ...maxSequential && { maxSequential },
  }))
);

/** Every string that meets rules. */
function permitted(rules: WrittenRules, length: number): string[] {
  return everyString(rules.characters, length)
    .filter((text) => meets(text, rules));
}

/** The draws that propose a string. */
function proposal(
  text: string,
  { characters: all, beginWithLetter }: Omit<WrittenRules, "required">,
): number[] {
  const characters = [...all].sort().join("");
  const { length: size } = characters;
  if (beginWithLetter && /\P{L}/u.test(characters)) {
    const letters = characters.replace(/\P{L}/gu, "");
    const others = proposal(text.slice(1), { characters });
    return [drawFor(letters.indexOf(text[0]!), letters.length), ...others];
  }
  // Two characters are one draw.
  return [...text.matchAll(/..?/g)].map(([pair]) => {
    const places = [...pair].map((c) => characters.indexOf(c));
    const index = places.reduce((index, place) => index * size + place);
    return drawFor(index, size ** pair.length);
  });
}

// Each string is proposed with the same probability, because randomIndex() is exact
// (random_test.ts). So it is sufficient that the right ones are accepted.
Deno.test("StringSet counts what a naive program lists, and accepts exactly these when each string is proposed once", () => {
  let [refused, accepted] = [0, 0];
  for (const rules of SMALL) {
    const { characters, beginWithLetter, maxSequential } = rules;
    const smallest = smallestSets(rules.required)
      .flatMap(({ characters, min }) => Array(min).fill(characters));
    const hasCut = maxSequential && isCut({ characters, required: smallest });
    const strings = stringsOf(rules);
    for (let length = 1; length <= 4; length++) {
      const all = permitted(rules, length);
      const result = unless(TooMuchWork, () => strings.ofLength(length));
      if (result === undefined) {
        assert(hasCut, JSON.stringify(rules));
        refused++;
        continue;
      }
      const { bits, rarity, drawnCharacters, generate } = result;
      assertBits(bits, BigInt(all.length), rules);
      const possible = everyString(characters, length)
        .filter((text) => !beginWithLetter || /^\p{L}/u.test(text));
      const { length: proposed } = possible;
      if (proposed === 0) continue;
      assertAlmostEquals(1 / rarity, all.length / proposed, 1e-12);
      // Drawn is less if what is proposed has enough of each set.
      const isFewer = drawnCharacters < length * rarity * 0.99;
      if (all.length === 0 || isFewer) continue;
      accepted++;
      const draws = possible.flatMap((text) => proposal(text, rules));
      const drawn = withDraws(draws, () => all.map(generate));
      if (drawn.sort().join() !== all.sort().join()) {
        assertEquals(drawn, all, JSON.stringify(rules));
      }
    }
  }
  assert(refused > 100 && accepted > 5000, `${refused} ${accepted}`);
});

Deno.test("StringSet takes new draws for all characters of a long string", () => {
  const characters = CLASSES.lowercase;
  for (const length of [MAX_LENGTH - 1, MAX_LENGTH]) {
    const text = Array.from({ length }, (_, i) => characters[i ** 3 % 26])
      .join("");
    const { generate } = stringsOf({ characters, required: [] }).ofLength(
      length,
    );
    assertEquals(withDraws(proposal(text, { characters }), generate), text);
  }
});

Deno.test("StringSet takes six required sets besides those that contain one", () => {
  const characters = "abcdefgh";
  const six = [..."abcdef"];
  const more = [...six, "abc", characters];
  assertBits(
    stringsOf({ characters, required: more }).ofLength(7).bits,
    countByLength({ characters, required: six }, 7)[7]!,
  );
});

const { lowercase, uppercase, numbers, specialCharacters } = CLASSES;
const ALL = lowercase + uppercase + numbers + specialCharacters;
const FOUR = [lowercase, uppercase, numbers, specialCharacters];

Deno.test("StringSet agrees with exact integers to 1e-9 bits at lengths 0 to 128", () => {
  const alphabets: Pick<WrittenRules, "characters" | "required">[] = [
    { characters: ALL, required: [] },
    { characters: ALL, required: FOUR },
    // Overlapping sets.
    { characters: ALL, required: ["abcxyz012", "XYZabc!#", "0189xyz-_", "-"] },
    // Ranges of many lengths.
    { characters: "abcdfghjlmABCDEFGVWXYZ01345789-", required: ["ab", "89-"] },
    // 64 characters: nearly whole numbers of bits.
    { characters: lowercase + uppercase + numbers + "-_", required: ["-_"] },
    { characters: lowercase + numbers, required: [numbers] },
    { characters: numbers, required: [] },
    { characters: "abc", required: ["b"] },
  ];
  const limits = [[2], [3, 3], [Infinity, 2], [1, 1], []];
  const cases: [WrittenRules, counts: bigint[]][] = [];
  for (const { characters, required } of alphabets) {
    for (const [maxRepeating, maxSequential] of limits) {
      for (const beginWithLetter of BOTH) {
        const rules: WrittenRules = {
          characters,
          required,
          beginWithLetter,
          ...maxRepeating && { maxRepeating },
          ...maxSequential && { maxSequential },
        };
        cases.push([rules, countByLength(rules, MAX_LENGTH)]);
      }
    }
  }
  const runs = { maxRepeating: 2, maxSequential: 3 };
  const repeated: [required: string[], limits: object, maxLength: number][] = [
    [[numbers, numbers], runs, 20],
    [[...FOUR, numbers, numbers], runs, 20],
    [[lowercase, lowercase], {}, 40],
    [[...FOUR, ...FOUR], {}, 40],
    [
      [numbers, numbers, numbers, lowercase + numbers, specialCharacters],
      {},
      40,
    ],
    [
      ["abcxyz012", "XYZabc!#", "abcxyz012", "XYZabc!#", "XYZabc!#", "-"],
      {},
      40,
    ],
  ];
  for (const [required, limits, maxLength] of repeated) {
    for (const beginWithLetter of BOTH) {
      const rules = { characters: ALL, required, beginWithLetter, ...limits };
      cases.push([rules, countByLength(rules, maxLength)]);
    }
  }
  let served = 0;
  for (const [rules, counts] of cases) {
    const { characters, beginWithLetter } = rules;
    let strings = stringsOf(rules);
    const { length: first } = [...characters]
      .filter((c) => !beginWithLetter || /\p{L}/u.test(c));
    for (const [length, count] of counts.entries()) {
      if (length === 0 || first === 0) continue;
      const all = BigInt(first) *
        BigInt(characters.length) ** BigInt(length - 1);
      // Below 2^-40 the share is inexact.
      const exact = Number((count << 60n) / all) / 2 ** 60;
      // The steps of one request do not suffice for all lengths.
      if (length % 16 === 0) strings = stringsOf(rules);
      const { bits, rarity } = strings.ofLength(length);
      assertAlmostEquals(1 / rarity, exact, 2 ** -40);
      // The service serves no smaller share.
      if (count * 64n < all) continue;
      assertBits(bits, count, { ...rules, length });
      served++;
    }
  }
  assert(served > 3000, `${served}`);
});
