import { assert, assertEquals, assertMatch } from "@std/assert";
import { exactBits, sequences } from "../../../helpers/entropy.ts";
import { WORDLISTS } from "../../../../wordlists/mod.ts";
import { tempDir } from "../../../helpers/files.ts";
import { end, isInstalled, spawn } from "../../../helpers/program.ts";
import {
  type Kind,
  KINDS,
  outcome,
  type Row,
  TABLES,
} from "../../../oracle.ts";
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
    await this.shows("#copy", /^Copied ✓$/);
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

  /** Waits until this number of visible fields is invalid. */
  async hasInvalid(count: number): Promise<void> {
    await this.until(
      `[...document.querySelectorAll("[aria-invalid]")]
         .filter((each) => each.checkVisibility()).length === ${count}`,
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

const PHRASE = /^\d{2}(-[A-Z][a-z]+){4}$/;

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
    const strength = await page.get("#verdict", "innerText");
    const [, verdict, shownBits, length] =
      /^(.+) · (\d+) bits · (\d+) characters$/.exec(strength)!;
    assertMatch(verdict!, /^(Very strong|Fair|Weak)$/);
    assertEquals(Number(shownBits), whole);
    assertEquals(Number(length), password.length);
    const now = await page.get("#meter", "ariaValueNow");
    assertEquals(Number(now), Math.min(128, whole));
    assertMatch(await page.next("#new"), shape);
  }
  // The empty page of a new window, and this page.
  assertEquals(await page.run("return history.length"), 2);
});

/** A valid value that a field does not have now. */
function otherValue(row: Row, current: string | boolean): unknown {
  if (row.type === "boolean") return !current;
  if (row.type === "string") {
    return row.values.find((value) => value !== current && value !== "");
  }
  if (row.type === "text") return row.valid.at(row.maxLength < 100 ? 1 : 3);
  const [low, high] = row.range;
  // No sentence has more than 80 bits.
  return high === 512 ? 70 : Number(current) === high ? low + 1 : high;
}

testPage({
  name: "sends every setting, and shows a password that it permits",
  env: { PWGEN_RATE_LIMIT: "1000" },
}, async (page) => {
  await page.run(
    `const send = fetch;
     window.fetch = (url, init) => {
       window.sent = init.body;
       return send(url, init);
     };`,
  );
  const shown = new Set<string>();
  for (const form of [...KINDS, "rules"]) {
    const kind = form === "rules" ? "characters" : form as Kind;
    await page.next(`#tab-${form}`);
    const inputs = await page.run<[name: string, value: string | boolean][]>(
      `return [...document.querySelectorAll("#panel-" + arguments[0] + " [name]")]
         .map(({ name, type, checked, value }) =>
           [name, type === "checkbox" ? checked : value])`,
      form,
    );
    for (const [name, before] of inputs) {
      shown.add(`${kind} ${name}`);
      const id = `${form}-${name}`;
      // English words have no Swedish letters to replace.
      if (name === "replaceSwedishCharacters") {
        await page.setNext(`${form}-language`, "sv");
      }
      const value = otherValue(TABLES[kind][name]!, before);
      const password = await page.setNext(
        id,
        typeof value === "boolean" ? value : String(value),
      );
      const body = JSON.parse(await page.run<string>("return window.sent"));
      assertEquals(body[name], value, id);
      const { errors, permits } = outcome(kind, body);
      assert(errors.length === 0 && permits(password), `${id}: ${password}`);
      await page.setNext(id, before);
    }
  }
  for (const kind of KINDS) {
    for (const name of Object.keys(TABLES[kind])) {
      if (name !== "count") assert(shown.has(`${kind} ${name}`), name);
    }
  }
});

testPage({
  name: "shows an error at each invalid field, and beside the password",
  messages: /api\/pwgen\/\w+ - Failed to load resource: .* 400 /,
}, async (page) => {
  const field = (id: string) =>
    page.run<unknown[]>(
      `const input = document.getElementById(arguments[0]);
       const error = document.getElementById(input.id + "-note");
       return [error.innerText, input.getAttribute("aria-invalid"),
         document.querySelector(".stale") !== null]`,
      id,
    );
  const id = "characters-length";
  for (const length of ["0", "129", "1.5", ""]) {
    await page.set(id, length);
    const message = await page.shows("#message");
    assertEquals(message, "Correct the highlighted fields.");
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
  await page.setNext(id, "12");
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
  await page.next("#tab-words");
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
    /^Inställningarna kräver minst 18 tecken\.$/,
  );
  await page.click(".languages [lang=en]");
  // A rule that is not one, and the number of passwords.
  await page.next("#tab-rules");
  await page.set("rules-passwordRules", "minlength: x");
  await page.shows(
    "#rules-passwordRules-note",
    /^The rule cannot be used: error at character 12\.$/,
  );
  await page.set("rules-passwordRules", "minlength: 9; maxlength: 8");
  await page.shows(
    "#rules-passwordRules-note",
    /^The maximum length must be at least 9\.$/,
  );
  await page.set("rules-passwordRules", "max-repeating: 1; allowed: [a]");
  await page.shows("#rules-passwordRules-note", /^Too few passwords meet/);
  await page.setNext("rules-passwordRules", "minlength: 9");
  await page.shows("#rules-passwordRules-note", /^Written in the Password R/);
  await page.set("amount-count", "101");
  await page.shows("#amount-count-note", /^Enter a whole number from 1 to 100/);
  await page.set("amount-count", "1");
  await page.click("#tab-characters");
  await page.setNext("characters-lowercase", true);
  // The last one is only left out with excludeAmbiguous.
  await page.setNext("characters-specialCharacters", true);
  await page.setNext("characters-specialCharacterSet", "|");
  for (const isOn of [true, false]) {
    await page.set("characters-excludeAmbiguous", isOn);
    await page.shows(
      "#characters-specialCharacterSet-note",
      isOn ? /^Enter each special character once/ : /^For example/,
    );
    await page.hasInvalid(isOn ? 1 : 0);
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
  assertMatch(seconds, /^Wait (60|5\d) s\.$/);
  // The last password stays, and is dimmed when a setting changes.
  const password = await page.text("#password");
  assertMatch(password, /^.{20}$/);
  assertMatch(await page.text("#message"), /^You’ve made a lot of passwords/);
  assert(await page.get("#new", "ariaDisabled"));
  const sent = (await page.requests()).length;
  // Until then it sends no request, whatever the settings.
  await page.set("characters-length", "30");
  await page.find(".stale");
  await page.click("#tab-words");
  await page.until(
    `/\\d+/.exec(document.querySelector('#countdown').textContent)[0] < ${
      Number(/\d+/.exec(seconds)![0]) - 1
    }`,
  );
  assertEquals(await page.text("#password"), password);
  assertEquals((await page.requests()).length, sent);
  // A minute later: the clock of the page is set forward, and the service sees
  // another client.
  await page.comesFrom("192.0.2.1");
  await page.run(
    "const { now } = performance; performance.now = () => now.call(performance) + 60_000",
  );
  await page.until(`${PASSWORD} !== ${JSON.stringify(password)}`);
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
  // "Copied" ends with the password.
  await page.next("#new");
  assertEquals(await page.text("#copy"), "Copy");
  // Over plain HTTP there is no clipboard: the older command copies.
  await page.run(
    `globalThis.read = navigator.clipboard.readText.bind(navigator.clipboard);
       Object.defineProperty(navigator, "clipboard", { value: undefined });
       delete globalThis.ClipboardItem`,
  );
  await page.next("#tab-words");
  await page.isIdle();
  await page.click("#copy");
  await page.shows("#copy", /^Copied ✓$/);
  assertEquals(await page.run("return read()"), await page.text("#password"));
  // If the command fails, the password is selected.
  await page.run("document.execCommand = () => false");
  await page.click("#copy");
  await page.shows("#copy", /^Selected: press Ctrl\+C$/);
  assertEquals(
    await page.run("return getSelection().toString()"),
    await page.text("#password"),
  );
  // On a device without a keyboard.
  await page.run("globalThis.matchMedia = () => ({ matches: true })");
  await page.click("#copy");
  await page.shows("#copy", /hold it/);
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
  assertEquals(await texts(), [
    "sv",
    "Lösenordsgenerator",
    "Kopiera",
    "sv",
    "sv",
  ]);
  await page.shows("#verdict", /^Mycket starkt · 129 bitar · 20 tecken$/);
  // A screen reader does not read Swedish as English.
  await page.shows("#announcement", /^Nytt lösenord/);
  await page.click(".languages [lang=en]");
  assertEquals(await page.text("#announcement"), "");
  await page.click(".languages [lang=sv]");
  await page.click("#tab-words");
  await page.click(".languages [lang=en]");
  assertEquals(await texts(), ["en", "Password generator", "Copy", "en", "en"]);
  await page.set("words-language", "en");
  await page.click(".languages [lang=sv]");
  assertEquals(await texts(), [
    "sv",
    "Lösenordsgenerator",
    "Kopiera",
    "en",
    "sv",
  ]);
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
  assertMatch(words, PHRASE);
  await page.next(() => page.press(KEY.end));
  assertEquals(await focusedId(), "tab-rules");
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
  await page.tabTo("#amount-count");
  await page.tabTo("[href=docs]");
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
  for (const kind of ["characters", "words", "sentence", "rules"]) {
    await page.next(`#tab-${kind}`);
    await page.run(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
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
    "#purpose": "status",
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
      rules: ["rules-minimumEntropy", "512", 70],
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
  /** Types values without a pause, which a slow machine could make too long. */
  const typed = (id: string, ...values: string[]) =>
    page.run(
      `const input = document.getElementById(arguments[0]);
       for (const value of arguments[1]) {
         input.value = value;
         input.dispatchEvent(new Event("input", { bubbles: true }));
       }`,
      id,
      values,
    );
  await typed("characters-length", "32");
  await page.until(`${PASSWORD}.length === 32`);
  // A value out of range is not sent before a longer pause.
  const sent = (await page.requests()).length;
  await typed("characters-length", "", "300", "33");
  await page.until(`${PASSWORD}.length === 33`);
  assertEquals((await page.requests()).length, sent + 1);
  // Nor is a text, which is sent at once after the input.
  const set = "characters-specialCharacterSet";
  await page.next(() => typed(set, "_", "_-", "_"));
  assertMatch(await page.text("#password"), /^\w{33}$/);
  assertEquals((await page.requests()).length, sent + 2);
  await page.setNext(set, "_!");
  assertEquals((await page.requests()).length, sent + 3);
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
  await page.shows("#message", /^The service is not responding/);
  assertEquals(await page.text("#password"), before);
  await page.click("#copy");
  assertEquals(await page.copied(), before);
  // A password with other settings than those of the form would be wrong.
  await page.set("characters-length", "30");
  await page.find(".stale");
  await page.isIdle();
  await page.click("#copy");
  await page.isIdle();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assertEquals(await page.text("#copy"), "Copy");
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
  name:
    "shows exactly the characters of the password, and breaks between words",
  size: [390, 800],
}, async (page) => {
  await page.permitClipboard();
  await page.next("#tab-words");
  const parts = () =>
    page.run<[string, number, string][]>(
      `return [...document.querySelectorAll("#password .part")].map((part) =>
         [part.textContent, new Set([...part.children].flatMap((run) =>
           [...run.getClientRects()].map(({ top }) => Math.round(top)))).size,
           getComputedStyle(part.firstChild).color])`,
    );
  /** The least distance from one part to the next one in a line, in pixels. */
  const gaps = () =>
    page.run<number[]>(
      `const rects = [...document.querySelectorAll("#password .part")]
         .map((part) => part.getBoundingClientRect());
       return rects.slice(1).map(({ left, top }, i) =>
         top === rects[i].top ? left - rects[i].right : 0)`,
    );
  assertMatch(
    (await parts()).map(([part]) => part).join(""),
    /^\d\d(-\w+){4}$/,
  );
  // Without a separator the words have no gap, but two colours.
  await page.setNext("words-separator", "");
  const [digits, ...words] = await parts();
  assertMatch(digits![0], /^\d{2}$/);
  assertEquals(words.length, 4);
  for (const [i, [word, lines, colour]] of words.entries()) {
    assert(WORDLISTS.en.words.includes(word.toLowerCase()), word);
    assertEquals(lines, 1);
    if (i > 0) assert(colour !== words[i - 1]![2]);
  }
  for (const media of ["screen", "print"]) {
    await page.cdp("Emulation.setEmulatedMedia", { media });
    for (const gap of await gaps()) assert(Math.abs(gap) < 1, String(gap));
  }
  await page.cdp("Emulation.setEmulatedMedia", { media: "" });
  await page.click("#copy");
  assertEquals(await page.copied(), await page.text("#password"));
  // A space is seen, and copied as a space.
  await page.setNext("words-separator", " ");
  await page.click("#copy");
  assertMatch(await page.copied(), /^\d\d( [A-Z][a-z]+){4}$/);
  assertEquals(
    await page.run(
      `return getComputedStyle(document.querySelector("#password .space"), "::before").content`,
    ),
    '"␣"',
  );
  await page.run(
    "getSelection().selectAllChildren(document.querySelector('#password'))",
  );
  assertMatch(
    await page.run("return getSelection().toString()"),
    /^\d\d( [A-Z][a-z]+){4}$/,
  );
  // A maximum length would count the spaces, so capital letters show the words.
  await page.setNext("words-separator", "");
  await page.setNext("words-maximumLength", "18");
  const short = (await parts()).map(([part]) => part);
  assertMatch(short.join(""), /^(?=.{14,18}$)\d\d([A-Z][a-z]+){4}$/);
  assertEquals(short.length, 5);
  await page.setNext("words-casing", "lower");
  const [[whole] = [""], ...more] = await parts();
  assertMatch(whole, /^(?=.{14,18}$)\d\d[a-z]+$/);
  assertEquals(more, []);
});

testPage(
  "states the verdict, and the times of two attacks",
  async (page) => {
    const shown = () =>
      page.run<[string, string, string]>(
        `return [...["time", "verdict"].map((id) =>
             document.getElementById(id).textContent),
           document.getElementById("app").dataset.verdict]`,
      );
    await page.next("#tab-words");
    for (
      const [count, time, strength, verdict] of [
        [
          "5",
          /leaks it: 14 years\. If a .*: 14 million years\.$/,
          /^Strong/,
          "strong",
        ],
        // 56.98 bits: 2^55.98 guesses take 20 hours, or 2,300 years.
        [
          "4",
          /leaks it: 20 hours\. If a .*: 2,300 years\.$/,
          /^Fair · 56/,
          "fair",
        ],
        [
          "1",
          /if a site leaks it: less than a second\.$/,
          /^Weak · 19/,
          "weak",
        ],
        ["10", /longer than the age of the uni/, /^Very strong/, "excellent"],
      ] as const
    ) {
      await page.setNext("words-wordCount", count);
      const [shownTime, shownStrength, shownVerdict] = await shown();
      assertMatch(shownTime, time);
      assertMatch(shownStrength, strength);
      assertEquals(shownVerdict, verdict);
    }
    // A screen reader hears the strength, and not the characters.
    const announced = await page.text("#announcement");
    assertMatch(announced, /^New password\. Very strong · \d+ bits$/);
    assert(
      await page.run(
        `return !document.getElementById("password").closest("output, [role=status], [aria-live]")
           && / \\d+ bits$/.test(document.getElementById("meter").ariaValueText)`,
      ),
    );
    // A few digits have a verdict of their own.
    await page.next("[data-purpose=pin]");
    assertEquals(await shown(), [
      "Good only where guesses are limited, such as a bank card or a phone.",
      "PIN · 19 bits · 6 characters",
      "pin",
    ]);
    await page.setNext("characters-length", "40");
    assertEquals((await shown())[2], "excellent");
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
  assertEquals(await state(id), [false, "Leave empty to let chance decide."]);
  await page.set("characters-specialCharacters", false);
  for (const each of [id, "characters-specialCharacterSet"]) {
    assertEquals(await state(each), [
      true,
      "Applies only with special characters.",
    ]);
  }
  await page.click("#tab-words");
  assertEquals(await state("words-replaceSwedishCharacters"), [
    true,
    "Applies only to Swedish words.",
  ]);
  await page.set("words-language", "sv");
  assertEquals(await state("words-replaceSwedishCharacters"), [false, ""]);
  await page.set("words-numberPosition", "between");
  await page.set("words-numberLength", "0");
  assertEquals(await state("words-numberPosition"), [
    true,
    "Applies only with digits.",
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
  // å, ä and ö only where people can type them.
  const isVisible = () =>
    page.run(
      `document.querySelector("#panel-characters details").open = true;
       return document.querySelector(".swedish").checkVisibility()`,
    );
  await page.next("#tab-characters");
  assertEquals(await isVisible(), false);
  await page.click(".languages [lang=sv]");
  assertEquals(await isVisible(), true);
  await page.setNext("characters-swedishCharacters", true);
  await page.click(".languages [lang=en]");
  assertEquals(await isVisible(), true);
});

testPage(
  "keeps kind, settings and language in the fragment",
  async (page, { url }) => {
    await page.click("#tab-words");
    await page.click(".languages [lang=sv]");
    await page.set("words-wordCount", "6");
    await page.set("words-separator", "_");
    await page.set("words-replaceWithSpecialCharacters", true);
    const shape = "/^\\d{2}(_[^_aish]+){6}$/i";
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
      separator: "_",
      replaceWithSpecialCharacters: "true",
    });
    // What no form takes is ignored; an empty separator is one.
    await page.run(
      "location.hash = 'kind=words&page=xx&wordCount=99&casing=x&a=<b>&separator='",
    );
    await page.until(`/^\\d{2}([A-ZÅÄÖ][a-zåäö]+){4}$/.test(${PASSWORD})`);
    // A text with characters that have a meaning in a fragment.
    await page.click("#tab-rules");
    const rules = "allowed: [#%&+=];\nmaxlength: 9";
    await page.set("rules-passwordRules", rules);
    const before = await page.shows("#password", /^[#%&+=]{9}$/);
    await page.run("location.reload()");
    await page.until(
      `/^[#%&+=]{9}$/.test(${PASSWORD}) && ${PASSWORD} !== ${
        JSON.stringify(before)
      }`,
    );
    assertEquals(await page.get("#rules-passwordRules", "value"), rules);
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
    assertMatch(await page.title(), /^Password generator$/);
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
  await page.until(
    `/^([A-Z][a-z]+-\\d\\d-){2}[A-Z][a-z]+$/.test(${PASSWORD})`,
  );
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
  const cases: [size: [number, number], percent: number, isSticky: boolean][] =
    [
      [[390, 844], 200, true],
      [[320, 256], 100, false],
      [[667, 375], 100, true],
    ];
  for (const [size, percent, isSticky] of cases) {
    await page.emulate(size);
    await page.comesFrom(`10.0.0.${size[0] & 255}`);
    await page.go("about:blank");
    await page.go(`${url}/`);
    await page.until(PASSWORD);
    await page.setTextSize(percent);
    await page.setNext("characters-length", "128");
    await page.click("#new"); // over the limit: a message
    await page.shows("#countdown");
    const [hidden, top, bottom] = await page.run<[string[], number, number]>(
      `document.querySelector("#panel-characters details").open = true;
       const inputs = [...document.querySelectorAll("#panel-characters [name]")]
         .filter((input) => input.checkVisibility());
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
    const isInSight = top >= 0 && bottom <= size[1];
    assertEquals(isInSight, isSticky, `${top} ${bottom}`);
  }
});

for (
  const [size, fontSize] of [
    [[320, 256], 16],
    [[320, 480], 16],
    [[390, 420], 16],
    [[390, 664], 24],
    [[390, 844], 32],
  ] as [[number, number], number][]
) {
  testPage({
    name: `shows the password in its whole width at ${
      size.join("x")
    } with a font of ${fontSize} px`,
    size,
    fontSize,
  }, async (page) => {
    assertEquals(
      await page.run(
        "return getComputedStyle(document.documentElement).fontSize",
      ),
      `${fontSize}px`,
    );
    for (const tab of ["#tab-words", "#tab-characters"]) {
      await page.next(tab);
      const [width, height] = await page.run<[number, number]>(
        `const { width, height } = document.getElementById("password").getBoundingClientRect();
         return [width, height]`,
      );
      assert(width > size[0] * 0.7, `${width} px wide`);
      assert(height > 20, `${height} px high`);
      await page.fits();
    }
  });
}

testPage({
  name: "shows an error beside the password, wherever the page is scrolled to",
  size: [390, 700],
  env: { PWGEN_RATE_LIMIT: "3" },
  messages: /Failed to load resource: .* 4(00|29) /,
}, async (page) => {
  const isInSight = (selector: string) =>
    page.run(
      `const { top, bottom, width } = document.querySelector(arguments[0])
         .getBoundingClientRect();
       const at = document.elementFromPoint(195, (top + bottom) / 2);
       return top >= 0 && bottom <= 700 && width > 0 &&
         at.closest(".bar") !== null`,
      selector,
    );
  const password = await page.text("#password");
  await page.set("characters-length", "0");
  await page.shows("#message", /^Correct/);
  // The old password is dimmed and cannot be copied.
  const isDim =
    `getComputedStyle(document.querySelector("#password .letter")).color ===
    getComputedStyle(document.querySelector("#time")).color`;
  assertEquals(await page.text("#password"), password);
  await page.until(isDim);
  assertEquals(await page.get("#copy", "ariaDisabled"), "true");
  await page.run("scrollTo(0, document.body.scrollHeight)");
  assert(await isInSight("#message"));
  await page.setNext("characters-length", "20");
  await page.until(`!(${isDim})`);
  // The response above the limit is read to its end.
  await page.run(`const { fetch } = globalThis;
    globalThis.fetch = async (...request) => globalThis.response = await fetch(...request)`);
  await page.click("#new");
  await page.shows("#countdown");
  assertEquals(await page.run("return [response.status, response.bodyUsed]"), [
    429,
    true,
  ]);
  await page.run("scrollTo(0, document.body.scrollHeight)");
  assert(await isInSight("#message") && await isInSight("#countdown"));
});

testPage({
  name: "does not move what a person clicks",
  size: [390, 800],
  env: { PWGEN_RATE_LIMIT: "70" },
  messages: /Failed to load resource: .* 400 /,
}, async (page) => {
  await page.permitClipboard();
  const places = () =>
    page.run<number[]>(
      `return ["#copy", "#new", "[data-purpose=manager]", "#amount-count"].map((selector) =>
         document.querySelector(selector).getBoundingClientRect().top + scrollY)`,
    );
  for (const purpose of ["remember", "type", "pin", "manager"]) {
    await page.next(`[data-purpose=${purpose}]`);
    const before = await places();
    for (let i = 0; i < 12; i++) {
      await page.next("#new");
      assertEquals(await places(), before, purpose);
    }
    await page.click("#copy");
    await page.copied();
    assertEquals(await places(), before, purpose);
  }
  // The longest and the shortest words.
  await page.next("[data-purpose=remember]");
  await page.run(`globalThis.fetch = async () => Response.json(
    { password: "11" + ("-" + globalThis.word).repeat(5) },
    { headers: { "entropy-bits": "69.57" } })`);
  const tall: unknown[] = [];
  for (const word of ["Abc", "Abcdefghi"]) {
    await page.run("globalThis.word = arguments[0]", word);
    await page.next("#new");
    tall.push(await places());
  }
  assertEquals(tall[0], tall[1]);
  await page.run("location.reload()");
  await page.until(PASSWORD);
  // The purposes themselves stay where they are.
  const purposes = () =>
    page.run<number[]>(
      `return [...document.querySelectorAll("[data-purpose]")].map((each) =>
         each.getBoundingClientRect().top + scrollY)`,
    );
  const tops = await purposes();
  for (const purpose of ["remember", "site", "manager"]) {
    await page.next(`[data-purpose=${purpose}]`);
    assertEquals(await purposes(), tops);
  }
  // So do the tabs, if the words need no more lines than usual.
  const tab = () =>
    page.run(
      "return Math.round(document.querySelector('#tab-words').getBoundingClientRect().top + scrollY)",
    );
  const top = await tab();
  for (const kind of ["words", "characters"]) {
    await page.next(`#tab-${kind}`);
    assertEquals(await tab(), top);
  }
  const before = await places();
  await page.set("characters-length", "0");
  await page.shows("#message");
  // The error at the field needs a line there.
  assertEquals((await places()).slice(0, 3), before.slice(0, 3));
});

testPage("says which setting was raised", async (page) => {
  const raised = async (id: string, bits: string, field: string) => {
    await page.setNext(id, bits);
    return await page.text(`#${field}-note`);
  };
  assertEquals(
    await raised("characters-minimumEntropy", "200", "characters-length"),
    "Raised to 31 to reach 200 bits.",
  );
  await page.next("#tab-words");
  assertEquals(
    await raised("words-minimumEntropy", "80", "words-wordCount"),
    "Raised to 6 to reach 80 bits.",
  );
  await page.next("#tab-sentence");
  assertEquals(
    await raised("sentence-minimumEntropy", "60", "sentence-numberLength"),
    "Raised to 6 to reach 60 bits.",
  );
  await page.setNext("sentence-minimumEntropy", "40");
  assertEquals(await page.text("#sentence-numberLength-note"), "");
});

testPage({
  name: "keeps password and Copy in sight on a laptop",
  size: [1366, 650],
}, async (page) => {
  await page.next("#tab-words");
  await page.click("#panel-words summary");
  await page.run("scrollTo(0, document.body.scrollHeight)");
  const [top, bottom, scrolled] = await page.run<number[]>(
    `return [document.getElementById("password").getBoundingClientRect().top,
         document.getElementById("copy").getBoundingClientRect().bottom, scrollY]`,
  );
  assert(scrolled! > 100 && top! >= 0 && bottom! <= 650, `${top} ${bottom}`);
});

testPage("has the settings for each purpose in one click", async (page) => {
  const chosen = () =>
    page.run<string[]>(
      `return [...document.querySelectorAll("[data-purpose][aria-pressed=true]")]
         .map(({ dataset }) => dataset.purpose)`,
    );
  assertEquals(await chosen(), ["manager"]);
  assertEquals(
    await page.get<boolean>("#panel-characters details", "open"),
    false,
  );
  const purposes: [string, RegExp, RegExp][] = [
    ["remember", /^\d\d(-[A-Z][a-z]+){5}$/, /^Strong /],
    ["type", /^(?=.{23,32}$)[a-z]+(-[a-z]+){5}$/, /^Strong /],
    ["pin", /^\d{6}$/, /^PIN /],
    ["site", /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*\W).{20}$/, /^Very strong/],
    ["manager", /^[!-~]{20}$/, /^Very strong/],
  ];
  for (const language of ["en", "sv"]) {
    await page.click(`.languages [lang=${language}]`);
    for (const [purpose, shape, strength] of purposes) {
      const password = await page.next(`[data-purpose=${purpose}]`);
      // Words to remember may have å, ä and ö.
      assertMatch(
        password.replace(/[åäö]/g, "a").replace(/[ÅÄÖ]/g, "A"),
        shape,
      );
      assertEquals(await chosen(), [purpose]);
      assert((await page.text("#purpose")).length > 20);
      if (language === "en") {
        assertMatch(await page.text("#verdict"), strength);
      }
      if (purpose === "type") assertMatch(password, shape);
    }
  }
  await page.click(".languages [lang=en]");
  // Until a setting changes; the language and the number of passwords are free.
  await page.next("[data-purpose=remember]");
  await page.setNext("words-language", "sv");
  assertEquals(await chosen(), ["remember"]);
  await page.setNext("words-casing", "lower");
  assertEquals(await chosen(), []);
  assertEquals(await page.text("#purpose"), "");
  // The settings of the purpose come back, whatever they were.
  await page.next("[data-purpose=type]");
  await page.next("[data-purpose=remember]");
  assertEquals(await page.get("#words-casing", "value"), "title");
  assertEquals(await page.get("#words-language", "value"), "sv");
});

testPage({
  name: "writes the rule of a site from ticks, or takes a pasted one",
  messages: /Failed to load resource: .* 400 /,
}, async (page) => {
  const rule = () => page.get("#rules-passwordRules", "value");
  const ticks = () =>
    page.run<unknown[]>(
      `return [...document.querySelectorAll("#ticks input")].map((input) =>
         input.type === "checkbox" ? input.checked : input.value)`,
    );
  const isDisabled = () => page.get<boolean>("#ticks", "disabled");
  await page.next("[data-purpose=site]");
  await page.setNext("rule-maxlength", "12");
  await page.set("rule-characters", "]-!");
  await page.setNext("rule-upper", false);
  assertEquals(
    await rule(),
    "minlength: 8; maxlength: 12; required: lower; required: digit; required: [-!]];",
  );
  const shape = /^(?=.*[a-z])(?=.*\d)(?=.*[-!\]])[a-z\d\]!-]{12}$/;
  assertMatch(await page.next("#new"), shape);
  // The ticks come back with the rule.
  await page.run("location.reload()");
  await page.until(PASSWORD);
  assertEquals(await ticks(), ["8", "12", true, false, true, true, "-!]"]);
  assertEquals(await isDisabled(), false);
  // A rule that the ticks cannot express disables and empties them.
  const own = "minlength: 6; maxlength: 9; required: [abc]; max-consecutive: 2";
  await page.setNext("rules-passwordRules", own);
  assertMatch(await page.text("#password"), /^[abc]{9}$/);
  assertEquals(await ticks(), ["", "", false, false, false, false, ""]);
  assertEquals(await isDisabled(), true);
  await page.shows("#ticks-note", /^The checkboxes cannot show this rule/);
  // A pasted one that they can express sets them, and a tick keeps the rest.
  await page.setNext(
    "rules-passwordRules",
    "required: upper;\n required: digit;\n maxlength: 12; required: [!]",
  );
  assertEquals(await ticks(), ["", "12", false, true, true, true, "!"]);
  await page.setNext("rule-upper", false);
  assertEquals(await rule(), "maxlength: 12; required: digit; required: [!];");
  // A person who types special characters wants them.
  await page.set("rule-special", false);
  await page.setNext("rule-characters", "?, +");
  const written = "maxlength: 12; required: digit; required: [?+];";
  assertEquals(await rule(), written);
  // Another purpose, and this one again, keep the rule.
  await page.next("[data-purpose=pin]");
  await page.next("[data-purpose=site]");
  assertEquals(await rule(), written);
  // A number out of range, and no kind at all.
  await page.set("rule-minlength", "300");
  await page.shows("#ticks-note", /^Enter a whole number from 1 to 128\.$/);
  assertEquals(await rule(), `minlength: ?; ${written}`);
  await page.shows("#message", /^Correct/);
  assertEquals(await page.get("#copy", "ariaDisabled"), "true");
  await page.set("rule-minlength", "");
  for (const kind of ["digit", "special"]) {
    await page.set(`rule-${kind}`, false);
  }
  await page.shows("#rules-passwordRules-note", /^Choose at least one kind/);
  await page.shows("#ticks-note", /^Choose at least one kind/);
  assertEquals(await isDisabled(), false);
});

testPage({
  name: "makes several passwords: to copy one, all, or save",
  messages: /Failed to load resource: .* 400 /,
}, async (page, { url }) => {
  await page.permitClipboard();
  await page.set("amount-count", "20");
  await page.until("document.querySelectorAll('li').length === 20");
  const shown = await page.run<string[]>(
    `return [...document.querySelectorAll("li .text")].map((each) => each.textContent)`,
  );
  for (const password of shown) assertMatch(password, /^[!-~]{20}$/);
  assertEquals(new Set(shown).size, 20);
  assertMatch(
    await page.text("#verdict"),
    /^20 passwords · Very strong · 129 bits each$/,
  );
  const copied = async (selector: string) => {
    await page.click(selector);
    await page.until(
      `document.querySelector("${selector}").textContent === "Copied ✓"`,
    );
    return await page.run<string>("return navigator.clipboard.readText()");
  };
  assertEquals(await copied("li:nth-child(3) button"), shown[2]);
  assertEquals(await copied("#copy"), shown.join("\n") + "\n");
  assertEquals(await page.text("li:nth-child(3) button"), "Copy");
  const { name } = await page.accessibility(
    await page.find("li:nth-child(3) button"),
  );
  assertEquals(name, "Copy (3)");
  // The file is made in the browser.
  await page.run(
    `const { createObjectURL } = URL;
     URL.createObjectURL = (blob) => {
       blob.text().then((text) => globalThis.saved = text);
       return createObjectURL(blob);
     };
     HTMLAnchorElement.prototype.click = function () { globalThis.link = this }`,
  );
  const sent = (await page.requests()).length;
  await page.click("#save");
  assertEquals(await page.until("globalThis.saved"), shown.join("\n") + "\n");
  assertEquals(await page.run("return link.download"), "passwords.txt");
  assertEquals((await page.requests()).length, sent);
  assertEquals(await page.url(), `${url}/#kind=characters&page=en&count=20`);
  assertEquals(await page.run("return history.length"), 2);
  // Of other settings neither Copy nor Save has the old ones.
  await page.run("delete globalThis.link");
  await page.set("characters-length", "999");
  await page.shows("#message", /^Correct/);
  await page.click("#save");
  await page.click("#copy");
  assertEquals(await page.run("return globalThis.link"), null);
  assertEquals(await page.text("#copy"), "Copy all");
  await page.set("characters-length", "20");
  await page.until("document.querySelector('.stale') === null");
  // Another purpose has as many.

  await page.click("[data-purpose=remember]");
  await page.until(
    `/^\\d\\d(-[A-Z][a-z]+){5}$/.test(document.querySelector("li .text").textContent)`,
  );
  assertEquals(
    await page.run("return document.querySelectorAll('li').length"),
    20,
  );
  await page.setNext("amount-count", "1");
  assertEquals(
    await page.run("return document.querySelectorAll('li').length"),
    0,
  );
});

testPage(
  "works with a name and a password in the URL",
  async (page, { url }) => {
    await page.go(`${url.replace("//", "//name:secret@")}/`);
    await page.shows("#verdict", /^Very strong/);
  },
);

testPage("shows the strength in forced colours too", async (page) => {
  await page.cdp("Emulation.setEmulatedMedia", {
    features: [{ name: "forced-colors", value: "active" }],
  });
  for (const purpose of ["remember", "pin", "manager"]) {
    await page.next(`[data-purpose=${purpose}]`);
    const [fill, track] = await page.run<string[]>(
      `return ["fill", "meter"].map((id) =>
         getComputedStyle(document.getElementById(id)).backgroundColor)`,
    );
    assert(fill !== track, purpose);
  }
});

testPage({
  name: "prints each password once and whole on one page, and no controls",
  skipped: await isInstalled("pdftotext")
    ? ""
    : "no pdftotext (Debian: poppler-utils)",
}, async (page) => {
  await using folder = await tempDir();
  const file = `${folder.path}/page.pdf`;
  // 128 characters need more than one line.
  for (const [count, length] of [[1, 128], [30, 20], [100, 20], [100, 128]]) {
    const fragment = `kind=characters&length=${length}&count=${count}`;
    await page.run("location.hash = arguments[0]", fragment);
    const passwords = await page.until<string[]>(
      `((all) => all.length === ${count} && all[0].length === ${length} && all)(
         [...document.querySelectorAll("#password, .text")]
           .map((each) => each.textContent).filter((text) => text !== ""))`,
    );
    const verdict = (await page.text("#verdict")).replaceAll(" ", "");
    const expected = count === 1
      ? [...passwords, verdict]
      : [verdict, ...passwords.map((each, i) => `${i + 1}.${each}`)];
    await Deno.writeFile(file, await page.print());
    const text = await end(spawn("pdftotext", ["-layout", file, "-"]));
    const pages = text.stdout.split("\f").map((each) =>
      each.replace(/\s/g, "")
    );
    for (const each of expected) {
      if (pages[0] === "") pages.shift();
      assertEquals(pages[0]?.slice(0, each.length), each);
      pages[0] = pages[0]!.slice(each.length);
    }
    assertEquals(pages.join(""), "");
  }
});

testPage("does not underline a printed word", async (page) => {
  await page.next("#tab-words");
  await page.cdp("Emulation.setEmulatedMedia", { media: "print" });
  assertEquals(
    await page.run(
      `const word = document.querySelector(".part:nth-child(even)");
       return getComputedStyle(word).textDecorationLine`,
    ),
    "none",
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
    await page.shows("#message", /^You’ve made a lot/);
    assertMatch(await page.text("#countdown"), /^Wait \d+ s\.$/);
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
    await page.click("[href=docs]");
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
