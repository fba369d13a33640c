import { assert, assertEquals } from "@std/assert";
import {
  CHARACTER_DEFAULTS,
  characterGenerator,
  type CharacterOptions,
  characterPasswords,
} from "../../generators/characters.ts";
import { NUMBER_POSITIONS } from "../../generators/passphrase.ts";
import {
  SENTENCE_DEFAULTS,
  type SentenceOptions,
  sentencePasswords,
} from "../../generators/sentence.ts";
import { WORD_DEFAULTS, wordPasswords } from "../../generators/words.ts";
import { LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
import { assertBits } from "../helpers/entropy.ts";
import { BOTH, combinations } from "../helpers/settings.ts";
import { assertDraws } from "../helpers/statistics.ts";
import { everyString } from "../helpers/strings.ts";
import {
  expectedCharacters,
  expectedPhrases,
  isPossible,
  SMALL,
  TABLES,
} from "../oracle.ts";

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

Deno.test("characterPasswords() agrees with exact integers for sets of special characters, and in how many characters are drawn", () => {
  const settings = combinations<Partial<CharacterOptions>>({
    ...{ specialCharacterSet: ["", "!", "|!", "\"'`\\", "!|?"] },
    ...{ specialCharacterPercentage: [0, 1, 20, 50, 99, 100] },
    ...{ length: [1, 2, 3, 4, 5, 6, 16, 20, 64, 127, 128] },
  });
  for (const alphabet of ALPHABETS) {
    for (const each of settings) {
      const options = { ...alphabet, ...each };
      const { bits, drawnCharacters } = characterPasswords(options);
      const { count, drawn } = expectedCharacters(options);
      assertBits(bits, count, options);
      const [all, accepted] = drawn!;
      const exact = Number(10n ** 15n * accepted / all);
      const error = 10 ** 15 / drawnCharacters! / exact - 1;
      if (!(Math.abs(error) < 1e-9)) assert(false, JSON.stringify(options));
    }
  }
});

const small = (options: CharacterOptions) =>
  characterGenerator(options, SMALL)(options);

/** Every password that the oracle permits. */
function permitted(options: CharacterOptions): Set<string> {
  const { permits } = expectedCharacters(options, SMALL);
  const characters = Object.values(SMALL).join("");
  return new Set(everyString(characters, options.length).filter(permits));
}

Deno.test("characterGenerator() counts what a naive program lists, and draws exactly these, equally often", () => {
  for (const alphabet of ALPHABETS) {
    for (const length of [1, 2, 3]) {
      for (let percentage = 0; percentage <= 100; percentage++) {
        const options = { ...alphabet, length };
        options.specialCharacterPercentage = percentage;
        const all = permitted(options);
        const { bits, generate } = small(options);
        assertBits(bits, BigInt(all.size), options);
        if (![0, 34, 60].includes(percentage)) continue;
        assertDraws(generate, all, JSON.stringify(options));
      }
    }
  }
  // With more places than classes, each class occurs, and none is favoured.
  const options = {
    ...{ ...CHARACTER_DEFAULTS, length: 7, swedishCharacters: true },
    ...{ lowercase: false, uppercase: false, specialCharacters: false },
  };
  assertEquals(permitted(options).size, 3 ** 7 - 2 ** 7 - 1);
  assertDraws(() => small(options).generate(), permitted(options), "length 7");
});

Deno.test("wordPasswords() and sentencePasswords() draw all words of a list equally often", () => {
  for (const language of LANGUAGES) {
    const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
    const style = { language, casing: "lower", numberLength: 0 } as const;
    const one = { ...WORD_DEFAULTS, ...style, wordCount: 1 };
    const { generate } = wordPasswords(one);
    assertDraws(generate, new Set(words), `${language} words`);
    const sentences = sentencePasswords({
      ...{ ...SENTENCE_DEFAULTS, ...style, separator: "-" },
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
      excludeSwedishCharacters: BOTH,
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
