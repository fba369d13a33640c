import { assert, assertEquals } from "@std/assert";
import {
  CASINGS,
  NUMBER_POSITIONS,
  PASSPHRASE_OPTIONS,
  type PassphraseOptions,
  passphrases,
  SEPARATORS,
} from "../../generators/passphrase.ts";
import { defaultsOf } from "../../generators/options.ts";
import { assertBits } from "../helpers/entropy.ts";
import { everyPassphrase } from "../helpers/passphrases.ts";
import { BOTH, combinations, pairs } from "../helpers/settings.ts";
import { assertDraws, assertPasswords } from "../helpers/statistics.ts";

const DEFAULTS = defaultsOf<PassphraseOptions>(PASSPHRASE_OPTIONS);
// Two words of a list are equally long.
const WORDS = [["åka", "is", "ha"], ["ö", "sax"], ["rasa", "mö"]];
const STYLES = {
  casing: CASINGS,
  replaceSwedishCharacters: BOTH,
  replaceWithSpecialCharacters: BOTH,
  separator: SEPARATORS,
};
/** The styles with a set of signs instead of a separator. */
const SETS = {
  ...STYLES,
  separator: [""] as const,
  separatorSet: ["-", " ~"],
};
const DIGITS = { numberPosition: NUMBER_POSITIONS, numberLength: [0, 1, 2] };

/** The passphrases that options allow. */
function possible(...[lists, options]: Parameters<typeof passphrases>) {
  const passwords = passphrases(lists, options);
  assert(!passwords.refusal, JSON.stringify(options));
  return passwords;
}

/** The most passwords that are listed, as bits. */
const MOST_BITS = 13;

// Casing, replacements and separator interact: together they could make two
// sequences of words look alike. Position and length of the digits interact: they
// give the number of digits. A style changes what is written and not what is
// drawn, so styles and digits are combined in pairs, below.
Deno.test("passphrases() makes as many passwords as it counts, each equally often", () => {
  const settings = [
    ...combinations<Partial<PassphraseOptions>>({
      ...STYLES,
      numberLength: [0],
    }),
    ...combinations<Partial<PassphraseOptions>>({ ...SETS, numberLength: [0] }),
    ...combinations<Partial<PassphraseOptions>>({
      ...DIGITS,
      separatorSet: ["^]\\"],
    }),
  ];
  for (const count of [1, 2, 3]) {
    const lists = WORDS.slice(0, count);
    for (const each of settings) {
      const options = { ...DEFAULTS, ...each };
      const passwords = possible(lists, options);
      if (passwords.bits > MOST_BITS) continue;
      assertPasswords(passwords, everyPassphrase(lists, options), options);
    }
  }
});

Deno.test("passphrases() with maximumLength and minimumLength makes exactly the passwords between them", () => {
  let counted = 0;
  for (const count of [1, 2, 3]) {
    const lists = WORDS.slice(0, count);
    for (
      const each of [STYLES, SETS].flatMap((styles) =>
        pairs<Partial<PassphraseOptions>>({ ...styles, ...DIGITS })
      )
    ) {
      const style: PassphraseOptions = { ...DEFAULTS, ...each };
      if (possible(lists, style).bits > MOST_BITS) continue;
      const all = [...everyPassphrase(lists, style)];
      const lengths = all.map((password) => password.length);
      const [min, max] = [Math.min(...lengths), Math.max(...lengths)];
      // 0 is no maximum.
      for (let length = Math.max(1, min - 1); length <= max + 1; length++) {
        const bounds: [minimumLength: number, maximumLength: number][] = [
          [0, length],
          [length, 0],
          [length, length],
          [length, length + 2],
        ];
        for (const [minimumLength, maximumLength] of bounds) {
          const options = { ...style, minimumLength, maximumLength };
          const between = all.filter(({ length }) =>
            length >= minimumLength &&
            (maximumLength === 0 || length <= maximumLength)
          );
          const passwords = passphrases(lists, options);
          if (passwords.refusal) {
            assertEquals(between, []);
            const { options, message } = passwords.refusal();
            if (maximumLength > 0 && maximumLength < min) {
              assertEquals(options, ["maximumLength"]);
              assert(message.includes(`at least ${min} `));
            } else if (minimumLength > max) {
              assertEquals(options, ["minimumLength"]);
              assert(message.includes(`at most ${max} `));
            }
            continue;
          }
          const most = counted++ % 3 > 0 ? 0 : 49;
          assertPasswords(passwords, between, options, most);
        }
      }
    }
  }
});

Deno.test("passphrases() names both lengths if no password is between them", () => {
  const lists = [["is", "rasa"]];
  const bounds = { numberLength: 0, minimumLength: 3, maximumLength: 3 };
  const { refusal } = passphrases(lists, { ...DEFAULTS, ...bounds });
  assertEquals(refusal!().options, ["minimumLength", "maximumLength"]);
});

Deno.test("passphrases() draws each of sixteen signs equally often in each gap", () => {
  const separatorSet = " !\"#$%&'()*+,-./";
  for (const numberPosition of NUMBER_POSITIONS) {
    const options = { ...DEFAULTS, numberPosition, separatorSet };
    const { bits, generate } = possible([["x"], ["y"], ["z"]], options);
    const gaps = { before: 3, after: 3, between: 4, all: 6 }[numberPosition];
    const digits = 2 * (gaps - 2);
    assertBits(bits, 16n ** BigInt(gaps) * 10n ** BigInt(digits), options);
    for (let gap = 0; gap < gaps; gap++) {
      const sign = () => generate().match(/[^\dxyz]/gi)![gap]!;
      assertDraws(sign, new Set(separatorSet), `${numberPosition} ${gap}`);
    }
  }
});

Deno.test("passphrases() draws each of twelve digits equally often", () => {
  const options = { ...DEFAULTS, numberLength: 12 };
  const { generate } = possible([["x"]], options);
  for (let place = 0; place < 12; place++) {
    assertDraws(() => generate()[place]!, new Set("0123456789"), `${place}`);
  }
});
