/**
 * Measures the time to generate a password and to count its entropy: `deno task bench`.
 *
 * @module
 */
import { CHARACTER_DEFAULTS } from "../generators/character_options.ts";
import { characterPasswords } from "../generators/characters.ts";
import { randomIndex } from "../generators/random.ts";
import {
  SENTENCE_DEFAULTS,
  sentencePasswords,
} from "../generators/exports/sentence.ts";
import { WORD_DEFAULTS, wordPasswords } from "../generators/exports/words.ts";
import { formatBits } from "../generators/minimum_entropy.ts";
import { draw } from "../routes/api/endpoint.ts";
import { characters } from "../routes/api/characters.ts";

const bytes = new Uint8Array(32);
Deno.bench("crypto.getRandomValues() of 32 bytes, for comparison", () => {
  crypto.getRandomValues(bytes);
});

Deno.bench("randomIndex(90)", () => {
  randomIndex(90);
});

for (
  const [name, settings] of [
    ["the default request", {}],
    ["length 5 of all five classes", { length: 5, swedishCharacters: true }],
    [
      "length 128, 50 % special",
      { length: 128, specialCharacterPercentage: 50 },
    ],
    [
      "length 128, five classes, two of each",
      {
        length: 128,
        swedishCharacters: true,
        minimumLowercase: 2,
        minimumUppercase: 2,
        minimumNumbers: 2,
        minimumSpecialCharacters: 2,
      },
    ],
  ] as const
) {
  const options = { ...CHARACTER_DEFAULTS, ...settings };
  Deno.bench(`characterPasswords(), ${name}`, () => {
    characterPasswords(options).generate();
  });
  Deno.bench(`Entropy-Bits of characters, ${name}`, () => {
    formatBits(characterPasswords(options).bits);
  });
}

Deno.bench("wordPasswords(), the default request", () => {
  wordPasswords(WORD_DEFAULTS).generate();
});
Deno.bench("Entropy-Bits of words, the default request", () => {
  formatBits(wordPasswords(WORD_DEFAULTS).bits);
});

Deno.bench("sentencePasswords(), the default request", () => {
  sentencePasswords(SENTENCE_DEFAULTS).generate();
});
Deno.bench("Entropy-Bits of a sentence, the default request", () => {
  formatBits(sentencePasswords(SENTENCE_DEFAULTS).bits);
});

/** Batches: the usual one, and the dearest of classes and of rules that a search found. */
const BATCHES = {
  "of length 128": { length: 128 },
  "with minima": { length: 128, swedishCharacters: true, minimumNumbers: 40 },
  "with a letter first": {
    length: 128,
    beginWithLetter: true,
    minimumNumbers: 60,
    minimumSpecialCharacters: 31,
  },
  "with rules": {
    count: 18,
    length: 55,
    beginWithLetter: true,
    passwordRules:
      "required: [ab]; required: [cd]; required: [ef]; required: [gh]; required: [ij]; required: [kl]; max-repeating: 2; max-sequential: 2",
    minimumEntropy: 426,
  },
};
for (const [name, settings] of Object.entries(BATCHES)) {
  const baseline = name === "of length 128";
  Deno.bench(`a batch ${name}`, { group: "batches", baseline }, () => {
    const result = characters.passwords({ count: 100, ...settings });
    if (result.errors) throw new Error(JSON.stringify(result.errors));
    draw("characters", result);
  });
}
