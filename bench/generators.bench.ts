import {
  characterEntropy,
  characterPassword,
} from "../generators/characters.ts";
import { randomIndex } from "../generators/random.ts";
import { sentenceEntropy, sentencePassword } from "../generators/sentence.ts";
import { wordEntropy, wordPassword } from "../generators/words.ts";
import { formatBits } from "../routes/api/password.ts";

const bytes = new Uint8Array(32);
Deno.bench("crypto.getRandomValues() of 32 bytes, for comparison", () => {
  crypto.getRandomValues(bytes);
});

Deno.bench("randomIndex(90)", () => {
  randomIndex(90);
});

const characters = {
  length: 20,
  lowercase: true,
  uppercase: true,
  numbers: true,
  specialCharacters: true,
  swedishCharacters: false,
  specialCharacterPercentage: 0,
  excludeAmbiguous: false,
};
for (
  const [name, settings] of [
    ["the default request", {}],
    ["length 5 of all five classes", { length: 5, swedishCharacters: true }],
    [
      "length 128, 50 % special",
      { length: 128, specialCharacterPercentage: 50 },
    ],
  ] as const
) {
  const options = { ...characters, ...settings };
  Deno.bench(`characterPassword(), ${name}`, () => {
    characterPassword(options);
  });
  Deno.bench(`Entropy-Bits of characters, ${name}`, () => {
    formatBits(characterEntropy(options));
  });
}

const style = {
  language: "sv",
  casing: "title",
  numberPosition: "before",
  numberLength: 2,
  replaceSwedishCharacters: false,
  replaceWithSpecialCharacters: false,
  separator: "",
} as const;

const words = { ...style, wordCount: 4 };
Deno.bench("wordPassword(), the default request", () => {
  wordPassword(words);
});
Deno.bench("Entropy-Bits of words, the default request", () => {
  formatBits(wordEntropy(words));
});

Deno.bench("sentencePassword(), the default request", () => {
  sentencePassword(style);
});
Deno.bench("Entropy-Bits of a sentence, the default request", () => {
  formatBits(sentenceEntropy(style));
});
