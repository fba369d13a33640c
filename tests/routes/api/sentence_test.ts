import { assertEquals, assertMatch } from "@std/assert";
import { exactBits, sequences } from "../../helpers/entropy.ts";
import { LANGUAGES, WORDLISTS } from "../../../wordlists/mod.ts";
import { post, readPassword } from "../../helpers/service.ts";
import { testFieldTable, testPhraseDefaults } from "./field_table.ts";

const PATH = "/api/pwgen/sentence";

testFieldTable(PATH, "sentence", {
  language: ["sv", "en"],
  casing: ["lower", "upper", "first", "title"],
  numberPosition: ["before", "after", "between", "all"],
  numberLength: [0, 12],
  replaceSwedishCharacters: "boolean",
  replaceWithSpecialCharacters: "boolean",
  separator: ["", "-", ".", "_", " ", ","],
  minimumEntropy: [0, 512, 80],
});
testPhraseDefaults(PATH, "sentence");

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "sentence");
}

Deno.test(`${PATH} puts digits into three gaps, or into all five positions`, async () => {
  const word = "[A-Z][a-z]+";
  const shapes = {
    between: `^${word}(\\d{3}${word}){3}$`,
    all: `^(\\d{3}${word}){4}\\d{3}$`,
  };
  for (const [numberPosition, shape] of Object.entries(shapes)) {
    assertMatch(
      await password({ language: "en", numberPosition, numberLength: 3 }),
      new RegExp(shape),
    );
  }
});

Deno.test(`${PATH} ignores wordCount`, async () => {
  await password({ wordCount: 1, numberPosition: "between" });
  await password({ wordCount: "many" });
});

Deno.test(`${PATH} responds with the entropy in Entropy-Bits`, async () => {
  for (const language of LANGUAGES) {
    const response = await post(PATH, { language });
    const { adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
    const count = sequences(adjectives, nouns, verbs, adverbs);
    const bits = exactBits(count * 100n); // two digits
    assertEquals(response.headers.get("entropy-bits"), bits);
  }
});
