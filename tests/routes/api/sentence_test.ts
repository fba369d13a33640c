import { assertEquals, assertMatch } from "@std/assert";
import { post, readPassword } from "../../helpers/service.ts";
import { testFieldTable } from "./field_table.ts";

const PATH = "/api/pwgen/sentence";

testFieldTable(PATH, "sentence", {
  language: ["sv", "en"],
  casing: ["lower", "upper", "first", "title"],
  numberPosition: ["before", "after", "between", "all"],
  numberLength: [0, 12],
  replaceSwedishCharacters: "boolean",
  replaceWithSpecialCharacters: "boolean",
});

async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "sentence");
}

Deno.test(`${PATH} has the defaults of the table`, async () => {
  let swedish = "";
  for (let i = 0; i < 300; i++) {
    const drawn = await password({});
    assertMatch(drawn, /^[0-9]{2}([A-ZÅÄÖ][a-zåäö]+){4}$/);
    swedish += drawn;
  }
  assertMatch(swedish, /[åäö]/);
});

Deno.test(`${PATH} puts digits in three gaps, and in all five places`, async () => {
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

Deno.test(`${PATH} knows no wordCount`, async () => {
  await password({ wordCount: 1, numberPosition: "between" });
  await password({ wordCount: "many" });
});

Deno.test(`${PATH} says the entropy in Entropy-Bits`, async () => {
  for (const language of ["sv", "en"]) {
    const response = await post(PATH, { language });
    // 11 + 12 + 10 + 10 bits, two digits.
    assertEquals(response.headers.get("entropy-bits"), "49.64");
  }
});
