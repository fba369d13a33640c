import { assert, assertEquals, assertMatch } from "@std/assert";
import { API } from "../../../routes/api/mod.ts";
import { LANGUAGES } from "../../../wordlists/mod.ts";
import { exactBits } from "../../helpers/entropy.ts";
import { readRules } from "../../helpers/password_rules.ts";
import {
  post,
  postInit,
  readErrors,
  readPassword,
  readPasswords,
  service,
} from "../../helpers/service.ts";
import { countByLength } from "../../helpers/strings.ts";
import { expectedPhrases } from "../../oracle.ts";

const KINDS = ["characters", "words", "sentence"];
const CHARACTERS = "/api/pwgen/characters";
const TEXT = { accept: "text/plain" };

Deno.test("count: each endpoint responds with so many passwords", async () => {
  for (const kind of KINDS) {
    const path = `/api/pwgen/${kind}`;
    for (const count of [1, "1", 2, "5", 37, 1e2, "100"]) {
      const passwords = await readPasswords(await post(path, { count }), kind);
      assertEquals(passwords.length, Number(count));
      // Two of the weakest, 46 bits, are equal once in 2^34 runs.
      assertEquals(new Set(passwords).size, passwords.length);
    }
    // The response has no `passwords`.
    await readPassword(await post(path, {}), kind);
  }
});

Deno.test("count: the response as text has a line for each password", async () => {
  for (const kind of KINDS) {
    const path = `/api/pwgen/${kind}`;
    for (const count of [1, "3", 100]) {
      const response = await post(path, { count, separator: " " }, TEXT);
      const text = await response.text();
      const type = response.headers.get("content-type");
      assertEquals(type, "text/plain; charset=utf-8");
      assert(text.endsWith("\n"), text);
      const lines = text.slice(0, -1).split("\n");
      assertEquals(lines.length, Number(count));
      for (const line of lines) assertMatch(line, /^\S.{11,}\S$/);
    }
    const text = await (await post(path, {}, TEXT)).text();
    assertMatch(text, /^\S{12,}$/);
    assert(!text.endsWith("\n"));
  }
});

Deno.test("count: a request is one for the rate limit", async () => {
  const { handler } = await service("--rate-limit=2");
  const statuses = [];
  for (let i = 0; i < 3; i++) {
    const init = postInit({ count: 100 });
    const request = new Request(`http://localhost${CHARACTERS}`, init);
    const { status, headers } = await handler(request, "192.0.2.1");
    statuses.push([status, headers.get("ratelimit")]);
  }
  assertEquals(statuses, [
    [200, '"default";r=1;t=60'],
    [200, '"default";r=0;t=60'],
    [429, '"default";r=0;t=60'],
  ]);
});

Deno.test("count: Entropy-Bits is that of each password", async () => {
  const language = "en" as const;
  const numberPosition = "before" as const;
  const passphrase = { language, numberPosition, numberLength: 2 };
  const pin = { length: 4, uppercase: false, lowercase: false };
  const cases: [string, object, bigint][] = [
    ["characters", { ...pin, specialCharacters: false }, 10n ** 4n],
    [
      "words",
      passphrase,
      expectedPhrases({ ...passphrase, wordCount: 4 }).count,
    ],
    ["sentence", passphrase, expectedPhrases(passphrase).count],
  ];
  for (const [kind, body, number] of cases) {
    for (const count of [undefined, 1, 100]) {
      for (const headers of [{}, TEXT]) {
        const path = `/api/pwgen/${kind}`;
        const response = await post(path, { ...body, count }, headers);
        await response.text();
        const bits = response.headers.get("entropy-bits");
        assertEquals(bits, exactBits(number));
      }
    }
  }
});

Deno.test("count: passwords may repeat", async () => {
  const body = {
    ...{ length: 1, lowercase: false, uppercase: false },
    ...{ specialCharacters: false, count: 100 },
  };
  const digits = await readPasswords(
    await post(CHARACTERS, body),
    "characters",
  );
  for (const digit of digits) assertMatch(digit, /^\d$/);
  assert(new Set(digits).size > 1);
});

Deno.test("count: each password meets the settings", async () => {
  const read = async (kind: string, body: object) =>
    await readPasswords(await post(`/api/pwgen/${kind}`, body), kind);
  const count = 100;
  const cases: [kind: string, body: object, RegExp][] = [
    [
      "characters",
      {
        passwordRules:
          "minlength: 8; maxlength: 10; required: upper; required: digit; allowed: [-]; max-consecutive: 1",
      },
      /^(?=.*[A-Z])(?=.*\d)(?!.*(.)\1)[-A-Z0-9]{10}$/,
    ],
    [
      "characters",
      {
        ...{ length: 12, specialCharacterPercentage: 25, numbers: false },
        ...{ specialCharacterSet: '"' },
      },
      /^(?=.*[a-z])(?=.*[A-Z])(?=(?:[^"]*"){3}[^"]*$)[a-zA-Z"]{12}$/,
    ],
    [
      "characters",
      { length: 1, minimumEntropy: 20, excludeAmbiguous: true },
      /^(?=.*[a-km-z])(?=.*[A-HJ-NP-Z])(?=.*[2-9])(?!.*[0O1lI|]).{4}$/,
    ],
    [
      "words",
      {
        ...{ language: "en", wordCount: 3, numberLength: 0 },
        ...{ separator: "-", maximumLength: 16, casing: "lower" },
      },
      /^(?=.{1,16}$)[a-z]+(-[a-z]+){2}$/,
    ],
    [
      "sentence",
      { replaceSwedishCharacters: true, minimumEntropy: 60, casing: "upper" },
      /^\d{6,}[A-Z]+$/,
    ],
  ];
  for (const [kind, body, pattern] of cases) {
    const passwords = await read(kind, { ...body, count });
    assertEquals(passwords.length, count);
    for (const password of passwords) assertMatch(password, pattern);
  }
});

/** Checks that a request may ask for `most` passwords, and not for one more. */
async function assertMost(body: object, most: number): Promise<void> {
  const where = JSON.stringify(body);
  assert(most >= 1 && most < 100, `${most} ${where}`);
  for (const [count, headers] of [[most, {}], [String(most), TEXT]] as const) {
    const response = await post(CHARACTERS, { ...body, count }, headers);
    assertEquals(response.status, 200, where);
    await response.text();
  }
  for (const count of [most + 1, String(most + 1), 100]) {
    const response = await post(CHARACTERS, { ...body, count });
    const errors = await readErrors(response, CHARACTERS, "count");
    const message = `Must be at most ${most} with these settings.`;
    assertEquals(errors, { count: [message] });
  }
  await readPassword(await post(CHARACTERS, body), "characters");
}

Deno.test("count: 30,000 characters are drawn at most, with exact borders", async () => {
  // The strings with one of each class among all strings; each of 5 characters.
  const worst = {
    ...{ length: 5, swedishCharacters: true, specialCharacterSet: "!" },
  };
  const most = 30_000n * (120n * 26n * 26n * 10n * 6n) / (5n * 69n ** 5n);
  assertEquals(most, 18n);
  await assertMost(worst, 18);
  const unambiguous = 30_000n * (120n * 25n * 24n * 8n * 6n) /
    (5n * 64n ** 5n);
  await assertMost({ ...worst, excludeAmbiguous: true }, Number(unambiguous));
});

Deno.test("count: passwordRules that few strings meet allow fewer passwords", async () => {
  const lower = "allowed: lower; max-repeating: 1";
  const cases = [
    // One string in 61 has no two equal characters in a row.
    [106, `minlength: 106; ${lower}`, 0],
    // 26 * 25^102 is more than 2^475, and 26 * 25^101 is less.
    [103, lower, 475],
    [128, "minlength: 128; allowed: digit; max-consecutive: 2", 0],
    [
      32,
      "minlength: 32; required: [!]; required: [-]; required: [1]; allowed: ascii-printable",
      0,
    ],
  ] as const;
  const limits = [];
  for (const [length, passwordRules, minimumEntropy] of cases) {
    const { allowed: characters, ...rules } = readRules(passwordRules)!;
    const count = countByLength({ ...rules, characters }, length)[length]!;
    const all = BigInt(characters.length) ** BigInt(length);
    const most = Number(30_000n * count / (BigInt(length) * all));
    await assertMost({ passwordRules, minimumEntropy }, most);
    limits.push(most);
  }
  assertEquals(limits, [4, 5, 10, 23]);
});

Deno.test("count: words and sentences never reach the limit", () => {
  for (const language of LANGUAGES) {
    for (const kind of ["words", "sentence"]) {
      const { passwords } = API[`/api/pwgen/${kind}`]!;
      const settings = {
        ...{ language, wordCount: 10, numberPosition: "all" },
        ...{ numberLength: 12, separator: "-", count: 100 },
      };
      for (const maximumLength of [0, 256]) {
        const result = passwords({ ...settings, maximumLength });
        assert(!result.errors);
        assertEquals(result.drawnCharacters, undefined);
      }
    }
  }
});

Deno.test("count: errors of it and of other fields are reported together", async () => {
  for (const kind of KINDS) {
    const path = `/api/pwgen/${kind}`;
    const body = { count: 101, minimumEntropy: -1 };
    const errors = await readErrors(
      await post(path, body),
      path,
      "count",
      "minimumEntropy",
    );
    assertEquals(errors.count, [
      "Must be an integer from 1 to 100, or a string that holds one; got an integer out of range.",
    ]);
  }
  // How many are possible depends on the length, which another error leaves open.
  const narrow = { length: 5, specialCharacterSet: "!", count: 100 };
  const five = { ...narrow, swedishCharacters: true };
  await readErrors(await post(CHARACTERS, five), CHARACTERS, "count");
  const more = { ...five, minimumEntropy: 1000 };
  await readErrors(await post(CHARACTERS, more), CHARACTERS, "minimumEntropy");
  const none = await post(CHARACTERS, {
    ...five,
    length: 128,
    minimumEntropy: 512,
  });
  assertEquals((await readPasswords(none, "characters")).length, 100);
});

Deno.test("count: a problem is the same for a client that prefers text", async () => {
  const response = await post(CHARACTERS, { count: 0 }, TEXT);
  await readErrors(response, CHARACTERS, "count");
});
