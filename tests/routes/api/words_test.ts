import { assert, assertEquals, assertMatch } from "@std/assert";
import { exactBits } from "../../helpers/entropy.ts";
import { LANGUAGES, WORDLISTS } from "../../../wordlists/mod.ts";
import { post, readErrors, readPassword } from "../../helpers/service.ts";
import { testFieldTable, testPhraseDefaults } from "./field_table.ts";

const PATH = "/api/pwgen/words";

testFieldTable(PATH, "words", {
  language: ["sv", "en"],
  wordCount: [1, 10],
  casing: ["lower", "upper", "first", "title"],
  numberPosition: ["before", "after", "between", "all"],
  numberLength: [0, 12],
  replaceSwedishCharacters: "boolean",
  replaceWithSpecialCharacters: "boolean",
  separator: ["", "-", ".", "_", " ", ","],
  minimumEntropy: [0, 512, 100],
});
testPhraseDefaults(PATH, "words");

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "words");
}

Deno.test(`${PATH} has English words without Swedish letters`, async () => {
  for (let i = 0; i < 300; i++) {
    assertMatch(
      await password({ language: "en" }),
      /^[0-9]{2}([A-Z][a-z]+){4}$/,
    );
  }
});

Deno.test(`${PATH} has as many words as wordCount`, async () => {
  for (let wordCount = 1; wordCount <= 10; wordCount++) {
    const drawn = await password({ wordCount: String(wordCount) });
    assertEquals(drawn.match(/[A-ZÅÄÖ]/g)?.length, wordCount);
  }
});

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

Deno.test(`${PATH} responds with the entropy in Entropy-Bits`, async () => {
  const bits = async (body: unknown) =>
    (await post(PATH, body)).headers.get("entropy-bits");
  for (const language of LANGUAGES) {
    const count = BigInt(WORDLISTS[language].words.length);
    // Four words, two digits.
    assertEquals(await bits({ language }), exactBits(count ** 4n * 100n));
    const fields = { language, wordCount: 1, numberLength: 0 };
    assertEquals(await bits(fields), exactBits(count));
  }
});
