import { assertEquals, assertThrows } from "@std/assert";
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

const WORDS = [["åka", "is", "h"], ["ö", "sax"], ["rasa", "mö"]];
const STYLES = {
  casing: CASINGS,
  replaceSwedishCharacters: BOTH,
  replaceWithSpecialCharacters: BOTH,
  separator: SEPARATORS,
};
const DIGITS = { numberPosition: NUMBER_POSITIONS, numberLength: [0, 1, 2] };

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
    ...combinations<Partial<PassphraseOptions>>(DIGITS),
  ];
  for (const count of [1, 2, 3]) {
    const lists = WORDS.slice(0, count);
    for (const each of settings) {
      const options = { ...PASSPHRASE_DEFAULTS, ...each };
      const { bits, generate } = passphrases(lists, options);
      if (bits > MOST_BITS) continue;
      const members = everyPassphrase(lists, options);
      assertBits(bits, BigInt(members.size), options);
      assertDraws(generate, members, JSON.stringify(options));
    }
  }
});

Deno.test("passphrases() with maximumLength makes exactly the passwords that are not longer", () => {
  for (const count of [1, 2, 3]) {
    const lists = WORDS.slice(0, count);
    for (
      const each of pairs<Partial<PassphraseOptions>>({ ...STYLES, ...DIGITS })
    ) {
      const style: PassphraseOptions = { ...PASSPHRASE_DEFAULTS, ...each };
      if (passphrases(lists, style).bits > MOST_BITS) continue;
      const all = [...everyPassphrase(lists, style)];
      const lengths = all.map((password) => password.length);
      const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
      // 0 is no maximum.
      for (let length = Math.max(1, least - 1); length <= most + 1; length++) {
        const options = { ...style, maximumLength: length };
        const short = all.filter((password) => password.length <= length);
        const { bits, refusal, generate } = passphrases(lists, options);
        const isNamed = refusal?.explain().includes(`at least ${least} `);
        assertEquals(isNamed ?? false, length < least);
        assertBits(bits, BigInt(short.length), options);
        if (short.length === 0) assertThrows(generate, RangeError);
        else if (short.length < 50) {
          assertDraws(generate, new Set(short), JSON.stringify(options));
        }
      }
    }
  }
});

Deno.test("passphrases() draws each of twelve digits equally often", () => {
  const options = { ...PASSPHRASE_DEFAULTS, numberLength: 12 };
  const { generate } = passphrases([["x"]], options);
  for (let place = 0; place < 12; place++) {
    assertDraws(() => generate()[place]!, new Set("0123456789"), `${place}`);
  }
});
