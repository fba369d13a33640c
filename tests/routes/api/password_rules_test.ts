import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Passwords } from "../../../generators/passwords.ts";
import { API } from "../../../routes/api/mod.ts";
import { drawsOf } from "../../helpers/draws.ts";
import { exactBits } from "../../helpers/entropy.ts";
import { readRules } from "../../helpers/password_rules.ts";
import {
  post,
  readErrors,
  readPassword,
  readPasswords,
} from "../../helpers/service.ts";
import { outcome } from "../../oracle.ts";
import { countByLength, meets } from "../../helpers/strings.ts";

const PATH = "/api/pwgen/characters";

/**
 * Published rules of different shapes, from
 * https://github.com/apple/password-manager-resources (quirks/password-rules.json).
 */
const PUBLISHED: Record<string, string> = {
  "ubisoft.com":
    "minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: [-]; required: [!@#$%^&*()+];",
  "ebrap.org":
    "minlength: 15; required: lower; required: lower; required: upper; required: upper; required: digit; required: digit; required: [-!@#$%^&*()_+|~=`{}[:\";'?,./.]]; required: [-!@#$%^&*()_+|~=`{}[:\";'?,./.]];",
  "vanguard.com":
    "minlength: 8; maxlength: 20; required: lower; required: upper; required: digit; required: digit; required: special;",
  "poste.it":
    "minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; required: digit; required: special;",
  "lepida.it":
    "minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; required: digit; required: [-!\"#$%&'()*+,.:;<=>?@[^_`{|}~]];",
  "citi.com":
    "minlength: 8; maxlength: 64; max-consecutive: 2; required: digit; required: upper; required: lower; required: [-~`!@#$%^&*()_\\/|];",
  "chase.com":
    "minlength: 8; maxlength: 32; max-consecutive: 2; required: lower, upper; required: digit; required: [!#$%+/=@~];",
  "maybank2u.com.my":
    "minlength: 8; maxlength: 12; max-consecutive: 2; required: lower; required: upper; required: digit; required: [-~!@#$%^&*_+=`|(){}[:;\"'<>,.?];",
  "guardiananytime.com":
    "minlength: 8; maxlength: 50; max-consecutive: 2; required: lower; required: upper; required: digit, [-~!@#$%^&*_+=`|(){}[:;,.?]];",
  "bochk.com":
    "minlength: 8; maxlength: 12; max-consecutive: 3; required: lower; required: upper; required: digit; allowed: [#$%&()*+,.:;<=>?@_];",
  "aeon.co.jp":
    "minlength: 8; maxlength: 8; max-consecutive: 3; required: digit; required: upper,lower,[#$+./:=?@[^_|~]];",
  "amundi-ee.com":
    "minlength: 6; maxlength: 6; allowed: digit; max-consecutive: 3;",
  "turkishairlines.com":
    "minlength: 6; maxlength: 6; required: digit; max-consecutive: 3;",
  "vivo.com.br": "maxlength: 6; max-consecutive: 3; allowed: digit;",
  "lowes.com":
    "minlength: 8; maxlength: 128; max-consecutive: 3; required: lower, upper; required: digit;",
  "bankofamerica.com":
    "minlength: 8; maxlength: 20; max-consecutive: 3; required: lower; required: upper; required: digit; allowed: [-@#*()+={}/?~;,._];",
  "americanexpress.com":
    "minlength: 8; maxlength: 20; max-consecutive: 4; required: lower, upper; required: digit; allowed: [%&_?#=];",
  "zoom.us":
    "minlength: 8; maxlength: 32; max-consecutive: 6; required: lower; required: upper; required: digit;",
  "stayhealthy.at":
    "minlength: 8; maxlength: 32; max-consecutive: 6; required: lower; required: upper; required: digit;",
  "sony.com":
    "minlength: 8; maxlength: 30; max-consecutive: 2; required: lower, upper; required: digit; allowed: [-!@#^&*=+;:];",
  "aetna.com":
    "minlength: 8; maxlength: 20; max-consecutive: 2; required: upper; required: digit; allowed: lower, [-_&#@];",
  "axa.de":
    "minlength: 8; maxlength: 65; required: lower; required: upper; required: digit; allowed: [-!\"§$%&/()=?;:_+*'#];",
  "dkb.de":
    "minlength: 8; maxlength: 38; required: lower, upper; required: digit; allowed: [-äüöÄÜÖß!$%&/()=?+#,.:];",
  "posteo.de":
    'minlength: 8; required: lower; required: upper; required: digit, [-~!#$%&_+=|(){}[:;"’<>,.? ]];',
  "unito.it":
    "minlength: 8; required: upper; required: lower; required: digit; required: [-!?+*/:;'\"{}()@£$%&=^#[]];",
  "kundenportal.edeka-smart.de":
    'minlength: 8; maxlength: 16; required: digit; required: upper, lower; required: [!"§$%&#];',
  "tdscpc.gov.in":
    "minlength: 8; maxlength: 15; required: lower; required: upper; required: digit; required: [ &',;\"];",
  "bkvenergy.com":
    "minlength: 8; maxlength: 12; required: upper; required: lower; required: digit; required: [-~!@#$%^&*()_=+,<.> ];",
  "ototoy.jp": "minlength: 8; allowed: upper,lower,digit,[- .=_];",
  "admiral.com":
    "minlength: 8; required: digit; required: [- !\"#$&'()*+,.:;<=>?@[^_`{|}~]]; allowed: lower, upper;",
  "carmax.com":
    "minlength: 8; maxlength: 64; required: upper,lower; required: digit; allowed: [@$!%*#?&^'_+=;:,.~/\\|{}()[\\]];",
  "vince.com":
    "minlength: 8; required: digit; required: lower; required: upper; required: [$%/(){}=?!.,_*|+~#[]];",
  "target.com":
    "minlength: 8; maxlength: 20; required: lower, upper; required: digit, [-!\"#$%&'()*+,./:;=?@[\\^_`{|}~];",
  "google.com":
    "minlength: 8; allowed: lower, upper, digit, [-!\"#$%&'()*+,./:;<=>?@[^_{|}~]];",
  "walmart.com":
    "allowed: lower, upper, digit, [-(~!@#$%^&*_+=`|(){}[:;\"'<>,.?]];",
  "inntopia.travel":
    "minlength: 7; maxlength: 19; required: digit; allowed: upper,lower,[-];",
  "easyjet.com":
    "minlength: 6; maxlength: 20; required: lower; required: upper; required: digit; required: [-];",
  "allianz.com.br": "minlength: 4; maxlength: 4;",
  "bpl.bibliocommons.com": "minlength: 4; maxlength: 4; required: digit;",
  "pixnet.cc": "minlength: 4; maxlength: 16; allowed: lower, upper;",
  "benjerry.com":
    "required: upper; required: upper; required: digit; required: digit; required: special; required: special; allowed: lower;",
  "kiwibank.co.nz":
    "minlength: 6; maxlength: 15; required: digit; required: digit; required: upper,lower; required: upper,lower;",
  "savemart.com":
    "minlength: 8; maxlength: 12; required: digit; required: upper,lower; required: [!#$%&@]; allowed: ascii-printable;",
  "netflix.com":
    "minlength: 4; maxlength: 60; required: lower, upper, digit; allowed: special;",
  "deutsche-bank.de":
    "minlength: 5; maxlength: 5; required: lower, upper, digit;",
  "bestbuy.com":
    "minlength: 20; required: lower; required: upper; required: digit; required: special;",
  "gamestop.com":
    "minlength: 8; maxlength: 225; required: lower; required: upper; required: digit; required: [!@#$%];",
  "robinhood.com": "minlength: 10;",
  "verizonwireless.com":
    "minlength: 8; maxlength: 20; required: lower, upper; required: digit; allowed: unicode;",
  "clegc-gckey.gc.ca":
    "minlength: 8; maxlength: 16; required: lower, upper, digit;",
  "hetzner.com":
    "minlength: 8; required: lower; required: upper; required: digit; required: [-^!$%/()=?+#.,;:~*@{}_&[]];",
  "speedway.com": "minlength: 4; maxlength: 8; required: digit;",
  "priceline.com":
    "required: upper; required: lower; required: digit; required: [!@#$%^&*()]; minlength: 12;",
};

Deno.test(`${PATH}: 200 passwords meet each of the published rules, and their number is exact`, async () => {
  assert(Object.keys(PUBLISHED).length >= 40);
  for (const [site, passwordRules] of Object.entries(PUBLISHED)) {
    const { bits, permits } = outcome("characters", { passwordRules });
    const responses = [1, 99, 100].map((count) =>
      post(PATH, { passwordRules, count })
    );
    for (const response of await Promise.all(responses)) {
      assertEquals(response.headers.get("entropy-bits"), bits, site);
      for (const password of await readPasswords(response, "characters")) {
        assert(permits(password), `${site}: ${password}`);
      }
    }
  }
});

/** The password for a request. */
async function password(body: unknown): Promise<string> {
  return await readPassword(await post(PATH, body), "characters");
}

/** The only message for a field, after a request with an error in this field only. */
async function errorOf(field: string, body: unknown): Promise<string> {
  const errors = await readErrors(await post(PATH, body), PATH, field);
  assertEquals(errors[field]!.length, 1);
  return errors[field]![0]!;
}

Deno.test(`${PATH} refuses fields for classes beside passwordRules, unless they have their defaults`, async () => {
  const defaults = {
    ...{ lowercase: true, uppercase: true, numbers: true },
    ...{ specialCharacters: true, swedishCharacters: false },
    ...{ specialCharacterPercentage: 0, specialCharacterSet: "" },
  };
  const others = {
    ...{ lowercase: false, uppercase: false, numbers: false },
    ...{ specialCharacters: false, swedishCharacters: true },
    ...{ specialCharacterPercentage: 1, specialCharacterSet: "!" },
  };
  const passwordRules = "required: lower; allowed: digit";
  await password({ ...defaults, passwordRules });
  await password({ specialCharacterPercentage: "0", passwordRules });
  for (const [name, value] of Object.entries(others)) {
    const body = { ...defaults, passwordRules, [name]: value };
    const expected = JSON.stringify(defaults[name as keyof typeof defaults]);
    assertEquals(
      await errorOf(name, body),
      `Must be ${expected}, the default, with passwordRules.`,
    );
  }
  // All at once, also with errors in the rules and the length.
  const response = await post(PATH, { ...others, passwordRules });
  await readErrors(response, PATH, ...Object.keys(others));
  await readErrors(
    await post(PATH, { ...others, length: 0, passwordRules: ";" }),
    PATH,
    ...["length", "passwordRules", ...Object.keys(others)],
  );
  // Rules with no meaning could replace the classes.
  const noClass = { ...others, swedishCharacters: false, passwordRules: null };
  assertStringIncludes(
    await errorOf("passwordRules", noClass),
    "got null",
  );
});

Deno.test(`${PATH} raises and lowers a length that is not sent to the passwordRules`, async () => {
  const lengths: [string, number | string | undefined, number][] = [
    ["minlength: 30", undefined, 30],
    ["minlength: 30", 30, 30],
    ["minlength: 30", 128, 128],
    ["maxlength: 12", undefined, 12],
    ["maxlength: 12", 1, 1],
    ["minlength: 8; maxlength: 40", undefined, 20],
    ["minlength: 8; maxlength: 40", 40, 40],
    ["maxlength: 500", 128, 128],
    ["minlength: 128; maxlength: 129", undefined, 128],
    ["allowed: lower", 7, 7],
  ];
  for (const [passwordRules, length, expected] of lengths) {
    assertEquals((await password({ passwordRules, length })).length, expected);
  }
  const wrong: [string, number | string, number, number][] = [
    ["minlength: 30", 20, 30, 128],
    ["minlength: 30", "20", 30, 128],
    ["maxlength: 12", 20, 1, 12],
    ["minlength: 30", 29, 30, 128],
    ["maxlength: 12", 13, 1, 12],
    ["minlength: 8; maxlength: 40", 7, 8, 40],
    ["minlength: 8; maxlength: 40", 41, 8, 40],
    ["minlength: 8; maxlength: 500", 7, 8, 128],
  ];
  for (const [passwordRules, length, least, most] of wrong) {
    assertEquals(
      await errorOf("length", { passwordRules, length }),
      `Must be from ${least} to ${most} with these passwordRules.`,
    );
  }
});

Deno.test(`${PATH} leaves out the characters that look alike from every set of passwordRules`, async () => {
  const body = (passwordRules: string) => ({
    ...{ passwordRules, excludeAmbiguous: true, length: 64 },
  });
  // Rules with a limit of 8 and 50 characters for each class.
  const drawn = await password(
    body("required: [0Oab]; required: digit; allowed: [|I!]"),
  );
  assertEquals(/[0O1lI|]/.test(drawn), false);
  const rules = {
    ...{ characters: "ab23456789!", required: ["ab", "23456789"] },
  };
  assert(meets(drawn, rules), drawn);
  const response = await post(PATH, body("required: [a0]; required: digit"));
  const count = countByLength(
    { characters: "a23456789", required: ["a", "23456789"] },
    64,
  )[64]!;
  assertEquals(response.headers.get("entropy-bits"), exactBits(count));
  await response.text();
  assertEquals(
    await errorOf("passwordRules", body("required: lower; required: [0O1]")),
    "A required set has only characters that excludeAmbiguous leaves out.",
  );
  assertEquals(
    await errorOf("passwordRules", body("allowed: [lI|]")),
    "No character is allowed.",
  );
  assertEquals(
    await errorOf("passwordRules", { passwordRules: "allowed: []" }),
    "No character is allowed.",
  );
});

Deno.test(`${PATH} takes six required sets, and others that contain one of them`, async () => {
  const six = [..."ABC123"].map((c) => `required: [${c}]`);
  const more = ["required: [ABx]", "required: [-3]", "allowed: [!]"];
  await password({ passwordRules: [...six, ...more].join("; ") });
  assertEquals(
    await errorOf("passwordRules", {
      passwordRules: [...more, ...six, "required: [-!]"].join("; "),
    }),
    "At most 6 sets can be required, besides those that contain another required set; got 7.",
  );
});

Deno.test(`${PATH} refuses passwordRules that fewer than 1 in 64 strings meet, and names the rule`, async () => {
  const narrow = (rule: string, length: number) =>
    `Fewer than 1 in 64 strings of ${length} allowed characters meet the rules: ${rule}.`;
  const sets = (number: number) =>
    `the required sets are too small for this length, above all number ${number}`;
  const limit = (name: string) =>
    `max-${name} (or max-consecutive) is too small for this length`;
  const both =
    "max-repeating and max-sequential (or max-consecutive) are too small for this length";
  const cases: [string, number, string?][] = [
    // One character of 64, and one of 65.
    ["allowed: lower, upper, digit, [_]; required: [-]", 1],
    ["allowed: lower, upper, digit, [_.]; required: [-]", 1, sets(1)],
    ["required: lower; required: digit", 1, sets(2)],
    // 2 strings of 128, and 2 of 256.
    ["allowed: [ax]; max-repeating: 1", 7],
    ["allowed: [ax]; max-repeating: 1", 8, limit("repeating")],
    ["allowed: [ab]; max-sequential: 1", 7],
    ["allowed: [ab]; max-sequential: 1", 8, limit("sequential")],
    [
      "allowed: [abc]; max-consecutive: 1; required: [b]",
      3,
      both,
    ],
    ["allowed: [ab]; max-consecutive: 1", 2, both],
  ];
  for (const [passwordRules, length, rule] of cases) {
    const body = { passwordRules, length };
    if (rule === undefined) await password(body);
    else {
      const message = await errorOf("passwordRules", body);
      assertEquals(message, narrow(rule, length), passwordRules);
    }
  }
});

Deno.test(`${PATH} never repeats passwordRules in an error`, async () => {
  const canary = "hunter";
  const texts = [`${canary}: 8`, `minlength: ${canary}`, `required: ${canary}`]
    .concat(`required: [${canary}`, `required: [${canary}-]`, canary)
    .concat(`allowed: [${canary}]; max-repeating: 1; minlength: 40`)
    .concat([...canary, "s", "-"].map((c) => `required: [${c}]`).join(";"));
  for (const passwordRules of texts) {
    const message = await errorOf("passwordRules", { passwordRules });
    assertEquals(message.includes(canary), false, message);
  }
});

Deno.test(`${PATH} takes 64 tries on average at most for the passwordRules that it accepts`, () => {
  const rules = [
    "allowed: [abdeghjkmnpqstvwyzACDFGIJLMOPRSUV]; max-repeating: 1",
    "allowed: lower, upper; max-sequential: 1",
    "allowed: [a]; required: [b]",
    [..."acegik"].map((c) => `required: [${c}]`).join("; "),
    "required: [-]; allowed: lower, upper, digit, [_]",
  ];
  for (const passwordRules of rules) {
    const { allowed: characters, ...read } = readRules(passwordRules)!;
    const rules = { ...read, characters };
    const size = BigInt(rules.characters.length);
    // The length with the smallest share of at least 1 in 64.
    const shares = countByLength(rules, 128).map((count, length) =>
      Number(count * 10n ** 9n / size ** BigInt(length)) / 1e9
    );
    const least = Math.min(...shares.filter((share) => share >= 1 / 64));
    const length = shares.indexOf(least);
    const { generate } = API[PATH]!.passwords(
      { passwordRules, length, minimumEntropy: 0 },
    ) as Passwords;
    const passwords = 4000;
    const draws = drawsOf(() => {
      for (let i = 0; i < passwords; i++) generate();
    });
    // At most one draw for each character, and blocks of 2,048 draws. The mean of
    // 4,000 numbers of tries is 13 % too large with probability 10^-15.
    const most = 1.13 * 64 * length * passwords + 2048;
    assert(draws <= most, `${passwordRules}: ${draws} of ${most}`);
  }
});
