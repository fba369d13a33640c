/**
 * What people do on the page, in a real browser: each test is a person with an end.
 */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { exactBits, sequences } from "../../../helpers/entropy.ts";
import { textsIn } from "../../../../routes/site/page/mod.ts";
import { WORDLISTS } from "../../../../wordlists/mod.ts";
import { PRESETS as ALL_PRESETS } from "../../../../routes/site/page/purposes.js";
import { csvRows } from "../../../helpers/csv.ts";
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

/** What the presets declare. */
const PRESETS = ALL_PRESETS as Record<
  string,
  { of?: string; kind: string; values: Record<string, unknown> }
>;

/** The names of the purposes. */
const PURPOSES: Record<string, string> = {
  manager: "A password manager",
  remember: "To remember",
  type: "To type or read aloud",
  pin: "PIN",
  site: "A site with its own requirements",
};

/** What a person calls an element: its role, and its name for a screen reader. */
const LOCATOR =
  /^(button|checkbox|combobox|DisclosureTriangle|radio|spinbutton|textbox) (.+)$/;

/** The elements that can have each role. */
const TAGS: Record<string, string> = {
  button: "button",
  checkbox: "[type=checkbox]",
  combobox: "select",
  DisclosureTriangle: "summary",
  radio: "[type=radio]",
  spinbutton: "[type=number]",
  textbox: "textarea, [type=text]",
};

/** The locators whose role and name Chromium has confirmed. */
const compared = new Set<string>();

/** A browser that shows the page. Elements are found by role and name, or by selector. */
class Page extends Browser {
  /**
   * The selector of a visible element. The script reads its name from its label; what
   * Chromium says to a screen reader is compared once for each locator, because it
   * takes long.
   */
  async find(locator: string): Promise<string> {
    const [, role, name] = LOCATOR.exec(locator) ?? [];
    if (role === undefined) return locator;
    const isFound = await this.run<boolean>(
      `const [name, tags] = arguments;
       const nameOf = (e) => (e.ariaLabel ?? e.labels?.[0]?.querySelector("span")
         ?.textContent ?? e.textContent).replaceAll("\\u00a0", " ").trim();
       document.querySelector("[data-found]")?.removeAttribute("data-found");
       const found = [...document.querySelectorAll(tags)].find((e) =>
         e.checkVisibility({ visibilityProperty: true }) && nameOf(e) === name);
       if (found) found.dataset.found = "";
       return Boolean(found)`,
      name!.replaceAll("\u00a0", " "),
      TAGS[role],
    );
    assert(isFound, `There is no ${locator}`);
    if (!compared.has(locator)) {
      assertEquals(await this.role("[data-found]"), role);
      const heard = await this.name("[data-found]");
      assertEquals(
        heard.replaceAll("\u00a0", " "),
        name!.replaceAll("\u00a0", " "),
      );
      compared.add(locator);
    }
    return "[data-found]";
  }

  /**
   * Clicks an element that nothing covers. A click of WebDriver, by a selector, is
   * more real, but waits 0.1 s for a navigation.
   */
  override async click(locator: string): Promise<void> {
    if (!LOCATOR.test(locator)) return await super.click(locator);
    const isCovered = await this.run<boolean>(
      `const target = document.querySelector(arguments[0]);
       target.scrollIntoView({ block: "center" });
       const { x, y, width, height } = target.getBoundingClientRect();
       const hit = document.elementFromPoint(x + width / 2, y + height / 2);
       target.focus();
       target.click();
       return !target.contains(hit)`,
      await this.find(locator),
    );
    assert(!isCovered, `${locator} is covered`);
  }

  override async get<T = string>(locator: string, property: string) {
    return await super.get<T>(await this.find(locator), property);
  }

  /** Lets the clock of the page run ten times as fast, so that nobody waits. */
  async hurry(): Promise<void> {
    // A window that was never clicked has no focus.
    await this.cdp("Emulation.setFocusEmulationEnabled", { enabled: true });
    await this.run(
      `const { now } = performance;
       const start = setTimeout;
       performance.now = () => 10 * now.call(performance);
       globalThis.setTimeout = (run, delay) => start(run, delay / 10)`,
    );
  }

  /** Chooses a purpose, and waits for its password. */
  choose(purpose: string): Promise<string> {
    return this.next(`radio ${PURPOSES[purpose]}`);
  }

  /** Does something, or clicks an element, and waits for the next password. */
  async next(action: string | (() => Promise<unknown>)): Promise<string> {
    const before = JSON.stringify(await this.text("#password"));
    await (typeof action === "string" ? this.click(action) : action());
    return await this.until(
      `${PASSWORD} !== ${before} && !document.querySelector(".busy") && ${PASSWORD}`,
    );
  }

  /** Sets an input, with the events that the input of a person causes. */
  async set(locator: string, value: string | boolean): Promise<void> {
    await this.run(
      `const [selector, value] = arguments;
       const input = document.querySelector(selector);
       input.focus();
       if (typeof value === "boolean") input.checked = value;
       else input.value = value;
       input.dispatchEvent(new Event("input", { bubbles: true }));
       input.dispatchEvent(new Event("change", { bubbles: true }));`,
      await this.find(locator),
      value,
    );
  }

  /** Sets an input, and waits for the next password. */
  setNext(locator: string, value: string | boolean): Promise<string> {
    return this.next(() => this.set(locator, value));
  }

  /** Opens the settings that stand last. */
  async more(): Promise<void> {
    await this.run(
      "document.querySelector('form:not([hidden]) details').open = true",
    );
  }

  /** Waits until there is a list of so many passwords, and returns them. */
  list(count: number): Promise<string[]> {
    return this.until(
      `((all) => all.length === ${count} && !document.querySelector(".busy") && all)(
         [...document.querySelectorAll("#list .text")].map((e) => e.textContent))`,
    );
  }

  /** The text in the clipboard, after the button said that it copied. */
  async copied(button = "#copy"): Promise<string> {
    await this.run("document.querySelector('#announcement').textContent = ''");
    await this.click(button);
    await this.shows("#announcement", /^Copied ✓$/);
    return await this.run("return navigator.clipboard.readText()");
  }

  /** What the last copy has put on the clipboard, in a media type. */
  clipboard(type: string): Promise<string> {
    return this.run(
      `return navigator.clipboard.read()
         .then(([item]) => item.getType(arguments[0]))
         .then((blob) => blob.text())`,
      type,
    );
  }

  /** Records path and body of each request to the API. */
  async record(): Promise<void> {
    await this.run(
      `const send = fetch;
       globalThis.bodies = [];
       globalThis.fetch = (url, init) => {
         const body = init?.body && JSON.parse(init.body);
         const path = String(url).split("/").at(-1);
         if (body) bodies.push(JSON.stringify({ path, body }));
         return send(url, init);
       }`,
    );
  }

  bodies(): Promise<string[]> {
    return this.run("return bodies");
  }

  /** The texts of all elements that match. */
  texts(selector: string): Promise<string[]> {
    return this.run(
      "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)",
      selector,
    );
  }

  isVisible(selector: string): Promise<boolean> {
    return this.run(
      `return document.querySelector(arguments[0])
         .checkVisibility({ visibilityProperty: true })`,
      selector,
    );
  }

  /** Sends this Accept-Language from now on. */
  async prefer(acceptLanguage: string): Promise<void> {
    const userAgent = await this.run("return navigator.userAgent");
    await this.cdp("Emulation.setUserAgentOverride", {
      ...{ userAgent, acceptLanguage },
    });
  }

  /** Sends the next requests as another client of a trusted proxy. */
  async comesFrom(address: string): Promise<void> {
    await this.cdp("Network.setExtraHTTPHeaders", {
      headers: { "X-Forwarded-For": address },
    });
  }
}

/** Checks that no address, title or attribute has the password. */
async function assertHidden(page: Page): Promise<void> {
  const password = await page.text("#password");
  const places = await page.run<string[]>(
    `return [document.title, location.href, JSON.stringify(history.state),
       document.documentElement.getAttributeNames().join()]`,
  );
  for (const text of places) assert(!password || !text.includes(password));
  // The fragment has the settings, and no request has a fragment.
  assertMatch(places[1]!, /^http:\/\/(name:secret@)?127\.0\.0\.1:\d+\/(#|$)/);
}

/** The message of the browser about a request above the limit. */
const TOO_MANY = /api\/pwgen\/\w+ - Failed to load resource: .* 429 /;
const INVALID = /api\/pwgen\/\w+ - Failed to load resource: .* 400 /;

const testPage = browserTests(Page, "/", PASSWORD, assertHidden);

/** The form that has the fields of an endpoint, and the purpose that shows it. */
const PURPOSE_OF = {
  characters: "manager",
  words: "remember",
  sentence: "remember",
};

/** What a person calls the input of a field; all forms have the same labels. */
function field(name: string, language: "en" | "sv" = "en"): string {
  const { type } = { ...TABLES.words, ...TABLES.characters }[name]!;
  const roles = {
    integer: "spinbutton",
    boolean: "checkbox",
    string: "combobox",
    text: "textbox",
  };
  return `${roles[type]} ${textsIn(language)[name]}`;
}

/** The fields that only a program needs. */
const NOT_ON_PAGE = [
  "specialCharacterPercentage",
  "replaceWithSpecialCharacters",
];

testPage(
  "gives each purpose its password, and says how strong it is",
  async (page) => {
    await page.hurry();
    const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS.en;
    const five = exactBits(sequences(...Array(5).fill(words)) * 100n);
    const four = exactBits(sequences(adjectives, nouns, verbs, adverbs) * 100n);
    const cases: [string, RegExp, RegExp][] = [
      [
        "remember",
        /^[a-z]+(-[a-z]+){4}-\d\d$/,
        RegExp(`^Strong · ${parseInt(five)} bits`),
      ],
      ["type", /^(?=.{1,34}$)[a-z]+(-[a-z]+){5}$/, /^Strong · 6\d bits/],
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
    assertEquals(await page.run("return history.length"), 2);
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
        const input = field(name, name === "swedishCharacters" ? "sv" : "en");
        const before = await page.get<string | boolean>(
          input,
          row.type === "boolean" ? "checked" : "value",
        );
        const value = name === "count" ? 1 : otherValue(row, before);
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
  const [least] = /\d+/.exec(english)!;
  await page.click("button Svenska");
  const swedish = await page.shows(
    "#message",
    /^Högsta antal tecken: Så korta/,
  );
  assert(swedish.includes(` minst ${least} tecken`), swedish);
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
  assertMatch(await page.shows("#countdown"), /^Trying again in (60|5\d) s\.$/);
  assertEquals(await page.text("#password"), password);
  assertEquals(await page.isVisible("#meter"), false);
  const sent = (await page.requests()).length;
  // A setting waits for the service.
  await page.set("spinbutton Length", "30");
  await page.shows("#countdown", /in 5[0-8] s/);
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
    await page.network({ latency: 300 });
    await page.click("button New password");
    await page.until("document.querySelector('#password').ariaBusy === 'true'");
    await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
    await page.network({});
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
  await page.next(() =>
    page.run(`return (async () => {
      for (let i = 0; i < 20; i++) {
        document.getElementById("new").click();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })()`)
  );
  const requests = (await page.requests()).length - sent;
  assert(requests >= 1 && requests <= 4, `${requests} requests`);
});

testPage(
  "copies each time, also without a clipboard, or selects",
  async (page) => {
    await page.permitClipboard();
    assertEquals(await page.copied(), await page.text("#password"));
    assertEquals(await page.text("#announcement"), "Copied ✓");
    // The password of a request that is on its way.
    await page.network({ latency: 300 });
    await page.set("spinbutton Length", "33");
    await page.click("#copy");
    await page.shows("#announcement", /^Copied when made …$/);
    await page.until(`${PASSWORD}.length === 33`);
    await page.shows("#announcement", /^Copied ✓$/);
    assertEquals(
      await page.run("return navigator.clipboard.readText()"),
      await page.text("#password"),
    );
    await page.network({});
    // Over plain HTTP there is no clipboard: the older command copies.
    await page.run(
      `globalThis.read = navigator.clipboard.readText.bind(navigator.clipboard);
     Object.defineProperty(navigator, "clipboard", { value: undefined });
     delete globalThis.ClipboardItem`,
    );
    await page.next("button New password");
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
      ...{ purpose: "type", page: "sv" },
      ...{ maximumLength: "", separator: "_" },
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
  assertEquals(await answer(`${password}x`), "Not yet.");
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
    "textbox A password of yesterday (empty: the one above)",
    "alpha-bravo-charlie-07",
  );
  assertEquals(await answer("alpha-bravo-charly-07"), "Not yet.");
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

testPage(
  "shows a password large, with numbers and how to say it",
  async (page) => {
    const password = await page.choose("type");
    await page.click("button Show large");
    const groups = await page.texts(".group");
    assertEquals(groups.join(""), password);
    assertEquals(await page.texts(".group > *"), [...password]);
    assertEquals(groups.length, 6);
    // Nothing covers it.
    const [top, bottom] = await page.run<number[]>(
      `const { top } = document.getElementById("characters").getBoundingClientRect();
       const { bottom } = document.querySelector(".card").getBoundingClientRect();
       return [top, bottom]`,
    );
    assert(top! >= bottom!, `${top} ${bottom}`);
    const [first] = await page.texts("#spelled");
    assertMatch(first!, RegExp(`^${password[0]} as in ${password[0]}`, "i"));
    assertMatch(first!, /, hyphen/);
  },
);

testPage("makes many at once, to copy, save or print", async (page) => {
  await page.hurry();
  await page.permitClipboard();
  await page.set(field("count"), "20");
  const shown = await page.list(20);
  // A spreadsheet takes no password for a formula.
  for (const password of shown) assertMatch(password, /^[a-zA-Z][!-~]{19}$/);
  assertMatch(await page.text("#sheet"), /^Each begins with a letter/);
  assertEquals(new Set(shown).size, 20);
  assertEquals(
    await page.text("#verdict"),
    "20 passwords, all very strong · 128 bits",
  );
  assertEquals(await page.isVisible("#repeat"), false);
  assertEquals(await page.copied("button Copy password 3"), shown[2]);
  await page.copied();
  assertEquals(await page.clipboard("text/plain"), shown.join("\n") + "\n");
  await page.click("button Print list");
  // PINs of a batch can repeat.
  await page.click("radio PIN");
  // Their number stays.
  assertEquals((await page.list(20)).length, 20);
  await page.run("location.reload()");
  await page.list(20);
  // What a person does with all of them comes before the list.
  const order = await page.run<string[]>(
    `return [...document.querySelectorAll("#copy, #save, #print, #slips, #list")]
       .map(({ id }) => id)`,
  );
  assertEquals(order, ["copy", "save", "print", "slips", "list"]);
  // What a spreadsheet would change is not in a file for it.
  await page.click("radio A site with its own requirements");
  await page.set(field("passwordRules"), "required: digit; maxlength: 16;");
  await page.until(
    "/^\\d{16}$/.test(document.querySelector('#list .text')?.textContent)",
  );
  assertMatch(await page.text("#sheet"), /^A spreadsheet would change/);
  assertEquals(
    await page.get("button For a spreadsheet (CSV)", "ariaDisabled"),
    "true",
  );
});

const NAMES = "textbox Names, one a line. They stay in this browser.";

/** Names as a class has them; no word of a password is in one. */
const CLASS = Array.from(
  { length: 28 },
  (_, i) => `${["Åsa", "Märta-Lisa", "Örjan", "Zoë"][i % 4]} Ek-Öhrn ${i + 1}`,
);

testPage({
  name: "a teacher prints slips for a class, and no name leaves the browser",
  skipped: await isInstalled("pdftotext")
    ? ""
    : "no pdftotext (Debian: poppler-utils)",
}, async (page) => {
  await page.hurry();
  await page.record();
  await page.choose("type");
  await page.set("combobox For", "pupil");
  await page.set(field("count"), "2");
  await page.list(2);
  await page.set(NAMES, CLASS.join("\n"));
  const passwords = await page.list(28);
  await page.set("textbox A line on each slip", "Log in at school.example");
  assertEquals(await page.texts("#list .name"), CLASS);
  assertMatch(
    await page.text("#verdict"),
    /^28 passwords · For logins that lock · 40 bits each$/,
  );
  await page.run("globalThis.print = () => {}");
  await using folder = await tempDir();
  const pdfOf = async () => {
    const file = `${folder.path}/page.pdf`;
    const { data } = await page.cdp("Page.printToPDF", {
      ...{ paperWidth: 8.27, paperHeight: 11.69 },
    }) as { data: string };
    await Deno.writeFile(file, Uint8Array.fromBase64(data));
    const { stdout } = await end(spawn("pdftotext", ["-raw", file, "-"]));
    return stdout.split("\f").slice(0, -1);
  };
  // Thirty fit on two pages too: the smallest slip is 30 mm high.
  const slip = "Log in at school.example";
  for (const count of [28, 30]) {
    if (count === 30) {
      await page.set(NAMES, [...CLASS, "Bo", "Liv"].join("\n"));
      await page.list(30);
    }
    await page.click("button Print slips");
    const pages = await pdfOf();
    assertEquals(pages.length, 2);
    const slips = pages.flatMap((each) => each.split(slip).slice(0, -1));
    // Nothing stands before or after a whole slip.
    for (const each of pages) assertEquals(each.split(slip).at(-1)!.trim(), "");
    assertEquals(slips.length, count);
    const names = await page.texts("#list .name");
    const shown = await page.texts("#list .text");
    assertEquals(
      slips.map((text) => text.trim().split("\n")),
      names.map((name, i) => [name, shown[i]]),
    );
  }
  // A slip that is higher moves to the next page as a whole.
  const long = "Log in at school.example, and change this password at once. ";
  await page.set("textbox A line on each slip", long.repeat(3));
  const solid = (text: string) => text.replace(/\s/g, "");
  for (const each of await pdfOf()) {
    assert(solid(each).endsWith(solid(long)), each.slice(-200));
  }
  // Back to the class: the same number, so its names stand there again.
  await page.click("button Previous password");
  assertEquals(await page.texts("#list .text"), passwords);
  await page.set(NAMES, CLASS.join("\n"));
  await page.click("button Print list");
  const list = (await pdfOf()).join("").trim().split("\n");
  assertEquals(list.length, 28);
  for (const [i, line] of list.entries()) {
    assertMatch(line, RegExp(`^${i + 1}\\. +${CLASS[i]} +\\S+$`));
  }
  // A request has the settings and the number.
  const bodies = await page.bodies();
  assertEquals(
    (await page.requests()).filter((each) => each.startsWith("POST")).length,
    bodies.length + 1,
  );
  const places = await page.run<string[]>(
    `return [location.href, JSON.stringify(history.state), document.title]`,
  );
  for (const text of [...bodies, ...places, ...await page.requests()]) {
    assertNotMatch(decodeURIComponent(text), /Åsa|Ek-|school/);
  }
});

testPage(
  "a help desk takes names and PINs to a spreadsheet, all of them different",
  async (page) => {
    await page.hurry();
    await page.record();
    await page.permitClipboard();
    await page.choose("pin");
    await page.next(() => page.click("button 4 digits"));
    await page.set(field("count"), "2");
    await page.list(2);
    const names = ['Åsa "Å" Ek', "=cmd|1", "a;b, c", "<i>Bo</i> & Co"];
    names.push(...Array.from({ length: 96 }, (_, i) => `Name ${i}`));
    await page.set(NAMES, names.join("\n"));
    for (const pin of await page.list(100)) assertMatch(pin, /^[1-9]{4}$/);
    assertMatch(await page.text("#verdict"), /^100 .* 12 bits each$/);
    // 1 - exp(-100^2 / 2 / 9^4)
    assertMatch(await page.text("#repeat p"), /are equal is 5[23]%\.$/);
    await page.click("checkbox Draw equal ones again until all differ");
    await page.shows("#repeat p", /^All differ\. .* has 0\.022 bits less/);
    const pins = await page.list(100);
    assertEquals(new Set(pins).size, 100);
    await page.run(
      `const { createObjectURL } = URL;
       URL.createObjectURL = (blob) => {
         blob.arrayBuffer().then((bytes) =>
           globalThis.saved = [...new Uint8Array(bytes)]);
         return createObjectURL(blob);
       };
       HTMLAnchorElement.prototype.click = function () { globalThis.link = this }`,
    );
    const escaped = names.map((name) => name.replace(/^=/, "'="));
    const rows = pins.map((pin, i) => [String(i + 1), escaped[i]!, pin]);
    const csv = async () => {
      const bytes = await page.until<number[]>("globalThis.saved");
      await page.run("delete globalThis.saved");
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      return decoder.decode(new Uint8Array(bytes));
    };
    await page.click("button For a spreadsheet (CSV)");
    const english = await csv();
    assertEquals(english.slice(0, 2), '\uFEFF"');
    assertEquals(csvRows(english.slice(1), ","), [
      ["Number", "Name", "Password"],
      ...rows,
    ]);
    assertEquals(await page.run("return link.download"), "passwords.csv");
    // As a table: cells, or text with tabs.
    await page.copied();
    assertEquals(
      await page.clipboard("text/plain"),
      rows.map((cells) => `${cells.join("\t")}\n`).join(""),
    );
    const html = await page.clipboard("text/html");
    assertEquals(
      await page.run(
        `const made = new DOMParser().parseFromString;
         const template = document.implementation.createHTMLDocument();
         return arguments[0].split("</td>").length - 1`,
        html,
      ),
      300,
    );
    assert(html.includes("&lt;i&gt;Bo&lt;/i&gt; &amp; Co"), html);
    // In Swedish, a comma is in decimal numbers.
    await page.click("button Svenska");
    await page.shows("h1", /^Lösenords/);
    await page.click("button Till kalkylark (CSV)");
    assertEquals(csvRows((await csv()).slice(1), ";"), [
      ["Nummer", "Namn", "Lösenord"],
      ...rows,
    ]);
    await page.click("button English");
    await page.shows("h1", /^Password/);
    // 81 PINs of two digits are too few for 100; the page stops asking.
    const before = (await page.bodies()).length;
    await page.more();
    await page.set(field("length"), "2");
    await page.shows("#message", /too few different passwords/);
    assertEquals((await page.bodies()).length, before + 5);
    assertEquals(await page.get(NAMES, "value"), names.join("\n"));
    await page.set(NAMES, names.slice(0, 30).join("\n"));
    assertEquals(new Set(await page.list(30)).size, 30);
    for (const text of await page.bodies()) assertNotMatch(text, /Åsa|Name/);
  },
);

testPage("says what is wrong with names, and loses nothing", async (page) => {
  await page.hurry();
  await page.set(field("count"), "2");
  await page.list(2);
  const note = (pattern: RegExp) => page.shows("#names-note", pattern);
  await page.set(NAMES, "Bo\n\nLi\nBo\n");
  await page.list(3);
  await note(/^Names: 3\. Blank lines .*: 1\. More than once: Bo\.$/);
  const bad: [string, RegExp][] = [
    ["Bo\n".repeat(101), /There are 101 names\. Enter at most 100\.$/],
    [`Bo\nLi\n${"x".repeat(500)}`, /Line 3 has more than 100 characters/],
  ];
  for (const [text, message] of bad) {
    await page.set(NAMES, text);
    await note(message);
    await page.shows("#message", message);
    assertEquals(await page.get(NAMES, "value"), text);
    assertEquals(await page.texts("#list .text"), []);
    assertEquals(await page.get("#copy", "ariaDisabled"), "true");
    await page.set(NAMES, "Bo\nLi");
    assertEquals((await page.list(2)).length, 2);
    assertEquals(await page.text("#message"), "");
  }
  // The box stays while a person empties it.
  await page.set(NAMES, "");
  await page.until(`${PASSWORD} !== ""`);
  assertEquals(await page.get<boolean>("#characters-count", "readOnly"), false);
  // One name too; and none, when the page is left.
  await page.set(NAMES, "Bo");
  assertEquals((await page.list(1)).length, 1);
  assertEquals(await page.texts("#list .name"), ["Bo"]);
  assertEquals(await page.get<boolean>("#characters-count", "readOnly"), true);
  await page.click("radio PIN");
  assertEquals(await page.get(NAMES, "value"), "Bo");
  await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  assertEquals(await page.get("#names", "value"), "");
});

/** JSON with its members in order. */
const sorted = `((json) => JSON.stringify(JSON.parse(json), (_, value) =>
  typeof value === "object" ? Object.fromEntries(Object.entries(value).sort())
    : value))`;

testPage("has the presets of docs/api.md", async (page) => {
  await page.hurry();
  await page.record();
  for (const [name, { of, kind, values }] of Object.entries(PRESETS)) {
    if (!of || name === "sentence") continue;
    await page.click(`radio ${PURPOSES[of]}`);
    const select = of === "type" ? "For" : "Requirements of";
    await page.set(`combobox ${select}`, name);
    if (kind === "words") await page.set(field("language"), "sv");
    // Presets with equal values need no other password.
    const expected = JSON.stringify({ path: kind, body: values });
    await page.until(
      `!document.querySelector(".busy") && bodies.length > 0 &&
       ${sorted}(bodies.at(-1)) === ${sorted}(${JSON.stringify(expected)})`,
    );
  }
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
      await page.until("document.querySelectorAll('#list li').length === 50");
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

for (
  const size of [[320, 700], [390, 800], [768, 900], [1280, 650]] as [
    number,
    number,
  ][]
) {
  testPage({
    name: `keeps the place of New in ${
      size.join("x")
    }, and the password in sight`,
    size,
  }, async (page) => {
    const place = () =>
      page.run<number[]>(
        `scrollTo(0, 0);
         const { x, y } = document.getElementById("new").getBoundingClientRect();
         return [x, y]`,
      );
    await page.hurry();
    for (const purpose of ["remember", "type", "site"]) {
      await page.click(`radio ${PURPOSES[purpose]}`);
      await page.until("!document.querySelector('.busy')");
      const before = await place();
      for (let i = 0; i < 5; i++) {
        await page.next(() => page.click("button New password"));
        assertEquals(await place(), before, `${purpose} ${i}`);
      }
      await page.click("button Previous password");
      assertEquals(await place(), before, purpose);
      // What comes next is in the window.
      if (purpose !== "site") continue;
      await page.choose("pin");
      await page.run("scrollTo(0, 0)");
      await page.click("radio A site with its own requirements");
      await page.until(
        `(({ top, bottom }) => top >= 0 && bottom < innerHeight + 1)(
        document.getElementById("characters-length").getBoundingClientRect())`,
      );
    }
    if (size[1] > 800 || size[0] < 1000) return;
    // At the end of the form.
    await page.run(
      "document.querySelector('.settings').scrollIntoView({ block: 'end' })",
    );
    const { top, bottom } = await page.run<{ top: number; bottom: number }>(
      "return document.getElementById('password').getBoundingClientRect()",
    );
    assert(top >= 0 && bottom < size[1], `${top} ${bottom}`);
  });
}

testPage({
  name: "says that it waits on a slow line, and asks once",
  messages: /Failed to load resource/,
}, async (page) => {
  const sent = async () =>
    (await page.requests()).filter((each) => each.startsWith("POST")).length;
  await page.network({ latency: 1500 });
  const before = await sent();
  const password = await page.text("#password");
  await page.click("button New password");
  await page.shows("#making", /^Making a password …$/);
  for (let i = 0; i < 3; i++) {
    await page.click("button New password");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await page.until(`${PASSWORD} !== ${JSON.stringify(password)}`);
  assertEquals(await page.text("#making"), "");
  assertEquals(await sent(), before + 1);
  // The first one too: an empty card would look broken.
  await page.network({ latency: 500 });
  await page.run("location.reload()");
  await page.until(
    `document.readyState !== "loading" && ${PASSWORD} === "" &&
     document.getElementById("making").checkVisibility({ visibilityProperty: true })`,
  );
  await page.until(PASSWORD);
  // Nothing is made for a value that is not valid.
  await page.click("button New password");
  await page.set("spinbutton Length", "0");
  await page.shows("#message", /^Length: /);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assertEquals(await page.text("#making"), "");
  await page.network({});
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

testPage("can be used with the keyboard alone", async (page) => {
  await page.hurry();
  await page.tabTo("#copy");
  await page.tabTo("#new");
  await page.next(() => page.press(KEY.enter));
  await page.tabTo("[name=purpose]");
  const words = await page.next(() => page.press(KEY.down));
  assertMatch(words, /^[a-z]+(-[a-z]+){4}-\d\d$/);
  await page.next(() => page.press(KEY.up));
  await page.tabTo("#characters-length");
  await page.next(() => page.press(KEY.up));
  assertEquals((await page.text("#password")).length, 21);
  // Enter in a field does not submit the form.
  await page.next(() =>
    page.press(KEY.home, KEY.delete, KEY.delete, "9", KEY.enter)
  );
  await page.tabTo("[href=docs]");
});

testPage("has a name for every control", async (page) => {
  await page.hurry();
  for (const purpose of ["manager", "remember", "site", "pin"]) {
    if (purpose !== "manager") await page.choose(purpose);
    const all = await page.run<string[]>(
      `for (const each of document.querySelectorAll('details')) each.open = true;
       return [...document.querySelectorAll("button, select, input, textarea, a, [role=meter]")]
        .filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.ariaHidden !== "true")
        .map((e) => e.id || (e.id = "numbered-" + (window.n = (window.n ?? 0) + 1)))`,
    );
    assert(all.length > 12);
    for (const id of all) assertMatch(await page.name(`#${id}`), /../, id);
  }
  assertEquals(await page.texts("h2"), [
    ...["Your password", "What is the password for?", "Settings"],
  ]);
  assertEquals(await page.name("#password"), "Your password");
  assertEquals(
    await page.name("section:nth-child(2)"),
    "What is the password for?",
  );
  const live = { announcement: "status", message: "alert", help: "status" };
  for (const [id, role] of Object.entries(live)) {
    assertEquals(await page.role(`#${id}`), role);
  }
});

for (const size of [[320, 256], [1600, 1000]] as [number, number][]) {
  testPage({ name: `fits ${size.join("x")}`, size }, async (page) => {
    await page.hurry();
    const widest: [string, string, string, number][] = [
      ["manager", field("length"), "128", 128],
      ["remember", field("wordCount"), "10", 44],
      ["remember", "combobox Made of", "sentence", 10],
      ["site", field("minimumEntropy"), "512", 70],
    ];
    for (const [purpose, input, value, length] of widest) {
      await page.click(`radio ${PURPOSES[purpose]}`);
      await page.more();
      await page.set(input, value);
      await page.until(`${PASSWORD}.length >= ${length}`);
      await page.fits();
      // At 400 % zoom too, the password and Copy are in the window together.
      if (length > 100) continue;
      const height = await page.run<number>(
        `const { top } = document.getElementById("password").getBoundingClientRect();
         return document.getElementById("copy").getBoundingClientRect().bottom - top`,
      );
      assert(height <= size[1], `${purpose}: ${height}`);
    }
  });
}

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
    const fragment = `purpose=manager&length=${length}&count=${count}`;
    await page.run("location.hash = arguments[0]", fragment);
    const passwords = await page.until<string[]>(
      `((all) => all.length === ${count} && all[0].length === ${length} && all)(
         [...document.querySelectorAll("#password, #list .text")]
           .map((each) => each.textContent).filter((text) => text !== ""))`,
    );
    const expected = count === 1
      ? passwords
      : passwords.map((each, i) => `${i + 1}.${each}`);
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

testPage({
  name: "shows that something went wrong",
  messages: /NumberFormat is not a constructor/,
}, async (page) => {
  await page.run("Intl.NumberFormat = undefined");
  await page.click("radio To remember");
  await page.shows("#message", /^Something went wrong/);
});

testPage(
  "shows an alternative without JavaScript",
  async (page, { url }) => {
    await page.prefer("sv");
    await page.goWithoutScripts(`${url}/`);
    // The text appears after a moment, so that it does not flash with JavaScript.
    await page.until("/Utan/.test(document.body.innerText)");
    assertMatch(
      await page.get("body", "innerText"),
      /Utan JavaScript .*\n+curl -X POST https:\/\/ADDRESS\/api\/pwgen\/words/,
    );
    assertEquals(await page.isVisible("#app"), false);
    await page.go(`${url}/`);
    await page.until(PASSWORD);
  },
);
