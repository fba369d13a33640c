/**
 * What the page says and offers in a state, without a browser.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { card } from "../../../../routes/site/page/card.js";
import { curlOf } from "../../../../routes/site/page/curl.js";
import { fieldsOf, setFields } from "../../../../routes/site/page/fields.js";
import { form } from "../../../../routes/site/page/form.js";
import { declarations } from "../../../../routes/site/page/forms.ts";
import {
  fragmentOf,
  readFragment,
} from "../../../../routes/site/page/fragment.js";
import { setTexts } from "../../../../routes/site/page/language.js";
import {
  type PageLanguage,
  textsIn,
} from "../../../../routes/site/page/languages.ts";
import { NAMES } from "../../../../routes/site/page/purposes.js";
import {
  requestOf,
  settingsFor,
  stepped,
  withValue,
} from "../../../../routes/site/page/settings.js";
import { emptyState } from "../../../../routes/site/page/state.js";
import { durationOf } from "../../../../routes/site/page/strength.js";
import { wifi } from "../../../../routes/site/page/wifi.js";
import * as encoder from "../../../../routes/site/page/qr.js";
import { end, onUnix, spawn } from "../../../helpers/program.ts";
import { post } from "../../../helpers/service.ts";

setFields(declarations());
speak("en");

function speak(language: PageLanguage): void {
  setTexts(language, textsIn(language));
}

/** The state for a fragment, with other changes. */
function stateFor(hash: string, changes = {}) {
  const { settings, unknown } = readFragment(hash);
  const wanted = requestOf(settings);
  return { ...emptyState(), settings, wanted, unknown, ...changes };
}

/** The state after a password was made for a fragment. */
function madeFor(hash: string, password: string, bits: number, changes = {}) {
  const state = stateFor(hash);
  const shown = { request: state.wanted, password, bits, stepped: "" };
  return { ...state, shown, turn: 1, ...changes };
}

/** The text of a content. */
function plain(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(plain).join("");
  return plain((content as { content: unknown }).content);
}

/** The texts of a region, by the ids of their elements. */
const textsOf = (region: ReturnType<typeof card>) =>
  Object.fromEntries(
    Object.entries(region).filter(([, { text }]) => text !== undefined)
      .map(([id, { text }]) => [id, plain(text)]),
  );

Deno.test("card() says how strong a password is, what the bits mean, and where it is of use", () => {
  const rows: [password: string, bits: number, RegExp, RegExp][] = [
    ["a-b-c", 129.2, /^New password: Very strong · 129 bits · 5 char/, /^$/],
    ["a-b-c", 67.9, /: Strong · 67 bits · /, /^$/],
    ["abc", 56, /: Fair · 56 bits · /, /^$/],
    ["abc", 45, /: For logins that lock · 45 bits · /, /^Enough for an acc/],
    ["123456", 19.9, /: PIN · 19 bits · 6 char/, /^Good only where guesses/],
    ["abc", 19, /: Weak · 19 bits · /, /^A computer tries all of them/],
  ];
  for (const [password, bits, verdict, warning] of rows) {
    const texts = textsOf(card(madeFor("", password, bits)));
    assertMatch(texts["verdict"]!, verdict);
    assertMatch(texts["warning"]!, warning);
    // One number everywhere.
    const number = Math.floor(bits);
    assertEquals(texts["how"], `What does “${number} bits” mean?`);
  }
  const { calculation } = textsOf(card(madeFor("", "abc", 70)));
  assertMatch(
    calculation!,
    /^.*2⁷⁰ .*careless site.* 19 years\. .*: 19 million/,
  );
  const durations = [1, 40, 47, 52, 57, 62, 200]
    .map((bits) => durationOf(bits, "careful", "sv"));
  assertEquals(durations.slice(0, 2), ["instant", "6,4 dygn"]);
  assertEquals(durations.at(-1), "forever");
});

Deno.test("card() has nothing to copy for what is refused, hidden is hidden, and waiting keeps its room", () => {
  const made = madeFor("", "secret", 50);
  const refused = card({ ...made, ...wrong("length", "0") });
  assertEquals(refused["copy"]!.ariaDisabled, "true");
  assertEquals(refused["single"]!.hidden, true);
  assertEquals(refused["bits"]!.hidden, true);
  assert(!JSON.stringify(refused).includes("secret"));
  const hidden = card({ ...made, isHidden: true });
  assert(!JSON.stringify(hidden).includes("secret"));
  assertEquals(hidden["whole"]!.text, "Password hidden");
  assertEquals(hidden["hide"]!.ariaLabel, "Show password");
  assertEquals(hidden["copy"]!.ariaDisabled, "false");
  // Dots do not show that the password is another one.
  const isSeen = (hiddenTurn: number) =>
    JSON.stringify(card({ ...made, isHidden: true, hiddenTurn })["verdict"])
      .includes('"className":""');
  assertEquals([isSeen(made.turn), isSeen(made.turn - 1)], [false, true]);
  const waits = card({ ...made, isBusy: true, isSlow: true });
  assertEquals(plain(waits["verdict"]!.text), "Making a password …");
  assertEquals(waits["copy"]!.ariaDisabled, "false");
  // The same password is said once, another one anew.
  const key = (turn: number) =>
    JSON.stringify(card({ ...made, turn })["verdict"]);
  assertEquals(key(1), key(1));
  assert(key(1) !== key(2));
  assertMatch(
    plain(card({ ...made, isUndone: true })["verdict"]!.text),
    /^Undone: /,
  );
});

Deno.test("card() lets a line end after a word, its sign and its digits", () => {
  const hash = "purpose=remember&separator=&separatorSet=-_";
  const { password } = card(madeFor(hash, "ab-cd_ef9gh", 50));
  const parts = (password!.text as unknown[]).map(plain);
  assertEquals(parts, ["ab-", "cd_", "ef9", "gh"]);
});

/** A state whose field has a value that a person has entered. */
function wrong(name: string, value: string | boolean, hash = "") {
  const settings = withValue(stateFor(hash).settings, name, value);
  return stateFor("", { settings, wanted: requestOf(settings) });
}

Deno.test("form() names a number out of its range, and leads to it", () => {
  for (const preset of NAMES) {
    const { settings, wanted } = stateFor(`purpose=${preset}`);
    for (const [name, field] of Object.entries(fieldsOf(wanted.path))) {
      if (
        !field.range ||
        requestOf(settings).body[name] === undefined && name !== "length"
      ) continue;
      const [min, max] = field.range;
      for (const value of [`${max + 1}`, "1.5", "1e1", "-1", "x", `${min}x`]) {
        const state = wrong(name, value, `purpose=${preset}`);
        const region = form(state);
        const message = `Enter a whole number from ${min} to ${max}.`;
        const label = textsIn("en")[name];
        assertEquals(plain(region["message"]!.text), `${label}: ${message}`);
        const id = `${wanted.path}-${name}`;
        assert(JSON.stringify(region["message"]).includes(`"href":"#${id}"`));
        assertEquals(region[id]!.ariaInvalid, "true");
        assertEquals(region[id]!.value, value);
        assertEquals(region[`${id}-note`]!.className, "error");
        // A link with it would be no link to these settings.
        assertEquals(fragmentOf(state.settings), `purpose=${preset}`);
      }
    }
  }
  // A number that nobody needs can be empty.
  assertEquals(wrong("length", "").wanted.errors.length, 1);
  assertEquals(wrong("minimumNumbers", "").wanted.errors, []);
});

Deno.test("form() says what the API refuses, in the language of the page, with its numbers", () => {
  const settings = withValue(
    stateFor("purpose=remember").settings,
    "maximumLength",
    "12",
  );
  const wanted = requestOf(settings);
  const problem = {
    error: "fields",
    request: wanted,
    errors: { maximumLength: ["Must be at least 14."] },
    limits: { maximumLength: { reason: "tooShort", minimum: 14 } },
  };
  const state = stateFor("", { settings, wanted, problem });
  const message = () => plain(form(state)["message"]!.text);
  assertEquals(message(), "Maximum length: Must be at least 14.");
  speak("sv");
  assertMatch(message(), /^Högsta antal tecken: Så korta .* minst 14 tecken/);
  speak("en");
  // It belongs to these settings only.
  const other = { ...state, wanted: requestOf(stateFor("").settings) };
  assertEquals(plain(form(other)["message"]!.text), "");
  for (
    const [error, expected] of [
      ["limit", /^Many passwords were asked for from this network/],
      ["busy", /^The service has too much to do/],
      ["offline", /^You are not connected/],
      ["unreachable", /^The service is not responding/],
      ["failed", /status 500/],
    ] as const
  ) {
    const failed = stateFor("", {
      problem: { error, status: 500 },
      seconds: 7,
    });
    assertMatch(plain(form(failed)["message"]!.text), expected);
    assertEquals(form(failed)["countdown"]!.text, "Trying again in 7 s.");
  }
});

Deno.test("form() says how signs are read, and what leaving out letters means", () => {
  const rows: [name: string, value: string, RegExp, sent?: string][] = [
    ["excludeCharacters", "aei", /^This leaves out the letters a, e, i too/],
    ["excludeCharacters", "1", /^å, ä and ö never occur\.$/],
    ["specialCharacterSet", "! , @ , #", /^Read as ! @ #, without/, "!@#"],
    ["specialCharacterSet", "!,@#", /^For example/, "!,@#"],
    ["specialCharacterSet", "!,@,!", /^! stands twice\./],
  ];
  for (const [name, value, note, sent] of rows) {
    const state = wrong(name, value, "purpose=site");
    assertMatch(plain(form(state)[`characters-${name}-note`]!.text), note);
    if (sent) assertEquals(state.wanted.body[name], sent);
  }
  const ignored = form(stateFor("purpose=remember"));
  assertEquals(ignored["words-separatorSet"]!.disabled, true);
  assertMatch(
    plain(ignored["words-separatorSet-note"]!.text),
    /^Applies only without /,
  );
  const without = form(stateFor("purpose=remember&separator="));
  assertEquals(without["words-separatorSet"]!.disabled, false);
});

Deno.test("stepped() ends at the range, and short words stay short", () => {
  let settings = stateFor("purpose=type").settings;
  const sizes =
    () => [settings.values.wordCount, settings.values.maximumLength];
  const step = (difference: number) => {
    const value = stepped(settings, "wordCount", difference);
    settings = withValue(settings, "wordCount", value);
    return sizes();
  };
  assertEquals(step(1), ["7", "42"]);
  // After a reload too.
  settings = readFragment(fragmentOf(settings)).settings;
  settings = withValue(settings, "wordCount", "");
  settings = withValue(settings, "wordCount", "3");
  assertEquals(sizes(), ["3", "18"]);
  for (let i = 0; i < 9; i++) step(-1);
  assertEquals(sizes(), ["1", "6"]);
  assertEquals(form(stateFor("", { settings }))["words-wordCount-less"], {
    ariaDisabled: "true",
  });
  for (let i = 0; i < 12; i++) step(1);
  assertEquals(sizes(), ["10", "60"]);
});

Deno.test("the language of the words is that of the page until one is chosen", () => {
  const settings = stateFor("purpose=remember").settings;
  assertEquals(settings.values.language, "en");
  assertEquals(fragmentOf(settings), "purpose=remember");
  const chosen = withValue(settings, "language", "en");
  assertEquals(fragmentOf(chosen), "purpose=remember&language=en");
  speak("sv");
  const link = (from: typeof settings) =>
    readFragment(fragmentOf(from)).settings;
  assertEquals(link(settings).values.language, "sv");
  assertEquals(link(chosen).values.language, "en");
  const pin = settingsFor("pin", null, link(chosen));
  assertEquals(settingsFor("remember", null, pin).values.language, "en");
  speak("en");
});

/** The rule that 1.2 made of what a person had ticked, and a longer one. */
const RULE = encodeURIComponent("minlength: 8; required: lower; maxlength: 9;");
const LONG_RULE = encodeURIComponent(`required: digit;${" ".repeat(984)}`);

/**
 * Fragments as each version wrote them: the passwords, and what the page says that it
 * does not have.
 */
const FRAGMENTS: [version: string, hash: string, RegExp, unknown?: string][] = [
  ["1.0", "", /^[!-~]{20}$/],
  ["1.1", "kind=characters&page=en&length=8", /^[!-~]{8}$/],
  ["1.1", "kind=words&page=en&separator=&wordCount=3", /^[a-z]+\d\d$/],
  ["1.1", "kind=sentence&page=en", /^[a-z]+(-[a-z]+){3}-\d\d$/],
  [
    "1.1",
    "kind=characters&page=en&length=9&specialCharacterPercentage=20",
    /^[!-~]{9}$/,
    "specialCharacterPercentage",
  ],
  [
    "1.1",
    "kind=words&page=en&replaceWithSpecialCharacters=true",
    /^[a-z]+(-[a-z]+){4}-\d\d$/,
    "replaceWithSpecialCharacters",
  ],
  ["1.2", "purpose=many&page=en&what=pin&count=1", /^\d{6}$/],
  ["1.2", "purpose=many&page=en&what=type&count=3", /^[a-z]+(-[a-z]+){5}$/],
  ["1.2", "purpose=sentence&separator=_", /^[a-z]+(_[a-z]+){3}_\d\d$/],
  [
    "1.2",
    `purpose=site&page=en&passwordRules=${RULE}&length=12&count=2`,
    /^[!-~]{12}$/,
    "passwordRules",
  ],
  ["1.2", `kind=rules&passwordRules=${RULE}`, /^[!-~]{20}$/, "passwordRules"],
  ["1.3", "purpose=pupil&page=en", /^[a-z]+(-[a-z]+){2}-\d\d$/],
  ["1.3", "purpose=wifi&page=en&count=2", /^([a-z]+\d){4}[a-z]+$/],
  ["1.3", "purpose=entra&page=en", /^[a-zA-Z][!-~]{15}$/],
  ["1.3", "purpose=google&page=en&length=14", /^[a-zA-Z][!-~]{13}$/],
  ["1.3", "purpose=rds&page=en", /^[!-~]{20}$/, "rds"],
  ["1.3", "purpose=oracle&page=en&length=25", /^[!-~]{25}$/, "oracle"],
  ["1.3", "purpose=azure&page=en", /^[!-~]{20}$/, "azure"],
  [
    "1.3",
    `purpose=site&page=en&passwordRules=${LONG_RULE}&specialCharacterSet=-`,
    /^[-\w]{20}$/,
    "passwordRules",
  ],
  ["1.4", "purpose=connection&page=en", /^[!-~]{20}$/, "connection"],
  [
    "1.4",
    "purpose=pupil&page=en&under=remember&language=en&separator=.",
    /^[a-z]+(\.[a-z]+){2}\.\d\d$/,
  ],
  // What no version wrote, and no page takes.
  [
    "none",
    "purpose=remember&wordCount=99&casing=x",
    /^[a-z]+(-[a-z]+){4}-\d\d$/,
    "wordCount, casing",
  ],
  [
    "none",
    `purpose=site&excludeCharacters=${"[".repeat(100_000)}`,
    /^[!-~]{20}$/,
    "excludeCharacters",
  ],
  ["none", "purpose=__proto__", /^[!-~]{20}$/, "__proto__"],
  ["none", "purpose=many&what=__proto__&count=1", /^[!-~]{20}$/, "many"],
  ["none", "purpose=pin&Call+555+now=<b>", /^\d{6}$/, "…"],
];

Deno.test("readFragment() follows a link of each former version, and form() says what it does not have", async () => {
  for (const [version, hash, shape, unknown] of FRAGMENTS) {
    const state = stateFor(`#${hash}`);
    const { path, body } = state.wanted;
    const response = await post(`/api/pwgen/${path}`, body);
    assertMatch((await response.json()).password, shape, `${version} ${hash}`);
    const said = unknown === undefined
      ? ""
      : `The password does not follow this part of the link: ${unknown}.`;
    assertEquals(form(state)["unknown"]!.text, said);
    // It is over when a person changes something.
    const isTouched = true;
    assertEquals(form({ ...state, isTouched })["unknown"]!.text, "");
    // The link of this version leads to the same.
    const again = readFragment(fragmentOf(state.settings));
    assertEquals([again.settings, again.unknown], [state.settings, []]);
  }
  // A choice of two purposes stays under the one where it was made.
  const { settings } = readFragment("purpose=pupil&under=remember");
  assertEquals(settings.purpose, "remember");
});

Deno.test("wifi() draws a code, or says why there is none", () => {
  const rows: [network: string, password: string, changes: object, RegExp][] = [
    ["Café", "lamp-1-river", {}, /^Set this password in the router/],
    ["", "lamp-1-river", {}, /^For a code that phones scan/],
    ["å".repeat(17), "lamp-1-river", {}, /^No code: the name is too long/],
    ["Café", "short", {}, /^No code: a Wi-Fi password has 8 to 63/],
    ["Café", "x".repeat(64), {}, /^No code: a Wi-Fi password has 8 to 63/],
    ["Café\\", "lamp-1-river", {}, /^No code: phones misread/],
    ["Café", "lamp-1-river", { isHidden: true }, /^The code has the password/],
    [";".repeat(32), ";".repeat(63), {}, /^No code: the name and the password/],
    ["Café", "lamp-1-river", { encoder: "wifi.loading" }, /^Making the code/],
  ];
  for (const [i, [network, password, changes, note]] of rows.entries()) {
    const state = madeFor("purpose=wifi", password, 70, {
      network,
      encoder,
      ...changes,
    });
    const region = wifi(state);
    assertMatch(plain(region["ssid-note"]!.text), note);
    assertEquals(region["code-box"]!.hidden, i > 0);
    // What is printed for another purpose is no network.
    const pin = stateFor("purpose=pin").settings;
    assertEquals(wifi({ ...state, settings: pin })["wifi"]!.hidden, true);
  }
});

onUnix.test("curlOf() writes one line that a shell sends as it stands", async () => {
  const signs = String.fromCharCode(
    ...Array.from({ length: 95 }, (_, i) => 32 + i),
  ) + "åäö'\"\\";
  const url = "https://example.org/it's/api/pwgen/characters";
  const line = curlOf(url, { excludeCharacters: signs });
  assert(!line.includes("\n"));
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const { stdout } = await end(spawn("sh", ["-c", script]));
  const sent = stdout.split("\0");
  assertEquals(sent.slice(0, 3), ["-X", "POST", url]);
  assertEquals(JSON.parse(sent.at(-2)!), { excludeCharacters: signs });
});
