import { assert, assertEquals } from "@std/assert";
import type { Refused } from "../../../../routes/api/endpoint.ts";
import { API } from "../../../../routes/api/mod.ts";
import { textsIn } from "../../../../routes/site/page/languages.ts";

const BITS = { lowercase: false, uppercase: false, specialCharacters: false };
const BINARY = { ...BITS, excludeCharacters: "23456789" };
const TWO_RUNS = { maximumRepeating: 2, maximumSequential: 9 };
const DIGITS_FIRST = { length: 9, minimumNumbers: 9, beginWithLetter: true };
const LONG = { length: 128, minimumNumbers: 32, minimumSpecialCharacters: 32 };

/** What each error is on the page, in Swedish. */
const ROWS: [kind: string, body: object, name: string, text: string][] = [
  ["characters", { ...BITS, numbers: false }, "$", "Välj minst en sorts"],
  [
    "characters",
    { specialCharacterSet: "å" },
    "specialCharacterSet",
    "högst 32",
  ],
  [
    "characters",
    { specialCharacterSet: "|", excludeAmbiguous: true },
    "specialCharacterSet",
    "finns inget kvar av ett teckenslag",
  ],
  [
    "characters",
    { excludeCharacters: "0123456789" },
    "excludeCharacters",
    "finns inget kvar av ett teckenslag",
  ],
  [
    "characters",
    { excludeCharacters: "\ufffd" },
    "excludeCharacters",
    "och inte",
  ],
  [
    "characters",
    { numbers: false, minimumNumbers: 1 },
    "minimumNumbers",
    "Bara 0 går: teckenslaget är inte valt",
  ],
  [
    "characters",
    { minimumUppercase: 10, minimumSpecialCharacters: 11 },
    "minimumUppercase",
    "minst längden 21.",
  ],
  [
    "characters",
    { ...BITS, beginWithLetter: true },
    "beginWithLetter",
    "Ingen bokstav är tillåten",
  ],
  ["characters", DIGITS_FIRST, "beginWithLetter", "Ingen bokstav får plats"],
  [
    "characters",
    { groupLength: 5, excludeCharacters: "-" },
    "groupLength",
    "Bindestrecket måste vara tillåtet",
  ],
  [
    "characters",
    { ...TWO_RUNS, minimumLowercase: 2 },
    "maximumSequential",
    "bara om högst ett av a–z och ett av A–Z krävs",
  ],
  [
    "characters",
    { ...BINARY, length: 8, maximumRepeating: 1 },
    "maximumRepeating",
    "Ange ett högre tal",
  ],
  [
    "characters",
    { ...LONG, maximumRepeating: 2 },
    "maximumRepeating",
    "hinner inte räknas",
  ],
  [
    "characters",
    { ...BITS, minimumEntropy: 512 },
    "minimumEntropy",
    "högst 425 bitar",
  ],
  ["words", { separatorSet: "å" }, "separatorSet", "högst 16"],
  [
    "words",
    { minimumLength: 31, maximumLength: 30 },
    "minimumLength",
    "Kräv högst 30 tecken, eller tillåt längre",
  ],
  [
    "words",
    { minimumLength: 31, maximumLength: 30 },
    "maximumLength",
    "Tillåt minst 31 tecken, eller kräv kortare",
  ],
  ["words", { maximumLength: 5 }, "maximumLength", "Tillåt minst 14 tecken"],
  ["words", { minimumLength: 99 }, "minimumLength", "Kräv högst 38 tecken"],
  [
    "words",
    { wordCount: 1, numberPosition: "all" },
    "numberPosition",
    "Ett enda ord har inget mellanrum",
  ],
];

Deno.test("the page has a text for each error that its settings can cause, whose numbers the API gives", () => {
  const texts = textsIn("sv");
  const untried = new Set(
    Object.keys(texts).filter((key) => key.startsWith("error.")),
  );
  for (const [kind, body, name, expected] of ROWS) {
    const { errors, limits } = API[`/api/pwgen/${kind}`]!
      .passwords({ ...body }) as Refused;
    const where = JSON.stringify(body);
    assert(Object.hasOwn(errors, name), where);
    const limit = limits[name];
    const key = `error.${limit?.reason ?? name}`;
    const values = { ...limit } as Record<string, unknown>;
    const text = texts[key]!
      .replace(/\{(\w+)\}/g, (_, value) => `${values[value]}`);
    assert(text.includes(expected), `${where}: ${text}`);
    untried.delete(key);
  }
  assertEquals([...untried], []);
});
