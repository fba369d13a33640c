import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  CASINGS,
  NUMBER_POSITIONS,
  PASSPHRASE_DEFAULTS,
  type PassphraseOptions,
  passphrases,
  SEPARATORS,
} from "../../generators/passphrase.ts";
import { assertBits } from "../helpers/entropy.ts";
import { everyPassphrase } from "../helpers/passphrases.ts";
import { BOTH, combinations, pairs } from "../helpers/settings.ts";
import { assertDraws } from "../helpers/statistics.ts";

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

const WORDS = [["åka", "is", "h"], ["ö", "sax"], ["rasa", "mö"]];
const STYLES = {
  casing: CASINGS,
  replaceSwedishCharacters: BOTH,
  replaceWithSpecialCharacters: BOTH,
  separator: SEPARATORS,
  numberPosition: NUMBER_POSITIONS,
  numberLength: [0, 1, 2],
};

Deno.test("passphrases() with maximumLength makes exactly the passwords that are not longer", () => {
  let tried = 0;
  for (const count of [1, 2, 3]) {
    const lists = WORDS.slice(0, count);
    for (const each of pairs<Partial<PassphraseOptions>>(STYLES)) {
      const style: PassphraseOptions = { ...PASSPHRASE_DEFAULTS, ...each };
      // Few enough to list.
      if (passphrases(lists, style).bits > 12) continue;
      const all = [...everyPassphrase(lists, style)];
      const lengths = all.map((password) => password.length);
      const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
      for (
        let maximumLength = least - 1;
        maximumLength <= most + 1;
        maximumLength++
      ) {
        if (maximumLength === 0) continue;
        const options = { ...style, maximumLength };
        const short = all.filter((password) =>
          password.length <= maximumLength
        );
        const { bits, refusal, generate } = passphrases(lists, options);
        assertEquals(
          refusal?.explain().includes(`at least ${least} `) ?? false,
          maximumLength < least,
        );
        assertBits(bits, BigInt(short.length), options);
        if (short.length === 0) assertThrows(generate, RangeError);
        else if (short.length < 50) {
          assertDraws(generate, new Set(short), JSON.stringify(options));
        }
        tried++;
      }
    }
  }
  assert(tried > 500, `${tried}`);
});

Deno.test("passphrases() never changes the number of letters", () => {
  // tests/wordlists/lists_test.ts: all words consist of these letters, in NFC.
  const letters = "abcdefghijklmnopqrstuvwxyzåäö";
  for (
    const { numberPosition: _, ...style } of combinations({
      ...STYLES,
      numberLength: [0],
    })
  ) {
    const options = { ...PASSPHRASE_DEFAULTS, ...style };
    for (const word of letters) {
      const password = passphrases([[word]], options).generate();
      assertEquals(password.normalize("NFC").length, 1);
      assertEquals([...password].length, 1);
    }
  }
});
