import { assert, assertEquals, assertMatch } from "@std/assert";
import { API } from "../../../routes/api/mod.ts";
import type { Problem } from "../../../routes/problem.ts";
import {
  CLASS_NAMES,
  countCharacters,
  countSentences,
  countWords,
  exactBits,
  floorLog2,
} from "../../helpers/entropy.ts";
import { post, readErrors, readPassword } from "../../helpers/service.ts";

const MOST = 512;

/**
 * Tests the settings with every minimum: validate() raises the field to the least
 * value that is sufficient, and changes nothing else.
 *
 * @param settings the settings without the raised field
 * @param values the values of the raised field, from the sent one to the maximum
 * @param count counts the passwords with exact integers
 */
function assertRaised(
  path: string,
  settings: Record<string, unknown>,
  [raised, values]: [name: string, values: readonly number[]],
  count: (settings: never) => bigint,
): number {
  const { validate } = API[path]!;
  const bits = values.map((value) =>
    floorLog2(count({ ...settings, [raised]: value } as never))
  );
  for (let minimumEntropy = 1; minimumEntropy <= MOST; minimumEntropy++) {
    const body = { ...settings, [raised]: values[0], minimumEntropy };
    const result = validate(body);
    const least = bits.findIndex((bits) => bits >= minimumEntropy);
    // assertEquals() only after a difference, since it is slow.
    if (least === -1) {
      const most = Math.max(...bits);
      const message = (result as Problem).errors?.["minimumEntropy"]?.[0];
      assert(
        message?.startsWith(`Must be at most ${most} with these settings`),
      );
    } else {
      const actual = (result as Record<string, unknown>)[raised];
      if (actual !== values[least]) assertEquals(result, body);
    }
  }
  return MOST;
}

const range = (low: number, high: number) =>
  Array.from({ length: high - low + 1 }, (_, i) => low + i);

Deno.test("minimumEntropy raises length to the least value that is sufficient", () => {
  let checks = 0;
  for (let classes = 1; classes < 32; classes++) {
    const enabled = Object.fromEntries(
      CLASS_NAMES.map((name, i) => [name, (classes & (1 << i)) !== 0]),
    );
    for (const excludeAmbiguous of [false, true]) {
      for (const specialCharacterPercentage of [0, 1, 34, 99, 100]) {
        const settings = {
          ...enabled,
          excludeAmbiguous,
          specialCharacterPercentage,
        };
        for (const length of [1, 20]) {
          checks += assertRaised(
            "/api/pwgen/characters",
            settings,
            ["length", range(length, 128)],
            countCharacters,
          );
        }
      }
    }
  }
  assertEquals(checks, 31 * 2 * 5 * 2 * MOST);
});

Deno.test("minimumEntropy raises wordCount and numberLength to the least value that is sufficient", () => {
  let checks = 0;
  for (const language of ["sv", "en"] as const) {
    for (const numberPosition of ["before", "after", "between", "all"]) {
      for (const numberLength of range(0, 12)) {
        const settings = { language, numberPosition, numberLength };
        // One word cannot have digits between.
        const first = /between|all/.test(numberPosition) ? 2 : 1;
        for (const wordCount of range(first, 10)) {
          checks += assertRaised(
            "/api/pwgen/words",
            settings,
            ["wordCount", range(wordCount, 10)],
            countWords,
          );
        }
        checks += assertRaised(
          "/api/pwgen/sentence",
          { language, numberPosition },
          ["numberLength", range(numberLength, 12)],
          countSentences,
        );
      }
    }
  }
  assertEquals(checks, 2 * 13 * (2 * 10 + 2 * 9 + 4) * MOST);
});

Deno.test("minimumEntropy changes nothing but the raised field", () => {
  const raised: Record<string, string> = {
    "/api/pwgen/characters": "length",
    "/api/pwgen/words": "wordCount",
    "/api/pwgen/sentence": "numberLength",
  };
  for (const [path, { validate }] of Object.entries(API)) {
    const before = validate({ minimumEntropy: 0 }) as Record<string, unknown>;
    const after = validate({ minimumEntropy: 75 }) as Record<string, unknown>;
    const name = raised[path]!;
    const characters = name === "length"; // 20 characters have more bits
    assert(characters || Number(after[name]) > Number(before[name]));
    assertEquals(after, {
      ...before,
      minimumEntropy: 75,
      [name]: characters ? 20 : after[name],
    });
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
  const errors = await readErrors(
    await post(path, body),
    path,
    "minimumEntropy",
  );
  assertEquals(errors, {
    minimumEntropy: [
      `Must be at most ${floorLog2(count)} with these settings: they reach ${
        exactBits(count)
      } bits, with wordCount 10.`,
    ],
  });
});

Deno.test("minimumEntropy: fields and rules are checked as they were sent", async () => {
  // More words would permit "between".
  const path = "/api/pwgen/words";
  const body = { wordCount: 1, numberPosition: "between", minimumEntropy: 50 };
  await readErrors(await post(path, body), path, "numberPosition");
  await readErrors(
    await post(path, { wordCount: 0, minimumEntropy: 500 }),
    path,
    "wordCount",
  );
});
