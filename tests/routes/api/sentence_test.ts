import { post, readPassword } from "../../helpers/service.ts";
import { testFieldTable, testSeparators } from "./field_table.ts";

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
testSeparators(PATH, "sentence");

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "sentence");
}

Deno.test(`${PATH} ignores wordCount`, async () => {
  await password({ wordCount: 1, numberPosition: "between" });
  await password({ wordCount: "many" });
});
