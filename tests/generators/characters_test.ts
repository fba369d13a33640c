import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  type CharacterOptions,
  characterPassword,
  CLASSES,
} from "../../generators/characters.ts";
import { FALSE_ALARM, goodnessOfFit } from "../helpers/statistics.ts";

const NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[];

function options(more: Partial<CharacterOptions> = {}): CharacterOptions {
  return {
    length: 20,
    lowercase: false,
    uppercase: false,
    numbers: false,
    specialCharacters: false,
    swedishCharacters: false,
    specialCharacterPercentage: 0,
    excludeAmbiguous: false,
    ...more,
  };
}

/** All non-empty choices of enabled classes. */
const choices = Array.from({ length: 31 }, (_, i) => {
  const names = NAMES.filter((_, bit) => (i + 1) & (1 << bit));
  return { names, enabled: Object.fromEntries(names.map((n) => [n, true])) };
});

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
  for (const { names, enabled } of choices) {
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
  const request = options({
    length: 128,
    lowercase: true,
    uppercase: true,
    numbers: true,
    specialCharacters: true,
  });
  // The probability that one of 90 characters is missing is below 10^-120.
  for (let i = 0; i < 200; i++) {
    for (const c of characterPassword(request)) missing.delete(c);
  }
  assertEquals([...missing], []);
});

Deno.test("characterPassword() has the exact share of special characters, at least one", () => {
  const others = choices.filter(({ names }) =>
    !names.includes("specialCharacters")
  );
  for (const { names, enabled } of others) {
    for (const length of [1, 2, 3, 5, 7, 10, 20, 100, 128]) {
      for (const percentage of [1, 2, 10, 25, 33, 50, 67, 75, 99, 100]) {
        const password = characterPassword(options({
          ...enabled,
          length,
          specialCharacters: true,
          specialCharacterPercentage: percentage,
          excludeAmbiguous: false,
        }));
        // Rounded half up, with integers instead of the fractions of the program.
        const doubled = BigInt(2 * length * percentage);
        const special = Math.max(1, Number((doubled + 100n) / 200n));
        assertEquals(password.length, length);
        assertEquals(count(password, "specialCharacters"), special);
        const counts = names.map((name) => count(password, name));
        assertEquals(counts.reduce((a, b) => a + b), length - special);
        if (length - special >= names.length) assert(counts.every((n) => n));
      }
    }
  }
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
      excludeAmbiguous: false,
    }));
    assertEquals(count(password, "specialCharacters"), special);
  }
});

Deno.test("characterPassword() has only special characters at 100 % or without others", () => {
  const onlySpecial = /^[!#$%&()*+,\-./:;<=>?@[\]^_{|}~]{9}$/;
  for (const percentage of [0, 1, 50, 100]) {
    assertMatch(
      characterPassword(options({
        length: 9,
        specialCharacters: true,
        specialCharacterPercentage: percentage,
        excludeAmbiguous: false,
      })),
      onlySpecial,
    );
  }
  assertMatch(
    characterPassword(options({
      length: 9,
      lowercase: true,
      specialCharacters: true,
      specialCharacterPercentage: 100,
      excludeAmbiguous: false,
    })),
    onlySpecial,
  );
});

Deno.test("characterPassword() ignores the percentage without special characters", () => {
  const password = characterPassword(
    options({ numbers: true, specialCharacterPercentage: 100 }),
  );
  assertMatch(password, /^[0-9]{20}$/);
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

/** Draws 60,000 passwords or 100 times as many as there are; counts each one. */
function assertUniform(request: CharacterOptions, passwords: string[]): void {
  const counts = new Map(passwords.map((password) => [password, 0]));
  const { size } = counts;
  for (let i = 0; i < Math.max(60_000, 100 * size); i++) {
    const password = characterPassword(request);
    counts.set(password, counts.get(password)! + 1);
  }
  assertEquals(counts.size, size);
  const p = goodnessOfFit([...counts.values()], Array(size).fill(1 / size));
  assert(p > FALSE_ALARM, `p = ${p}`);
}

Deno.test("characterPassword() draws every password equally often", () => {
  const passwords = [...CLASSES.numbers].flatMap((a) =>
    [...CLASSES.swedishCharacters].flatMap((b) => [a + b, b + a])
  );
  assertEquals(passwords.length, 2 * 10 * 6);
  assertUniform(
    options({ length: 2, numbers: true, swedishCharacters: true }),
    passwords,
  );
});

Deno.test("characterPassword() draws every password equally often with a percentage", () => {
  // One special character in one of three places, and two digits.
  const passwords = [...CLASSES.specialCharacters].flatMap((s) =>
    Array.from({ length: 100 }, (_, i) => [...String(i).padStart(2, "0")])
      .flatMap(([a, b]) => [`${s}${a}${b}`, `${a}${s}${b}`, `${a}${b}${s}`])
  );
  assertEquals(passwords.length, 3 * 28 * 100);
  assertUniform(
    options({
      length: 3,
      numbers: true,
      specialCharacters: true,
      specialCharacterPercentage: 34,
      excludeAmbiguous: false,
    }),
    passwords,
  );
});
