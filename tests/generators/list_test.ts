import { assert, assertEquals, assertThrows } from "@std/assert";
import { parse } from "@std/yaml";
import { listPasswords } from "../../generators/list.ts";
import {
  CASINGS,
  NUMBER_POSITIONS,
  SEPARATORS,
} from "../../generators/passphrase.ts";
import { defaultsOf } from "../../generators/options.ts";
import { WORD_OPTIONS, type WordStyle } from "../../generators/words.ts";
import { findAmbiguity } from "../helpers/decodable.ts";
import { assertBits } from "../helpers/entropy.ts";
import { everyPassphrase } from "../helpers/passphrases.ts";
import { BOTH, combinations, pairs } from "../helpers/settings.ts";
import { assertPasswords } from "../helpers/statistics.ts";

type Options = Partial<WordStyle>;

const DEFAULTS = defaultsOf<WordStyle>(WORD_OPTIONS);

/** Words that are not decodable without a separator, also after replacements. */
const WORDS = ["kom", "Mer", "KOMMER", "å", "is"];

const STYLES = {
  casing: CASINGS,
  replaceSwedishCharacters: BOTH,
  replaceWithSpecialCharacters: BOTH,
};
const SIGNS = [
  ...SEPARATORS.slice(1).map((separator) => ({ separator })),
  ...["-", "_.", "=+~"].map((separatorSet) => ({
    separator: "" as const,
    separatorSet,
  })),
];

Deno.test("listPasswords() makes as many passwords as it counts, each equally often, of words that are not decodable", () => {
  const lower = WORDS.map((word) => word.toLowerCase());
  assert(findAmbiguity(lower));
  const styles = [
    ...combinations<Options>({ ...STYLES, numberLength: [0] }),
    ...pairs<Options>({ ...STYLES, numberPosition: NUMBER_POSITIONS }),
  ];
  for (const wordCount of [1, 2, 3]) {
    for (const style of styles) {
      for (const signs of SIGNS) {
        const { numberPosition = "before" } = style;
        if (wordCount === 1 && /between|all/.test(numberPosition)) continue;
        const options = { numberLength: 1, ...style, ...signs, wordCount };
        const passwords = listPasswords(WORDS, options);
        if (passwords.bits > 12) continue;
        const lists = Array(wordCount).fill(lower);
        const members = everyPassphrase(lists, { ...DEFAULTS, ...options });
        assertPasswords(passwords, members, options, 255);
      }
    }
  }
});

Deno.test("listPasswords() takes a hyphen, four words and two digits, and raises wordCount", () => {
  const { bits, generate } = listPasswords(["a", "b"], {
    separator: undefined,
  } as never);
  assertBits(bits, 10n ** 2n * 2n ** 4n);
  assert(/^\d\d(-[AB]){4}$/.test(generate()));
  const more = listPasswords(["a", "b"], {
    separatorSet: "_",
    numberLength: 0,
    minimumEntropy: 9,
  });
  assertEquals(more.bits, 9);
  assert(/^[AB](_[AB]){8}$/.test(more.generate()));
});

Deno.test("listPasswords() counts the characters of the words as they are written", () => {
  // In upper case ß is two letters; an emoji is one character and two UTF-16 units.
  const words = ["ß", "ab", "😀", "xyz"];
  const options = { wordCount: 1, numberLength: 0, casing: "upper" } as const;
  for (
    const [minimumLength, maximumLength, ...members] of [
      [0, 1, "😀"],
      [2, 2, "SS", "AB"],
      [3, 0, "XYZ"],
    ] as [number, number, ...string[]][]
  ) {
    const bounds = { minimumLength, maximumLength };
    const passwords = listPasswords(words, { ...options, ...bounds });
    assertPasswords(passwords, members, bounds);
  }
});

Deno.test("listPasswords() has fewer bits than all sequences, however few are too short or too long", () => {
  // 64 words, of which one is longer. All sequences of it are too long.
  const words = Array.from({ length: 64 }, (_, i) => `${i + 10}`);
  words[0] += "0";
  for (const wordCount of [1, 2, 9, 10]) {
    const all = 2n ** BigInt(6 * wordCount);
    const shortest = 3 * wordCount - 1;
    const bitsOf = (more: object) =>
      listPasswords(words, { wordCount, numberLength: 0, ...more }).bits;
    const bitsUpTo = (longer: number) =>
      bitsOf({ maximumLength: shortest + longer });
    assertBits(bitsUpTo(wordCount), all);
    assertBits(bitsUpTo(wordCount - 1), all - 1n);
    if (wordCount > 1) {
      assertBits(bitsUpTo(wordCount - 2), all - 1n - BigInt(63 * wordCount));
    }
    const none = 63n ** BigInt(wordCount);
    assertBits(bitsOf({ minimumLength: shortest + 1 }), all - none);
  }
});

// Every pair of these, also of those that look alike or join a separator.
const ODD = ["Arm", "arm", "ARM", "a\u030a", "å", "a", "\u212b", "ß", "ss"]
  .concat(["ſs", "ı", "i", "I", "İ", "ΐ", "σ", "ς", "-", "a-", "@", "a@", "é"])
  .concat(["e\u0301", "\u0301", "\u0338", "ﬁ", "fi", "𞤀", "𞤢", "ŉ", "ʼn", "2"]);

Deno.test("listPasswords() refuses two words if they are written alike, and else makes different passwords in NFC", () => {
  let [accepted, alike] = [0, 0];
  for (const options of combinations<Options>(STYLES)) {
    for (const [i, word] of ODD.entries()) {
      for (const other of ODD.slice(i + 1)) {
        for (const signs of [{}, { separatorSet: "@=" }]) {
          const all = { ...options, ...signs, wordCount: 2, numberLength: 0 };
          const where = JSON.stringify([word, other, all]);
          let passwords;
          try {
            passwords = listPasswords([word, other], all);
          } catch (error) {
            const { message } = error as RangeError;
            assert(error instanceof RangeError, where);
            const isAlike = message.includes("words: Must differ");
            if (!isAlike) continue;
            alike++;
            for (const each of [word, other]) {
              assert(message.includes(JSON.stringify(each)), message);
            }
            continue;
          }
          accepted++;
          const drawn = new Set(
            Array.from({ length: 300 }, passwords.generate),
          );
          assertEquals(drawn.size, 2 ** passwords.bits, where);
          for (const each of drawn) assertEquals(each, each.normalize("NFC"));
        }
      }
    }
  }
  assert(accepted > 5000 && alike > 300, `${accepted} ${alike}`);
});

/** Words | options | a part of the message. */
const WRONG = `
[kom, mer, Kom] | | words: Must differ as they are written: "kom" and "Kom" are both "Kom".
[kom, mer, mer] | | "mer" and "mer" are both "Mer"
[år, ar] | replaceSwedishCharacters: true | "år" and "ar"
[a\u030ar, år] | | are both "År"
[a\u030ar, ar] | replaceSwedishCharacters: true | both "Ar"
[kom, mer, felt-tip] | | separator: Must stand in no word: "-" is in "Felt-tip", and a space is in none.
[a.b] | separatorSet: "_." | separatorSet: Must stand in no word: "."
[aa, b] | separatorSet: "-@", replaceWithSpecialCharacters: true | "@" is in "@@"
[kom, mer] | separator: "" | separator: Must not be empty
[kom, mer] | separator: "", separatorSet: "" | separator: Must not be empty
[kom, mer] | separator: "-", separatorSet: "_" | separator, separatorSet: One of
[kom, mer] | minimumEntropy: 99 | minimumEntropy: Must be at most 16 with
[kom, mer] | wordCount: 1, numberPosition: all | numberPosition: Must be
[kom, mer] | maximumLength: 5 | maximumLength: Must be at least 18 with
[] | | words: Must be 1 to 65536; got 0.
[ö] | excludeSwedishCharacters: true | words: Must be 1 to 65536; got 0.
[${Array(65_537).keys().map((i) => `w${i}`).toArray()}] | | got 65537.
`;

Deno.test("listPasswords() names what is wrong with a list", () => {
  for (const row of WRONG.trim().split("\n")) {
    const [list, options, message] = row.split(" |").map((cell) => cell.trim());
    assertThrows(
      () =>
        listPasswords(
          parse(list!) as string[],
          parse(`{${options}}`) as Options,
        ),
      RangeError,
      message,
    );
  }
  const words = ["kom", "mer"];
  // What a file has that was split or decoded in the wrong way.
  for (
    const word of [
      "",
      "kom\r",
      "11111\tkom",
      "a b",
      "\ufeffkom",
      "p\ufffdiv\ufffd",
      "a\u200bb",
      "\ud83d",
      "\u0301a",
    ]
  ) {
    assertThrows(
      () => listPasswords([...words, word]),
      RangeError,
      `: number 3 is ${JSON.stringify(word)}.`,
    );
  }
  for (const list of ["kom", undefined, [1], [, "kom"], new Set(words)]) {
    assertThrows(
      () => listPasswords(list as never),
      TypeError,
      "words must be an array of strings",
    );
  }
  assertThrows(
    () => listPasswords(words, { language: "sv" } as Options),
    TypeError,
  );
  // A word of Persian has a zero-width non-joiner.
  assertEquals(
    listPasswords(["می\u200cخواهم", "کتاب"], { numberLength: 0 }).bits,
    4,
  );
  // No program can change the list later.
  const own = ["kom", "mer"];
  const { generate } = listPasswords(own, { numberLength: 0 });
  own.fill("x");
  assert(/^(Kom|Mer)(-(Kom|Mer)){3}$/.test(generate()));
});
