/**
 * Measures the time of single functions: to generate a password and to count its
 * entropy, to validate a request body, and to decide about a rate limit.
 * Usage: deno task bench
 *
 * @module
 */
import { CHARACTER_DEFAULTS } from "../generators/character_options.ts";
import { characterPasswords } from "../generators/characters.ts";
import {
  SENTENCE_DEFAULTS,
  sentencePasswords,
} from "../generators/exports/sentence.ts";
import { WORD_DEFAULTS, wordPasswords } from "../generators/exports/words.ts";
import type { Passwords } from "../generators/passwords.ts";
import { randomIndex } from "../generators/random.ts";
import { parseAddressList } from "../middleware/address.ts";
import { clientOf } from "../middleware/client.ts";
import { SlidingWindowLimiter } from "../middleware/limiters/sliding_window.ts";
import { characters } from "../routes/api/characters.ts";
import { formatBits } from "../generators/minimum_entropy.ts";
import { draw } from "../routes/api/endpoint.ts";
import { words } from "../routes/api/words.ts";

const bytes = new Uint8Array(32);
Deno.bench("crypto.getRandomValues() of 32 bytes, for comparison", () => {
  crypto.getRandomValues(bytes);
});
Deno.bench("randomIndex(90)", () => {
  randomIndex(90);
});

/** Settings of characters. */
const SETTINGS = {
  "the default request": {},
  "length 5 of all five classes": { length: 5, swedishCharacters: true },
  "length 128, 50 % special": { length: 128, specialCharacterPercentage: 50 },
  "length 128, five classes, two of each": {
    length: 128,
    swedishCharacters: true,
    minimumLowercase: 2,
    minimumUppercase: 2,
    minimumNumbers: 2,
    minimumSpecialCharacters: 2,
  },
};
const GENERATORS: Record<string, () => Passwords> = {
  words: () => wordPasswords(WORD_DEFAULTS),
  sentence: () => sentencePasswords(SENTENCE_DEFAULTS),
};
for (const [name, settings] of Object.entries(SETTINGS)) {
  const options = { ...CHARACTER_DEFAULTS, ...settings };
  GENERATORS[`characters, ${name}`] = () => characterPasswords(options);
}
for (const [name, passwords] of Object.entries(GENERATORS)) {
  Deno.bench(`a password of ${name}`, () => {
    passwords().generate();
  });
  Deno.bench(`Entropy-Bits of ${name}`, () => {
    formatBits(passwords().bits);
  });
}

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

// Six sets, and ranges of many lengths. Rules that are too narrow are counted again.
const six = [..."abcAB0"].map((c) => `required: [${c}]`).join("; ");
const worst = `minlength: 128; ${six}; allowed: unicode; max-consecutive:`;
const RULES = {
  typical:
    "minlength: 8; maxlength: 20; required: lower; required: upper; required: digit; allowed: [-_!]; max-consecutive: 2",
  worst: `${worst} 3`,
  "worst, too narrow": `${worst} 1`,
};
for (const [name, passwordRules] of Object.entries(RULES)) {
  Deno.bench(`passwordRules: ${name}`, () => {
    characters.passwords({ passwordRules });
  });
}

for (const { type, fields, passwords } of [characters, words]) {
  const full: Record<string, unknown> = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.default]),
  );
  const strings = Object.entries(full).map(([name, value]) => [
    name,
    typeof value === "number" ? String(value) : value,
  ]);
  const bodies = {
    "no field": {},
    "every field": full,
    "every field, integers as strings": Object.fromEntries(strings),
    "one bad field": { ...full, [Object.keys(fields)[0]!]: null },
  };
  for (const [name, body] of Object.entries(bodies)) {
    Deno.bench(`validate ${type}: ${name}`, () => {
      passwords(body);
    });
  }
}

for (const known of [1, 1000, 100_000, 1_000_000]) {
  // The clock is slow, so that no client expires.
  const window = new SlidingWindowLimiter({
    limit: 60,
    maxClients: 10_000_000,
    now: () => performance.now() / 1e6,
  });
  const keyOf = (i: number) => `-1:${0x0a000000 + i}`;
  for (let i = 0; i < known; i++) window.admit(keyOf(i));
  let next = 0;
  Deno.bench({
    name: `admit() with ${known.toLocaleString("en")} known clients`,
    group: "admit",
    baseline: known === 1,
    fn: () => {
      // The next client is far away in memory, so that CPU caches do not help.
      next = (next + 7919) % known;
      window.admit(keyOf(next));
    },
  });
}

const proxies = parseAddressList("127.0.0.1")!;
Deno.bench("clientOf(), one listed proxy", () => {
  clientOf("127.0.0.1", "203.0.113.77", proxies);
});
Deno.bench("clientOf(), IPv6", () => {
  clientOf("2001:db8:1:2:3:4:5:6", null);
});
