import { assert, assertEquals } from "@std/assert";
import { API } from "../../../routes/api/mod.ts";
import { TABLES } from "../../oracle.ts";

type JsonBody = Record<string, unknown>;

const NONE = {
  lowercase: false,
  uppercase: false,
  numbers: false,
  specialCharacters: false,
};

/** Bodies whose fields do not fit together, each in another way. */
const REFUSED: Record<string, JsonBody[]> = {
  characters: [
    NONE,
    { specialCharacterSet: "|", excludeAmbiguous: true },
    { excludeCharacters: "0123456789" },
    { excludeCharacters: "23456789", excludeAmbiguous: true },
    { excludeCharacters: "!", specialCharacterSet: "!" },
    { excludeCharacters: "!#$%&()*+,-./:;<=>?@[]^_{|}~" },
    { minimumLowercase: 1, lowercase: false },
    { minimumSpecialCharacters: 1, specialCharacters: false },
    { minimumNumbers: 3, minimumUppercase: 3, length: 5 },
    { minimumSpecialCharacters: 9, specialCharacterPercentage: 20 },
    { minimumNumbers: 9, specialCharacterPercentage: 90 },
    { beginWithLetter: true, lowercase: false, uppercase: false },
    { beginWithLetter: true, minimumNumbers: 20 },
    { beginWithLetter: true, specialCharacterPercentage: 100 },
    { groupLength: 5, excludeCharacters: "-" },
    { groupLength: 5, specialCharacterSet: "_" },
    { groupLength: 5, specialCharacterSet: "-" },
    { maximumRepeating: 2, specialCharacterPercentage: 20 },
    { maximumSequential: 2, minimumLowercase: 2 },
    { maximumRepeating: 1, minimumNumbers: 20, excludeCharacters: "12345678" },
    { length: 8, passwordRules: "minlength: 9" },
    { passwordRules: "required: upper", lowercase: false },
    { passwordRules: "required: digit", excludeCharacters: "0123456789" },
    { passwordRules: "required: [1]", excludeAmbiguous: true },
    { passwordRules: "allowed: digit", beginWithLetter: true },
    { passwordRules: "allowed: [a1]; max-repeating: 1", length: 30 },
  ],
  words: [
    { wordCount: 1, numberPosition: "between" },
    { separator: "-", separatorSet: "_" },
    { separatorSet: "@", replaceWithSpecialCharacters: true },
    { minimumLength: 20, maximumLength: 10 },
    { maximumLength: 5 },
    { minimumLength: 128 },
  ],
};

/** Some valid values of a field. */
function valuesOf(kind: string, name: string): unknown[] {
  const row = TABLES[kind as "words"][name]!;
  if (row.type === "boolean") return [true, false];
  if (row.type === "integer") {
    const [min, max] = row.range;
    return [row.default, min, min + 1, 2, 20, max];
  }
  if (row.type === "string") return [...row.values];
  return [...row.valid, "-", "_!", "0123456789", "required: lower"]
    .filter((value) => value.length <= row.maxLength);
}

Deno.test("an error beside an invalid field is one whatever valid value the field has", () => {
  let beside = 0;
  for (const [kind, bodies] of Object.entries(REFUSED)) {
    const errorsOf = (body: JsonBody) =>
      Object.keys(API[`/api/pwgen/${kind}`]!.passwords(body).errors ?? {});
    for (const body of bodies) {
      assert(errorsOf(body).length > 0, JSON.stringify(body));
      for (const name of Object.keys(TABLES[kind as "words"])) {
        const others = errorsOf({ ...body, [name]: null })
          .filter((other) => other !== name);
        beside += others.length;
        for (const value of others.length > 0 ? valuesOf(kind, name) : []) {
          const valid = { ...body, [name]: value };
          const errors = errorsOf(valid);
          // A value that is refused itself can hide another error.
          if (errors.includes(name)) continue;
          const missing = others.filter((other) => !errors.includes(other));
          assertEquals(missing, [], JSON.stringify([valid, name]));
        }
      }
    }
  }
  assert(beside > 200, `${beside}`);
});
