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
    ...more,
  };
}

/** All choices of enabled classes but the empty one. */
const choices = Array.from({ length: 31 }, (_, i) => {
  const names = NAMES.filter((_, bit) => (i + 1) & (1 << bit));
  return { names, enabled: Object.fromEntries(names.map((n) => [n, true])) };
});

/** How many characters of a password are of a class. */
function count(password: string, name: keyof typeof CLASSES): number {
  return [...password].filter((c) => CLASSES[name].includes(c)).length;
}

Deno.test("CLASSES hold what is decided, nothing twice, one unit each in NFC", () => {
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

Deno.test("characterPassword() has the length asked for, of enabled classes alone, each at least once where there is room", () => {
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

Deno.test("characterPassword() reaches every character of the default request", () => {
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
  // (89/90)^(128 * 200) is below 10^-124.
  for (let i = 0; i < 200; i++) {
    for (const c of characterPassword(request)) missing.delete(c);
  }
  assertEquals([...missing], []);
});

Deno.test("characterPassword() has exactly the share of special characters asked for, halves up, at least one", () => {
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
        }));
        // Halves up on whole numbers, by a way of its own.
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
  // By hand: 3 * 50 % = 1.5 -> 2; 20 * 1 % = 0.2 -> at least one;
  // 5 * 10 % = 0.5 -> 1; 50 * 29 % = 14.5 -> 15, where 50 * 0.29 falls short.
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

Deno.test("characterPassword() is all special at 100 %, and with no other class at any", () => {
  const onlySpecial = /^[!#$%&()*+,\-./:;<=>?@[\]^_{|}~]{9}$/;
  for (const percentage of [0, 1, 50, 100]) {
    assertMatch(
      characterPassword(options({
        length: 9,
        specialCharacters: true,
        specialCharacterPercentage: percentage,
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

Deno.test("characterPassword() refuses to choose from nothing", () => {
  assertThrows(
    () => characterPassword(options()),
    RangeError,
    "no class is enabled",
  );
  assertThrows(
    () => characterPassword(options({ specialCharacterPercentage: 50 })),
    RangeError,
    "no class is enabled",
  );
});

/** Counts class patterns, such as "dsd", of many passwords. */
function patterns(
  request: CharacterOptions,
  expected: Record<string, number>,
  draws: number,
): number {
  const total = Object.values(expected).reduce((a, b) => a + b);
  const counts = Object.fromEntries(Object.keys(expected).map((p) => [p, 0]));
  for (let i = 0; i < draws; i++) {
    const pattern = [...characterPassword(request)].map((c) =>
      CLASSES.numbers.includes(c) ? "d" : "s"
    ).join("");
    assert(pattern in counts, `${pattern} is not permitted`);
    counts[pattern]!++;
  }
  return goodnessOfFit(
    Object.values(counts),
    Object.values(expected).map((weight) => weight / total),
  );
}

Deno.test("characterPassword() gives every pattern of classes its exact share", () => {
  // Length 3 of digits (10) and specials (28), both present: a pattern stands
  // for as many passwords as the product over its places.
  const p = patterns(
    options({ length: 3, numbers: true, specialCharacters: true }),
    {
      dds: 10 * 10 * 28,
      dsd: 10 * 28 * 10,
      sdd: 28 * 10 * 10,
      dss: 10 * 28 * 28,
      sds: 28 * 10 * 28,
      ssd: 28 * 28 * 10,
    },
    60_000,
  );
  assert(p > FALSE_ALARM, `p = ${p}`);
});

Deno.test("characterPassword() gives every choice of places for specials the same share", () => {
  // Length 5, 40 %: two of five places.
  const places: Record<string, number> = {};
  for (let i = 0; i < 5; i++) {
    for (let j = i + 1; j < 5; j++) {
      const pattern = [..."ddddd"];
      pattern[i] = pattern[j] = "s";
      places[pattern.join("")] = 1;
    }
  }
  assertEquals(Object.keys(places).length, 10);
  const p = patterns(
    options({
      length: 5,
      numbers: true,
      specialCharacters: true,
      specialCharacterPercentage: 40,
    }),
    places,
    60_000,
  );
  assert(p > FALSE_ALARM, `p = ${p}`);
});

Deno.test("characterPassword() gives every single password the same share", () => {
  // Length 2 of digits and Swedish letters, both present: 2 * 10 * 6 = 120.
  const counts = new Map<string, number>();
  for (const a of CLASSES.numbers) {
    for (const b of CLASSES.swedishCharacters) {
      counts.set(a + b, 0).set(b + a, 0);
    }
  }
  const request = options({
    length: 2,
    numbers: true,
    swedishCharacters: true,
  });
  for (let i = 0; i < 60_000; i++) {
    const password = characterPassword(request);
    counts.set(password, counts.get(password)! + 1);
  }
  assertEquals(counts.size, 120);
  const p = goodnessOfFit([...counts.values()], Array(120).fill(1 / 120));
  assert(p > FALSE_ALARM, `p = ${p}`);
});

Deno.test("characterPassword() gives every single password the same share under a percentage", () => {
  // Length 3, 34 %: one special of 28 in one of 3 places, two digits.
  const [digits, specials] = [CLASSES.numbers, CLASSES.specialCharacters];
  const counts = new Map<string, number>();
  for (const s of specials) {
    for (const a of digits) {
      for (const b of digits) {
        for (const password of [s + a + b, a + s + b, a + b + s]) {
          counts.set(password, 0);
        }
      }
    }
  }
  assertEquals(counts.size, 3 * 28 * 100);
  const request = options({
    length: 3,
    numbers: true,
    specialCharacters: true,
    specialCharacterPercentage: 34,
  });
  for (let i = 0; i < 100 * 8400; i++) {
    const password = characterPassword(request);
    counts.set(password, counts.get(password)! + 1);
  }
  assertEquals(counts.size, 8400);
  const p = goodnessOfFit([...counts.values()], Array(8400).fill(1 / 8400));
  assert(p > FALSE_ALARM, `p = ${p}`);
});
