import { assert, assertEquals } from "@std/assert";
import { generate } from "../../../cli/generate.ts";
import { randomBody } from "../../helpers/bodies.ts";
import {
  CLASS_NAMES,
  type Kind,
  KINDS,
  outcome,
  TABLES,
} from "../../oracle.ts";
import { cases, checkParts, withRandom } from "../../helpers/random.ts";
import { JSON_TYPE, post, readErrors } from "../../helpers/service.ts";

/**
 * Published rules of different shapes, from
 * https://github.com/apple/password-manager-resources (quirks/password-rules.json).
 */
const PUBLISHED: Record<string, string> = {
  "ubisoft.com":
    "minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: [-]; required: [!@#$%^&*()+];",
  "ebrap.org":
    "minlength: 15; required: lower; required: lower; required: upper; required: upper; required: digit; required: digit; required: [-!@#$%^&*()_+|~=`{}[:\";'?,./.]]; required: [-!@#$%^&*()_+|~=`{}[:\";'?,./.]];",
  "poste.it":
    "minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; required: digit; required: special;",
  "guardiananytime.com":
    "minlength: 8; maxlength: 50; max-consecutive: 2; required: lower; required: upper; required: digit, [-~!@#$%^&*_+=`|(){}[:;,.?]];",
  "aeon.co.jp":
    "minlength: 8; maxlength: 8; max-consecutive: 3; required: digit; required: upper,lower,[#$+./:=?@[^_|~]];",
  "amundi-ee.com":
    "minlength: 6; maxlength: 6; allowed: digit; max-consecutive: 3;",
  "vivo.com.br": "maxlength: 6; max-consecutive: 3; allowed: digit;",
  "dkb.de":
    "minlength: 8; maxlength: 38; required: lower, upper; required: digit; allowed: [-äüöÄÜÖß!$%&/()=?+#,.:];",
  "posteo.de":
    'minlength: 8; required: lower; required: upper; required: digit, [-~!#$%&_+=|(){}[:;"’<>,.? ]];',
  "unito.it":
    "minlength: 8; required: upper; required: lower; required: digit; required: [-!?+*/:;'\"{}()@£$%&=^#[]];",
  "carmax.com":
    "minlength: 8; maxlength: 64; required: upper,lower; required: digit; allowed: [@$!%*#?&^'_+=;:,.~/\\|{}()[\\]];",
  "walmart.com":
    "allowed: lower, upper, digit, [-(~!@#$%^&*_+=`|(){}[:;\"'<>,.?]];",
  "allianz.com.br": "minlength: 4; maxlength: 4;",
  "benjerry.com":
    "required: upper; required: upper; required: digit; required: digit; required: special; required: special; allowed: lower;",
  "savemart.com":
    "minlength: 8; maxlength: 12; required: digit; required: upper,lower; required: [!#$%&@]; allowed: ascii-printable;",
  "gamestop.com":
    "minlength: 8; maxlength: 225; required: lower; required: upper; required: digit; required: [!@#$%];",
  "robinhood.com": "minlength: 10;",
  "verizonwireless.com":
    "minlength: 8; maxlength: 20; required: lower, upper; required: digit; allowed: unicode;",
  "priceline.com":
    "required: upper; required: lower; required: digit; required: [!@#$%^&*()]; minlength: 12;",
};

const RUNS = { maximumRepeating: 2, maximumSequential: 2 };
const DIGITS = { lowercase: false, uppercase: false, specialCharacters: false };
const BINARY = { ...DIGITS, excludeCharacters: "23456789" };

/** Settings of characters at the border of what fits together. */
const BORDERS: Record<string, unknown>[] = [
  Object.fromEntries(CLASS_NAMES.map((name) => [name, false])),
  // A percentage without special characters has no effect, and one case has two.
  { specialCharacterPercentage: 20, specialCharacters: false, ...RUNS },
  { minimumLowercase: 2, uppercase: false, ...RUNS },
  { minimumLowercase: 2, maximumRepeating: 2 },
  { length: 20, minimumNumbers: 6, minimumUppercase: 6, maximumRepeating: 1 },
  // 2 strings of 128 or 256, and no run of 2 follows another in "09".
  { ...BINARY, length: 7, maximumRepeating: 1 },
  { ...BINARY, length: 8, maximumRepeating: 1 },
  { ...BINARY, length: 2, minimumNumbers: 2, ...RUNS },
  { ...BINARY, length: 2, maximumSequential: 1, maximumRepeating: 1 },
  { ...DIGITS, excludeCharacters: "12345678", length: 8, maximumSequential: 1 },
  // Greater lengths need not be counted.
  { minimumNumbers: 20, length: 25, maximumRepeating: 3, minimumEntropy: 80 },
  { groupLength: 5, excludeCharacters: "-", specialCharacters: false },
  { groupLength: 5, specialCharacterSet: "_!" },
  { groupLength: 5, specialCharacterSet: "-" },
  { groupLength: 5, specialCharacterSet: "-|", excludeAmbiguous: true },
  { groupLength: 5, specialCharacterSet: "-!", excludeCharacters: "!" },
  { groupLength: 5, specialCharacterSet: "_!", specialCharacters: false },
  { groupLength: 5, specialCharacterSet: "-!" },
  {
    groupLength: 5,
    specialCharacterPercentage: 50,
    minimumSpecialCharacters: 2,
  },
  // 30,000 characters are drawn for five of them.
  ...[5, 6].map((count) => ({
    passwordRules: "allowed: lower; max-repeating: 1",
    minimumEntropy: 475,
    count,
  })),
  // The bits are a whole number.
  { passwordRules: "allowed: [01]", minimumEntropy: 30 },
];

/** The arguments of the command line for a body; undefined if it has none. */
function argumentsFor(kind: Kind, body: Record<string, unknown>) {
  const args: string[] = [kind];
  for (const [name, value] of Object.entries(body)) {
    if (name === "unknown") continue;
    if (!(name in TABLES[kind])) return undefined; // other spellings
    const flag = name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
    const { type } = TABLES[kind][name]!;
    // On the command line a number is a text.
    if (type === "text" && typeof value !== "string") return undefined;
    if (type === "boolean") {
      if (typeof value !== "boolean") return undefined;
      args.push(value ? `--${flag}` : `--no-${flag}`);
    } else if (typeof value !== "string" && typeof value !== "number") {
      return undefined;
    } else args.push(`--${flag}=${value}`);
  }
  return args;
}

withRandom.test("the API and the command line do what the oracle says", async (random) => {
  // These cause every error, so that the number of random bodies is fixed.
  const fixed: (readonly [Kind, Record<string, unknown>])[] = [
    ...KINDS.flatMap((kind) =>
      Object.keys(TABLES[kind]).map((name) => [kind, { [name]: null }] as const)
    ),
    ...BORDERS.map((body) => ["characters", body] as const),
    // Four words have more bits than five, and six are too long.
    ["words", { maximumLength: 18, minimumEntropy: 512 }],
    ...[..."@!$#%"].map((sign) => {
      const body = {
        separatorSet: `-${sign}`,
        replaceWithSpecialCharacters: true,
      };
      return ["words", body] as const;
    }),
    ...Object.values(PUBLISHED).flatMap((passwordRules) => [
      ["characters", { passwordRules, count: 100 }] as const,
      ["characters", { passwordRules, minimumEntropy: 99 }] as const,
    ]),
  ];
  /** What no request has caused so far. */
  const missing = new Set(
    KINDS.flatMap((kind) =>
      ["none", ...Object.keys(TABLES[kind])].map((name) => `${kind} ${name}`)
    ).concat("characters $"),
  );
  const check = async (kind: Kind, body: Record<string, unknown>) => {
    const where = `${kind} ${JSON.stringify(body)}`;
    const expected = outcome(kind, body);
    const path = `/api/pwgen/${kind}`;
    const response = await post(path, body);
    const copy = response.clone();
    const answer = await response.json();
    const { password, passwords = [password] } = answer;
    const errors = Object.keys(answer.errors ?? {}).sort();
    assertEquals(errors, expected.errors, where);
    for (const name of errors.length > 0 ? errors : ["none"]) {
      missing.delete(`${kind} ${name}`);
    }
    const args = argumentsFor(kind, body);
    const command = args && generate([...args, "--entropy"]);
    const type = response.headers.get("content-type");
    if (errors.length > 0) {
      await readErrors(copy, path, ...expected.errors);
      // The greatest number that a message names is possible, and no greater one.
      for (const name of ["minimumEntropy", "count"]) {
        const [, most] = /^Must be at most (\d+) with these settings/
          .exec(answer.errors[name]?.[0]) ?? [];
        for (const more of most ? [0, 1] : []) {
          const asked = Object.entries(body).map(([each, value]) =>
            RegExp(`^${name}$`, "i").test(each)
              ? [each, +most! + more]
              : [each, value]
          );
          const { errors } = outcome(kind, Object.fromEntries(asked));
          assertEquals(errors.includes(name), more > 0, where);
        }
      }
      assertEquals(response.headers.get("entropy-bits"), null);
      // The command line converts text to a number, as the API does.
      if (command) assertEquals(command.status, 2, where);
      return;
    }
    assertEquals([response.status, type], [200, JSON_TYPE], where);
    // A client of version 1.0.0 knows these members.
    const more = expected.listed === undefined ? [] : ["passwords"];
    const names = ["password", "length", "type", ...more];
    assertEquals(Object.keys(answer), names, where);
    assertEquals(response.headers.get("entropy-bits"), expected.bits, where);
    assertEquals(passwords.length, expected.listed ?? 1, where);
    assertEquals([answer.type, answer.length, passwords[0]], [
      kind,
      password.length,
      password,
    ], where);
    const printed = command?.stdout.split("\n").slice(0, -1) ?? [];
    assertEquals(
      command?.stderr ?? `${expected.bits}\n`,
      `${expected.bits}\n`,
      where,
    );
    if (command) assertEquals(printed.length, passwords.length, where);
    for (const each of [...passwords, ...printed]) {
      assert(expected.permits(each), `${where}: ${each}`);
    }
  };
  for (let i = 0; i < fixed.length + cases(6000); i++) {
    const randomKind = random.pick(KINDS);
    const [kind, body] = fixed[i] ??
      [randomKind, randomBody(random, randomKind)];
    await checkParts(
      Object.entries(body),
      (fields) => check(kind, Object.fromEntries(fields)),
    );
  }
  assertEquals([...missing], []);
});
