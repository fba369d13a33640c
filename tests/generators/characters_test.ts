import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  CHARACTER_DEFAULTS,
  type CharacterOptions,
  characterPassword,
  CLASSES,
} from "../../generators/characters.ts";
import { BOTH, combinations } from "../helpers/settings.ts";

const NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

/** The options of a password with no class but these. */
function options(more: Partial<CharacterOptions> = {}): CharacterOptions {
  const none = Object.fromEntries(NAMES.map((name) => [name, false]));
  return { ...CHARACTER_DEFAULTS, ...none, ...more };
}

/** All non-empty choices of enabled classes. */
const choices = combinations<Record<keyof typeof CLASSES, boolean>>({
  ...{ lowercase: BOTH, uppercase: BOTH, numbers: BOTH },
  ...{ swedishCharacters: BOTH, specialCharacters: BOTH },
}).filter((each) => NAMES.some((name) => each[name]));

/** Counts the characters of a class in a password. */
function count(password: string, name: keyof typeof CLASSES): number {
  return [...password].filter((c) => CLASSES[name].includes(c)).length;
}

Deno.test("CLASSES have 96 different characters, each one UTF-16 unit in NFC", () => {
  assertEquals(CLASSES.lowercase, "abcdefghijklmnopqrstuvwxyz");
  assertEquals(CLASSES.uppercase, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  assertEquals(CLASSES.numbers, "0123456789");
  assertEquals(CLASSES.swedishCharacters, "åäöÅÄÖ");
  assertEquals(CLASSES.specialCharacters, "!#$%&()*+,-./:;<=>?@[]^_{|}~");
  const all = Object.values(CLASSES).join("");
  assertEquals(new Set(all).size, 96);
  assertEquals(all.length, 96);
  assertEquals(all.normalize("NFC"), all);
  assertEquals(JSON.stringify(all), `"${all}"`);
});

Deno.test("characterPassword() has the length, and each enabled class if there is room", () => {
  for (const enabled of choices) {
    const names = NAMES.filter((name) => enabled[name]);
    for (const length of [1, 2, 3, 4, 5, 6, 7, 20, 127, 128]) {
      for (let i = 0; i < 20; i++) {
        const password = characterPassword(options({ ...enabled, length }));
        assertEquals(password.length, length);
        const counts = names.map((name) => count(password, name));
        assertEquals(counts.reduce((a, b) => a + b), length);
        if (length >= names.length) assert(counts.every((n) => n > 0));
      }
    }
  }
});

Deno.test("characterPassword() can contain every character of the default request", () => {
  const missing = new Set(
    CLASSES.lowercase + CLASSES.uppercase + CLASSES.numbers +
      CLASSES.specialCharacters,
  );
  const request = { ...CHARACTER_DEFAULTS, length: 128 };
  // The probability that one of 90 characters is missing is below 10^-120.
  for (let i = 0; i < 200; i++) {
    for (const c of characterPassword(request)) missing.delete(c);
  }
  assertEquals([...missing], []);
});

Deno.test("characterPassword() rounds the share of special characters half up, to at least one", () => {
  // By hand: 3 * 50 % = 1.5, so 2; 20 * 1 % = 0.2, so at least 1; 5 * 10 % = 0.5,
  // so 1; 50 * 29 % = 14.5, so 15, although 50 * 0.29 < 14.5 in floating point.
  for (
    const [length, percentage, special] of [
      [3, 50, 2],
      [20, 1, 1],
      [5, 10, 1],
      [50, 29, 15],
    ] as const
  ) {
    const password = characterPassword(options({
      lowercase: true,
      specialCharacters: true,
      length,
      specialCharacterPercentage: percentage,
    }));
    assertEquals(count(password, "specialCharacters"), special);
  }
});

Deno.test("characterPassword() throws if no class is enabled", () => {
  for (const specialCharacterPercentage of [0, 50]) {
    assertThrows(
      () => characterPassword(options({ specialCharacterPercentage })),
      RangeError,
      "no class is enabled",
    );
  }
});
