import { assert, assertEquals, assertMatch } from "@std/assert";
import { NUMBER_POSITIONS } from "../../../generators/passphrase.ts";
import type { Passwords } from "../../../generators/passwords.ts";
import { API } from "../../../routes/api/mod.ts";
import { LANGUAGES } from "../../../wordlists/mod.ts";
import { exactBits, floorLog2, log2 } from "../../helpers/entropy.ts";
import { readRules } from "../../helpers/password_rules.ts";
import { countByLength } from "../../helpers/strings.ts";
import { BOTH, combinations, pairs } from "../../helpers/settings.ts";
import { post, readErrors, readPassword } from "../../helpers/service.ts";
import {
  type CharacterSettings,
  expectedCharacters,
  expectedPhrases,
  isPossible,
  type PassphraseSettings,
  TABLES,
} from "../../oracle.ts";

const MOST = 512;

type Digits = Required<
  Omit<PassphraseSettings, "separator" | "maximumLength" | keyof Style>
>;
type Style = Pick<
  PassphraseSettings,
  "casing" | "replaceSwedishCharacters" | "replaceWithSpecialCharacters"
>;

const countCharacters = (settings: CharacterSettings) =>
  expectedCharacters(settings).count;
const countPhrases = (settings: PassphraseSettings) =>
  expectedPhrases(settings).count;

/**
 * Tests the settings with every minimum, or with those next to a number of bits: the
 * passwords are those of the least value that is sufficient.
 *
 * @param settings the settings, with the first value of the raised field
 * @param raised the name and the maximum of the raised field
 * @param count counts the passwords with exact integers
 */
function assertRaised<T extends object>(
  path: string,
  settings: T,
  [raised, maximum]: [name: keyof T & string, maximum: number],
  count: (settings: T) => bigint,
  minima: "all" | "near" = "all",
): void {
  const { passwords } = API[path]!;
  const counts = range(settings[raised] as number, maximum).map((value) =>
    count({ ...settings, [raised]: value })
  );
  const bits = counts.map(floorLog2);
  const near = bits.flatMap((bits) => [bits, bits + 1])
    .filter((minimum) => minimum > 0 && minimum <= MOST);
  for (const minimumEntropy of minima === "all" ? range(1, MOST) : near) {
    const result = passwords({ ...settings, minimumEntropy });
    const least = bits.findIndex((bits) => bits >= minimumEntropy);
    if (least === -1) {
      const most = Math.max(...bits);
      const message = result.errors?.["minimumEntropy"]?.[0];
      assert(
        message?.startsWith(`Must be at most ${most} with these settings`),
      );
    } else {
      const actual = (result as Passwords).bits;
      const expected = log2(counts[least]!);
      if (!(Math.abs(actual - expected) < 1e-9)) {
        assertEquals(actual, expected, JSON.stringify(settings));
      }
    }
  }
}

const range = (low: number, high: number) =>
  Array.from({ length: high - low + 1 }, (_, i) => low + i);

// The search compares numbers of bits. entropy_test.ts compares these with exact
// integers for every setting, so pairs of settings are sufficient here.
Deno.test("minimumEntropy raises length to the least value that is sufficient", () => {
  const booleans = Object.entries(TABLES.characters)
    .filter(([, { type }]) => type === "boolean")
    .map(([name]) => [name, BOTH]);
  const settings = pairs<CharacterSettings>({
    length: [1, 20],
    specialCharacterPercentage: [0, 1, 34, 99, 100],
    ...Object.fromEntries(booleans),
  }).filter(isPossible);
  for (const each of settings) {
    const path = "/api/pwgen/characters";
    assertRaised(path, each, ["length", 128], countCharacters);
  }
});

Deno.test("minimumEntropy raises wordCount and numberLength to the least value that is sufficient", () => {
  const settings = combinations<Digits>({
    language: LANGUAGES,
    numberPosition: NUMBER_POSITIONS,
    numberLength: range(0, 12),
    wordCount: range(1, 10),
  });
  for (const { wordCount, ...each } of settings) {
    if (wordCount === 1) {
      const path = "/api/pwgen/sentence";
      assertRaised(path, each, ["numberLength", 12], countPhrases);
      // One word cannot have digits between.
      if (/between|all/.test(each.numberPosition)) continue;
    }
    const words = { ...each, wordCount };
    assertRaised("/api/pwgen/words", words, ["wordCount", 10], countPhrases);
  }
});

Deno.test("minimumEntropy raises wordCount and numberLength within maximumLength", () => {
  const settings = pairs<Required<Omit<PassphraseSettings, keyof Style>>>({
    language: LANGUAGES,
    numberPosition: NUMBER_POSITIONS,
    numberLength: [0, 3],
    wordCount: [1, 4],
    separator: ["", "-"],
    maximumLength: [1, 12, 33, 256],
  });
  let impossible = 0;
  for (const { wordCount, ...each } of settings) {
    const words = { ...each, wordCount };
    for (
      const [path, settings, raised, count] of [
        ["/api/pwgen/sentence", each, ["numberLength", 12], countPhrases],
        ["/api/pwgen/words", words, ["wordCount", 10], countPhrases],
      ] as const
    ) {
      if (wordCount === 1 && /between|all/.test(each.numberPosition)) continue;
      if (count(words) > 0n) {
        assertRaised<object>(
          path,
          settings,
          raised as never,
          count as never,
          "near",
        );
        continue;
      }
      const { errors } = API[path]!.passwords(settings);
      assertEquals(Object.keys(errors!), ["maximumLength"]);
      impossible++;
    }
  }
  assert(impossible > 5 && impossible < settings.length);
});

Deno.test("minimumEntropy raises length within passwordRules, and skips lengths at which they are too narrow", () => {
  const rules = [
    "minlength: 8; maxlength: 16; required: lower; required: digit",
    "required: lower; allowed: upper; maxlength: 300",
    // Too narrow for lengths above 15, or below 4.
    "allowed: [abcd]; max-repeating: 1",
    "required: [a]; required: [1]; required: [-]; required: [A]; allowed: [x]; minlength: 5",
    "allowed: [acegikmoqsuwy]; max-consecutive: 2; required: [c]; minlength: 3",
    // Too narrow for lengths 2 to 4.
    "required: [!]; required: [#]; allowed: lower; minlength: 2",
  ];
  for (const passwordRules of rules) {
    const { allowed: characters, ...read } = readRules(passwordRules)!;
    const counts = countByLength({ ...read, characters }, read.maxLength);
    const served = counts.map((count, length) =>
      64n * count < BigInt(characters.length) ** BigInt(length) ? 0n : count
    );
    const path = "/api/pwgen/characters";
    for (const length of [read.minLength, read.maxLength]) {
      if (length === 0 || served.slice(length).every((n) => n === 0n)) continue;
      assertRaised(
        path,
        { passwordRules, length },
        ["length", read.maxLength],
        ({ length }) => served[length]!,
      );
    }
  }
});

Deno.test("minimumEntropy: the response has the raised length and its entropy", async () => {
  const path = "/api/pwgen/characters";
  const body = {
    ...{ length: 1, lowercase: false, uppercase: false },
    ...{ specialCharacters: false, minimumEntropy: "20" },
  };
  const response = await post(path, body);
  assertEquals(response.headers.get("entropy-bits"), exactBits(10n ** 7n));
  assertMatch(await readPassword(response, "characters"), /^\d{7}$/);
});

Deno.test("minimumEntropy beyond reach is an error with the bits that can be reached", async () => {
  const path = "/api/pwgen/words";
  const count = countPhrases({
    ...{ language: "en", wordCount: 10, numberLength: 0 },
    numberPosition: "before",
  });
  const body = { language: "en", numberLength: 0, minimumEntropy: 512 };
  const response = await post(path, body);
  const errors = await readErrors(response, path, "minimumEntropy");
  const most = `at most ${floorLog2(count)} with these settings`;
  const reached = `they reach ${exactBits(count)} bits, with wordCount 10`;
  assertEquals(errors.minimumEntropy, [`Must be ${most}: ${reached}.`]);
});
