import { assertEquals } from "@std/assert";
import {
  NUMBER_POSITIONS,
  PASSPHRASE_DEFAULTS,
  type PassphraseOptions,
  passphrases,
  SEPARATORS,
} from "../../generators/passphrase.ts";

const PLAIN: PassphraseOptions = {
  ...PASSPHRASE_DEFAULTS,
  casing: "lower",
  numberLength: 0,
};

Deno.test("passphrases() applies casing, then Swedish letters, then special characters", () => {
  const words = ["åsna", "ishäll", "söt"].map((word) => [word]);
  const cases: [Partial<PassphraseOptions>, string][] = [
    [{}, "åsnaishällsöt"],
    [{ casing: "upper" }, "ÅSNAISHÄLLSÖT"],
    [{ casing: "first" }, "Åsnaishällsöt"],
    [{ casing: "title" }, "ÅsnaIshällSöt"],
    [{ replaceSwedishCharacters: true }, "asnaishallsot"],
    [{ replaceSwedishCharacters: true, casing: "upper" }, "ASNAISHALLSOT"],
    [{ replaceSwedishCharacters: true, casing: "title" }, "AsnaIshallSot"],
    [{ replaceWithSpecialCharacters: true }, "å$n@!$#äll$öt"],
    [{ replaceWithSpecialCharacters: true, casing: "upper" }, "Å$N@!$#ÄLL$ÖT"],
    [{ replaceWithSpecialCharacters: true, casing: "title" }, "Å$n@!$#äll$öt"],
    [
      { replaceSwedishCharacters: true, replaceWithSpecialCharacters: true },
      "@$n@!$#@ll$ot",
    ],
    [
      {
        replaceSwedishCharacters: true,
        replaceWithSpecialCharacters: true,
        casing: "upper",
        separator: "_",
      },
      "@$N@_!$#@LL_$OT",
    ],
  ];
  for (const [options, expected] of cases) {
    assertEquals(
      passphrases(words, { ...PLAIN, ...options }).generate(),
      expected,
    );
  }
});

Deno.test("passphrases() puts digits at the positions of the options, and separators between the parts", () => {
  const words = [["ab"], ["cd"], ["ef"]];
  const parts = {
    before: ["000", "ab", "cd", "ef"],
    after: ["ab", "cd", "ef", "000"],
    between: ["ab", "000", "cd", "000", "ef"],
    all: ["000", "ab", "000", "cd", "000", "ef", "000"],
  };
  for (const numberPosition of NUMBER_POSITIONS) {
    for (const separator of SEPARATORS) {
      const options = { ...PLAIN, numberPosition, separator };
      for (let i = 0; i < 20; i++) {
        const drawn = passphrases(words, { ...options, numberLength: 3 })
          .generate();
        const zeros = drawn.replace(/\d/g, "0");
        assertEquals(zeros, parts[numberPosition].join(separator));
      }
      assertEquals(
        passphrases(words, options).generate(),
        `ab${separator}cd${separator}ef`,
      );
    }
  }
  assertEquals(
    passphrases([["ab"]], { ...PLAIN, separator: "-" }).generate(),
    "ab",
  );
});
