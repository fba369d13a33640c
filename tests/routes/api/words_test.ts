import { assert, assertEquals } from "@std/assert";
import { post, readErrors, readPassword } from "../../helpers/service.ts";
import { exactBits } from "../../helpers/entropy.ts";
import { expectedPhrases } from "../../oracle.ts";
import { WORDLISTS } from "../../../wordlists/mod.ts";
import {
  testFieldTable,
  testMaximumLength,
  testSeparators,
} from "./field_table.ts";

const PATH = "/api/pwgen/words";

testFieldTable("words", { minimumEntropy: 100 });
testSeparators("words");

const STYLE = {
  language: "sv",
  wordCount: 3,
  numberPosition: "between",
  numberLength: 2,
  separator: "-",
} as const;
testMaximumLength(
  "words",
  STYLE,
  (maximumLength) => expectedPhrases({ ...STYLE, maximumLength }).count,
);

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "words");
}

Deno.test(`${PATH} refuses between and all for one word, also without digits`, async () => {
  for (const numberPosition of ["between", "all"]) {
    for (const more of [{}, { numberLength: 0 }, { wordCount: "1" }]) {
      const body = { wordCount: 1, numberPosition, ...more };
      const errors = await readErrors(
        await post(PATH, body),
        PATH,
        "numberPosition",
      );
      assert(errors.numberPosition![0]!.includes('"before" or "after"'));
    }
    await password({ wordCount: 2, numberPosition });
    // Together with another invalid field.
    await readErrors(
      await post(PATH, { wordCount: 1, numberPosition, casing: "Title" }),
      PATH,
      "numberPosition",
      "casing",
    );
    // An invalid wordCount is not taken for 1.
    await readErrors(
      await post(PATH, { wordCount: "one", numberPosition }),
      PATH,
      "wordCount",
    );
  }
  await password({ wordCount: 1, numberPosition: "before" });
  await password({ wordCount: 1, numberPosition: "after" });
});

Deno.test(`${PATH}: maximumLength 20 leaves some of the sequences of four Swedish words with hyphens`, async () => {
  const body = { separator: "-", numberLength: 0, maximumLength: 20 };
  const bits = async (body: unknown) => {
    const response = await post(PATH, body);
    await response.text();
    return response.headers.get("entropy-bits");
  };
  // The numbers of sequences by their letters, for one more word each time.
  let sequences = [1];
  for (let words = 1; words <= 4; words++) {
    const longer: number[] = Array(40).fill(0);
    for (const { length } of WORDLISTS.sv.words) {
      sequences.forEach((count, letters) => {
        if (count > 0) longer[letters + length]! += count;
      });
    }
    sequences = longer;
  }
  const short = sequences.slice(0, 20 - 3 + 1).reduce((a, b) => a + b);
  assertEquals(await bits(body), exactBits(BigInt(short)));
  const all = BigInt(WORDLISTS.sv.words.length) ** 4n;
  assertEquals(await bits({ ...body, maximumLength: 0 }), exactBits(all));
});
