import { post, readPassword } from "../../helpers/service.ts";
import { expectedPhrases } from "../../oracle.ts";
import {
  testFieldTable,
  testMaximumLength,
  testSeparators,
} from "./field_table.ts";

const PATH = "/api/pwgen/sentence";

testFieldTable("sentence", { minimumEntropy: 77 });
testSeparators("sentence");

const STYLE = {
  language: "en",
  numberPosition: "all",
  numberLength: 1,
  separator: "_",
} as const;
testMaximumLength(
  "sentence",
  STYLE,
  (maximumLength) => expectedPhrases({ ...STYLE, maximumLength }).count,
);

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "sentence");
}

Deno.test(`${PATH} ignores wordCount`, async () => {
  await password({ wordCount: 1, numberPosition: "between" });
  await password({ wordCount: "many" });
});
