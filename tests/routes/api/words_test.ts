import { assert } from "@std/assert";
import { post, readErrors, readPassword } from "../../helpers/service.ts";
import { testFieldTable, testSeparators } from "./field_table.ts";

const PATH = "/api/pwgen/words";

testFieldTable("words", { minimumEntropy: 100 });
testSeparators("words");

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
