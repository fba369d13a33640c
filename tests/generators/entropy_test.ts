import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { assertBits } from "../helpers/entropy.ts";
import {
  CLASS_NAMES,
  type ClassName,
  countStrings,
  expectedCharacters,
  expectedPhrases,
  isPossible,
  setsOf,
  SMALL,
  TABLES,
} from "../oracle.ts";
import {
  CHARACTER_DEFAULTS,
  characterGenerator,
  type CharacterOptions,
  characterPasswords,
} from "../../generators/characters.ts";
import {
  CASINGS,
  NUMBER_POSITIONS,
  PASSPHRASE_DEFAULTS,
  type PassphraseOptions,
  passphrases,
  SEPARATORS,
} from "../../generators/passphrase.ts";
import {
  SENTENCE_DEFAULTS,
  type SentenceOptions,
  sentencePasswords,
} from "../../generators/sentence.ts";
import { WORD_DEFAULTS, wordPasswords } from "../../generators/words.ts";
import { formatBits } from "../../routes/api/endpoint.ts";
import { LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
import { BOTH, combinations, pairs } from "../helpers/settings.ts";
import { everyPassphrase } from "../helpers/passphrases.ts";
import { assertDraws, assertUniform } from "../helpers/statistics.ts";
import { everyString } from "../helpers/strings.ts";

/** All choices of the booleans: enabled classes, and what is left out of them. */
const ALPHABETS = combinations<CharacterOptions>({
  ...Object.fromEntries(
    Object.entries(TABLES.characters)
      .filter(([, { type }]) => type === "boolean")
      .map(([name]) => [name, BOTH]),
  ),
  ...{
    length: [0],
    specialCharacterPercentage: [0],
    specialCharacterSet: [""],
  },
} as never).filter((options) => isPossible(options));

/** The options of a password of these classes only. */
function classesOnly(
  names: readonly ClassName[],
  length: number,
  specialCharacterPercentage = 0,
): CharacterOptions {
  const options = { ...CHARACTER_DEFAULTS, length, specialCharacterPercentage };
  for (const name of CLASS_NAMES) options[name] = names.includes(name);
  return options;
}

// All of these options interact: the number of strings with every class is no
// product of one number for each option.
Deno.test("characterPasswords() agrees with exact integers to 1e-9 bits for every setting", () => {
  let settings = 0;
  for (const alphabet of ALPHABETS) {
    // Without special characters the percentage has no effect.
    const percentages = alphabet.specialCharacters ? 100 : 1;
    for (let percentage = 0; percentage <= percentages; percentage++) {
      for (let length = 1; length <= 128; length++) {
        const options = { ...alphabet, length };
        options.specialCharacterPercentage = percentage;
        assertBits(
          characterPasswords(options).bits,
          expectedCharacters(options).count,
          options,
        );
        settings++;
      }
    }
  }
  assert(settings >= 128 * 2 * (16 * 101 + 15 * 2));
});

Deno.test("characterPasswords() agrees with exact integers for sets of special characters", () => {
  const settings = combinations<Partial<CharacterOptions>>({
    ...{ specialCharacterSet: ["!", "|!", "\"'`\\", "!|?"] },
    ...{ specialCharacterPercentage: [0, 1, 50, 100] },
    ...{ length: [1, 2, 3, 4, 5, 6, 16, 20, 64, 128] },
  });
  for (const alphabet of ALPHABETS) {
    for (const each of settings) {
      const options = { ...alphabet, ...each };
      const { bits } = characterPasswords(options);
      assertBits(bits, expectedCharacters(options).count, options);
    }
  }
});

Deno.test("characterPasswords() says how many characters are drawn, as exact integers do", () => {
  const settings = combinations<Partial<CharacterOptions>>({
    ...{ specialCharacterSet: ["", "!", "\"'`\\"] },
    ...{ specialCharacterPercentage: [0, 1, 20, 50, 99, 100] },
    ...{ length: Array.from({ length: 128 }, (_, i) => i + 1) },
  });
  for (const alphabet of ALPHABETS) {
    for (const each of settings) {
      const options = { ...alphabet, ...each };
      const { drawnCharacters } = characterPasswords(options);
      const [all, accepted] = expectedCharacters(options).drawn!;
      const exact = Number(10n ** 15n * accepted / all);
      const error = 10 ** 15 / drawnCharacters! / exact - 1;
      if (!(Math.abs(error) < 1e-9)) assert(false, JSON.stringify(options));
    }
  }
});

Deno.test("characterPasswords() keeps a string in 321 at worst, as its comment says", () => {
  let worst = { kept: 1, where: {} };
  for (const alphabet of ALPHABETS) {
    for (const specialCharacterSet of ["", "!", "!#", "-_."]) {
      const where = { ...alphabet, specialCharacterSet };
      const sizes = setsOf(where).map((set) => set.length);
      const all = BigInt(sizes.reduce((a, b) => a + b));
      for (let length = sizes.length; length <= 128; length++) {
        // With a percentage, this holds for the places of the other classes.
        const kept = Number(
          countStrings(sizes, length) * 10n ** 15n / all ** BigInt(length),
        ) / 1e15;
        if (kept < worst.kept) worst = { kept, where: { ...where, length } };
      }
    }
  }
  assertEquals(worst.where, {
    ...classesOnly(CLASS_NAMES, 5),
    specialCharacterSet: "!",
  });
  assertAlmostEquals(worst.kept, 120 * 26 * 26 * 10 * 6 / 69 ** 5, 1e-12);
  assert(worst.kept > 1 / 322 && worst.kept < 1 / 321);
});

const ofSmall = characterGenerator(SMALL);
const small = (options: CharacterOptions) =>
  ofSmall(options).ofLength(options.length);

/** Every password that the oracle permits. */
function permitted(options: CharacterOptions): Set<string> {
  const { permits } = expectedCharacters(options, SMALL);
  const characters = Object.values(SMALL).join("");
  return new Set(everyString(characters, options.length).filter(permits));
}

Deno.test("permitted() depends on each option, so that it can prove what the option does", () => {
  const all = classesOnly(CLASS_NAMES, 2);
  for (const [name, value] of Object.entries(all)) {
    if (typeof value !== "boolean") continue;
    const other = permitted({ ...all, [name]: !value });
    assert(other.size !== permitted(all).size, name);
  }
});

Deno.test("characterGenerator() counts what a naive program lists, at lengths 1 to 3", () => {
  for (const alphabet of ALPHABETS) {
    for (const length of [1, 2, 3]) {
      for (let percentage = 0; percentage <= 100; percentage++) {
        const options = { ...alphabet, length };
        options.specialCharacterPercentage = percentage;
        const all = permitted(options);
        assertAlmostEquals(small(options).bits, Math.log2(all.size), 1e-9);
      }
    }
  }
});

Deno.test("characterGenerator() draws exactly the permitted passwords, equally often", () => {
  for (const alphabet of ALPHABETS) {
    for (
      const [length, percentage] of [[1, 0], [2, 0], [3, 0], [3, 34], [3, 60]]
    ) {
      const options = { ...alphabet, length: length! };
      options.specialCharacterPercentage = percentage!;
      const all = permitted(options);
      assert(all.size > 0 && all.size <= 5000);
      assertDraws(
        () => small(options).generate(),
        all,
        JSON.stringify(options),
      );
    }
  }
  // With more places than classes, each class occurs, and none is favoured.
  const options = classesOnly(["numbers", "swedishCharacters"], 7);
  assertEquals(permitted(options).size, 3 ** 7 - 2 ** 7 - 1);
  assertDraws(() => small(options).generate(), permitted(options), "length 7");
});

const THREE = [["åka", "ask", "hal"], ["isa", "öra"], ["ost", "sil", "hus"]];
const TWO = [["åka", "hal"], ["isa", "öra"]];

// Casing, replacements and separator interact: together they could make two
// sequences of words look alike. Position and length of the digits interact: they
// give the number of digits. A style changes what is written and not what is
// drawn, so styles and digits are combined in pairs.
Deno.test("passphrases() makes as many passwords as it counts, each equally often", () => {
  const style = {
    casing: CASINGS,
    replaceSwedishCharacters: BOTH,
    replaceWithSpecialCharacters: BOTH,
    separator: SEPARATORS,
  };
  const digits = { numberPosition: NUMBER_POSITIONS, numberLength: [0, 1, 2] };
  const tried = new Set<string>();
  for (
    const options of [
      ...combinations<Partial<PassphraseOptions>>({
        ...style,
        numberLength: [0],
      }),
      ...combinations<Partial<PassphraseOptions>>(digits),
      ...pairs<Partial<PassphraseOptions>>({ ...style, ...digits }),
    ]
  ) {
    const all = { ...PASSPHRASE_DEFAULTS, ...options };
    for (const lists of [TWO, THREE]) {
      // Few enough to list, and to draw each one 200 times.
      const bits = passphrases(lists, all).bits;
      if (bits > Math.log2(5000)) continue;
      const name = `${lists.length} ${JSON.stringify(all)}`;
      const members = everyPassphrase(lists, all);
      assertAlmostEquals(bits, Math.log2(members.size), 1e-9, name);
      tried.add(`${lists.length} ${all.numberPosition} ${all.numberLength}`);
      // Many passwords are drawn with the default style only.
      if (members.size > 100 && "casing" in options) continue;
      assertDraws(() => passphrases(lists, all).generate(), members, name);
    }
  }
  // These settings must be among the tested ones.
  for (const setting of ["2 all 1", "2 before 2", "2 between 2", "3 after 2"]) {
    assert(tried.has(setting), setting);
  }
});

Deno.test("characterPasswords() draws each place of a long password by itself", () => {
  // Two of the 128 digits are equal with probability 1/10.
  const [length, draws] = [128, 4000];
  const request = classesOnly(["numbers"], length);
  const equal = new Uint32Array(length * length);
  for (let draw = 0; draw < draws; draw++) {
    const password = characterPasswords(request).generate();
    for (let i = 0; i < length; i++) {
      for (let j = i + 1; j < length; j++) {
        if (password[i] === password[j]) equal[i * length + j]!++;
      }
    }
  }
  const deviation = Math.sqrt(draws * 0.1 * 0.9);
  for (let i = 0; i < length; i++) {
    for (let j = i + 1; j < length; j++) {
      // The probability of eight deviations is 10^-15, and there are 8,128 pairs.
      const off = (equal[i * length + j]! - draws * 0.1) / deviation;
      assert(Math.abs(off) < 8, `places ${i} and ${j}: ${off} deviations`);
    }
  }
});

Deno.test("passphrases() draws each digit of a sequence equally often, for every length", () => {
  for (let numberLength = 1; numberLength <= 12; numberLength++) {
    const options = { ...PASSPHRASE_DEFAULTS, numberLength };
    const counts = Array.from(
      { length: numberLength },
      () => Array(10).fill(0),
    );
    for (let i = 0; i < 2000; i++) {
      const digits = passphrases([["x"]], options).generate().slice(0, -1);
      assertEquals(digits.length, numberLength);
      for (let j = 0; j < numberLength; j++) counts[j]![Number(digits[j])]++;
    }
    for (const [place, count] of counts.entries()) {
      assertUniform(count, `digit ${place} of ${numberLength}`);
    }
  }
});

Deno.test("characterPasswords() puts a single special character at each place equally often", () => {
  for (const [length, percentage] of [[10, 10], [20, 5], [50, 2], [100, 1]]) {
    const names = ["lowercase", "specialCharacters"] as const;
    const options = classesOnly(names, length!, percentage!);
    const counts = Array(length).fill(0);
    for (let i = 0; i < 200 * length!; i++) {
      const [special, ...others] = characterPasswords(options).generate()
        .matchAll(/[^a-z]/g);
      assertEquals(others, []);
      counts[special!.index]++;
    }
    assertUniform(counts, `length ${length}`);
  }
});

Deno.test("wordPasswords() and sentencePasswords() draw all words of a list equally often", () => {
  const countsOf = (list: readonly string[]) =>
    new Map(list.map((word) => [word, 0]));
  const add = (counts: Map<string, number>, word: string) =>
    counts.set(word, counts.get(word)! + 1);
  for (const language of LANGUAGES) {
    const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
    const options = { language, numberLength: 0 };
    const single = countsOf(words);
    // The probability that a word is never drawn is below 10,000 · e^-50 < 10^-17.
    for (let i = 0; i < 50 * words.length / 10; i++) {
      wordPasswords({ ...WORD_DEFAULTS, ...options, wordCount: 10 }).generate()
        .split(/(?=\p{Lu})/u)
        .forEach((word) => add(single, word.toLowerCase()));
    }
    assertUniform([...single.values()], `${language} words`);
    const slots = [adjectives, nouns, verbs, adverbs].map(countsOf);
    for (let i = 0; i < 50 * nouns.length; i++) {
      sentencePasswords({ ...SENTENCE_DEFAULTS, ...options }).generate()
        .split(/(?=\p{Lu})/u)
        .forEach((word, slot) => add(slots[slot]!, word.toLowerCase()));
    }
    for (const [slot, counts] of slots.entries()) {
      assertUniform([...counts.values()], `${language} slot ${slot}`);
    }
  }
});

Deno.test("wordPasswords() and sentencePasswords() agree with exact integers to 1e-9 bits for every setting", () => {
  for (
    const each of combinations<Partial<SentenceOptions>>({
      language: LANGUAGES,
      numberPosition: NUMBER_POSITIONS,
      numberLength: Array.from({ length: 13 }, (_, i) => i),
    })
  ) {
    const options = { ...SENTENCE_DEFAULTS, ...each };
    assertBits(
      sentencePasswords(options).bits,
      expectedPhrases(options).count,
      options,
    );
    for (let wordCount = 1; wordCount <= 10; wordCount++) {
      const words = { ...options, wordCount };
      assertBits(
        wordPasswords(words).bits,
        expectedPhrases(words).count,
        words,
      );
    }
  }
});

Deno.test("formatBits() shows known values, rounded down", () => {
  const characters = (...args: Parameters<typeof classesOnly>) =>
    formatBits(characterPasswords(classesOnly(...args)).bits);
  // 20 · log2 26 = 20 · 4.70044 = 94.0088
  assertEquals(characters(["lowercase"], 20), "94.00");
  // log2 10 = 3.3219
  assertEquals(characters(["numbers"], 1), "3.32");
  // 20 · log2 90 = 129.8371; one string in ten lacks a class, mostly digits:
  // (80/90)^20 = 0.0948, (64/90)^20 = 0.0011 twice, (62/90)^20 = 0.0006;
  // log2 (1 - 0.0976) = -0.148
  assertEquals(
    formatBits(characterPasswords(CHARACTER_DEFAULTS).bits),
    "129.68",
  );
  // 26 + 10 + 28 = 64 characters and no room for all classes: 2 · 6
  const three = ["lowercase", "numbers", "specialCharacters"] as const;
  assertEquals(characters(three, 2), "12.00");
  // 5 places for one special of 28, four digits: log2 5 + 4.8073 + 13.2877
  assertEquals(characters(["numbers", "specialCharacters"], 5, 20), "20.41");
  assertEquals(formatBits(13), "13.00");
  assertEquals(formatBits(0.999), "0.99");
});
