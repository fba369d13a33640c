import { assert, assertEquals, assertMatch } from "@std/assert";
import { generate } from "../../../cli/generate.ts";
import {
  characterPasswords,
  type Passwords,
  rulePasswords,
  sentencePasswords,
  wordPasswords,
} from "../../../generators/mod.ts";
import { realisticBodies } from "../../fuzz/realistic.ts";
import { randomBody } from "../../helpers/bodies.ts";
import * as english from "../../../generators/exports/words/en.ts";
import * as englishSentence from "../../../generators/exports/sentence/en.ts";
import * as swedish from "../../../generators/exports/words/sv.ts";
import * as swedishSentence from "../../../generators/exports/sentence/sv.ts";
import { assertBits } from "../../helpers/entropy.ts";
import {
  type CostRefusal,
  costRefusal,
  flagOf,
  type Kind,
  KINDS,
  outcome,
  TABLES,
} from "../../oracle.ts";
import { cases, checkParts, withRandom } from "../../helpers/random.ts";
import { REFUSALS } from "../../helpers/refusals.ts";
import { JSON_TYPE, post, readErrors } from "../../helpers/service.ts";

const RUNS = { maximumRepeating: 2, maximumSequential: 2 };
const DIGITS = { lowercase: false, uppercase: false, specialCharacters: false };
const BINARY = { ...DIGITS, excludeCharacters: "23456789" };

/** Settings of characters at the border of what fits together. */
const BORDERS: Record<string, unknown>[] = [
  // A percentage without special characters has no effect, and one case has two.
  { specialCharacterPercentage: 20, specialCharacters: false, ...RUNS },
  { specialCharacterPercentage: 25, length: 10 }, // a half is rounded up
  { minimumLowercase: 2, uppercase: false, ...RUNS },
  { minimumLowercase: 2, maximumRepeating: 2 },
  { length: 20, minimumNumbers: 6, minimumUppercase: 6, maximumRepeating: 1 },
  // 2 strings of 128 (REFUSALS has 2 of 256), and no run of 2 follows another in "09".
  { ...BINARY, length: 7, maximumRepeating: 1 },
  { ...BINARY, length: 2, minimumNumbers: 2, ...RUNS },
  { ...BINARY, length: 2, maximumSequential: 1, maximumRepeating: 1 },
  { ...DIGITS, excludeCharacters: "12345678", length: 8, maximumSequential: 1 },
  { minimumEntropy: 130 }, // 20 characters have 129.68 bits
  // Greater lengths need not be counted.
  { minimumNumbers: 20, length: 25, maximumRepeating: 3, minimumEntropy: 80 },
  { groupLength: 5, excludeCharacters: "-", specialCharacters: false },
  { groupLength: 5, specialCharacterSet: "_!" },
  { groupLength: 5, specialCharacterSet: "-|", excludeAmbiguous: true },
  { groupLength: 5, specialCharacterSet: "-!", excludeCharacters: "!" },
  { groupLength: 5, specialCharacterSet: "_!", specialCharacters: false },
  { groupLength: 5, specialCharacterSet: "-!" },
  {
    groupLength: 5,
    specialCharacterPercentage: 50,
    minimumSpecialCharacters: 2,
  },
  { ...DIGITS, length: 1, count: 100 }, // passwords may repeat
  // One of 64 and of 65 characters, and 2 of 128 and of 256 strings.
  ...["[!]", "[!#]"].map((more) => ({
    passwordRules: `required: [-]; allowed: lower, upper, digit, ${more}`,
    length: 1,
  })),
  ...["max-repeating: 1", "max-sequential: 1"].flatMap((limit) =>
    [7, 8].map((length) => ({
      passwordRules: `allowed: [ab]; ${limit}`,
      length,
    }))
  ),
  // Six sets, and one that contains two of them, twice.
  {
    passwordRules: [..."abcdef", "ab", "ab"]
      .map((set) => `required: [${set}]; `).join("") + "allowed: lower",
  },
  // The bits are a whole number.
  { passwordRules: "allowed: [01]", minimumEntropy: 30 },
];

/** The arguments of the command line for a body; undefined if it has none. */
function argumentsFor(kind: Kind, body: Record<string, unknown>) {
  const args: string[] = [kind];
  for (const [name, value] of Object.entries(body)) {
    if (name === "unknown") continue;
    if (!(name in TABLES[kind])) return undefined; // other spellings
    const flag = flagOf(name);
    const { type } = TABLES[kind][name]!;
    // On the command line a number is a text.
    if (type === "text" && typeof value !== "string") return undefined;
    if (type === "boolean") {
      if (typeof value !== "boolean") return undefined;
      args.push(value ? flag : flag.replace("--", "--no-"));
    } else if (typeof value !== "string" && typeof value !== "number") {
      return undefined;
    } else args.push(`${flag}=${value}`);
  }
  return args;
}

/** The modules of one language. */
const IN_LANGUAGE = {
  en: { ...english, ...englishSentence },
  sv: { ...swedish, ...swedishSentence },
};

/** The passwords of the library, or its error; undefined if a value is of another type. */
function libraryFor(
  kind: Kind,
  { count: _, unknown: __, ...body }: Record<string, unknown>,
): Passwords | Error | undefined {
  const isTyped = Object.entries(body).every(([name, value]) =>
    typeof value === typeof TABLES[kind][name]?.default
  );
  if (!isTyped) return undefined;
  const { passwordRules = "", ...options } = body;
  // The options of rules are other ones than those of classes.
  const changed = Object.entries(options).filter(([name, value]) =>
    name === "length" || value !== TABLES[kind][name]!.default
  );
  try {
    if (options["language"] === "en" || options["language"] === "sv") {
      const { language, ...others } = options;
      const { wordPasswords, sentencePasswords } = IN_LANGUAGE[language];
      return kind === "words"
        ? wordPasswords(others)
        : sentencePasswords(others);
    }
    if (kind === "words") return wordPasswords(options);
    if (kind === "sentence") return sentencePasswords(options);
    return passwordRules === ""
      ? characterPasswords(options)
      : rulePasswords(String(passwordRules), Object.fromEntries(changed));
  } catch (error) {
    return error as Error;
  }
}

/** A body in which a field has another value, however its name is spelled. */
function withField(
  body: Record<string, unknown>,
  name: string,
  value: number,
): Record<string, unknown> {
  const others = Object.entries(body)
    .filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return Object.fromEntries([...others, [name, value]]);
}

/** A bound that a message names. */
const BOUND =
  /^Must be (?:at most (\d+)|at least (\d+)|from (\d+) to (\d+)) with these/;
/** The size with the most bits. */
const MOST = /they reach (\S+) bits, with (\w+) (\d+)\.$/;

/** Fails unless a bound in a message is possible, and what is beyond it is refused. */
async function checkBounds(
  kind: Kind,
  body: Record<string, unknown>,
  name: string,
  message: string,
): Promise<void> {
  const isRefused = async (value: number) => {
    const changed = withField(body, name, value);
    if (name !== "count") return outcome(kind, changed).errors.includes(name);
    // How many are too many is not in the contract.
    const response = await post(`/api/pwgen/${kind}`, changed);
    const { errors = {} } = await response.json();
    return Object.keys(errors).join() === name;
  };
  const [, most, least, low, high] = BOUND.exec(message) ?? [];
  const bounds = [[low ?? least, -1], [high ?? most, 1]] as const;
  for (const [bound, step] of bounds) {
    if (bound === undefined) continue;
    const where = `${message} ${JSON.stringify(body)}`;
    assert(!await isRefused(Number(bound)), where);
    assert(await isRefused(Number(bound) + step), where);
  }
  const [, bits, option, size] = MOST.exec(message) ?? [];
  if (option === undefined) return;
  const longest = withField(
    withField(body, "minimumEntropy", 0),
    option,
    Number(size),
  );
  assertEquals(outcome(kind, longest).bits, bits, message);
}

withRandom.test("the API, the command line and the library do what the oracle says", async (random) => {
  // These cause every error, so that the number of random bodies is fixed.
  const fixed: (readonly [Kind, Record<string, unknown>])[] = [
    ...KINDS.flatMap((kind) =>
      Object.keys(TABLES[kind]).map((name) => [kind, { [name]: null }] as const)
    ),
    ...BORDERS.map((body) => ["characters", body] as const),
    // Four words have more bits than five, and six are too long.
    ["words", { maximumLength: 18, minimumEntropy: 512 }],
    // Judged as they were sent: more words would be long enough.
    ["words", { wordCount: 1, minimumLength: 30, minimumEntropy: 1 }],
    ["sentence", { numberLength: 0, minimumLength: 64, minimumEntropy: 99 }],
    ...[..."@!$#%"].map((sign) => {
      const body = {
        separatorSet: `-${sign}`,
        replaceWithSpecialCharacters: true,
      };
      return ["words", body] as const;
    }),
  ];
  const realistic = realisticBodies(random, cases(250))
    .map((body) => ["characters", body] as const);
  const served = [...fixed, ...realistic];
  const bodies = [
    ...served,
    ...REFUSALS.map(({ kind, body }) => [kind, body] as const),
  ];
  /** What no request has caused so far. */
  const missing = new Set(
    KINDS.flatMap((kind) =>
      ["none", ...Object.keys(TABLES[kind])].map((name) => `${kind} ${name}`)
    ).concat("characters $"),
  );
  /** Returns for which cost the service refuses a request. */
  const check = async (
    kind: Kind,
    body: Record<string, unknown>,
  ): Promise<CostRefusal | undefined> => {
    const where = `${kind} ${JSON.stringify(body)}`;
    const path = `/api/pwgen/${kind}`;
    const response = await post(path, body);
    const { errors = {}, password, passwords = [password], ...answer } =
      await response.json();
    const asText = await post(path, body, { accept: "text/plain" });
    const args = argumentsFor(kind, body);
    const command = args && generate([...args, "--entropy"]);
    const library = libraryFor(kind, body);
    const refusal = costRefusal(errors);
    const expected = outcome(kind, body, refusal);
    const names = Object.keys(errors).sort();
    assertEquals(names, expected.errors, where);
    for (const name of names.length > 0 ? names : ["none"]) {
      missing.delete(`${kind} ${name}`);
    }
    // A list is one request too.
    assertMatch(response.headers.get("ratelimit")!, /;r=59;/);
    if (names.length > 0) {
      assertEquals(await readErrors(asText, path, ...names), errors);
      assertEquals(response.headers.get("entropy-bits"), null);
      for (const name of names) {
        await checkBounds(kind, body, name, errors[name][0]);
      }
      // The command line converts text to a number, as the API does.
      if (command) assertEquals(command.status, 2, where);
      // The library has no count.
      if (library === undefined || names.includes("count")) return refusal;
      assert(library instanceof Error, where);
      const { message } = library;
      const messages = Object.values<string[]>(errors).flat();
      // What the API alone says of a value, of rules or of two lengths.
      const isOther = messages.some((text) =>
        /; got |, the (default|minimumLength|maximumLength)\b/.test(text)
      );
      const expectedParts = isOther
        ? names.map((name) => name === "$" ? "options" : name)
        : messages;
      const isSame = expectedParts.some((part) => message.includes(part));
      assert(isSame, `${where}: ${message}`);
      return refusal;
    }
    assertEquals(response.status, 200, where);
    assertEquals(response.headers.get("content-type"), JSON_TYPE);
    // A client of version 1.0.0 knows these members, and the password.
    assertEquals(answer, { length: passwords[0].length, type: kind }, where);
    assertEquals(passwords[0], password, where);
    assertEquals(response.headers.get("entropy-bits"), expected.bits, where);
    const count = expected.listed ?? 1;
    const isListed = expected.listed !== undefined;
    const text = await asText.text();
    const lines = isListed ? text.split("\n").slice(0, -1) : [text];
    const printed = command?.stdout.split("\n").slice(0, -1);
    if (command) assertEquals(command.stderr, `${expected.bits}\n`, where);
    if (library instanceof Error) throw library;
    if (library) {
      assertEquals(Object.keys(library), ["bits", "generate"]);
      assertBits(library.bits, expected.count, where);
    }
    const lists = [passwords, lines, ...printed ? [printed] : []];
    for (const list of lists) assertEquals(list.length, count, where);
    const drawn = lists.flat();
    if (library) drawn.push(library.generate());
    for (const each of drawn) {
      assert(expected.permits(each), `${where}: ${each}`);
    }
    // Two of at most 301 are equal with a probability below 2^-48.
    if (Number(expected.bits) > 64) {
      assertEquals(new Set(drawn).size, drawn.length, where);
    }
    return undefined;
  };
  let refused = 0;
  for (let i = 0; i < bodies.length + cases(6000); i++) {
    const randomKind = random.pick(KINDS);
    const [kind, body] = bodies[i] ??
      [randomKind, randomBody(random, randomKind)];
    await checkParts(Object.entries(body), async (fields) => {
      const refusal = await check(kind, Object.fromEntries(fields));
      if (refusal === undefined) return;
      assert(i >= served.length, `${refusal}: ${JSON.stringify(body)}`);
      refused++;
    });
  }
  // What is refused for its cost is rare, whatever a body asks.
  assert(refused < 10 + cases(6000) / 100, `${refused}`);
  assertEquals([...missing], []);
});
