import { assert, assertEquals } from "@std/assert";
import { API } from "../../../routes/api/mod.ts";
import { WORDLISTS } from "../../../wordlists/mod.ts";
import type { Kind } from "../../oracle.ts";

const PATH = "/api/pwgen/characters";

type Body = Record<string, unknown>;

/** Fails unless the only error of a request is at a field, and says this. */
function assertError(kind: Kind, body: Body, name: string, text: string): void {
  const { errors = {} } = API[`/api/pwgen/${kind}`]!.passwords(body);
  const where = JSON.stringify(body);
  assertEquals(Object.keys(errors), [name], where);
  const [message = "", ...others] = errors[name]!;
  assertEquals(others, []);
  assert(message.includes(text), `${where}: ${message}`);
}

Deno.test("a request whose fields do not fit together is told what to change", () => {
  const noClass = {
    lowercase: false,
    uppercase: false,
    numbers: false,
    specialCharacters: false,
  };
  assertError("characters", noClass, "$", "At least one of");
  const bar = { specialCharacterSet: "|", excludeAmbiguous: true };
  const without = "a character that excludeAmbiguous does not leave out";
  assertError("characters", bar, "specialCharacterSet", without);
  const one = { wordCount: 1, numberPosition: "between" };
  assertError("words", one, "numberPosition", '"before" or "after"');
  const { words: _, ...lists } = WORDLISTS.en;
  // The shortest word of each list, and two digits.
  const min = Object.values(lists)
    .reduce((sum, list) => sum + Math.min(...list.map((w) => w.length)), 2);
  const short = { language: "en", maximumLength: min - 1 };
  assertError("sentence", short, "maximumLength", `at least ${min} `);
  const longest = Object.values(lists)
    .reduce((sum, list) => sum + Math.max(...list.map((w) => w.length)), 2);
  const long = { language: "en", minimumLength: longest + 1 };
  assertError("sentence", long, "minimumLength", `at most ${longest} `);
  const crossed = { minimumLength: 31, maximumLength: 30 };
  const two = { separator: "-", separatorSet: "-_" };
  const empty = ['One of separator and separatorSet must be "".'];
  const replaced = { replaceWithSpecialCharacters: true, separatorSet: "-#" };
  for (const kind of ["words", "sentence"] as const) {
    const without = "without @, !, $ and # when replaceWithSpecialCharacters";
    assertError(kind, replaced, "separatorSet", without);
    const { errors = {} } = API[`/api/pwgen/${kind}`]!.passwords({
      ...crossed,
      ...two,
    });
    assertEquals(errors, {
      separator: empty,
      separatorSet: empty,
      minimumLength: ["Must be at most 30, the maximumLength."],
      maximumLength: ["Must be at least 31, the minimumLength, or 0 for none."],
    });
  }
});

Deno.test("minima, exclusions and a first letter that have no place name what is allowed, and each field", () => {
  const errorsOf = (body: Body) => API[PATH]!.passwords(body).errors;
  const smaller = "Must be less, or length at least 21, the sum of the minima.";
  assertEquals(
    errorsOf({ minimumLowercase: 10, minimumNumbers: 11, minimumUppercase: 0 }),
    { minimumLowercase: [smaller], minimumNumbers: [smaller] },
  );
  assertEquals(
    errorsOf({ minimumNumbers: 1, numbers: false, lowercase: false })!,
    { minimumNumbers: ["Must be 0 when numbers is false."] },
  );
  const half = { length: 10, specialCharacterPercentage: 50 };
  const cases: [Body, name: string, text: string][] = [
    [{ minimumSpecialCharacters: 6 }, "minimumSpecialCharacters", "at most 5,"],
    [{ minimumUppercase: 6 }, "minimumUppercase", "at most 5, together"],
    [{ minimumNumbers: 5, beginWithLetter: true }, "beginWithLetter", "10 dig"],
  ];
  for (const [body, name, text] of cases) {
    assertError("characters", { ...half, ...body }, name, text);
  }
  const digits = { lowercase: false, uppercase: false };
  const letterless = "lowercase, uppercase and swedishCharacters are false";
  const first = { ...digits, beginWithLetter: true };
  assertError("characters", first, "beginWithLetter", letterless);
  const no = "excludeCharacters";
  const none = { [no]: "0123456789" };
  assertError("characters", none, no, "a character of numbers.");
  const few = { [no]: "23456789", excludeAmbiguous: true };
  const besides = "numbers, besides those that excludeAmbiguous leaves out";
  assertError("characters", few, no, besides);
});

Deno.test("limits of runs that cannot be met or counted are errors of each limit above 0, and groups without a hyphen of groupLength", () => {
  const runs = { maximumRepeating: 2, maximumSequential: 2 };
  const digits = { lowercase: false, uppercase: false };
  const share = { specialCharacterPercentage: 20 };
  const binary = {
    ...digits,
    specialCharacters: false,
    excludeCharacters: "23456789",
  };
  const dear = { length: 128, minimumNumbers: 20, minimumLowercase: 1 };
  const unset = "Must be unset with a specialCharacterPercentage.";
  const cases: [Body, text: string][] = [
    [share, unset],
    [
      { minimumLowercase: 2, minimumUppercase: 1 },
      "must be unset if both cases are on",
    ],
    [dear, "take too long to count for 128 characters"],
  ];
  for (const [body, text] of cases) {
    const sequential = { ...body, maximumSequential: 9 };
    assertError("characters", sequential, "maximumSequential", text);
    const { errors = {} } = API[PATH]!.passwords({ ...body, ...runs });
    const both = ["maximumRepeating", "maximumSequential"];
    assertEquals(Object.keys(errors).sort(), both);
    assert(Object.values(errors).flat().every((each) => each.includes(text)));
  }
  for (const [body] of [[dear], [share]] as const) {
    const repeating = { ...body, maximumRepeating: 2 };
    const [text] = body === share ? [unset] : ["too long to count"];
    assertError("characters", repeating, "maximumRepeating", text);
  }
  const rare = { ...binary, length: 8, maximumRepeating: 1 };
  const reason = "Must be greater: fewer than 1 in 64 passwords of 8 char";
  assertError("characters", rare, "maximumRepeating", reason);
  const groups = { groupLength: 5, excludeCharacters: "a-" };
  assertError("characters", groups, "groupLength", "Must be unset: the hyphen");
});

Deno.test("a request whose fields do not fit passwordRules is told what to change", () => {
  const isDefault = (value: string) =>
    `Must be ${value}, the default, with passwordRules.`;
  const cases: [rules: string, Body, name: string, text: string][] = [
    ["", { numbers: false }, "numbers", isDefault("true")],
    ["", { specialCharacterSet: "!" }, "specialCharacterSet", isDefault('""')],
    ["minlength: 30", { length: 20 }, "length", "from 30 to 128"],
    ["minlength: 30", { length: "29" }, "length", "from 30 to 128"],
    ["maxlength: 12", { length: 20 }, "length", "from 1 to 12"],
    ["", { minimumNumbers: 2 }, "minimumNumbers", isDefault("0")],
    ["", { maximumRepeating: 2 }, "maximumRepeating", isDefault("0")],
    ["", { maximumSequential: 2 }, "maximumSequential", isDefault("0")],
    ["", { groupLength: 5 }, "groupLength", isDefault("0")],
    [
      "",
      { excludeCharacters: "9876543210" },
      "excludeCharacters",
      "Must leave",
    ],
    ["", { beginWithLetter: true }, "beginWithLetter", "allow no letter"],
    [
      "required: digit; required: lower; required: [!]",
      { beginWithLetter: true, length: 2 },
      "passwordRules",
      "Fewer than 1 in 64",
    ],
    [
      "required: digit; allowed: lower",
      { beginWithLetter: true, length: 1 },
      "beginWithLetter",
      "Must be false",
    ],
  ];
  for (const [rules, body, name, text] of cases) {
    const passwordRules = `allowed: digit; ${rules}`;
    assertError("characters", { ...body, passwordRules }, name, text);
  }
});

Deno.test("passwordRules that no string meets, or too few, name the reason", () => {
  const seven = [..."ABC2345"].map((c) => `required: [${c}]; `).join("");
  // Each of 30 characters is of other sets, so to count without the limit of runs takes
  // longer than to count with it.
  const thirty = [..."abcdefghijkmnopqrstuvwxyz23456"];
  const crossing = [0, 0, 1, 1, 2, 3, 4].map((bit) => {
    const set = thirty.filter((_, i) => (i + 1) >> bit & 1).join("");
    return `required: [${set}]; `;
  }).join("");
  const cases: [rules: string, length: number, reason?: string][] = [
    [";", 20, "at character 1."],
    ["required: lower; required: [0O1]", 20, "excludeAmbiguous leaves out"],
    ["allowed: [lI|]", 20, "No character is allowed."],
    [`${seven} required: [AB]`, 20, "another required set; got 7."],
    // One character of 64, and one of 65.
    ["required: [-]; allowed: lower, upper, digit, [!#$%*+]", 1],
    ["required: [-]; allowed: lower, upper, digit, [!#$%*+.]", 1, "number 1."],
    ["required: lower; required: digit", 1, "above all number 2."],
    ["required: [ab]; required: [ba]; allowed: [c]; max-repeating: 2", 9],
    [
      "required: [ab]; required: [ba]; allowed: [c]; max-sequential: 2",
      9,
      "cannot be counted in time",
    ],
    [
      [..."abcdef"].map((c) => `required: [${c}2];`.repeat(9)).join(""),
      128,
      "take too long to count for a length of 128",
    ],
    // 2 strings of 128, and 2 of 256.
    ["allowed: [ax]; max-repeating: 1", 7],
    ["allowed: [ax]; max-repeating: 1", 8, ": max-repeating (or"],
    [`${crossing} max-repeating: 1`, 128, ": max-repeating (or"],
    ["allowed: [ab]; max-sequential: 1", 7],
    ["allowed: [ab]; max-sequential: 1", 8, ": max-sequential (or"],
    ["allowed: [ab]; max-consecutive: 1", 2, "max-repeating and max-seq"],
  ];
  for (const [passwordRules, length, reason] of cases) {
    const body = { passwordRules, length, excludeAmbiguous: true };
    if (reason) assertError("characters", body, "passwordRules", reason);
    else assertEquals(API[PATH]!.passwords(body).errors, undefined);
  }
});

Deno.test("no message repeats passwordRules", () => {
  const canary = "hunter";
  const texts = [`${canary}: 8`, `minlength: ${canary}`, `required: ${canary}`]
    .concat(`required: [${canary}`, `required: [${canary}-]`, canary)
    .concat(`allowed: [${canary}]; max-repeating: 1; minlength: 40`)
    .concat([...canary, "s", "-"].map((c) => `required: [${c}]`).join(";"));
  for (const passwordRules of texts) {
    const { errors } = API[PATH]!.passwords({ passwordRules });
    assertEquals(Object.keys(errors!), ["passwordRules"]);
    assert(!JSON.stringify(errors).includes(canary), passwordRules);
  }
});
