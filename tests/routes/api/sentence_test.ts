import { post, readPassword } from "../../helpers/service.ts";
import { testFieldTable, testSeparators } from "./field_table.ts";

const PATH = "/api/pwgen/sentence";

testFieldTable("sentence", { minimumEntropy: 80 });
testSeparators("sentence");

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "sentence");
}

Deno.test(`${PATH} ignores wordCount`, async () => {
  await password({ wordCount: 1, numberPosition: "between" });
  await password({ wordCount: "many" });
});
