import {
  CHARACTER_DEFAULTS,
  characterEntropy,
  characterPassword,
} from "../generators/characters.ts";
import { randomIndex } from "../generators/random.ts";
import {
  SENTENCE_DEFAULTS,
  sentenceEntropy,
  sentencePassword,
} from "../generators/sentence.ts";
import {
  WORD_DEFAULTS,
  wordEntropy,
  wordPassword,
} from "../generators/words.ts";
import { formatBits } from "../routes/api/password.ts";

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
  ] as const
) {
  const options = { ...CHARACTER_DEFAULTS, ...settings };
  Deno.bench(`characterPassword(), ${name}`, () => {
    characterPassword(options);
  });
  Deno.bench(`Entropy-Bits of characters, ${name}`, () => {
    formatBits(characterEntropy(options));
  });
}

Deno.bench("wordPassword(), the default request", () => {
  wordPassword(WORD_DEFAULTS);
});
Deno.bench("Entropy-Bits of words, the default request", () => {
  formatBits(wordEntropy(WORD_DEFAULTS));
});

Deno.bench("sentencePassword(), the default request", () => {
  sentencePassword(SENTENCE_DEFAULTS);
});
Deno.bench("Entropy-Bits of a sentence, the default request", () => {
  formatBits(sentenceEntropy(SENTENCE_DEFAULTS));
});
