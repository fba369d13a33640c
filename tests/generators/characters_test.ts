import { assertEquals, assertThrows } from "@std/assert";
import {
  CHARACTER_DEFAULTS,
  type CharacterOptions,
  characterPasswords,
  CLASSES,
} from "../../generators/characters.ts";

const NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

/** The options of a password with no class but these. */
function options(more: Partial<CharacterOptions> = {}): CharacterOptions {
  const none = Object.fromEntries(NAMES.map((name) => [name, false]));
  return { ...CHARACTER_DEFAULTS, ...none, ...more };
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

Deno.test("characterPasswords() can contain every character of the default request", () => {
  const missing = new Set(
    CLASSES.lowercase + CLASSES.uppercase + CLASSES.numbers +
      CLASSES.specialCharacters,
  );
  const request = { ...CHARACTER_DEFAULTS, length: 128 };
  // The probability that one of 90 characters is missing is below 10^-120.
  for (let i = 0; i < 200; i++) {
    for (const c of characterPasswords(request).generate()) missing.delete(c);
  }
  assertEquals([...missing], []);
});

Deno.test("characterPasswords() rounds the share of special characters half up, to at least one", () => {
  // By hand: 3 * 50 % = 1.5, so 2; 20 * 1 % = 0.2, so at least 1; 5 * 10 % = 0.5,
  // so 1; 50 * 29 % = 14.5, so 15, although 50 * 0.29 < 14.5 in floating point.
  const cases = [[3, 50, 2], [20, 1, 1], [5, 10, 1], [50, 29, 15]] as const;
  for (const [length, specialCharacterPercentage, special] of cases) {
    const password = characterPasswords(options({
      ...{ lowercase: true, specialCharacters: true },
      ...{ length, specialCharacterPercentage },
    })).generate();
    assertEquals(password.replace(/[a-z]/g, "").length, special);
  }
});

Deno.test("characterPasswords() throws if no class is enabled", () => {
  for (const specialCharacterPercentage of [0, 50]) {
    assertThrows(
      () =>
        characterPasswords(options({ specialCharacterPercentage })).generate(),
      RangeError,
      "At least one of",
    );
  }
});
