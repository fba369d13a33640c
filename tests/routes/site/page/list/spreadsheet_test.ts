import { assert, assertEquals } from "@std/assert";
import { API } from "../../../../../routes/api/mod.ts";
import {
  isChanged,
  isFormula,
  safeBody,
} from "../../../../../routes/site/page/list/spreadsheet.js";

/** The endpoint's answer to the settings for a spreadsheet. */
const asked = (body: Record<string, unknown>) =>
  API["/api/pwgen/characters"]!.passwords(safeBody("characters", body));

Deno.test("passwords of settings for a spreadsheet are no formulas, and the bits are those of the API", () => {
  const settings: Record<string, unknown>[] = [
    {},
    { groupLength: 5 },
    { passwordRules: "required: lower; required: upper; required: [-+=!];" },
    { excludeCharacters: "abc" },
    { specialCharacterSet: "-_", minimumSpecialCharacters: 2 },
  ];
  for (const body of settings) {
    const requested = asked(body);
    assert(!requested.errors, JSON.stringify(requested.errors));
    for (let i = 0; i < 200; i++) {
      const password = requested.generate();
      assert(!isFormula(password) && !/[,;]/.test(password), password);
    }
  }
  const bits = (body: Record<string, unknown>) => {
    const requested = API["/api/pwgen/characters"]!.passwords(body);
    return requested.errors ? 0 : requested.bits;
  };
  assertEquals(bits({}).toFixed(1), "129.7");
  assertEquals(bits(safeBody("characters", {})).toFixed(1), "127.7");
});

Deno.test("settings that a spreadsheet cannot leave alone are refused by the API, and words stay", () => {
  const settings: Record<string, unknown>[] = [
    { specialCharacterSet: "-" },
    { passwordRules: "required: [-];" },
    { excludeCharacters: "x".repeat(128) },
  ];
  for (const body of settings) assert(asked(body).errors, JSON.stringify(body));
  const words = { separator: "," };
  assertEquals(safeBody("words", words), words);
});

Deno.test("isChanged() is true for what a spreadsheet changes, and false for names and passphrases", () => {
  const months = ["sv", "en-US", "en-GB"].flatMap((locale) =>
    (["long", "short"] as const).flatMap((month) =>
      Array.from(
        { length: 12 },
        (_, i) =>
          `12${
            new Intl.DateTimeFormat(locale, { month }).format(
              Date.UTC(2026, i, 15),
            )
          }`,
      )
    )
  );
  for (
    const cell of [
      "69:15|1E10|jan 5|12-jan|maj12|Dec-2026|Sat Nov 28|10-12|1/9/7|4.5|0042",
      "123456789012|5%|5 kr|€5|(5)|TRUE|Sant|FALSKT|1e5|+46|+46 70 123|-05|10:15",
      "10:15 PM|2026-11-28T10:15:00Z| 12|1 234|=a|+a|-a|@a|a;=1|a\t @1|＝1|-x|a\n=1",
    ].join("|").split("|").concat(months)
  ) assert(isChanged(cell), cell);
  for (
    const cell of [
      "a=1|Å1|1234|12345678901|0|-5|62-Velvet-Soap|02Owl|mars-owl-12|92Majs",
      "marsowl-a12|92MajsGullviva|04DecodeSpray|Emma Lind|O'Neil|7B|e@x.se",
      "Maj|May Ek|x-1|#1|12#4|a=1|12MonkeyFriend|60TornadoSunset|",
    ].join("|").split("|")
  ) assert(!isChanged(cell), cell);
  assert(!isFormula("+46 70 123") && isFormula("+46x"));
});
