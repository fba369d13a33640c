import { assert, assertEquals } from "@std/assert";
import { API } from "../../../routes/api/mod.ts";
import { assertDescribed, DESCRIPTION } from "../../helpers/schema.ts";
import { ask, postInit } from "../../helpers/service.ts";
import type { Kind } from "../../oracle.ts";

/** A request, the fields whose messages say why it is refused, and a part of these. */
type Row = [body: Record<string, unknown>, names: string, text: string];

const DIGITS = { lowercase: false, uppercase: false };
const BINARY = {
  ...DIGITS,
  specialCharacters: false,
  excludeCharacters: "23456789",
};
const HALF = { length: 10, specialCharacterPercentage: 50 };
const RUNS = { maximumRepeating: 2, maximumSequential: 9 };
const LIMITS = "maximumRepeating maximumSequential";

const PHRASES: Row[] = [
  [{ separator: "-", separatorSet: "_" }, "separator separatorSet", "One of "],
  [
    { replaceWithSpecialCharacters: true, separatorSet: "-#" },
    "separatorSet",
    "without @, !, $ and # when replaceWithSpecialCharacters",
  ],
  [
    { minimumLength: 31, maximumLength: 30 },
    "minimumLength",
    "Must be at most 30, the maximumLength.",
  ],
  [
    { minimumLength: 31, maximumLength: 30 },
    "maximumLength",
    "Must be at least 31, the minimumLength, or 0 for none.",
  ],
  [{ maximumLength: 5 }, "maximumLength", "Must be at least "],
  [{ minimumLength: 128 }, "minimumLength", "Must be at most "],
];

const RULES: Row[] = ([
  [{ numbers: false }, "", "numbers", "Must be true, the default"],
  [{ specialCharacterSet: "!" }, "", "specialCharacterSet", 'Must be "", the'],
  [{ length: 29 }, "minlength: 30", "length", "Must be from 30 to 128 with"],
  [{ length: 20 }, "maxlength: 12", "length", "Must be from 1 to 12 with"],
  [{ excludeCharacters: "9876543210" }, "", "excludeCharacters", "Must leave"],
  [{ beginWithLetter: true }, "", "beginWithLetter", "allow no letter"],
  [
    { beginWithLetter: true, length: 1 },
    "required: digit; allowed: lower",
    "beginWithLetter",
    "Must be false: with a letter first",
  ],
  [
    { beginWithLetter: true, length: 2 },
    "required: digit; required: lower; required: [!]",
    "passwordRules",
    "Fewer than 1 in 64",
  ],
  [{}, ";", "passwordRules", "at character 17."],
  [
    { excludeAmbiguous: true },
    "required: lower; required: [0O1]",
    "passwordRules",
    "excludeAmbiguous leaves out",
  ],
  [
    {},
    [..."ABC2345"].map((c) => `required: [${c}]; `).join("") +
    "required: [AB]",
    "passwordRules",
    "another required set; got 7.",
  ],
  [
    { length: 1 },
    "required: lower; required: [5]",
    "passwordRules",
    "above all number 2.",
  ],
  [
    { length: 64 },
    "max-repeating: 1",
    "passwordRules",
    ": max-repeating (or",
  ],
  [
    { length: 32 },
    "max-sequential: 1",
    "passwordRules",
    ": max-sequential (or",
  ],
  [
    { length: 32 },
    "max-consecutive: 1",
    "passwordRules",
    "max-repeating and max-seq",
  ],
  [
    { length: 40, count: 100 },
    "max-repeating: 1",
    "count",
    "Must be at most ",
  ],
] as [object, rules: string, name: string, text: string][]).map((
  [body, rules, name, text],
) => [{ ...body, passwordRules: `allowed: digit; ${rules}` }, name, text]);

const MESSAGES: Readonly<Record<Kind, readonly Row[]>> = {
  characters: [
    [{ ...BINARY, numbers: false }, "$", "At least one of"],
    [
      { specialCharacterSet: "|", excludeAmbiguous: true },
      "specialCharacterSet",
      "a character that excludeAmbiguous does not leave out",
    ],
    [
      { minimumLowercase: 10, minimumNumbers: 11, minimumUppercase: 0 },
      "minimumLowercase minimumNumbers",
      "Must be less, or length at least 21, the sum of the minima.",
    ],
    [
      { minimumNumbers: 1, numbers: false, lowercase: false },
      "minimumNumbers",
      "Must be 0 when numbers is false.",
    ],
    [
      { ...HALF, minimumSpecialCharacters: 6 },
      "minimumSpecialCharacters",
      "Must be at most 5, the number of special characters",
    ],
    [
      { ...HALF, minimumUppercase: 6 },
      "minimumUppercase",
      "Must be at most 5, together",
    ],
    [
      { ...HALF, minimumNumbers: 5, beginWithLetter: true },
      "beginWithLetter",
      "Must be false: 10 digits",
    ],
    [
      { ...DIGITS, beginWithLetter: true },
      "beginWithLetter",
      "lowercase, uppercase and swedishCharacters are false",
    ],
    [
      { excludeCharacters: "0123456789" },
      "excludeCharacters",
      "a character of numbers.",
    ],
    [
      { excludeCharacters: "23456789", excludeAmbiguous: true },
      "excludeCharacters",
      "numbers, besides those that excludeAmbiguous leaves out",
    ],
    [
      { ...RUNS, specialCharacterPercentage: 20 },
      LIMITS,
      "Must be unset with a specialCharacterPercentage.",
    ],
    [
      { ...RUNS, minimumLowercase: 2, minimumUppercase: 1 },
      LIMITS,
      "must be unset if both cases are on",
    ],
    [
      { ...BINARY, length: 8, maximumRepeating: 1 },
      "maximumRepeating",
      "Must be greater: fewer than 1 in 64 passwords of 8 char",
    ],
    [
      { groupLength: 5, excludeCharacters: "a-" },
      "groupLength",
      "Must be unset: the hyphen",
    ],
    [
      { minimumEntropy: 512, ...BINARY },
      "minimumEntropy",
      "Must be at most 128 with these settings: they reach 128.00 bits, with length 128.",
    ],
    ...RULES,
  ],
  words: [
    [
      { wordCount: 1, numberPosition: "between" },
      "numberPosition",
      'Must be "before" or "after"',
    ],
    ...PHRASES,
  ],
  sentence: PHRASES,
};

Deno.test("a request whose fields do not fit together is told what to change", () => {
  for (const [kind, rows] of Object.entries(MESSAGES)) {
    for (const [body, names, text] of rows) {
      const { errors = {} } = API[`/api/pwgen/${kind}`]!.passwords(body);
      for (const name of names.split(" ")) {
        const [message = "", ...others] = errors[name] ?? [];
        const where = `${kind} ${JSON.stringify(body)}: ${message}`;
        assert(message.includes(text), where);
        assertEquals(others, [], where);
      }
    }
  }
});

const SETS = [..."abcdef"].map((c) => `required: [${c}2];`.repeat(9));
const LONG = { length: 128, minimumNumbers: 32, minimumSpecialCharacters: 32 };
const UNCOUNTABLE: Row[] = [
  [
    { length: 128, passwordRules: SETS.join("") },
    "passwordRules",
    "required less often",
  ],
  [{ ...LONG, maximumRepeating: 2 }, "maximumRepeating", "Must be unset"],
  [{ ...LONG, ...RUNS }, LIMITS, "Must be unset, or the minima smaller"],
];

Deno.test("what nobody can count is refused for each field to change", () => {
  for (const [body, names, text] of UNCOUNTABLE) {
    const { errors = {} } = API["/api/pwgen/characters"]!.passwords(body);
    assertEquals(Object.keys(errors), names.split(" "));
    for (const [message] of Object.values(errors)) {
      assert(message!.includes(text), message);
      assert(message!.includes("cannot be counted in time"), message);
    }
  }
});

/** The bounds that a message states. */
function boundsIn(message: string): Record<string, number> {
  const patterns = {
    minimum: /^Must be (?:at least|from) (\d+)/,
    maximum: /^Must be (?:at most|from \d+ to) (\d+)/,
    length: /\blength at least (\d+)/,
  };
  const found = Object.entries(patterns)
    .map(([name, pattern]) => [name, pattern.exec(message)?.[1]] as const)
    .filter(([, number]) => number !== undefined);
  const bounds = found.map(([name, number]) => [name, Number(number)]);
  return message.includes(" 0 when ")
    ? { maximum: 0 }
    : Object.fromEntries(bounds);
}

Deno.test("a problem about several fields has a reason for each, and the bounds of its message", async () => {
  const { properties } = DESCRIPTION.components.schemas["FieldLimit"]!;
  // No list of the service leaves out a length between two others.
  const reasons = new Set<unknown>(["noLength"]);
  const rows = Object.entries(MESSAGES).flatMap(([kind, rows]) =>
    rows.map(([body]) => [kind, body] as const)
  ).concat(UNCOUNTABLE.map(([body]) => ["characters", body]));
  for (const [kind, body] of rows) {
    const path = `/api/pwgen/${kind}`;
    const response = await ask(path, postInit(body));
    const text = await response.text();
    assertDescribed(response, text, path, "POST");
    const { errors, limits } = JSON.parse(text);
    assertEquals(Object.keys(limits), Object.keys(errors), text);
    for (const [name, [message]] of Object.entries<[string]>(errors)) {
      const { reason, ...bounds } = limits[name];
      assertEquals(bounds, boundsIn(message), text);
      reasons.add(reason);
    }
  }
  assertEquals(reasons, new Set(properties!["reason"]!.enum));
});

Deno.test("a problem has no limit for a field whose value by itself is not allowed", async () => {
  const rules = { passwordRules: "maxlength: 12" };
  const rows: [body: object, names?: string[]][] = [
    [{ length: 129 }],
    [{ ...rules, length: null }],
    [{ ...rules, length: "x", numbers: false }, ["numbers"]],
  ];
  for (const [body, names] of rows) {
    const response = await ask("/api/pwgen/characters", postInit(body));
    const { errors, limits } = await response.json();
    assert(errors.length.length > 0);
    assertEquals(limits && Object.keys(limits), names);
  }
});

Deno.test("no message repeats passwordRules", () => {
  const canary = "hunter";
  const texts = [`${canary}: 8`, `minlength: ${canary}`, `required: ${canary}`]
    .concat(`required: [${canary}`, `required: [${canary}-]`, canary)
    .concat(`allowed: [${canary}]; max-repeating: 1; minlength: 40`)
    .concat([...canary, "s", "-"].map((c) => `required: [${c}]`).join(";"));
  for (const passwordRules of texts) {
    const { errors } = API["/api/pwgen/characters"]!.passwords({
      passwordRules,
    });
    assertEquals(Object.keys(errors!), ["passwordRules"]);
    assert(!JSON.stringify(errors).includes(canary), passwordRules);
  }
});
