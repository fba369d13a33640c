import { assert, assertEquals } from "@std/assert";
import {
  CHARACTER_DEFAULTS,
  type CharacterOptions,
} from "../../generators/character_options.ts";
import { characterRefusals } from "../../generators/character_refusals.ts";
import { characterSizes } from "../../generators/characters.ts";
import { passwordsOfSize } from "../../generators/minimum_entropy.ts";
import { NUMBER_POSITIONS } from "../../generators/passphrase.ts";
import {
  SENTENCE_DEFAULTS,
  type SentenceOptions,
  sentencePasswords,
} from "../../generators/exports/sentence.ts";
import {
  WORD_DEFAULTS,
  wordPasswords,
} from "../../generators/exports/words.ts";
import { stub } from "@std/testing/mock";
import { LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
import { assertBits } from "../helpers/entropy.ts";
import { cases, withRandom } from "../helpers/random.ts";
import { BOTH, combinations } from "../helpers/settings.ts";
import { assertDraws, assertPasswords } from "../helpers/statistics.ts";
import { everyString, meeting } from "../helpers/strings.ts";
import {
  CLASSES,
  EXCLUSIONS,
  expectedCharacters,
  expectedPhrases,
  isPossible,
  setsOf,
  shareOf,
  TABLES,
} from "../oracle.ts";

/** All choices of the booleans: enabled classes, and what is left out of them. */
const ALPHABETS = combinations<CharacterOptions>({
  ...Object.fromEntries(
    Object.entries(TABLES.characters)
      .filter(([, { type }]) => type === "boolean")
      .map(([name]) => [name, BOTH]),
  ),
  length: [0],
  specialCharacterPercentage: [0],
  specialCharacterSet: [""],
} as never).filter((options) => isPossible(options))
  .map((options) => ({ ...CHARACTER_DEFAULTS, ...options }));

/** What the options allow; `undefined` if they are refused. */
function possible(options: CharacterOptions, classes?: typeof CLASSES) {
  if (characterRefusals(options, classes).length > 0) return undefined;
  const passwords = passwordsOfSize(characterSizes(options, classes), 0);
  return "message" in passwords ? undefined : passwords;
}

// All of these options interact: the number of strings with every class is no
// product of one number for each option.
Deno.test("characterSizes() agrees with exact integers to 1e-9 bits for every setting", () => {
  let settings = 0;
  for (const alphabet of ALPHABETS) {
    // Without special characters the percentage has no effect.
    const percentages = alphabet.specialCharacters ? 100 : 1;
    for (let length = 1; length <= 128; length++) {
      // What a percentage means is how many special characters it gives.
      const bitsOfShares = new Map<number | undefined, number>();
      for (let percentage = 0; percentage <= percentages; percentage++) {
        const options = { ...alphabet, length };
        options.specialCharacterPercentage = percentage;
        const bits = possible(options)?.bits ?? -Infinity;
        const same = bitsOfShares.getOrInsertComputed(shareOf(options), () => {
          assertBits(bits, expectedCharacters(options).count, options);
          return bits;
        });
        if (bits !== same) assert(false, JSON.stringify(options));
        settings++;
      }
    }
  }
  assert(settings >= 128 * 2 * (16 * 101 + 15 * 2));
});

Deno.test("characterSizes() draws each letter of all classes first, a special one in each place, and each character of a minimum, equally often", () => {
  const all = { ...CHARACTER_DEFAULTS, swedishCharacters: true };
  const letter = { ...all, length: 1, beginWithLetter: true };
  const letters = CLASSES.lowercase + CLASSES.uppercase +
    CLASSES.swedishCharacters;
  const first = possible(letter)!;
  assertDraws(first.generate, new Set(letters), "first letters");
  // One special character, and many of the others.
  const share = { ...all, length: 128, specialCharacterPercentage: 1 };
  const { generate } = possible(share)!;
  const special = /[!-/:-@[-`{-~]/;
  const places = Array.from({ length: 128 }, (_, i) => `${i}`);
  const place = () => `${generate().search(special)}`;
  assertDraws(place, new Set(places), "places");
  // A minimum that fills the length is drawn without rejection.
  const minima: [keyof CharacterOptions, set: string][] = [
    ["minimumLowercase", CLASSES.lowercase],
    ["minimumUppercase", CLASSES.uppercase],
    ["minimumNumbers", CLASSES.numbers],
    ["minimumSpecialCharacters", CLASSES.specialCharacters],
  ];
  for (const [name, set] of minima) {
    const options = { ...all, length: 2, [name]: 2 };
    const { generate } = possible(options)!;
    assertDraws(() => generate()[1]!, new Set(set), name);
  }
});

const EXCLUDED = Object.values(EXCLUSIONS);

/** The first characters of a class that no exclusion, and that each one, leaves out. */
const firstOf = (set: string) =>
  [...set].find((c) => !EXCLUDED.join("").includes(c))! +
  EXCLUDED.map((out) => [...out].find((c) => set.includes(c)) ?? "").join("");

/** Classes so small that all passwords can be listed. Each exclusion leaves some of each. */
const TINY = {
  lowercase: firstOf(CLASSES.lowercase),
  uppercase: firstOf(CLASSES.uppercase)[0]!,
  numbers: firstOf(CLASSES.numbers)[0]!,
  swedishCharacters: "å",
  specialCharacters: firstOf(CLASSES.specialCharacters),
};

/** Exclusions with the characters that each leaves out. */
const CHOICES: readonly [string, Partial<CharacterOptions>][] = [
  ["", {}],
  ["a!x", { excludeCharacters: "a!x" }],
  ...Object.entries(EXCLUSIONS).map(
    ([name, out]): [string, object] => [out, { [name]: true }],
  ),
];

/**
 * Every string of a length over TINY, together with those that are alike: what is
 * permitted depends on how many characters of each class there are, on whether one
 * is excluded, and on the first one.
 */
function alike(length: number): string[][] {
  const all = everyString(Object.values(TINY).join(""), length);
  return [
    ...Map.groupBy(all, (text) => {
      const count = (set: string) =>
        [...text].filter((c) => set.includes(c)).length;
      return [
        ...Object.values(TINY).map(count),
        ...CHOICES.map(([out]) => count(out) > 0),
        /^[a-zå]/i.test(text),
      ].join();
    }).values(),
  ];
}

Deno.test("minima, percentage, exclusions and first letter permit exactly what a naive program lists, and each is drawn equally often", () => {
  let [counted, drawn] = [0, 0];
  for (const length of [1, 2, 3, 4, 5, 6]) {
    const kinds = alike(length);
    for (
      const { exclusion, ...each } of combinations<
        & Omit<Partial<CharacterOptions>, keyof typeof EXCLUSIONS>
        & { exclusion: Partial<CharacterOptions> }
      >({
        lowercase: BOTH,
        uppercase: BOTH,
        numbers: BOTH,
        swedishCharacters: BOTH,
        specialCharacters: BOTH,
        minimumLowercase: [0, 1, 2, 3],
        minimumUppercase: [0, 2],
        minimumNumbers: [0, 1, 3],
        minimumSpecialCharacters: [0, 1, 2, 4],
        specialCharacterPercentage: [0, 34, 100],
        exclusion: CHOICES.map(([, options]) => options),
        beginWithLetter: BOTH,
      })
    ) {
      const options = { ...CHARACTER_DEFAULTS, ...each, ...exclusion, length };
      const refusals = characterRefusals(options, TINY);
      if (
        refusals.some(({ message }) => / when \w+ is false/.test(message))
      ) {
        continue;
      }
      const { permits } = expectedCharacters(options, TINY);
      const members = kinds.filter(([text]) => permits(text!)).flat();
      const where = JSON.stringify(options);
      counted++;
      assertEquals(members.length === 0, refusals.length > 0, where);
      if (refusals.length > 0) continue;
      const most = counted % 7 > 0 ? 0 : 40;
      assertPasswords(possible(options, TINY)!, members, options, most);
      if (members.length <= most) drawn++;
    }
  }
  assert(counted > 30_000 && drawn > 750, `${counted} ${drawn}`);
});

/** Checks the bits of options that are possible, and draws one password. */
function assertExact(options: CharacterOptions): boolean {
  const passwords = possible(options);
  if (passwords === undefined) return false;
  const { bits, generate } = passwords;
  const { count, permits } = expectedCharacters(options);
  assertBits(bits, count, options);
  assert(permits(generate()), JSON.stringify(options));
  return true;
}

withRandom.test("characterSizes() with minima and limits of runs agrees with exact integers to 1e-9 bits for random settings", (random) => {
  let served = 0;
  for (let i = 0; i < cases(20_000); i++) {
    // The oracle takes long to count the runs of long strings.
    const hasRuns = i % 7 === 0;
    const limit = () =>
      hasRuns ? random.pick([0, 1, 1, 2, 2, 3, 4, 1 + random.below(128)]) : 0;
    const minimum = () =>
      hasRuns
        ? random.pick([0, 0, 0, 0, 1, 2, 3, 6])
        : random.pick([0, 0, 1, 2, random.below(random.size(64))]);
    const options: CharacterOptions = {
      ...CHARACTER_DEFAULTS,
      ...random.pick(ALPHABETS),
      length: hasRuns
        ? 1 + random.below(random.pick([8, 16, 16, 24, 24, 40]))
        : random.pick([20, 128, 1 + random.below(128)]),
      specialCharacterPercentage: hasRuns
        ? 0
        : random.pick([0, 0, 0, random.below(101)]),
      specialCharacterSet: random.pick(["", "", "!", "-_.!", "|!", "\"'`\\"]),
      excludeCharacters: random.pick(["", "", "0OIl1", "bdfhjACEG!"]),
      minimumLowercase: minimum(),
      minimumUppercase: minimum(),
      minimumNumbers: minimum(),
      minimumSpecialCharacters: minimum(),
      maximumRepeating: limit(),
      maximumSequential: limit(),
      groupLength: random.pick([0, 0, 1, 5, 32]),
    };
    if (assertExact(options)) served++;
  }
  assert(served > cases(4000), `${served}`);
});

/** Classes with a range of each kind: of one case, of both, of digits, of one place. */
const RUNS = {
  lowercase: "abd",
  uppercase: "BCX",
  numbers: "012",
  swedishCharacters: "å",
  specialCharacters: "!-",
};

withRandom.test("limits of runs, minima, exclusion and first letter permit exactly what a naive program lists, and each is drawn equally often", (random) => {
  const few = () => random.pick([0, 0, 0, 1, 2, 3]);
  const seen = { refused: 0, rare: 0, counted: 0, drawn: 0 };
  for (let i = 0; i < cases(10_000); i++) {
    const alphabet = random.pick(ALPHABETS);
    const minimum = (name: keyof typeof RUNS) => alphabet[name] ? few() : 0;
    const options: CharacterOptions = {
      ...alphabet,
      length: 1 + random.below(6),
      excludeCharacters: random.pick(["", "", "b", "1å"]),
      minimumLowercase: minimum("lowercase"),
      minimumUppercase: minimum("uppercase"),
      minimumNumbers: minimum("numbers"),
      minimumSpecialCharacters: minimum("specialCharacters"),
      maximumRepeating: few(),
      maximumSequential: few(),
    };
    const where = JSON.stringify(options);
    const sets = setsOf(options, RUNS);
    if (sets.join("").length ** options.length > 3000) continue;
    const isRefused = characterRefusals(options, RUNS).length > 0;
    const drawn = everyString(sets.join(""), options.length);
    const unlimited = { ...options, maximumRepeating: 0, maximumSequential: 0 };
    const { permits: permitsRuns } = expectedCharacters(unlimited, RUNS);
    const all = drawn.filter(permitsRuns);
    const rules = {
      characters: sets.join(""),
      required: [],
      maxRepeating: options.maximumRepeating || Infinity,
      maxSequential: options.maximumSequential || Infinity,
      ignoreCase: true,
    };
    const members = all.filter(meeting(rules));
    if (isRefused) {
      seen.refused++;
      continue;
    }
    const passwords = possible(options, RUNS);
    const isRare = members.length * 64 < all.length || members.length === 0;
    assertEquals(passwords === undefined, isRare, where);
    if (passwords === undefined) {
      seen.rare++;
      continue;
    }
    const most = i % 4 > 0 ? 0 : 40;
    assertPasswords(passwords, members, options, most);
    const { count, permits } = expectedCharacters(options, RUNS);
    assertEquals([count, drawn.filter(permits)], [
      BigInt(members.length),
      members,
    ]);
    seen.counted++;
    if (members.length <= most) seen.drawn++;
  }
  const least = { refused: 500, rare: 10, counted: 1250, drawn: 125 };
  for (const [name, count] of Object.entries(least)) {
    const enough = seen[name as keyof typeof seen] >= cases(count);
    assert(enough, `${name}: ${JSON.stringify(seen)}`);
  }
});

Deno.test("characterSizes() gives whole bits if a limit excludes none of 2^n passwords", () => {
  const signs = { ...CHARACTER_DEFAULTS, lowercase: false, uppercase: false };
  const none = { ...signs, numbers: false, maximumSequential: 1 };
  const sixteen = { ...none, specialCharacterSet: "!#$%&()*+,./:;<=" };
  assertEquals(possible(sixteen)!.bits, 80);
  // A run of three digits has no place behind a letter.
  const letter = {
    ...CHARACTER_DEFAULTS,
    length: 3,
    lowercase: false,
    swedishCharacters: true,
    beginWithLetter: true,
    excludeCharacters: "-",
    maximumSequential: 2,
  };
  assertEquals(possible(letter, RUNS)!.bits, 8);
});

Deno.test("wordPasswords() and sentencePasswords() draw all words of a list equally often", () => {
  for (const language of LANGUAGES) {
    const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
    const style = { language, casing: "lower", numberLength: 0 } as const;
    const one = { ...WORD_DEFAULTS, ...style, wordCount: 1 };
    const { generate } = wordPasswords(one);
    assertDraws(generate, new Set(words), `${language} words`);
    const sentences = sentencePasswords({
      ...SENTENCE_DEFAULTS,
      ...style,
      separator: "-",
    });
    for (const [i, list] of [adjectives, nouns, verbs, adverbs].entries()) {
      const word = () => sentences.generate().split("-")[i]!;
      assertDraws(word, new Set(list), `${language} list ${i}`);
    }
  }
});

Deno.test("wordPasswords() and sentencePasswords() agree with exact integers to 1e-9 bits for every setting", () => {
  for (
    const each of combinations<Partial<SentenceOptions>>({
      language: LANGUAGES,
      numberPosition: NUMBER_POSITIONS,
      numberLength: Array.from({ length: 13 }, (_, i) => i),
      separatorSet: ["", "-", "-. ", "!\"#$%&'()*+,-./:"],
      excludeSwedishCharacters: BOTH,
    })
  ) {
    const options = { ...SENTENCE_DEFAULTS, ...each };
    assertBits(
      sentencePasswords(options).bits,
      expectedPhrases(options).count,
      options,
    );
    // One word has nothing between.
    const isGap = /between|all/.test(options.numberPosition);
    for (let wordCount = isGap ? 2 : 1; wordCount <= 10; wordCount++) {
      const words = { ...options, wordCount };
      assertBits(
        wordPasswords(words).bits,
        expectedPhrases(words).count,
        words,
      );
    }
  }
});

Deno.test("maximumRepeating tells cases apart, maximumSequential does not", () => {
  const classes = { ...RUNS, lowercase: "ab", uppercase: "AB" };
  const letters = {
    ...CHARACTER_DEFAULTS,
    length: 2,
    numbers: false,
    specialCharacters: false,
  };
  const equal = ["aA", "Aa", "bB", "Bb"];
  const members: [Partial<CharacterOptions>, string[]][] = [
    [{ maximumRepeating: 1 }, [...equal, "aB", "Ab", "bA", "Ba"]],
    [{ maximumSequential: 1 }, equal],
  ];
  for (const [limit, all] of members) {
    const passwords = possible({ ...letters, ...limit }, classes)!;
    assertPasswords(passwords, all, limit);
  }
});

// The last test, since a few of these numbers are left when it ends.
Deno.test("characterSizes() makes what is permitted also where only exact numbers decide", () => {
  const random = crypto.getRandomValues.bind(crypto);
  // Two zeros are nearer to the border of a choice than doubles can tell.
  using _zeros = stub(crypto, "getRandomValues", (array) => {
    const numbers = random(array as unknown as Uint16Array);
    numbers.forEach((number, i) => numbers[i] = number % 2 && number);
    return array;
  });
  const minima = { minimumNumbers: 9, minimumSpecialCharacters: 6 };
  const options = { ...CHARACTER_DEFAULTS, ...minima, length: 40 };
  const { generate } = possible(options)!;
  const { permits } = expectedCharacters(options);
  for (let i = 0; i < 5000; i++) assert(permits(generate()));
});
