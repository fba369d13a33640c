import { characterPassword } from "../generators/characters.ts";
import { randomIndex } from "../generators/random.ts";
import { sentencePassword } from "../generators/sentence.ts";
import { wordPassword } from "../generators/words.ts";

const bytes = new Uint8Array(32);
Deno.bench("crypto.getRandomValues() of 32 bytes, to compare with", () => {
  crypto.getRandomValues(bytes);
});

Deno.bench("randomIndex(90)", () => {
  randomIndex(90);
});

Deno.bench("characterPassword(), the default request", () => {
  characterPassword({
    length: 20,
    lowercase: true,
    uppercase: true,
    numbers: true,
    specialCharacters: true,
    swedishCharacters: false,
    specialCharacterPercentage: 0,
  });
});

Deno.bench("characterPassword(), length 5 of all five classes", () => {
  characterPassword({
    length: 5,
    lowercase: true,
    uppercase: true,
    numbers: true,
    specialCharacters: true,
    swedishCharacters: true,
    specialCharacterPercentage: 0,
  });
});

const style = {
  language: "sv",
  casing: "title",
  numberPosition: "before",
  numberLength: 2,
  replaceSwedishCharacters: false,
  replaceWithSpecialCharacters: false,
} as const;

Deno.bench("wordPassword(), the default request", () => {
  wordPassword({ ...style, wordCount: 4 });
});

Deno.bench("sentencePassword(), the default request", () => {
  sentencePassword(style);
});
