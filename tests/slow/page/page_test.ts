/**
 * What people do on the page, in a real browser: each test is a person with an end.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exactBits, sequences } from "../../helpers/entropy.ts";
import { textsIn } from "../../../routes/site/page/mod.ts";
import { WORDLISTS } from "../../../wordlists/mod.ts";
import { type Kind, KINDS, outcome, type Row, TABLES } from "../../oracle.ts";
import { KEY } from "../../helpers/webdriver.ts";
import { field, INVALID, PASSWORD, PURPOSES, testPage } from "./page.ts";

/** The message of the browser about a request above the limit. */
const TOO_MANY = /api\/pwgen\/\w+ - Failed to load resource: .* 429 /;
/** The form that has the fields of an endpoint, and the purpose that shows it. */
const PURPOSE_OF = {
  characters: "manager",
  words: "remember",
  sentence: "remember",
};

/** The fields that only a program needs. */
const NOT_ON_PAGE = [
  "count",
  "specialCharacterPercentage",
  "replaceWithSpecialCharacters",
];

testPage(
  "gives each purpose its password, and says how strong it is",
  async (page) => {
    await page.hurry();
    const entries = await page.run("return history.length");
    const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS.en;
    const five = exactBits(sequences(...Array(5).fill(words)) * 100n);
    const four = exactBits(sequences(adjectives, nouns, verbs, adverbs) * 100n);
    const cases: [string, RegExp, RegExp][] = [
      [
        "remember",
        /^[a-z]+(-[a-z]+){4}-\d\d$/,
        RegExp(`^Strong · ${parseInt(five)} bits`),
      ],
      ["type", /^(?=.{1,36}$)[a-z]+(-[a-z]+){5}$/, /^Strong · 6\d bits/],
      [
        "site",
        /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w]).{20}$/,
        /^Very strong/,
      ],
      ["pin", /^\d{6}$/, /^PIN · 19 bits · 6 characters$/],
      ["manager", /^[!-~]{20}$/, /^Very strong · 129 bits · 20 characters$/],
    ];
    for (const [purpose, shape, strength] of cases) {
      assertMatch(await page.choose(purpose), shape);
      assertMatch(await page.text("#verdict"), strength);
      assertMatch(await page.next("button New password"), shape);
      // Nobody needs a time that is longer than the age of the universe.
      assertEquals(
        (await page.text("#time")) === "",
        ["manager", "site"].includes(purpose),
      );
    }
    // A site can leak it.
    await page.setNext("spinbutton Length", "11");
    assertMatch(await page.text("#time"), /if a careless site leaks it: /);
    await page.choose("remember");
    const sentence = await page.setNext("combobox Made of", "sentence");
    assertMatch(sentence, /^[a-z]+(-[a-z]+){3}-\d\d$/);
    assertMatch(
      await page.text("#verdict"),
      RegExp(`^For logins that lock · ${parseInt(four)} bits`),
    );
    assertMatch(await page.text("#help"), /weaker than five words/);
    await page.choose("manager");
    assertMatch(
      await page.text("#announcement"),
      /^New password\. Very strong · \d+ bits$/,
    );
    assertEquals(await page.run("return history.length"), entries);
    // Loopback does not leave the machine, so TLS is not missing.
    assertEquals(await page.isVisible("#insecure"), false);
  },
);

/** A valid value that a field does not have now. */
function otherValue(row: Row, current: string | boolean): unknown {
  if (row.type === "boolean") return !current;
  if (row.type === "string") {
    return row.values.find((value) => value !== current && value !== "");
  }
  if (row.type === "text") return row.valid.at(row.maxLength < 200 ? 1 : 3);
  const [low, high] = row.range;
  // No sentence has more than 80 bits, and each minimum must fit.
  if (high === 512) return 70;
  if (low === 0 && high === 128) return 2;
  return Number(current) === high ? low + 1 : high;
}

testPage(
  "sends every setting, and shows a password that it permits",
  async (page) => {
    await page.hurry();
    await page.record();
    let current;
    for (const kind of KINDS) {
      for (const [name, row] of Object.entries(TABLES[kind])) {
        if (NOT_ON_PAGE.includes(name)) {
          assertEquals(await page.texts(`#${kind}-${name}`), []);
          continue;
        }
        const purpose = name === "passwordRules" ? "site" : PURPOSE_OF[kind];
        if (current !== kind + purpose) {
          await page.click(`radio ${PURPOSES[purpose]}`);
          if (kind === "sentence") await page.set("combobox Made of", kind);
          await page.more();
        }
        current = kind + purpose;
        if (name === "swedishCharacters") {
          // Few people who write English can type them.
          assertEquals(await page.isVisible(`#${kind}-${name}`), false);
          await page.click("button Svenska");
          await page.shows("h1", /^Lösenords/);
        }
        if (name.endsWith("SwedishCharacters")) {
          await page.set(field("language"), "sv");
        }
        if (name === "separatorSet") await page.set(field("separator"), "");
        const input = field(name, name === "swedishCharacters" ? "sv" : "en");
        const before = await page.get<string | boolean>(
          input,
          row.type === "boolean" ? "checked" : "value",
        );
        const value = otherValue(row, before);
        const password = await page.setNext(
          input,
          typeof value === "boolean" ? value : String(value),
        );
        const { path, body } = JSON.parse((await page.bodies()).at(-1)!);
        assertEquals(path, kind);
        // A default of the API is not sent.
        const expected = value === row.default ? undefined : value;
        assertEquals(body[name], expected, input);
        const { errors, permits } = outcome(kind as Kind, body);
        assert(
          errors.length === 0 && permits(password),
          `${input}: ${password}`,
        );
        await page.set("[data-found]", before);
        if (name !== "swedishCharacters") continue;
        await page.click("button English");
        await page.shows("h1", /^Password/);
      }
    }
  },
);

testPage({
  name: "names an invalid field and the reason, and leads to it",
  messages: INVALID,
}, async (page) => {
  await page.hurry();
  const length = "spinbutton Length";
  const sent = (await page.requests()).length;
  for (const [i, value] of ["0", "129", "1.5", ""].entries()) {
    await page.set(length, value);
    await page.shows(
      "#message",
      /^Length: Enter a whole number from 1 to 128\.$/,
    );
    assertEquals(await page.get(length, "ariaInvalid"), "true");
    // There is no password for the settings: nothing to copy, and no strength.
    assertEquals(await page.text("#password"), "");
    for (const part of ["#meter", "#time", "#verdict"]) {
      assertEquals(await page.isVisible(part), false, part);
    }
    assertEquals(await page.get("button Copy", "ariaDisabled"), "true");
    await page.setNext(length, String(12 + i));
    assertEquals(await page.text("#message"), "");
  }
  // The page knows the ranges itself.
  assertEquals((await page.requests()).length, sent + 4);
  // What only the API knows stands in the language of the page, with its number.
  await page.choose("remember");
  await page.more();
  await page.set(field("maximumLength"), "12");
  const english = await page.shows("#message", /^Maximum length: Must be/);
  const [min] = /\d+/.exec(english)!;
  await page.click("button Svenska");
  const swedish = await page.shows(
    "#message",
    /^Högsta antal tecken: Så korta/,
  );
  assert(swedish.includes(` minst ${min} tecken`), swedish);
  await page.click("button Högsta antal tecken");
  assertEquals(await page.get(":focus", "name"), "maximumLength");
  await page.setNext(field("maximumLength", "sv"), "");
  const errors: [string, string, string | boolean, RegExp][] = [
    ["remember", "minimumLength", "128", /^Lägsta .*: Så långa .* högst \d+ /],
    ["remember", "minimumEntropy", "512", /: Så starka .* högst \d+ bitar/],
    ["site", "minimumNumbers", "21", /^Minst .*: Så många .* längden 21\.$/],
    ["site", "specialCharacterSet", "åä", /: Ange högst 32/],
    ["site", "excludeCharacters", "0123456789", /: Då finns/],
    ["site", "passwordRules", "8–16 tecken", /: Den går inte .* Töm rutan/],
    ["pin", "numbers", false, /^Välj minst en sorts tecken\.$/],
    ["pin", "minimumLowercase", "1", /: Bara 0 går/],
    ["pin", "beginWithLetter", true, /: Ingen bokstav/],
  ];
  for (const [purpose, name, value, message] of errors) {
    await page.run("scrollTo(0, 0)");
    await page.click(`radio ${textsIn("sv")["purpose.manager"]}`);
    await page.click(`radio ${textsIn("sv")[`purpose.${purpose}`]}`);
    await page.more();
    await page.set(field(name, "sv"), value);
    const shown = await page.shows("#message", message);
    assert(!/must|character/i.test(shown), shown);
    assertEquals(await page.text("#password"), "");
  }
  // What is wrong with a rule stands below it.
  await page.click(`radio ${textsIn("sv")["purpose.manager"]}`);
  await page.click(`radio ${textsIn("sv")["purpose.site"]}`);
  await page.set(field("passwordRules", "sv"), "minlength: x");
  await page.shows("#characters-passwordRules-note", / character \d+\. /);
  assertMatch(
    await page.text("#characters-passwordRules-note [lang=en]"),
    / character \d+\.$/,
  );
});

testPage({
  name: "takes a set of signs without a separator; a line can end after a sign",
  messages: INVALID,
}, async (page) => {
  await page.hurry();
  await page.choose("remember");
  await page.more();
  assertEquals(
    await page.get<boolean>(field("separatorSet"), "disabled"),
    true,
  );
  await page.shows("#words-separatorSet-note", /^Applies only without /);
  await page.setNext(field("separator"), "");
  await page.set(field("separatorSet"), "å-");
  await page.shows("#message", /^A random one .*: Must be at most 16 /);
  await page.click("button Svenska");
  await page.shows("#message", /^Slumpa ett .*: Ange högst 16 /);
  await page.set(field("separatorSet", "sv"), "-_");
  const shape = /^[a-z]+([-_][a-z]+){4}[-_]\d\d$/;
  const password = await page.shows("#password", shape);
  assertEquals(
    await page.texts("#password .part"),
    password.match(/[^-_]+[-_]?/g),
  );
});

testPage({
  name: "shows what is refused in a window of a phone, and no password",
  messages: INVALID,
  size: [390, 700],
}, async (page) => {
  await page.hurry();
  await page.click("radio A site with its own requirements");
  await page.set(field("passwordRules"), "8–16 characters, one of !?#");
  await page.shows("#message", /^Rule for password managers: /);
  assertEquals(await page.text("#password"), "");
  await page.until(
    `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
       document.getElementById("characters-passwordRules-note")
         .getBoundingClientRect())`,
  );
  // Without a first password, there is nothing to say about a list either.
  await page.run("location.reload()");
  await page.shows("#message", /^Rule for password managers: /);
  assertEquals(await page.isVisible("#repeat"), false);
  // What the sentence says can be set.
  await page.setNext(field("passwordRules"), "");
  await page.setNext(
    "spinbutton Length: the longest that the site allows",
    "16",
  );
  const password = await page.setNext(field("specialCharacterSet"), "!?#");
  assertMatch(password, /^(?=.*[!?#])[a-zA-Z\d!?#]{16}$/);
});

testPage({
  name:
    "tries again by itself when the limit is reached, and at once on request",
  env: { PWGEN_RATE_LIMIT: "3", PWGEN_TRUSTED_PROXIES: "loopback" },
  messages: TOO_MANY,
}, async (page) => {
  for (let i = 0; i < 2; i++) await page.next("button New password");
  const password = await page.text("#password");
  await page.click("button New password");
  await page.shows(
    "#message",
    /^Many passwords were asked for from this network/,
  );
  const [seconds] = /\d+/.exec(
    await page.shows("#countdown", /^Trying again in \d+ s\.$/),
  )!;
  assertEquals(await page.text("#password"), password);
  assertEquals(await page.isVisible("#meter"), false);
  const sent = (await page.requests()).length;
  // A setting waits for the service.
  await page.set("spinbutton Length", "30");
  await page.until(
    `parseInt(/\\d+/.exec(document.querySelector("#countdown").textContent)) < ${seconds}`,
  );
  assertEquals((await page.requests()).length, sent);
  // Another network, and the button.
  await page.comesFrom("192.0.2.1");
  assertMatch(await page.next("button New password"), /^.{30}$/);
  for (let i = 0; i < 2; i++) await page.next("button New password");
  await page.click("button New password");
  await page.shows("#countdown");
  // A minute later: the clock of the page is set forward.
  await page.comesFrom("192.0.2.2");
  await page.next(() =>
    page.run(
      "const { now } = performance; performance.now = () => now.call(performance) + 60_000",
    )
  );
});

testPage({
  name: "says what is wrong with the network, and goes on by itself",
  messages: /Failed to load resource|503/,
}, async (page) => {
  await page.hurry();
  const before = await page.text("#password");
  // A person who asks for another one does not keep the copied one.
  await page.permitClipboard();
  assertEquals(await page.copied(), before);
  await page.network({ offline: true });
  await page.click("button New password");
  await page.shows("#message", /^You are not connected/);
  assertEquals(await page.text("#password"), before);
  await page.network({});
  await page.until(`${PASSWORD} !== ${JSON.stringify(before)}`);
  for (
    const [response, message] of [
      ["new Response('', { status: 503 })", /^The service has too much to do/],
      ["Promise.reject(new TypeError())", /^The service is not responding/],
      ["new Response('<p>Log in')", /^The service is not responding/],
      ["new Response('', { status: 500 })", /status 500/],
    ] as const
  ) {
    await page.run(
      `globalThis.real ??= fetch; globalThis.fetch = async () => ${response}`,
    );
    await page.click("button New password");
    await page.shows("#message", message);
    await page.run("globalThis.fetch = real");
    await page.next("button New password");
  }
});

testPage(
  "keeps the last results within reach, until the page is left",
  async (page) => {
    await page.hurry();
    const passwords = [await page.text("#password")];
    const again = async () =>
      passwords.unshift(await page.next("button New password"));
    for (let i = 0; i < 3; i++) await again();
    // They survive another language, with all settings.
    await page.click("button Svenska");
    await page.shows("h1", /^Lösenordsgenerator$/);
    assertEquals(await page.text("#password"), passwords[0]);
    await page.click("button English");
    await page.shows("h1", /^Password generator$/);
    // A batch is a result too, and so is what a button has set.
    await page.click("DisclosureTriangle For several people");
    await page.set(field("count"), "30");
    const batch = await page.list(30);
    await page.set(field("count"), "");
    await page.until(`${PASSWORD} !== ""`);
    passwords.unshift(await page.text("#password"));
    passwords.unshift(await page.choose("type"));
    passwords.unshift(
      await page.next("button 3 words · For logins that lock"),
    );
    const back = () => page.click("button Previous password");
    for (const password of passwords.slice(1, 3)) {
      await back();
      assertEquals(await page.text("#password"), password);
    }
    await back();
    assertEquals(await page.list(30), batch);
    await back();
    assertEquals(await page.text("#password"), passwords[3]);
    assertMatch(
      await page.text("#announcement"),
      /^Password 4 of 8\. Very strong · 129 bits$/,
    );
    for (let i = 4; i < 7; i++) {
      await back();
      assertEquals(await page.text("#password"), passwords[i]);
    }
    assertEquals(
      await page.get("button Previous password", "ariaDisabled"),
      "true",
    );
    for (let i = 0; i < 3; i++) await page.click("button Next password");
    await page.click("button Next password");
    assertEquals(await page.list(30), batch);
    for (let i = 0; i < 3; i++) await page.click("button Next password");
    assertEquals(await page.text("#password"), passwords[0]);
    assertEquals(
      await page.get("button Next password", "ariaDisabled"),
      "true",
    );
    // At most ten, and the one that is shown.
    for (let i = 0; i < 11; i++) await again();
    for (let i = 0; i < 10; i++) await back();
    assertEquals(await page.text("#password"), passwords[10]);
    assertEquals(
      await page.get("button Previous password", "ariaDisabled"),
      "true",
    );
    // Also while a request is on its way.
    await page.hold();
    await page.click("button New password");
    await page.until("document.querySelector('#password').ariaBusy === 'true'");
    await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
    await page.release();
    assertEquals(await page.text("#password"), "");
    assertEquals(await page.text("#spelled"), "");
    assertEquals(
      await page.get("button Previous password", "ariaDisabled"),
      "true",
    );
    await page.run(
      "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    );
    await page.until(PASSWORD);
  },
);

testPage("makes a few requests for twenty quick clicks", async (page) => {
  const sent = (await page.requests()).length;
  const start = await page.run<number>("return performance.now()");
  await page.next(() =>
    page.run(`return (async () => {
      for (let i = 0; i < 20; i++) {
        document.getElementById("new").click();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })()`)
  );
  const requests = (await page.requests()).length - sent;
  // At most two in a second, on a busy machine too.
  const ms = await page.run<number>("return performance.now()") - start;
  assert(requests >= 1 && requests <= 2 + ms / 500, `${requests} in ${ms} ms`);
});

testPage(
  "copies each time, also without a clipboard, or selects",
  async (page) => {
    await page.permitClipboard();
    assertEquals(await page.copied(), await page.text("#password"));
    assertEquals(await page.text("#announcement"), "Copied ✓");
    // The password of a request that is on its way.
    await page.hold();
    await page.set("spinbutton Length", "33");
    await page.click("#copy");
    await page.shows("#announcement", /^Copied when made …$/);
    await page.release();
    await page.until(`${PASSWORD}.length === 33`);
    await page.shows("#announcement", /^Copied ✓$/);
    assertEquals(
      await page.run("return navigator.clipboard.readText()"),
      await page.text("#password"),
    );
    // Over plain HTTP there is no clipboard: the older command copies.
    await page.run(
      `globalThis.read = navigator.clipboard.readText.bind(navigator.clipboard);
     Object.defineProperty(navigator, "clipboard", { value: undefined });
     delete globalThis.ClipboardItem`,
    );
    await page.next("button New password");
    await page.stopTimers();
    await page.click("#copy");
    await page.shows("#copy", /^Copied ✓$/);
    assertEquals(await page.run("return read()"), await page.text("#password"));
    await page.run("document.execCommand = () => false");
    await page.click("#copy");
    await page.shows("#copy", /^Selected: copy it now$/);
    assertEquals(
      await page.run("return getSelection().toString()"),
      await page.text("#password"),
    );
  },
);

testPage(
  "changes its language, and that of words until one is chosen",
  async (page, { url }) => {
    await page.prefer("sv-SE");
    await page.go(`${url}/`);
    await page.until(PASSWORD);
    await page.hurry();
    const title = () => page.get("title", "text");
    const shown = () => page.texts("[data-text]");
    assertEquals(await title(), "Lösenordsgenerator");
    assertEquals(await page.text("#copy"), "Kopiera");
    const byServer = await shown();
    await page.click("button English");
    await page.shows("h1", /^Password generator$/);
    assertEquals(await title(), "Password generator");
    assertEquals(await page.text("#copy"), "Copy");
    assertEquals(await page.get("html", "lang"), "en");
    await page.click("button Svenska");
    await page.shows("h1", /^Lösenords/);
    assertEquals(await title(), "Lösenordsgenerator");
    // The server and the script write the same texts.
    assertEquals(await shown(), byServer);
    // The language of the words is that of the page, until one is chosen; a password
    // that is shown stays.
    const language = () => page.get("#words-language", "value");
    const words = await page.next("radio Att komma ihåg");
    assertEquals(await language(), "sv");
    await page.click("button English");
    await page.shows("h1", /^Password/);
    assertEquals(await page.text("#password"), words);
    const again = async () => {
      await page.next("#app [value=pin]");
      await page.next("#app [value=remember]");
      return await language();
    };
    assertEquals(await again(), "en");
    await page.setNext("combobox Language of the words", "sv");
    assertEquals(await again(), "sv");
  },
);

const NINE_DIGITS = "required: digit; maxlength: 9;";

testPage(
  "keeps purpose, settings and language in the fragment",
  async (page, { url }) => {
    await page.choose("type");
    await page.click("button Svenska");
    await page.shows("h1", /^Lösenords/);
    await page.more();
    await page.set(field("maximumLength", "sv"), "");
    await page.set(field("separator", "sv"), "_");
    const shape = "/^\\p{Ll}+(_\\p{Ll}+){5}$/u";
    await page.until(`${shape}.test(${PASSWORD})`);
    const password = JSON.stringify(await page.text("#password"));
    await page.run("location.reload()");
    await page.until(
      `${shape}.test(${PASSWORD}) && ${PASSWORD} !== ${password}`,
    );
    assertEquals(await page.run("return document.documentElement.lang"), "sv");
    const fragment = new URL(await page.url()).hash.slice(1);
    assertEquals(Object.fromEntries(new URLSearchParams(fragment)), {
      purpose: "type",
      page: "sv",
      maximumLength: "",
      separator: "_",
    });
    // Links of former versions, and what no form takes.
    for (
      const [hash, shape] of [
        [
          "kind=words&page=en&wordCount=99&casing=x&a=<b>&separator=",
          /^[a-z]+\d\d$/,
        ],
        ["page=en", /^[!-~]{20}$/],
        [`kind=rules&passwordRules=${NINE_DIGITS}`, /^\d{9}$/],
        ["purpose=__proto__", /^[!-~]{20}$/],
        ["purpose=many&what=__proto__&count=1", /^[!-~]{20}$/],
        ["purpose=sentence&separator=_", /^[a-z]+(_[a-z]+){3}_\d\d$/],
        ["page=en&kind=sentence", /^[a-z]+(-[a-z]+){3}-\d\d$/],
        ["purpose=many&what=pin&count=1", /^\d{6}$/],
        // As long as the field, and longer.
        [`purpose=site&passwordRules=${NINE_DIGITS.padEnd(1000)}`, /^\d{9}$/],
        [`purpose=site&passwordRules=${NINE_DIGITS.padEnd(1001)}`, /^.{20}$/],
        [`purpose=site&passwordRules=${"[".repeat(100_000)}`, /^.{20}$/],
      ] as const
    ) {
      await page.next(() => page.run("location.hash = arguments[0]", hash));
      await page.until(`/${shape.source}/.test(${PASSWORD})`);
    }
    await page.go(`${url.replace("//", "//name:secret@")}/`);
    await page.shows("#verdict", /^Very strong/);
  },
);

testPage("follows what a site requires", async (page) => {
  await page.hurry();
  await page.click("radio A site with its own requirements");
  await page.setNext(
    "spinbutton Length: the longest that the site allows",
    "12",
  );
  await page.setNext(field("specialCharacters"), false);
  await page.setNext(field("minimumNumbers"), "6");
  await page.setNext(field("excludeCharacters"), "aeiou");
  const password = await page.setNext(field("beginWithLetter"), true);
  assertMatch(password, /^(?=(.*\d){6})[a-zA-Z][^\W_aeiou]{11}$/);
  // A rule replaces the settings for classes, and keeps the others.
  await page.setNext(
    field("passwordRules"),
    "required: [ab1]; maxlength: 15",
  );
  assertMatch(await page.text("#password"), /^b[b1]{11}$/);
  assertEquals(
    await page.get<boolean>(field("minimumNumbers"), "disabled"),
    true,
  );
  assertEquals(
    await page.get<boolean>(field("excludeCharacters"), "disabled"),
    false,
  );
  await page.next(() => page.run("location.reload()"));
  assertMatch(await page.get(field("passwordRules"), "value"), /\[ab1\]/);
});

testPage("lets a person practise, and keeps nothing", async (page) => {
  await page.hurry();
  const password = await page.choose("remember");
  await page.click("DisclosureTriangle Practise it");
  const answer = async (text: string) => {
    await page.click("textbox The password, from memory");
    assertEquals(await page.isVisible("#password"), false);
    await page.set("textbox The password, from memory", text);
    await page.press(KEY.enter);
    return await page.text("#practised");
  };
  assertEquals(await page.isVisible("#which"), false);
  assertEquals(
    await answer(`${password}x`),
    "Not yet. Of another day? Fill in the first field too.",
  );
  const { top, bottom } = await page.run<{ top: number; bottom: number }>(
    "return document.getElementById('practised').getBoundingClientRect()",
  );
  assert(top >= 0 && bottom <= 900, `${top} ${bottom}`);
  assertEquals(await answer(password), "Right: 1 of 3.");
  assertEquals(
    await page.get("textbox The password, from memory", "value"),
    "",
  );
  assertEquals(await answer(password), "Right: 2 of 3.");
  assertMatch(await answer(password), /^Right, three times/);
  // One that was made yesterday: it is hidden, and what is wrong only on request.
  await page.set(
    "textbox A password of another day (empty: the one above)",
    "alpha-bravo-charlie-07",
  );
  assertEquals(
    await answer("alpha-bravo-charly-07"),
    "Not yet. Of another day? Fill in the first field too.",
  );
  await page.click("button What is wrong?");
  assertMatch(await page.text("#practised"), /^Word 3 is wrong/);
  const security = () =>
    page.run(
      "return getComputedStyle(document.getElementById('goal')).webkitTextSecurity",
    );
  assertEquals(await security(), "disc");
  await page.click("button Show again");
  assertEquals(await security(), "none");
  assert(await page.isVisible("#password"));
  assertEquals(await answer("alpha-bravo-charlie-07"), "Right: 1 of 3.");
  assertEquals(await security(), "disc");
  assertEquals(
    await page.run(
      "return [...document.querySelectorAll('#attempt input')].map(({ type, autocomplete, name }) => [type, autocomplete, name])",
    ),
    [["text", "off", ""], ["text", "off", ""]],
  );
  await page.click("h1");
  assert(await page.isVisible("#password"));
  await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  assertEquals(await page.get("#goal", "value"), "");
});

const LOCKS = "For logins that lock";

testPage(
  "makes words stronger by words, and sets sizes by buttons",
  async (page) => {
    await page.hurry();
    await page.choose("remember");
    await page.setNext("combobox Made of", "sentence");
    const five = await page.next(() =>
      page.click("button Stronger: five words")
    );
    assertMatch(five, /^[a-z]+(-[a-z]+){4}-\d\d$/);
    assertMatch(await page.text("#verdict"), /^Strong/);
    assertEquals(await page.isVisible("#stronger"), false);
    await page.click("DisclosureTriangle For several people");
    for (const language of ["en", "sv"]) {
      await page.choose("type");
      await page.set("combobox Language of the words", language);
      for (
        const [count, verdict] of [[3, LOCKS], [4, LOCKS], [6, "Strong"]]
      ) {
        const words = RegExp(`^[a-z]+(-[a-z]+){${Number(count) - 1}}$`);
        await page.click(`button ${count} words · ${verdict}`);
        await page.until(
          `${words}.test(${PASSWORD}) && !document.querySelector(".busy")`,
        );
        assertMatch(await page.text("#verdict"), RegExp(`^${verdict}`));
      }
      // A listener writes what is said, so no letter is replaced.
      await page.set(field("count"), "50");
      await page.until("document.querySelectorAll('#list tr').length === 50");
      for (const each of await page.texts("#list .text")) {
        assertMatch(each, /^[a-z]+(-[a-z]+){5}$/);
      }
      assertEquals(
        await page.get<boolean>("#words-replaceSwedishCharacters", "checked"),
        false,
      );
      await page.setNext(field("count"), "");
      await page.choose("pin");
    }
    await page.choose("type");
    await page.next(() => page.click("button 4 words · For logins that lock"));
    const more = await page.next(() =>
      page.click("button Stronger: one more word")
    );
    assertMatch(more, /^[a-z]+(-[a-z]+){4}$/);
    await page.choose("pin");
    for (const digits of [4, 8, 6]) {
      const pin = await page.next(() => page.click(`button ${digits} digits`));
      assertMatch(pin, RegExp(`^\\d{${digits}}$`));
      assertEquals(await page.texts("#sizes [aria-pressed=true]"), [
        `${digits} digits`,
      ]);
    }
    // One password repeats none.
    await page.more();
    await page.setNext("spinbutton Length", "1");
    assertEquals(await page.isVisible("#repeat"), false);
    await page.choose("manager"); // a single digit stands in every address
  },
);

testPage({
  name: "says that it waits on a slow line, and asks once",
  messages: /Failed to load resource/,
}, async (page) => {
  const sent = async () =>
    (await page.requests()).filter((each) => each.startsWith("POST")).length;
  await page.hold();
  const before = await sent();
  const password = await page.text("#password");
  await page.click("button New password");
  await page.shows("#making", /^Making a password …$/);
  await page.run(`return (async () => {
    for (let i = 0; i < 5; i++) {
      document.getElementById("new").click();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })()`);
  await page.release();
  await page.until(`${PASSWORD} !== ${JSON.stringify(password)}`);
  assertEquals(await page.text("#making"), "");
  assertEquals(await sent(), before + 1);
  // The first one too: an empty card would look broken.
  await page.reloadAndHold();
  await page.until(
    `document.readyState !== "loading" && ${PASSWORD} === "" &&
     document.getElementById("making").checkVisibility({ visibilityProperty: true })`,
  );
  await page.release();
  await page.until(PASSWORD);
  // Nothing is made for a value that is not valid.
  await page.click("button New password");
  await page.set("spinbutton Length", "0");
  await page.shows("#message", /^Length: /);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assertEquals(await page.text("#making"), "");
  await page.setNext("spinbutton Length", "20");
  // A connection that is lost once is nobody's concern.
  await page.run(
    `const send = fetch;
     globalThis.fetch = () => {
       globalThis.fetch = send;
       return Promise.reject(new TypeError());
     }`,
  );
  await page.next("button New password");
  assertEquals(await page.text("#message"), "");
});
