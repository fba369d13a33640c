import { assert, assertEquals, assertMatch } from "@std/assert";
import { NUMBER_POSITIONS } from "../../../generators/passphrase.ts";
import type { Passwords } from "../../../generators/passwords.ts";
import { API } from "../../../routes/api/mod.ts";
import type { Problem } from "../../../routes/problem.ts";
import { LANGUAGES } from "../../../wordlists/mod.ts";
import {
  type CharacterSettings,
  CLASS_NAMES,
  countCharacters,
  countSentences,
  countWords,
  exactBits,
  floorLog2,
  log2,
} from "../../helpers/entropy.ts";
import { BOTH, combinations, pairs } from "../../helpers/settings.ts";
import { post, readErrors, readPassword } from "../../helpers/service.ts";
import { currentTable } from "./field_tables.ts";

const MOST = 512;

/**
 * Tests the settings with every minimum: the passwords are those of the least value
 * that is sufficient.
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
): void {
  const { passwords } = API[path]!;
  const counts = range(settings[raised] as number, maximum).map((value) =>
    count({ ...settings, [raised]: value })
  );
  const bits = counts.map(floorLog2);
  for (let minimumEntropy = 1; minimumEntropy <= MOST; minimumEntropy++) {
    const result = passwords({ ...settings, minimumEntropy });
    const least = bits.findIndex((bits) => bits >= minimumEntropy);
    if (least === -1) {
      const most = Math.max(...bits);
      const message = (result as Problem).errors?.["minimumEntropy"]?.[0];
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
  const booleans = Object.entries(currentTable("characters"))
    .filter(([, { type }]) => type === "boolean")
    .map(([name]) => [name, BOTH]);
  const settings = pairs<CharacterSettings>({
    length: [1, 20],
    specialCharacterPercentage: [0, 1, 34, 99, 100],
    ...Object.fromEntries(booleans),
  }).filter((each) => CLASS_NAMES.some((name) => each[name]));
  for (const each of settings) {
    const path = "/api/pwgen/characters";
    assertRaised(path, each, ["length", 128], countCharacters);
  }
});

Deno.test("minimumEntropy raises wordCount and numberLength to the least value that is sufficient", () => {
  const settings = combinations<Parameters<typeof countWords>[0]>({
    language: LANGUAGES,
    numberPosition: NUMBER_POSITIONS,
    numberLength: range(0, 12),
    wordCount: range(1, 10),
  });
  for (const { wordCount, ...each } of settings) {
    if (wordCount === 1) {
      const path = "/api/pwgen/sentence";
      assertRaised(path, each, ["numberLength", 12], countSentences);
      // One word cannot have digits between.
      if (/between|all/.test(each.numberPosition)) continue;
    }
    const words = { ...each, wordCount };
    assertRaised("/api/pwgen/words", words, ["wordCount", 10], countWords);
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
  const count = countWords({
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
