import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  CASINGS,
  NUMBER_POSITIONS,
  phrase,
  type PhraseOptions,
  SEPARATORS,
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
  separator: "",
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
        separator: "_",
      },
      "@$N@_!$#@LL_$OT",
    ],
  ];
  for (const [options, expected] of cases) {
    assertEquals(phrase(words, { ...PLAIN, ...options }), expected);
  }
});

Deno.test("phrase() puts digits at the positions of the options, and separators between the parts", () => {
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
        const drawn = phrase(words, { ...options, numberLength: 3 });
        const zeros = drawn.replace(/\d/g, "0");
        assertEquals(zeros, parts[numberPosition].join(separator));
      }
      assertEquals(phrase(words, options), `ab${separator}cd${separator}ef`);
    }
  }
  assertEquals(phrase([["ab"]], { ...PLAIN, separator: "-" }), "ab");
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
  const { numberPosition, numberLength, separator } = options;
  const has = (place: string) =>
    numberLength > 0 && (numberPosition === place || numberPosition === "all");
  const digits = `\\d{${numberLength}}`;
  const parts = Array.from(
    { length: count },
    (_, i) => i > 0 && has("between") ? [digits, word(i)] : [word(i)],
  ).flat();
  if (has("before")) parts.unshift(digits);
  if (has("after")) parts.push(digits);
  return new RegExp(`^${parts.join(`[${separator}]`.replace("[]", ""))}$`);
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
                separator: SEPARATORS[draws % SEPARATORS.length]!,
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
