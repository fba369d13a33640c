import { assert, assertEquals, assertMatch } from "@std/assert";
import { exactBits, sequences } from "../../../helpers/entropy.ts";
import { WORDLISTS } from "../../../../wordlists/mod.ts";
import { Browser, browserTests, KEY } from "../../../helpers/webdriver.ts";

const PASSWORD = "document.querySelector('#password').textContent";

/** A browser that shows the page. */
class Page extends Browser {
  /** Waits until no request is on its way. */
  async isIdle(): Promise<void> {
    await this.until(
      "document.querySelector('#password').ariaBusy === 'false'",
    );
  }

  /** The text in the clipboard, after the page said that it copied. */
  async copied(): Promise<string> {
    await this.shows("#done", /^Copied\.$/);
    return await this.run("return navigator.clipboard.readText()");
  }

  /** Does something, or clicks an element, and waits for the next password. */
  async next(action: string | (() => Promise<unknown>)): Promise<string> {
    const before = JSON.stringify(await this.text("#password"));
    await (typeof action === "string" ? this.click(action) : action());
    return await this.until(`${PASSWORD} !== ${before} && ${PASSWORD}`);
  }

  /** Sends the next requests as another client of a trusted proxy. */
  async comesFrom(address: string): Promise<void> {
    await this.cdp("Network.setExtraHTTPHeaders", {
      headers: { "X-Forwarded-For": address },
    });
  }

  /** Waits until this number of fields is invalid. */
  async hasInvalid(count: number): Promise<void> {
    await this.until(
      `document.querySelectorAll("[aria-invalid]").length === ${count}`,
    );
  }

  /** Sets a field, with the events that the input of a person causes. */
  async set(id: string, value: string | boolean): Promise<void> {
    await this.run(
      `const [id, value] = arguments;
       const input = document.getElementById(id);
       if (typeof value === "boolean") input.checked = value;
       else input.value = value;
       input.dispatchEvent(new Event("input", { bubbles: true }));
       input.dispatchEvent(new Event("change", { bubbles: true }));`,
      id,
      value,
    );
  }

  /** Sets a field, and waits for the next password. */
  setNext(id: string, value: string | boolean): Promise<string> {
    return this.next(() => this.set(id, value));
  }
}

/** Checks that no address, title or attribute has the password. */
async function assertHidden(page: Page): Promise<void> {
  const password = await page.text("#password");
  const places = await page.run<string[]>(
    `return [document.title, location.href,
       document.documentElement.getAttributeNames().join()]`,
  );
  for (const text of places) assert(!password || !text.includes(password));
  // The fragment has the settings, and no request has a fragment.
  assertMatch(places[1]!, /^http:\/\/127\.0\.0\.1:\d+\/(#|$)/);
}

/** The message of the browser about a request above the limit. */
const TOO_MANY = /api\/pwgen\/\w+ - Failed to load resource: .* 429 /;

const testPage = browserTests(Page, "/", PASSWORD, assertHidden);

const PHRASE = /^\d{2}([A-Z][a-z]+){4}$/;

testPage("makes each kind of password and shows its entropy", async (page) => {
  const { words: list, adjectives, nouns, verbs, adverbs } = WORDLISTS.en;
  const words = [list, list, list, list];
  const slots = [adjectives, nouns, verbs, adverbs];
  const kinds: [string, RegExp, string][] = [
    ["characters", /^[!-~]{20}$/, "129.68"],
    ["words", PHRASE, exactBits(sequences(...words) * 100n)],
    ["sentence", PHRASE, exactBits(sequences(...slots) * 100n)],
  ];
  for (const [kind, shape, bits] of kinds) {
    const password = await page.next(`#tab-${kind}`);
    assertMatch(password, shape);
    const whole = Math.floor(Number(bits));
    assertEquals(await page.get("#bits", "innerText"), `${whole} bits`);
    const verdict = await page.get("#verdict", "innerText");
    assertMatch(verdict, /^(Very strong|Strong|Fair): /);
    const time = await page.get("#time", "innerText");
    assertMatch(time, /stolen and poorly protected/i);
    const now = await page.get("#meter", "ariaValueNow");
    assertEquals(Number(now), Math.min(128, whole));
    assertMatch(await page.next("#new"), shape);
  }
  // The empty page of a new window, and this page.
  assertEquals(await page.run("return history.length"), 2);
});

testPage("follows every setting", async (page) => {
  // In order, since each row changes the form of the row before it. A pattern that
  // not every password matches is "likely".
  const settings: [string, string | boolean, RegExp, "likely"?][] = [
    ["characters-length", "128", /^.{128}$/],
    ["characters-length", "40", /^.{40}$/],
    [
      "characters-specialCharacterPercentage",
      "50",
      /^([a-zA-Z0-9]*[^a-zA-Z0-9]){20}[a-zA-Z0-9]*$/,
    ],
    [
      "characters-specialCharacterSet",
      "!#",
      /^([a-zA-Z0-9]*[!#]){20}[a-zA-Z0-9]*$/,
    ],
    ["characters-specialCharacterPercentage", "0", /^[a-zA-Z0-9!#]{40}$/],
    ["characters-lowercase", false, /^[^a-z]{40}$/],
    ["characters-uppercase", false, /^[^a-zA-Z]{40}$/],
    ["characters-specialCharacters", false, /^\d{40}$/],
    ["characters-excludeAmbiguous", true, /^[2-9]{40}$/],
    ["characters-swedishCharacters", true, /^[\dåäöÅÄÖ]{40}$/],
    ["characters-numbers", false, /^[åäöÅÄÖ]{40}$/],
    ["characters-minimumEntropy", "200", /^[åäöÅÄÖ]{78}$/],
    ["characters-lowercase", true, /[a-z]/, "likely"],
    [
      "characters-passwordRules",
      "required: [-_];\nallowed: upper",
      /^(?=.*[-_])[A-HJ-NP-Z_-]{43}$/,
    ],
    ["words-wordCount", "2", /^\d{2}([A-Z][a-z]+){2}$/],
    ["words-numberLength", "3", /^\d{3}([A-Z][a-z]+){2}$/],
    ["words-numberPosition", "after", /^([A-Z][a-z]+){2}\d{3}$/],
    ["words-numberPosition", "between", /^[A-Z][a-z]+\d{3}[A-Z][a-z]+$/],
    ["words-numberPosition", "all", /^(\d{3}[A-Z][a-z]+){2}\d{3}$/],
    ["words-casing", "lower", /^(\d{3}[a-z]+){2}\d{3}$/],
    ["words-casing", "upper", /^(\d{3}[A-Z]+){2}\d{3}$/],
    ["words-casing", "first", /^\d{3}[A-Z][a-z]+\d{3}[a-z]+\d{3}$/],
    ["words-casing", "title", /^(\d{3}[A-Z][a-z]+){2}\d{3}$/],
    ["words-separator", "-", /^(\d{3}-[A-Z][a-z]+-){2}\d{3}$/],
    ["words-separator", "", /^(\d{3}[A-Z][a-z]+){2}\d{3}$/],
    ["words-maximumLength", "15", /^(?=.{15}$)(\d{3}[A-Z][a-z]+){2}\d{3}$/],
    ["words-maximumLength", "0", /^(\d{3}[A-Z][a-z]+){2}\d{3}$/],
    ["words-minimumEntropy", "70", /^(\d{3}[A-Z][a-z]+){3}\d{3}$/],
    ["words-wordCount", "10", /^(\d{3}[A-Z][a-z]+){10}\d{3}$/],
    ["words-language", "sv", /[åäöÅÄÖ]/, "likely"],
    ["words-replaceSwedishCharacters", true, /^(\d{3}[A-Z][a-z]+){10}\d{3}$/],
    [
      "words-replaceWithSpecialCharacters",
      true,
      /^[^aishAISHåäö]*[@!$#]/,
      "likely",
    ],
    ["sentence-language", "sv", /[åäöÅÄÖ]/, "likely"],
    ["sentence-replaceSwedishCharacters", true, /^\d{2}([A-Z][a-z]+){4}$/],
    ["sentence-maximumLength", "18", /^(?=.{6,18}$)\d{2}([A-Z][a-z]+){4}$/],
    ["sentence-maximumLength", "0", /^\d{2}([A-Z][a-z]+){4}$/],
    ["sentence-casing", "upper", /^\d{2}[A-Z]+$/],
    ["sentence-numberPosition", "all", /^(\d{2}[A-Z]+){4}\d{2}$/],
    ["sentence-numberLength", "0", /^[A-Z]+$/],
    ["sentence-separator", ".", /^([A-Z]+\.){3}[A-Z]+$/],
    ["sentence-minimumEntropy", "50", /^(\d\.[A-Z]+\.){4}\d$/],
    ["sentence-replaceWithSpecialCharacters", true, /^[^AISH]+$/],
  ];
  const names = await page.run<string[]>(
    "return [...document.querySelectorAll('form [name]')].map(({ id }) => id)",
  );
  const tested = new Set(settings.map(([id]) => id));
  assertEquals(names.filter((id) => !tested.has(id)), []);
  let kind = "characters";
  for (const [id, value, shape, isLikely] of settings) {
    if (!id.startsWith(kind)) {
      kind = id.split("-")[0]!;
      await page.next(`#tab-${kind}`);
    }
    let password = await page.setNext(id, value);
    for (let more = 0; isLikely && more < 5 && !shape.test(password); more++) {
      password = await page.next("#new");
    }
    assertMatch(password, shape, id);
  }
});

testPage({
  name: "shows an error at each invalid field, and above the form",
  messages: /api\/pwgen\/\w+ - Failed to load resource: .* 400 /,
}, async (page) => {
  const field = (id: string) =>
    page.run<unknown[]>(
      `const input = document.getElementById(arguments[0]);
       const error = document.getElementById(input.id + "-note");
       return [error.innerText, input.getAttribute("aria-invalid"), ${PASSWORD} === ""]`,
      id,
    );
  const id = "characters-length";
  for (const length of ["0", "129", "1.5", ""]) {
    await page.set(id, length);
    const message = await page.shows("#message");
    assertEquals(message, "No password was made. Correct what is marked.");
    const expected = "Enter a whole number from 1 to 128.";
    assertEquals(await field(id), [expected, "true", true]);
    await page.setNext(id, "12");
    assertEquals(await field(id), ["", null, false]);
  }
  // Two errors at once.
  await page.set(id, "0");
  await page.set("characters-specialCharacterPercentage", "101");
  await page.hasInvalid(2);
  await page.set("characters-specialCharacterPercentage", "0");
  await page.set(id, "12");
  await page.until(PASSWORD);
  // An error of all fields together.
  for (
    const name of ["lowercase", "uppercase", "numbers", "specialCharacters"]
  ) {
    await page.set(`characters-${name}`, false);
  }
  const message = await page.shows("#message");
  assertEquals(message, "Choose at least one kind of character.");
  await page.hasInvalid(0);
  // An error of one field because of other ones, in both languages.
  await page.click("#tab-words");
  await page.until(PASSWORD);
  await page.set("words-minimumEntropy", "512");
  const note = "#words-minimumEntropy-note";
  await page.shows(note, /^These settings reach at most 1[34]\d bits\.$/);
  await page.click(".languages [lang=sv]");
  await page.shows(
    note,
    /^Med de här inställningarna blir det högst 1[34]\d bitar\.$/,
  );
  await page.set("words-minimumEntropy", "0");
  await page.set("words-maximumLength", "13");
  await page.shows(
    "#words-maximumLength-note",
    /^Inställningarna kräver minst 14 tecken\.$/,
  );
  // A length outside of the rules of a web site.
  await page.click(".languages [lang=en]");
  await page.set("words-maximumLength", "0");
  await page.click("#tab-characters");
  await page.set("characters-lowercase", true);
  await page.until(PASSWORD);
  await page.set("characters-passwordRules", "minlength: 14; maxlength: 16");
  await page.shows(
    `#${id}-note`,
    /^Enter a whole number from 14 to 16\.$/,
  );
  await page.setNext(id, "15");
  await page.set("characters-passwordRules", "minlength: x");
  await page.shows(
    "#characters-passwordRules-note",
    /^The rules cannot be used: Expected a number .* at character 12\.$/,
  );
  await page.setNext("characters-passwordRules", "");
  await page.shows("#characters-passwordRules-note", /^If the site/);
  // The last one is only left out with excludeAmbiguous.
  await page.setNext("characters-specialCharacters", true);
  await page.setNext("characters-specialCharacterSet", "|");
  for (const isOn of [true, false]) {
    await page.set("characters-excludeAmbiguous", isOn);
    await page.hasInvalid(isOn ? 1 : 0);
    const note = await page.text("#characters-specialCharacterSet-note");
    assertMatch(note, isOn ? /^Enter .* not only \|/ : /^$/);
  }
});

testPage({
  name: "counts down when the limit is reached, then continues",
  env: { PWGEN_RATE_LIMIT: "3", PWGEN_TRUSTED_PROXIES: "loopback" },
  messages: TOO_MANY,
}, async (page) => {
  for (let i = 0; i < 2; i++) await page.next("#new");
  await page.click("#new");
  const seconds = await page.shows("#countdown");
  assertMatch(seconds, /^(60|5\d) s$/);
  // The last password stays until a setting changes.
  assertMatch(await page.text("#password"), /^.{20}$/);
  assertMatch(await page.text("#message"), /^Too many passwords/);
  assert(await page.get("#new", "ariaDisabled"));
  const sent = (await page.requests()).length;
  // Until then it sends no request, whatever the settings.
  await page.set("characters-length", "30");
  await page.until(`${PASSWORD} === ""`);
  await page.click("#tab-words");
  await page.until(
    `parseInt(document.querySelector('#countdown').textContent) < ${
      parseInt(seconds) - 1
    }`,
  );
  assertEquals((await page.requests()).length, sent);
  // A minute later: the clock of the page is set forward, and the service sees
  // another client.
  await page.comesFrom("192.0.2.1");
  await page.run(
    "const { now } = performance; performance.now = () => now.call(performance) + 60_000",
  );
  await page.until(PASSWORD);
  const later = (await page.requests()).slice(sent);
  assertEquals(later.map((request) => request.split("/").pop()), ["words"]);
  assertEquals(await page.text("#countdown"), "");
  assertEquals(await page.get("#new", "ariaDisabled"), "false");
});

testPage("copies the password, or selects it", async (page) => {
  await page.permitClipboard();
  await page.click("#copy");
  const copied = await page.copied();
  assertEquals(copied, await page.text("#password"));
  await page.next("#new");
  assertEquals(await page.text("#done"), "");
  // Over plain HTTP there is no clipboard: the older command copies.
  await page.run(
    `globalThis.read = navigator.clipboard.readText.bind(navigator.clipboard);
       Object.defineProperty(navigator, "clipboard", { value: undefined });
       delete globalThis.ClipboardItem`,
  );
  await page.click("#tab-words");
  await page.shows("#password", /^\d{2}/);
  await page.isIdle();
  await page.click("#copy");
  await page.shows("#done", /^Copied\.$/);
  assertEquals(await page.run("return read()"), await page.text("#password"));
  // If the command fails, the password is selected.
  await page.run("document.execCommand = () => false");
  await page.click("#copy");
  await page.shows("#done", /^Selected: copy it with Ctrl\+C\.$/);
  assertEquals(
    await page.run("return getSelection().toString()"),
    await page.text("#password"),
  );
  // On a device without a keyboard.
  await page.run("globalThis.matchMedia = () => ({ matches: true })");
  await page.click("#copy");
  await page.shows("#done", /hold the password/);
});

testPage({
  name: "changes the language of the page, and of words unless it was chosen",
  language: "sv-SE",
}, async (page) => {
  const texts = () =>
    page.run<string[]>(`return [document.documentElement.lang, document.title,
        document.querySelector("#copy").innerText,
        document.querySelector("#words-language").value,
        document.querySelector("#sentence-language").value]`);
  assertEquals(await texts(), ["sv", "Lösenord", "Kopiera", "sv", "sv"]);
  assertEquals(await page.get("#bits", "innerText"), "129 bitar");
  await page.click("#tab-words");
  await page.click(".languages [lang=en]");
  assertEquals(await texts(), ["en", "Passwords", "Copy", "en", "en"]);
  await page.set("words-language", "en");
  await page.click(".languages [lang=sv]");
  assertEquals(await texts(), ["sv", "Lösenord", "Kopiera", "en", "sv"]);
  // The server and the script have the same texts.
  const shown = () =>
    page.run<string>(
      `return [...document.querySelectorAll("[data-text]")].map((e) => e.textContent).join("|")`,
    );
  const byScript = await shown();
  await page.run("location.reload()");
  await page.until(PASSWORD);
  assertEquals(await shown(), byScript);
});

testPage("can be used with the keyboard alone", async (page) => {
  const focusedId = () => page.get(":focus", "id");
  await page.tabTo("#copy");
  await page.tabTo("#new");
  await page.next(() => page.press(KEY.enter));
  await page.tabTo("#tab-characters");
  const words = await page.next(() => page.press(KEY.right));
  assertEquals(await focusedId(), "tab-words");
  assertMatch(words, /^\d{2}([A-Z][a-z]+){4}$/);
  await page.next(() => page.press(KEY.end));
  assertEquals(await focusedId(), "tab-sentence");
  await page.next(() => page.press(KEY.right));
  assertEquals(await focusedId(), "tab-characters");
  await page.press(KEY.left, KEY.home);
  assertEquals(await focusedId(), "tab-characters");
  await page.tabTo("#characters-length");
  await page.next(() => page.press(KEY.up));
  assertEquals((await page.text("#password")).length, 21);
  // Enter in a field changes the setting and does not submit the form.
  await page.next(() =>
    page.press(KEY.home, KEY.delete, KEY.delete, "9", KEY.enter)
  );
  await page.tabTo("#characters-lowercase");
  assertMatch(await page.next(() => page.press(KEY.space)), /^[^a-z]+$/);
  // After the settings comes the link.
  const href = "return document.activeElement.getAttribute('href')";
  for (let i = 0; i < 40 && await page.run(href) !== "docs"; i++) {
    await page.press(KEY.tab);
  }
  assertEquals(await page.run(href), "docs");
});

testPage("has a role and a name for every control", async (page) => {
  const roles: Record<string, string> = {
    button: "button",
    tab: "[role=tab]",
    combobox: "select",
    spinbutton: "[type=number]",
    checkbox: "[type=checkbox]",
    textbox: "[type=text], textarea",
    link: "a",
    meter: "#meter",
  };
  for (const kind of ["characters", "words", "sentence"]) {
    await page.next(`#tab-${kind}`);
    const all = await page.run<string[]>(
      `return [...document.querySelectorAll("button, select, input, textarea, a, [role=meter]")]
        .filter((e) => e.checkVisibility() && e.ariaHidden !== "true")
        .map((e, i) => e.id || (e.id = "numbered-" + i))`,
    );
    assert(all.length > 12);
    for (const id of all) {
      const element = await page.find(`#${id}`);
      const { role, name } = await page.accessibility(element);
      await page.find(`#${id}:is(${roles[role]})`);
      assert(name.length > 1, `${id} has no name`);
    }
    const panel = await page.accessibility(await page.find(`#panel-${kind}`));
    assertEquals(panel.role, "tabpanel");
    assertEquals(panel.name.toLowerCase(), kind);
  }
  // A screen reader announces what changes by itself.
  const live = {
    "#announcement": "status",
    "#message": "alert",
    "#done": "status",
  };
  for (const [selector, role] of Object.entries(live)) {
    // The accessibility tree may omit an empty element.
    const actual = await page.run<string>(
      `const e = document.querySelector("${selector}"); return e.role ?? e.localName`,
    );
    assertEquals(actual === "output" ? "status" : actual, role);
  }
});

testPage("fits every width", async (page, { url }) => {
  // Larger text needs more room than zoom, which makes the window smaller.
  const cases = [[320, 100], [390, 200], [640, 200], [1600, 100]] as const;
  for (const [width, percent] of cases) {
    await page.emulate([width, 800]);
    await page.go("about:blank");
    await page.go(`${url}/`);
    await page.setTextSize(percent);
    const settings: Record<string, [string, string, number]> = {
      characters: ["characters-length", "128", 128],
      words: ["words-wordCount", "10", 44],
      sentence: ["sentence-numberLength", "12", 30],
    };
    for (const [kind, [id, value, length]] of Object.entries(settings)) {
      await page.click(`#tab-${kind}`);
      await page.set(id, value);
      await page.until(`${PASSWORD}.length >= ${length}`);
      const wide = await page.run<string[]>(
        `return [...document.querySelectorAll("body *")].filter((e) =>
           e.checkVisibility() && e.getBoundingClientRect().right >
             document.documentElement.clientWidth
         ).map((e) => e.outerHTML)`,
      );
      assertEquals(wide, [], `${width} px at ${percent} %`);
      await page.fits();
    }
  }
});

testPage(
  "copies the password of the request that is on its way",
  async (page) => {
    await page.permitClipboard();
    // A person types a length and clicks at once.
    await page.click("#characters-length");
    await page.press(KEY.end, KEY.backspace, KEY.backspace, "3", "2");
    await page.click("#copy");
    const password = await page.copied();
    assertMatch(password, /^.{32}$/);
    assertEquals(password, await page.text("#password"));
    // The same without ClipboardItem, and with a slow service.
    await page.run("delete globalThis.ClipboardItem");
    await page.network({ latency: 300 });
    await page.run(`document.getElementById("new").click();
       document.getElementById("copy").click()`);
    const next = await page.copied();
    assert(next !== password);
    assertEquals(next, await page.text("#password"));
  },
);

testPage("makes a password while a person types", async (page) => {
  const typed = (value: string) =>
    page.run(
      `const input = document.getElementById("characters-length");
       input.value = arguments[0];
       input.dispatchEvent(new Event("input", { bubbles: true }))`,
      value,
    );
  await typed("32");
  await page.until(`${PASSWORD}.length === 32`);
  // A value out of range is not sent before the input ends.
  const sent = (await page.requests()).length;
  await typed("");
  await typed("300");
  await typed("33");
  await page.until(`${PASSWORD}.length === 33`);
  assertEquals((await page.requests()).length, sent + 1);
  // A text is sent after the input.
  await page.click("#characters-passwordRules");
  await page.press(..."allowed: digit");
  await new Promise((resolve) => setTimeout(resolve, 500));
  assertEquals((await page.requests()).length, sent + 1);
  await page.press(KEY.tab);
  await page.until(`/^\\d{33}$/.test(${PASSWORD})`);
  assertEquals((await page.requests()).length, sent + 2);
});

testPage({
  name: "keeps the password if a request for another one fails",
  env: {},
  messages: /Failed to load resource: net::ERR_/,
}, async (page, { process }) => {
  const before = await page.text("#password");
  await page.permitClipboard();
  process.kill("SIGTERM");
  await process.status;
  await page.click("#new");
  await page.shows("#message", /^The service does not answer/);
  assertEquals(await page.text("#password"), before);
  await page.click("#copy");
  assertEquals(await page.copied(), before);
  // A password with other settings than those of the form would be wrong.
  await page.set("characters-length", "30");
  await page.until(`${PASSWORD} === ""`);
});

testPage("sends one request for a key that is held", async (page) => {
  await page.run("document.getElementById('new').focus()");
  const sent = (await page.requests()).length;
  await page.next(() => page.enter("keyDown"));
  for (let i = 0; i < 30; i++) {
    await page.enter("keyDown", true);
    await page.isIdle();
  }
  await page.enter("keyUp");
  assertEquals((await page.requests()).length, sent + 1);
  // Arrow keys change a number, but make no password each.
  await page.run(`const input = document.getElementById("characters-length");
     for (let i = 0; i < 30; i++) {
       input.stepUp();
       input.dispatchEvent(new Event("input", { bubbles: true }));
       input.dispatchEvent(new Event("change", { bubbles: true }));
     }`);
  await page.until(`${PASSWORD}.length === 50`);
  assertEquals((await page.requests()).length, sent + 2);
});

testPage({
  name: "works without AbortSignal.any() and AbortSignal.timeout()",
  before: "delete AbortSignal.any; delete AbortSignal.timeout",
}, async (page) => {
  await page.next("#new");
});

testPage({
  name: "shows that something went wrong",
  messages: /Planted/,
}, async (page, { url }) => {
  await page.before(
    "Intl.NumberFormat = function () { throw new Error('Planted') }",
  );
  await page.go("about:blank");
  await page.go(`${url}/`);
  await page.until(
    "document.querySelector('#tab-words') && document.readyState === 'complete'",
  );
  await page.click("#tab-words");
  await page.shows("#message", /^Something went wrong/);
});

testPage({
  name: "shows where the words begin, and breaks lines only there",
  size: [390, 800],
}, async (page) => {
  await page.permitClipboard();
  await page.next("#tab-words");
  const parts = () =>
    page.run<[string, number][]>(
      `return [...document.querySelectorAll(".part")].map((part) =>
           [part.textContent, new Set([...part.children].flatMap((run) =>
             [...run.getClientRects()].map(({ top }) => Math.round(top)))).size])`,
    );
  const [digits, ...words] = await parts();
  assertMatch(digits![0], /^\d{2}$/);
  assertEquals(words.length, 4);
  for (const [word, lines] of words) {
    assert(WORDLISTS.en.words.includes(word.toLowerCase()), word);
    assertEquals(lines, 1);
  }
  // A separator that the person chose is shown and copied.
  await page.setNext("words-separator", "-");
  assertMatch(
    (await parts()).map(([part]) => part).join(""),
    /^\d\d(-\w+){4}$/,
  );
  await page.setNext("words-separator", " ");
  await page.click("#copy");
  assertMatch(await page.copied(), /^\d\d( [A-Z][a-z]+){4}$/);
  // A maximum length would count the spaces between the words.
  await page.setNext("words-separator", "");
  await page.setNext("words-maximumLength", "18");
  const [[whole] = [""], ...more] = await parts();
  assertMatch(whole, /^(?=.{14,18}$)\d\d([A-Z][a-z]+){4}$/);
  assertEquals(more, []);
});

testPage(
  "states the attack, the time and the verdict, which agree",
  async (page) => {
    const shown = () =>
      page.run<[string, string, string, string]>(
        `const text = (id) => document.getElementById(id).textContent;
         return [text("time"), text("verdict"), text("bits"),
           document.getElementById("strength").dataset.verdict]`,
      );
    await page.next("#tab-words");
    const [time, verdict, bits, colour] = await shown();
    // 100 years at a million guesses per second are 52.5 bits.
    assertMatch(bits, /^5[3-9] bits$/);
    assertMatch(
      time,
      /^If it is stolen .* in \d.* years on average \(at a million/,
    );
    assertMatch(verdict, /^Strong: /);
    assertEquals(colour, "strong");
    for (
      const [count, sentence, expected] of [
        ["1", /within a second/, "weak"],
        ["3", /(days|year)/, "modest"],
        ["10", /age of the universe/, "excellent"],
      ] as const
    ) {
      await page.setNext("words-wordCount", count);
      const [time, , , colour] = await shown();
      assertMatch(time, sentence);
      assertEquals(colour, expected);
    }
    assert(
      await page.run(
        `return document.getElementById("time").compareDocumentPosition(
           document.getElementById("verdict")) === Node.DOCUMENT_POSITION_FOLLOWING`,
      ),
    );
    // A screen reader hears the strength, and not the characters.
    const announced = await page.text("#announcement");
    assertMatch(announced, /^New password\. Very strong: .* \d+ bits$/);
    assert(
      await page.run(
        `return !document.getElementById("password").closest("output, [role=status], [aria-live]")
           && /\\d+ bits$/.test(document.getElementById("meter").ariaValueText)`,
      ),
    );
  },
);

testPage({
  name: "keeps password and Copy in sight on a phone",
  size: [390, 700],
}, async (page) => {
  await page.click("#tab-words");
  await page.run("scrollTo(0, document.body.scrollHeight)");
  const [top, bottom, scrolled] = await page.run<number[]>(
    `return [document.getElementById("password").getBoundingClientRect().top,
         document.getElementById("copy").getBoundingClientRect().bottom, scrollY]`,
  );
  assert(scrolled! > 100 && top! >= 0 && bottom! <= 700, `${top} ${bottom}`);
  // A slider is as wide as its field, high enough for a finger, makes a
  // password while it moves, and keeps the focus.
  const slider = await page.run<Record<string, number>>(
    `const slider = document.getElementById("words-wordCount-slider");
       slider.scrollIntoView({ block: "center" });
       const { x, y, width, height } = slider.getBoundingClientRect();
       const field = slider.closest(".field").getBoundingClientRect().width;
       return { x, y, width, height, field }`,
  );
  assertEquals(slider["width"], slider["field"]);
  assert(slider["height"]! >= 44);
  const mouse = (type: string, share: number) =>
    page.cdp("Input.dispatchMouseEvent", {
      type,
      x: slider["x"]! + slider["width"]! * share,
      y: slider["y"]! + slider["height"]! / 2,
      button: "left",
      buttons: 1,
      clickCount: 1,
    });
  await mouse("mousePressed", 0.35);
  await page.next(() => mouse("mouseMoved", 0.8));
  assertEquals(await page.get(":focus", "id"), "words-wordCount-slider");
  await mouse("mouseReleased", 0.8);
  assert(
    await page.run(
      "return document.getElementById('words-wordCount').valueAsNumber > 6",
    ),
  );
});

testPage("disables settings without effect, and says why", async (page) => {
  const state = (id: string) =>
    page.run<[boolean, string]>(
      `return [document.getElementById(arguments[0]).disabled,
           document.getElementById(arguments[0] + "-note").textContent]`,
      id,
    );
  const id = "characters-specialCharacterPercentage";
  assertEquals(await state(id), [false, ""]);
  await page.set("characters-specialCharacters", false);
  for (const each of [id, "characters-specialCharacterSet"]) {
    assertEquals(await state(each), [
      true,
      "Has no effect without special characters.",
    ]);
  }
  await page.click("#tab-words");
  assertEquals(await state("words-replaceSwedishCharacters"), [
    true,
    "English words have no å, ä and ö.",
  ]);
  await page.set("words-language", "sv");
  assertEquals(await state("words-replaceSwedishCharacters"), [false, ""]);
  await page.set("words-numberPosition", "between");
  await page.set("words-numberLength", "0");
  assertEquals(await state("words-numberPosition"), [
    true,
    "Has no effect without digits.",
  ]);
  // One word has nothing between.
  await page.set("words-wordCount", "1");
  assertEquals(
    await page.run(
      `const { value, options } = document.getElementById("words-numberPosition");
         return [value, [...options].filter(({ hidden }) => hidden).map(({ value }) => value)]`,
    ),
    ["before", ["between", "all"]],
  );
  await page.until(PASSWORD);
  // The rules of a web site replace settings, which keep their values.
  await page.click("#tab-characters");
  await page.set("characters-specialCharacters", true);
  await page.set("characters-lowercase", false);
  await page.set("characters-uppercase", false);
  await page.set("characters-numbers", false);
  await page.set("characters-swedishCharacters", true);
  await page.set("characters-specialCharacterSet", "!");
  await page.setNext("characters-specialCharacterPercentage", "50");
  const ownPassword = /^(?=([åäö]*!){10}[åäö]*$).{20}$/i;
  await page.shows("#password", ownPassword);
  await page.set("characters-passwordRules", "maxlength: 12; allowed: [xyz]");
  await page.shows("#password", /^[xyz]{12}$/);
  await page.shows("#size", /^length 12$/);
  const decided = await page.run<string[]>(
    `return [...document.querySelectorAll("#panel-characters [name]:disabled")]
       .map(({ id, name }) => name + ": " + document.getElementById(id + "-note").textContent)`,
  );
  assertEquals(
    decided,
    [
      "specialCharacterPercentage",
      "specialCharacterSet",
      "lowercase",
      "uppercase",
      "numbers",
      "specialCharacters",
      "swedishCharacters",
    ].map((name) => `${name}: The rules of the web site decide.`),
  );
  await page.run(
    `const rules = document.getElementById("characters-passwordRules");
     rules.value = "";
     rules.dispatchEvent(new Event("input", { bubbles: true }))`,
  );
  assertEquals(await state(id), [false, ""]);
  await page.set("characters-passwordRules", "");
  await page.shows("#password", ownPassword);
  await page.shows("#size", /^length 20$/);
});

testPage(
  "keeps kind, settings and language in the fragment",
  async (page, { url }) => {
    await page.click("#tab-words");
    await page.click(".languages [lang=sv]");
    await page.set("words-wordCount", "6");
    await page.set("words-separator", "-");
    await page.set("words-replaceWithSpecialCharacters", true);
    const shape = "/^\\d{2}(-[^-aish]+){6}$/i";
    await page.until(`${shape}.test(${PASSWORD})`);
    const password = await page.text("#password");
    await page.run("location.reload()");
    await page.until(
      `${shape}.test(${PASSWORD}) && ${PASSWORD} !== ${
        JSON.stringify(password)
      }`,
    );
    assertEquals(await page.run("return document.documentElement.lang"), "sv");
    const fragment = new URL(await page.url()).hash.slice(1);
    assertEquals(Object.fromEntries(new URLSearchParams(fragment)), {
      kind: "words",
      page: "sv",
      wordCount: "6",
      separator: "-",
      replaceWithSpecialCharacters: "true",
    });
    // What no form takes is ignored.
    await page.run(
      "location.hash = 'kind=words&page=xx&wordCount=99&casing=x&a=<b>'",
    );
    await page.until(`/^\\d{2}[A-ZÅÄÖ]/.test(${PASSWORD})`);
    // A text with characters that have a meaning in a fragment.
    await page.click("#tab-characters");
    const rules = "allowed: [#%&+=];\nmaxlength: 9";
    await page.set("characters-passwordRules", rules);
    const before = await page.shows("#password", /^[#%&+=]{9}$/);
    await page.run("location.reload()");
    await page.until(
      `/^[#%&+=]{9}$/.test(${PASSWORD}) && ${PASSWORD} !== ${
        JSON.stringify(before)
      }`,
    );
    assertEquals(await page.get("#characters-passwordRules", "value"), rules);
    await page.go(`${url}/`);
    await page.until(PASSWORD);
  },
);

testPage({
  name: "survives the detours of a person",
  env: { PWGEN_RATE_LIMIT: "12", PWGEN_TRUSTED_PROXIES: "loopback" },
  messages: /api\/pwgen\/\w+ - Failed to load resource: .* 400 /,
}, async (page, { url }) => {
  let clients = 0;
  const value = (id: string) => page.get(`#${id}`, "value");
  const open = async (fragment: string) => {
    await page.comesFrom(`192.0.2.${++clients}`);
    await page.go("about:blank");
    await page.go(`${url}/#${fragment}`);
    await page.until(PASSWORD);
  };
  // The language of the words follows that of the page, also after a reload.
  await open("kind=words&page=sv");
  assertEquals(await value("words-language"), "sv");
  for (const language of ["toString", "__proto__", "xx"]) {
    await open(`page=${language}`);
    assertMatch(await page.title(), /^Passwords$/);
  }
  // A value goes to another one and back, then a request fails.
  await open("kind=characters");
  const password = await page.text("#password");
  await page.run(`const input = document.getElementById("characters-length");
       for (const value of ["2", "20"]) {
         input.value = value;
         input.dispatchEvent(new Event("input", { bubbles: true }));
       }
       globalThis.realFetch = fetch;
       globalThis.fetch = () => Promise.reject(new TypeError("Planted"));
       document.getElementById("new").click()`);
  await page.shows("#message");
  assertEquals(await page.text("#password"), password);
  await page.run("globalThis.fetch = realFetch");
  // An invalid value in a field that is disabled afterwards.
  await page.set("characters-specialCharacterPercentage", "999");
  await page.hasInvalid(1);
  await page.set("characters-specialCharacters", false);
  await page.until(`/^[a-zA-Z0-9]{20}$/.test(${PASSWORD})`);
  // "between" comes back after a word count of 1.
  await open("kind=words&numberPosition=between");
  await page.set("words-wordCount", "1");
  assertEquals(await value("words-numberPosition"), "before");
  await page.set("words-wordCount", "3");
  assertEquals(await value("words-numberPosition"), "between");
  await page.until(`/^([A-Z][a-z]+\\d\\d){2}[A-Z][a-z]+$/.test(${PASSWORD})`);
  // The marks stay as long as the message.
  await open("kind=words&language=sv");
  await page.set("words-minimumEntropy", "512");
  await page.hasInvalid(1);
  await page.click(".languages [lang=sv]");
  assertMatch(await page.text("#words-minimumEntropy-note"), /^Med de här/);
  // A held arrow key on the tabs.
  await open("kind=words");
  const sent = (await page.requests()).length;
  await page.next(() =>
    page.run(`document.getElementById("tab-words").focus();
         for (let i = 0; i < 31; i++) {
           document.activeElement.dispatchEvent(
             new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
         }`)
  );
  assertEquals((await page.requests()).length, sent + 1);
  // Leaving the page during a request, and coming back.
  await page.run(`document.getElementById("new").click();
       dispatchEvent(new PageTransitionEvent("pagehide"));
       dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
  await page.until(PASSWORD);
  assertEquals(await page.text("#message"), "");
});

testPage({
  name: "keeps every setting within reach, also in a small window",
  env: { PWGEN_RATE_LIMIT: "2", PWGEN_TRUSTED_PROXIES: "loopback" },
  messages: TOO_MANY,
}, async (page, { url }) => {
  const cases: [width: number, height: number, percent: number][] = [
    [390, 844, 200],
    [320, 256, 100],
    [667, 375, 100],
  ];
  for (const [width, height, percent] of cases) {
    await page.emulate([width, height]);
    await page.comesFrom(`10.${width >> 8}.${width & 255}.1`);
    await page.go("about:blank");
    await page.go(`${url}/`);
    await page.until(PASSWORD);
    await page.setTextSize(percent);
    await page.setNext("characters-length", "128");
    await page.click("#new"); // over the limit: a long message
    await page.shows("#countdown");
    const [hidden, top, bottom] = await page.run<[string[], number, number]>(
      `const inputs = [...document.querySelectorAll("#panel-characters [name]")];
       const hidden = inputs.filter((input) => {
         input.focus();
         input.scrollIntoView({ block: "nearest" });
         const { left, top, width, height } = input.getBoundingClientRect();
         return document.elementFromPoint(left + width / 2, top + height / 2) !== input;
       }).map(({ id }) => id);
       const [top, bottom] = ["password", "copy"].map((id) =>
         document.getElementById(id).getBoundingClientRect());
       return [hidden, top.top, bottom.bottom]`,
    );
    assertEquals(hidden, []);
    assert(top >= 0 && bottom <= height, `${top} ${bottom}`);
  }
});

testPage("prints the password and no controls", async (page) => {
  await page.cdp("Emulation.setEmulatedMedia", { media: "print" });
  assertEquals(
    await page.run(
      `return ["#password", "#time", "#copy", ".tabs", "form"].map((selector) =>
         document.querySelector(selector).checkVisibility())`,
    ),
    [true, true, false, false, false],
  );
});

testPage({
  name: "sends one request at a time, and keeps the focus",
  env: { PWGEN_RATE_LIMIT: "3" },
  messages: TOO_MANY,
}, async (page) => {
  const sent = (await page.requests()).length;
  await page.run(`const button = document.getElementById("new");
     button.focus();
     for (let i = 0; i < 30; i++) button.click()`);
  await page.isIdle();
  assertEquals((await page.requests()).length, sent + 1);
  // Up to the limit and beyond it.
  for (let i = 0; i < 2; i++) {
    await page.press(KEY.enter);
    await page.isIdle();
  }
  await page.shows("#countdown");
  assertEquals(await page.get(":focus", "id"), "new");
  // The message stays, whatever happens.
  for (
    const script of [
      "dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))",
      "document.getElementById('tab-words').click()",
      "dispatchEvent(new PageTransitionEvent('pagehide')); dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    ]
  ) {
    await page.run(script);
    await page.shows("#message", /^Too many/);
    assertMatch(await page.text("#countdown"), /^\d+ s$/);
  }
});

testPage({
  name: "shows that it is offline, and sends another request when it is online",
  messages: /Failed to load resource: net::ERR_INTERNET_DISCONNECTED/,
}, async (page) => {
  await page.network({ offline: true });
  await page.click("#new");
  await page.shows("#message", /^You are not connected/);
  await page.network({});
  await page.until(PASSWORD);
});

testPage(
  "removes the password when the user leaves it",
  async (page, { url }) => {
    await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
    assertEquals(await page.text("#password"), "");
    await page.run(
      "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    );
    await page.until(PASSWORD);
    await page.click("footer a");
    assertEquals(await page.url(), `${url}/docs`);
    assertEquals(await page.title(), "Password Generation API");
    await page.run("history.back()");
    await page.until(PASSWORD);
  },
);

testPage(
  { name: "shows an alternative without JavaScript", language: "sv" },
  async (page, { url }) => {
    await page.goWithoutScripts(`${url}/`);
    // The text appears after a moment, so that it does not flash with JavaScript.
    await page.until("document.querySelector('#no-script').innerText");
    assertMatch(
      await page.get("#no-script", "innerText"),
      /Utan JavaScript .*\n+curl -X POST https:\/\/ADDRESS\/api\/pwgen\/words/,
    );
    const isVisible = (selector: string) =>
      page.run(
        "return document.querySelector(arguments[0]).checkVisibility()",
        selector,
      );
    assertEquals(await isVisible("#app"), false);
    await page.go(`${url}/`);
    await page.until(PASSWORD);
    assertEquals(await isVisible("#no-script"), false);
  },
);
