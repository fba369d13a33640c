import { assert, assertEquals } from "@std/assert";
import { CHARACTER_DEFAULTS } from "../../../generators/character_options.ts";
import type { JsonObject } from "../../../routes/api/body.ts";
import { characters } from "../../../routes/api/characters.ts";
import { type JsonBody, realisticBodies } from "../../fuzz/realistic.ts";
import { type CostlyRequest, costsOf, requestOf } from "../../helpers/costs.ts";
import { cases, Random } from "../../helpers/random.ts";
import { expectedCharacters } from "../../oracle.ts";

/** The same requests in every run, except in that of the night. */
const SEED = Number(Deno.env.get("PWGEN_SEED") || 20_261_128) | 0;

/** The bound is 15 batches and 5 MB; a busy machine and garbage double it. */
const MAX = { batches: 30, bytes: 16 * 2 ** 20 };

/** Requires several characters of each set. */
const times = (count: number, sets: readonly string[]) =>
  sets.flatMap((set) => Array<string>(count).fill(`required: ${set}`))
    .join("; ");

const SIX = [..."abcdef"].map((c) => `[${c}]`);

/** What was dear in version 1.4.0 (three), and what random bodies do not have. */
const DEAR: readonly CostlyRequest[] = [
  requestOf("characters", { specialCharacterSet: "!#", minimumEntropy: 512 }),
  requestOf("characters", {
    length: 1,
    passwordRules: `${times(9, SIX)}; max-repeating: 9`,
  }),
  requestOf("characters", {
    length: 24,
    swedishCharacters: true,
    minimumLowercase: 5,
    minimumUppercase: 5,
    minimumNumbers: 5,
    minimumSpecialCharacters: 5,
    maximumRepeating: 2,
  }),
  // Without a bound of the work: 470 batches.
  requestOf("characters", {
    length: 128,
    minimumLowercase: 16,
    minimumUppercase: 16,
    minimumNumbers: 42,
    maximumRepeating: 1,
  }),
  // To read 128 combining marks in NFC takes time.
  requestOf("characters", {
    length: 128,
    count: 100,
    excludeCharacters: "\u0344".repeat(64) + "\u{1d167}".repeat(64),
    passwordRules: `allowed: unicode; max-repeating: 3; ${
      times(50, ["unicode"])
    }`,
  }),
  requestOf("words", {
    count: 100,
    wordCount: 10,
    minimumLength: 60,
    maximumLength: 100,
    minimumEntropy: 120,
  }),
  requestOf("sentence", {
    count: 100,
    numberPosition: "all",
    numberLength: 1,
    separatorSet: "-_",
    minimumLength: 106,
    maximumLength: 160,
    minimumEntropy: 169,
  }),
];

/** Sets that overlap, contain or cut one another. */
const SETS =
  "lower upper digit special lower,upper lower,digit upper,special ascii-printable [a] [b] [ab] [bc] [abc] [0] [01] [-] [-!]"
    .split(" ");

const chance = (random: Random, percent: number) => random.below(100) < percent;

/** Some fields with values that can be dear: each with a probability of a half. */
const some = (
  random: Random,
  values: Record<string, () => unknown>,
): JsonBody =>
  Object.fromEntries(
    Object.entries(values)
      .filter(() => random.below(2) === 0)
      .map(([name, value]) => [name, value()]),
  );

/** Rules with sets that repeat and overlap, and with limits of runs. */
function dearRules(random: Random): string {
  const characters = "abcABC012-!" + random.pick(["", "xyz", "#$%&", "789"]);
  const set = () =>
    random.below(2) === 0
      ? random.pick(SETS)
      : `[${[...characters].filter(() => random.below(3) === 0).join("")}]`;
  const rules = Array.from(
    { length: random.below(7) },
    () => times(random.size(random.pick([1, 3, 12])), [set()]),
  );
  for (const name of ["repeating", "sequential", "consecutive"]) {
    if (chance(random, 30)) rules.push(`max-${name}: ${random.size(128)}`);
  }
  if (chance(random, 50)) {
    rules.push(
      `allowed: ${random.pick(["unicode", "lower", "digit", "[ab]"])}`,
    );
  }
  return rules.filter((rule) => rule !== "").join("; ").slice(0, 1000);
}

/** A body that can be dear. Many are refused. */
function dearBody(random: Random): JsonBody {
  const length = random.size(128);
  const minimum = () => random.below(random.pick([4, 1 + length / 4, length]));
  const shared = {
    length: () => length,
    excludeAmbiguous: () => true,
    excludeCharacters: () => random.pick(["bdf", "åäö", "aceg13579", "<>"]),
    beginWithLetter: () => true,
    minimumEntropy: () => random.size(512),
    count: () => random.size(100),
  };
  const classes = {
    lowercase: () => chance(random, 80),
    numbers: () => chance(random, 80),
    swedishCharacters: () => true,
    specialCharacterSet: () => random.pick(["-", "!#", "-_.!"]),
    specialCharacterPercentage: () => random.pick([0, 1, 50]),
    minimumLowercase: minimum,
    minimumUppercase: minimum,
    minimumNumbers: minimum,
    minimumSpecialCharacters: minimum,
    maximumRepeating: () => random.size(128),
    maximumSequential: () => random.size(128),
    groupLength: () => random.size(32),
  };
  const passwordRules = dearRules(random);
  return random.below(2) === 0 && passwordRules !== ""
    ? { passwordRules, ...some(random, shared) }
    : some(random, { ...shared, ...classes });
}

Deno.test("no request costs more than a few batches", async () => {
  const random = new Random(SEED);
  const bodies = Array.from({ length: cases(10_000) }, () => dearBody(random));
  const requests = [
    ...DEAR,
    ...bodies.map((body) => requestOf("characters", body)),
  ];
  const { dear, served } = await costsOf(requests, MAX);
  assertEquals(dear, [], `PWGEN_SEED=${SEED} repeats it`);
  assert(served > requests.length / 4, `${served}`);
});

/** The most characters of a field that is read. */
const MAX_FIELD = 256;
/** The most bytes of a body. */
const MAX_BODY = 16 * 1024;

const PARTS = ['"', "\\", " ", ";", ",", "=", "a", "a/b", "+", "q=", ":", "1."];

/** Each header field that the service reads, full of a pattern. */
const withFields = (start: string, part: string) => {
  const full = (length: number, prefix = "") =>
    [prefix + start, part, length] as const;
  return {
    accept: full(MAX_FIELD),
    "accept-encoding": full(MAX_FIELD),
    "accept-language": full(MAX_FIELD),
    "content-encoding": full(MAX_FIELD),
    "content-type": full(MAX_FIELD, "application/json;"),
    "if-none-match": full(MAX_FIELD),
    prefer: full(MAX_FIELD, "handling=strict;"),
    "x-forwarded-for": full(60_000),
    "x-forwarded-proto": full(60_000),
    "x-request-id": full(60_000),
  };
};

Deno.test("no header field costs more than a few batches", async () => {
  const requests = PARTS.flatMap((one) =>
    PARTS.flatMap((two) => [withFields(one, two), withFields("", one + two)])
  ).flatMap((headers) => [
    { path: "/", headers },
    { path: "/api/pwgen/words", headers, body: "{}" },
  ]);
  const { dear, served } = await costsOf(requests, MAX);
  assertEquals(dear, []);
  assert(served > requests.length / 4, `${served}`);
});

Deno.test("no body of 16 KiB costs more than a few batches", async () => {
  const filled = (start: string, part: (i: number) => string, end = "") => {
    let text = start;
    for (let i = 0; text.length < MAX_BODY - 100; i++) text += part(i);
    return text + end;
  };
  const texts = [
    filled("", () => "["),
    filled("", () => '{"a":'),
    filled("", () => " "),
    filled("", () => "\0"),
    filled("", () => "\ufeff").slice(0, MAX_BODY / 3),
    filled('{"length":"', () => "1", '"}'),
    filled('{"length":1.', () => "1", "}"),
    filled('{"casing":"', () => "\\ud800", '"}'),
    filled("{", (i) => `"a${i}":0,`, '"z":0}'),
    filled("{", () => '"":{},', '"z":0}'),
    // A field in all spellings.
    filled("{", (i) => {
      const spelled = [..."minimumspecialcharacters"]
        .map((c, at) => i >> at & 1 ? c.toUpperCase() : c);
      return `"${spelled.join("")}":0,`;
    }, '"z":0}'),
    ...["required: [a];", "required:", "allowed: [", ";", "max-repeating:1;"]
      .concat("allowed: lower, ", "minlength: 9", "[]", "\u{1f600}").map((
        part,
      ) => JSON.stringify({ passwordRules: part.repeat(1000).slice(0, 1000) })),
  ];
  const requests = texts.flatMap((body): CostlyRequest[] => [
    { path: "/api/pwgen/characters", body },
    {
      path: "/api/pwgen/characters",
      body,
      headers: { prefer: ["handling=strict", "", 15] },
    },
  ]);
  assertEquals((await costsOf(requests, MAX)).dear, []);
});

Deno.test("a list that takes over 100,000 drawn characters is refused, and one below 12,800 is not", () => {
  const settings = {
    ...CHARACTER_DEFAULTS,
    length: 128,
    specialCharacterSet: "-_.!",
    uppercase: false,
    maximumRepeating: 1,
  };
  const countOf = (more = {}) =>
    expectedCharacters({ ...settings, ...more }).count;
  // Only about every 25th string has no two equal characters in a row.
  const tries = Number(countOf({ maximumRepeating: 0 }) * 100n / countOf()) /
    100;
  assert(tries > 20);
  for (let count = 1; count <= 100; count++) {
    const { errors } = characters.passwords({ ...settings, count });
    const drawn = tries * 128 * count;
    if (drawn > 100_000) assertEquals(Object.keys(errors ?? {}), ["count"]);
    if (drawn < 12_800) assertEquals(errors, undefined);
  }
});

Deno.test("what people and sites need is served", () => {
  const refused = realisticBodies(new Random(1), 4700).flatMap((body) => {
    const { errors } = characters.passwords(body as JsonObject);
    return errors ? [JSON.stringify([body, errors])] : [];
  });
  assertEquals(refused, []);
});
