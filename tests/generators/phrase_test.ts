import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  CASINGS,
  NUMBER_POSITIONS,
  phrase,
  type PhraseOptions,
} from "../../generators/phrase.ts";
import { sentencePassword } from "../../generators/sentence.ts";
import { wordPassword } from "../../generators/words.ts";
import { LANGUAGES } from "../../wordlists/mod.ts";

const PLAIN: PhraseOptions = {
  casing: "lower",
  numberPosition: "before",
  numberLength: 0,
  replaceSwedishCharacters: false,
  replaceWithSpecialCharacters: false,
};

Deno.test("phrase() applies casing, then Swedish letters, then special characters", () => {
  const words = ["åsna", "ishäll", "söt"].map((word) => [word]);
  const cases: [Partial<PhraseOptions>, string][] = [
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
      },
      "@$N@!$#@LL$OT",
    ],
  ];
  for (const [options, expected] of cases) {
    assertEquals(phrase(words, { ...PLAIN, ...options }), expected);
  }
});

Deno.test("phrase() puts digits at the positions of the options", () => {
  const words = [["ab"], ["cd"], ["ef"]];
  const shapes = {
    before: /^\d{3}abcdef$/,
    after: /^abcdef\d{3}$/,
    between: /^ab\d{3}cd\d{3}ef$/,
    all: /^\d{3}ab\d{3}cd\d{3}ef\d{3}$/,
  };
  for (const numberPosition of NUMBER_POSITIONS) {
    for (let i = 0; i < 100; i++) {
      assertMatch(
        phrase(words, { ...PLAIN, numberPosition, numberLength: 3 }),
        shapes[numberPosition],
      );
      assertEquals(phrase(words, { ...PLAIN, numberPosition }), "abcdef");
    }
  }
});

Deno.test("phrase() makes different passwords of different words, whatever the options", () => {
  // All pairs of words that look alike.
  const words = ["åka", "ask", "hal", "isa", "ost", "öra", "sil"];
  for (const casing of CASINGS) {
    for (const replaceSwedishCharacters of [false, true]) {
      for (const replaceWithSpecialCharacters of [false, true]) {
        const seen = new Set<string>();
        for (const a of words) {
          for (const b of words) {
            seen.add(phrase([[a], [b]], {
              ...PLAIN,
              casing,
              replaceSwedishCharacters,
              replaceWithSpecialCharacters,
            }));
          }
        }
        assertEquals(seen.size, words.length ** 2);
      }
    }
  }
});

/** The letters that are possible with the options, as a regular expression. */
function letters(options: PhraseOptions, upper: boolean): string {
  let set = upper ? "A-ZÅÄÖ" : "a-zåäö";
  if (options.replaceSwedishCharacters) set = set.replace(/[ÅÄÖåäö]+/, "");
  if (!options.replaceWithSpecialCharacters) return `[${set}]`;
  return `[@!$#${set.replace("a-z", "b-gj-rt-z").replace("A-Z", "B-GJ-RT-Z")}]`;
}

/** The shape of a password of `count` words with the options. */
function shapeOf(options: PhraseOptions, count: number): RegExp {
  const [upper, lower] = [letters(options, true), letters(options, false)];
  const word = (i: number) =>
    options.casing === "upper"
      ? `${upper}+`
      : options.casing === "lower" || (options.casing === "first" && i > 0)
      ? `${lower}+`
      : `${upper}${lower}+`;
  const digits = `\\d{${options.numberLength}}`;
  const { numberPosition: at } = options;
  const words = Array.from({ length: count }, (_, i) => word(i));
  return new RegExp(
    `^${at === "before" || at === "all" ? digits : ""}` +
      words.join(at === "between" || at === "all" ? digits : "") +
      `${at === "after" || at === "all" ? digits : ""}$`,
  );
}

Deno.test("wordPassword() and sentencePassword() have the shape that the options require", () => {
  let draws = 0;
  for (const language of LANGUAGES) {
    for (const casing of CASINGS) {
      for (const numberPosition of NUMBER_POSITIONS) {
        for (const numberLength of [0, 1, 2, 12]) {
          for (const replaceSwedishCharacters of [false, true]) {
            for (const replaceWithSpecialCharacters of [false, true]) {
              const options = {
                language,
                casing,
                numberPosition,
                numberLength,
                replaceSwedishCharacters,
                replaceWithSpecialCharacters,
              };
              for (const wordCount of [1, 2, 4, 10]) {
                if (wordCount === 1 && /between|all/.test(numberPosition)) {
                  continue;
                }
                const shape = shapeOf(options, wordCount);
                for (let i = 0; i < 5; i++, draws++) {
                  assertMatch(wordPassword({ ...options, wordCount }), shape);
                }
              }
              const shape = shapeOf(options, 4);
              for (let i = 0; i < 5; i++, draws++) {
                assertMatch(sentencePassword(options), shape);
              }
            }
          }
        }
      }
    }
  }
  assert(draws > 10_000);
});
