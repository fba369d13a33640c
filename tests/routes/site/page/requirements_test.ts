import { assert, assertEquals } from "@std/assert";
import { readRequirements } from "../../../../routes/site/page/requirements.js";
import { post } from "../../../helpers/service.ts";
import { timeOf } from "../../../helpers/statistics.ts";

const RULE = 'minlength: 8; required: lower, [-"&]; max-consecutive: 2;';
const QUOTED = RULE.replace('"', "&quot;").replace("&]", "&#38;]");

/** What each text means, and what is not read of it. */
const READ: [
  text: string,
  body: Record<string, string | number>,
  unread?: string[],
][] = [
  [` ${RULE}\n`, { passwordRules: RULE }],
  ["required: upper;\nallowed:[a]]", {
    passwordRules: "required: upper;\nallowed:[a]]",
  }],
  [`"password-rules": ${JSON.stringify(RULE)},`, { passwordRules: RULE }],
  [`<input type="password" passwordrules="${QUOTED}">`, {
    passwordRules: RULE,
  }],
  [`<INPUT PASSWORDRULES='${QUOTED}' minlength=3 maxlength = "16"/>`, {
    passwordRules: `${RULE} minlength: 3; maxlength: 16;`,
  }],
  ['<input minlength="6"\n  maxlength=12 required>', { length: 12 }],
  ["<input minlength=30>", { length: 30 }],
  ["<input maxlength=999>", { length: 20 }],
  ['<input maxlength="9" pattern="[a-z>]+" title="a, b">', { length: 9 }, [
    'pattern="[a-z>]+"',
    'title="a, b"',
  ]],
  ["<input maxlength=9 maxlength=10 minlength=x>", { length: 9 }, [
    'minlength="x"',
  ]],
];

Deno.test("readRequirements() reads rules, lines and elements, for passwords that the API makes", async () => {
  for (const [text, body, unread = []] of READ) {
    assertEquals(readRequirements(text), { body, unread }, text);
    const response = await post("/api/pwgen/characters", body);
    const { password } = await response.json();
    assertEquals(response.status, 200, text);
    if (body.length) assertEquals(password.length, body.length);
    if (text.includes("max")) assert(password.length <= 20, text);
  }
});

Deno.test("readRequirements() reads nothing else, and returns it", () => {
  const texts = [
    "8–20 characters, at least one capital and one digit",
    "required: 8 characters",
    "minlength: 8; required: letters;",
    ";",
    "allowed: [",
    `"password-rules": ${JSON.stringify(RULE)}, "other": 1`,
    '"password-rules": "8 characters"',
    '"password-rules": 8',
    "<input>",
    "<input minlength=8",
    `<label>Password <input minlength=8></label>`,
    `required: [${"a".repeat(1000)}];`,
  ];
  for (const text of texts) {
    assertEquals(readRequirements(text), { body: undefined, unread: [text] });
  }
  const elements: Record<string, string[]> = {
    "<input minlength=9 maxlength=8>": ['minlength="9"', 'maxlength="8"'],
    "<input minlength=129>": ['minlength="129"'],
    "<input passwordrules='x' maxlength=8>": ['passwordrules="x"'],
    // Nobody knows what the site means by it.
    "<input passwordrules='allowed: [&unknown;]'>": [
      'passwordrules="allowed: [&unknown;]"',
    ],
  };
  for (const [text, unread] of Object.entries(elements)) {
    assertEquals(readRequirements(text), { body: undefined, unread });
  }
  assertEquals(readRequirements(" \n").unread, []);
  const long = "required: upper;".padEnd(4001, " x");
  assertEquals(readRequirements(long).body, undefined);
});

Deno.test("readRequirements() searches no text again and again", () => {
  const starts = ["", "required: ", "allowed: [", "<input ", "<input a="];
  const parts = [" ", "a", "[", "]", ",", ";", '"', "'", "=", "&", "a ", "[]"];
  parts.push("[a],", "a=", 'a="', "&#1", "minlength:", ": ", "upper, ", "\n");
  for (const start of starts) {
    for (const part of parts) {
      const time = (length: number) =>
        timeOf(() =>
          readRequirements(start + part.repeat(length / part.length) + "x")
        );
      // Ten times the length takes 10 times as long, or 100 times if the growth
      // is quadratic. A busy machine needs several attempts.
      const isLinear = () => time(3900) < 40 * Math.max(time(390), 0.01);
      assert(Array(10).keys().some(isLinear), `${start}${part}`);
    }
  }
});
