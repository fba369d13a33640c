import { assert, assertEquals, assertMatch } from "@std/assert";
import { exactBits, sequences } from "../../../helpers/entropy.ts";
import { WORDLISTS } from "../../../../wordlists/mod.ts";
import { prefixProxy } from "../../../helpers/prefix_proxy.ts";
import { type Running, serve } from "../../../helpers/program.ts";
import {
  Browser,
  type BrowserOptions,
  CHROMIUM,
  KEY,
  SKIPPED,
} from "../../../helpers/webdriver.ts";

const PASSWORD = "document.querySelector('#password').textContent";

// A start takes longer than most tests, so they share a browser and a service.
let sharedBrowser: Browser;
let sharedService: Running;
if (CHROMIUM) {
  Deno.test.beforeAll(async () => {
    sharedService = await serve({ env: { PWGEN_RATE_LIMIT: "10000" } });
    sharedBrowser = await Browser.open();
  });
  Deno.test.afterAll(async () => {
    await sharedBrowser[Symbol.asyncDispose]();
    await sharedService[Symbol.asyncDispose]();
  });
}

/**
 * A test with a new window that shows the page.
 *
 * @param given the name, or an object with it; with `language` the test has its
 *   own browser, and with `env` its own service
 */
function testPage(
  given:
    | string
    | BrowserOptions & {
      name: string;
      env?: Record<string, string>;
    },
  body: (browser: Browser, service: Running) => Promise<void>,
): void {
  const options = typeof given === "string" ? { name: given } : given;
  const name = `page: ${options.name}`;
  Deno.test({
    name: CHROMIUM ? name : `${name} (${SKIPPED})`,
    ignore: !CHROMIUM,
    fn: async () => {
      const { env, language } = options;
      await using own = new AsyncDisposableStack();
      const service = env
        ? own.use(await serve({ env: { PWGEN_RATE_LIMIT: "10000", ...env } }))
        : sharedService;
      const browser = language
        ? own.use(await Browser.open(options))
        : sharedBrowser;
      if (!language) await browser.renew(options);
      await browser.go(`${service.url}/`);
      await browser.until(PASSWORD);
      await body(browser, service);
      // In every test, the page sends requests only to its origin, and stores no
      // password.
      const { origin } = new URL(service.url);
      const requests = await browser.requests();
      assert(requests.length > 0);
      for (const request of requests) {
        assertMatch(request, new RegExp(`^(GET|POST) ${origin}/[\\w./]*$`));
      }
      const password = await textOf(browser, "#password");
      const stored = await browser.run<string[]>(`
        return [
          document.title, location.href, document.cookie, name,
          JSON.stringify(history.state), JSON.stringify({ ...localStorage }),
          JSON.stringify({ ...sessionStorage }),
          document.documentElement.getAttributeNames().join(),
        ]`);
      for (const text of stored) assert(!password || !text.includes(password));
      // The fragment has the settings, and no request has a fragment.
      stored[1] = stored[1]!.split("#")[0]!;
      assertEquals(stored.slice(1, 7), [
        `${service.url}/`,
        "",
        "",
        "null",
        "{}",
        "{}",
      ]);
    },
  });
}

/** Fails if the console has a message, such as a violation of the CSP. */
async function assertQuiet(browser: Browser): Promise<void> {
  assertEquals(await browser.console(), []);
}

/** The text of the first element that matches. */
function textOf(browser: Browser, selector: string): Promise<string> {
  return browser.run(
    "return document.querySelector(arguments[0]).textContent",
    selector,
  );
}

/** Waits until the text of an element matches, and returns it. */
function shows(
  browser: Browser,
  selector: string,
  pattern: RegExp,
): Promise<string> {
  return browser.until(
    `${pattern}.exec(document.querySelector("${selector}").textContent)?.input`,
  );
}

/** Waits until no request is on its way. */
async function untilIdle(browser: Browser): Promise<void> {
  await browser.until(
    "document.querySelector('#password').ariaBusy === 'false'",
  );
}

/** The text in the clipboard. */
function clipboard(browser: Browser): Promise<string> {
  return browser.run("return navigator.clipboard.readText()");
}

/** Does something and waits for the next password. */
async function nextPassword(
  browser: Browser,
  action: () => Promise<unknown>,
): Promise<string> {
  const before = await textOf(browser, "#password");
  await action();
  return await browser.until<string>(
    `${PASSWORD} !== ${JSON.stringify(before)} && ${PASSWORD}`,
  );
}

/** Permits the page to write to the clipboard, and the test to read it. */
async function permitClipboard(browser: Browser, origin: string) {
  await browser.cdp("Browser.grantPermissions", {
    origin,
    permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"],
  });
}

/** Sets a field, with the events that the input of a person causes. */
async function setField(
  browser: Browser,
  id: string,
  value: string | boolean,
): Promise<void> {
  await browser.run(
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

const PHRASE = /^\d{2}([A-Z][a-z]+){4}$/;

testPage(
  "makes each kind of password and shows its entropy",
  async (browser) => {
    const { words: list, adjectives, nouns, verbs, adverbs } = WORDLISTS.en;
    const words = [list, list, list, list];
    const slots = [adjectives, nouns, verbs, adverbs];
    const kinds: [string, RegExp, string][] = [
      ["characters", /^[!-~]{20}$/, "129.68"],
      ["words", PHRASE, exactBits(sequences(...words) * 100n)],
      ["sentence", PHRASE, exactBits(sequences(...slots) * 100n)],
    ];
    for (const [kind, shape, bits] of kinds) {
      const password = await nextPassword(
        browser,
        () => browser.click(`#tab-${kind}`),
      );
      assertMatch(password, shape);
      const shown = (id: string) =>
        browser.run<string>(
          `return document.getElementById("${id}").innerText`,
        );
      const whole = Math.floor(Number(bits));
      assertEquals(await shown("bits"), `${whole} bits`);
      assertMatch(await shown("verdict"), /^(Very strong|Strong|Fair): /);
      assertMatch(await shown("time"), /stolen and poorly protected/i);
      const now = await browser.run<string>(
        "return document.getElementById('meter').ariaValueNow",
      );
      assertEquals(Number(now), Math.min(128, whole));
      const other = await nextPassword(browser, () => browser.click("#new"));
      assertMatch(other, shape);
    }
    // The empty page of a new window, and this page.
    assertEquals(await browser.run("return history.length"), 2);
    await assertQuiet(browser);
  },
);

testPage("follows every setting", async (browser) => {
  const settings: [string, string | boolean, RegExp][] = [
    ["characters-length", "128", /^.{128}$/],
    ["characters-length", "40", /^.{40}$/],
    [
      "characters-specialCharacterPercentage",
      "50",
      /^([a-zA-Z0-9]*[^a-zA-Z0-9]){20}[a-zA-Z0-9]*$/,
    ],
    ["characters-specialCharacterPercentage", "0", /^.{40}$/],
    ["characters-lowercase", false, /^[^a-z]{40}$/],
    ["characters-uppercase", false, /^[^a-zA-Z]{40}$/],
    ["characters-specialCharacters", false, /^\d{40}$/],
    ["characters-excludeAmbiguous", true, /^[2-9]{40}$/],
    ["characters-swedishCharacters", true, /^[\dåäöÅÄÖ]{40}$/],
    ["characters-numbers", false, /^[åäöÅÄÖ]{40}$/],
    ["characters-minimumEntropy", "200", /^[åäöÅÄÖ]{78}$/],
    ["characters-lowercase", true, /[a-z]/],
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
    ["words-minimumEntropy", "70", /^(\d{3}[A-Z][a-z]+){3}\d{3}$/],
    ["words-wordCount", "10", /^(\d{3}[A-Z][a-z]+){10}\d{3}$/],
    ["words-language", "sv", /[åäöÅÄÖ]/],
    ["words-replaceSwedishCharacters", true, /^(\d{3}[A-Z][a-z]+){10}\d{3}$/],
    ["words-replaceWithSpecialCharacters", true, /^[^aishAISHåäö]*[@!$#]/],
    ["sentence-language", "sv", /[åäöÅÄÖ]/],
    ["sentence-replaceSwedishCharacters", true, /^\d{2}([A-Z][a-z]+){4}$/],
    ["sentence-casing", "upper", /^\d{2}[A-Z]+$/],
    ["sentence-numberPosition", "all", /^(\d{2}[A-Z]+){4}\d{2}$/],
    ["sentence-numberLength", "0", /^[A-Z]+$/],
    ["sentence-separator", ".", /^([A-Z]+\.){3}[A-Z]+$/],
    ["sentence-minimumEntropy", "50", /^(\d\.[A-Z]+\.){4}\d$/],
    ["sentence-replaceWithSpecialCharacters", true, /^[^AISH]+$/],
  ];
  const names = await browser.run<string[]>(
    "return [...document.querySelectorAll('form [name]')].map(({ id }) => id)",
  );
  const tested = new Set(settings.map(([id]) => id));
  assertEquals(names.filter((id) => !tested.has(id)), []);
  let kind = "characters";
  for (const [id, value, shape] of settings) {
    if (!id.startsWith(kind)) {
      kind = id.split("-")[0]!;
      await nextPassword(browser, () => browser.click(`#tab-${kind}`));
    }
    // A password without å, ä and ö is possible. Then the test makes another one.
    let password = await nextPassword(
      browser,
      () => setField(browser, id, value),
    );
    for (let more = 0; more < 5 && !shape.test(password); more++) {
      if (!shape.source.startsWith("[") && !shape.source.includes("@")) break;
      password = await nextPassword(browser, () => browser.click("#new"));
    }
    assertMatch(password, shape, id);
  }
  await assertQuiet(browser);
});

testPage(
  "shows an error at each invalid field, and above the form",
  async (browser) => {
    const field = (id: string) =>
      browser.run<[string, string, boolean]>(
        `const input = document.getElementById(arguments[0]);
       const error = document.getElementById(input.id + "-note");
       return [error.innerText, input.getAttribute("aria-invalid"), ${PASSWORD} === ""]`,
        id,
      );
    const errorText = () => shows(browser, "#message", /./);
    for (const length of ["0", "129", "1.5", ""]) {
      await setField(browser, "characters-length", length);
      assertEquals(
        await errorText(),
        "No password was made. Correct what is marked.",
      );
      assertEquals(await field("characters-length"), [
        "Enter a whole number from 1 to 128.",
        "true",
        true,
      ]);
      await nextPassword(
        browser,
        () => setField(browser, "characters-length", "12"),
      );
      assertEquals(await field("characters-length"), ["", null, false]);
    }
    // Two errors at once.
    await setField(browser, "characters-length", "0");
    await setField(browser, "characters-specialCharacterPercentage", "101");
    await browser.until(
      "document.querySelectorAll('[aria-invalid]').length === 2",
    );
    await setField(browser, "characters-specialCharacterPercentage", "0");
    await setField(browser, "characters-length", "12");
    await browser.until(PASSWORD);
    // An error of all fields together.
    for (
      const name of ["lowercase", "uppercase", "numbers", "specialCharacters"]
    ) {
      await setField(browser, `characters-${name}`, false);
    }
    assertEquals(await errorText(), "Choose at least one kind of character.");
    assertEquals(
      await browser.run(
        "return document.querySelectorAll('[aria-invalid]').length",
      ),
      0,
    );
    // An error of one field because of other ones, in both languages.
    await browser.click("#tab-words");
    await browser.until(PASSWORD);
    await setField(browser, "words-minimumEntropy", "512");
    await errorText();
    const [english] = await field("words-minimumEntropy");
    assertMatch(english, /^These settings reach at most 1[34]\d bits\.$/);
    await browser.click(".languages [lang=sv]");
    await browser.until(
      `/^Med de här inställningarna blir det högst 1[34]\\d bitar\\.$/.test(
        document.querySelector('#words-minimumEntropy-note').textContent)`,
    );
    // The console has a message for each 400, and no other message.
    for (const line of await browser.console()) {
      assertMatch(line, /api\/pwgen\/\w+ - Failed to load resource: .* 400 /);
    }
  },
);

testPage({
  name: "counts down when the limit is reached, then continues",
  env: { PWGEN_RATE_LIMIT: "3", PWGEN_TRUSTED_PROXIES: "loopback" },
}, async (browser) => {
  for (let i = 0; i < 2; i++) {
    await nextPassword(browser, () => browser.click("#new"));
  }
  await browser.click("#new");
  const seconds = await shows(browser, "#countdown", /./);
  assertMatch(seconds, /^(60|5\d) s$/);
  // The last password stays until a setting changes.
  assertMatch(await textOf(browser, "#password"), /^.{20}$/);
  assertMatch(
    await textOf(browser, "#message"),
    /^Too many passwords/,
  );
  assert(
    await browser.run("return document.querySelector('#new').ariaDisabled"),
  );
  const sent = (await browser.requests()).length;
  // Until then it sends no request, whatever the settings.
  await setField(browser, "characters-length", "30");
  await browser.until(`${PASSWORD} === ""`);
  await browser.click("#tab-words");
  await browser.until(
    `parseInt(document.querySelector('#countdown').textContent) < ${
      parseInt(seconds) - 1
    }`,
  );
  assertEquals((await browser.requests()).length, sent);
  // A minute later: the clock of the page is set forward, and the service sees
  // another client.
  await browser.cdp("Network.setExtraHTTPHeaders", {
    headers: { "X-Forwarded-For": "192.0.2.1" },
  });
  await browser.run(
    "const { now } = performance; performance.now = () => now.call(performance) + 60_000",
  );
  await browser.until(PASSWORD);
  assertEquals(
    (await browser.requests()).slice(sent).map((request) =>
      request.split("/").pop()
    ),
    ["words"],
  );
  assertEquals(
    await browser.run(
      "return [document.querySelector('#countdown').textContent, document.querySelector('#new').ariaDisabled]",
    ),
    ["", "false"],
  );
});

testPage("copies the password, or selects it", async (browser, { url }) => {
  await permitClipboard(browser, url);
  await browser.click("#copy");
  await shows(browser, "#done", /^Copied\.$/);
  const copied = await clipboard(browser);
  assertEquals(copied, await textOf(browser, "#password"));
  await nextPassword(browser, () => browser.click("#new"));
  assertEquals(
    await textOf(browser, "#done"),
    "",
  );
  // Over plain HTTP there is no clipboard: the older command copies.
  await browser.run(
    `globalThis.read = navigator.clipboard.readText.bind(navigator.clipboard);
       Object.defineProperty(navigator, "clipboard", { value: undefined });
       delete globalThis.ClipboardItem`,
  );
  await browser.click("#tab-words");
  await browser.until(
    `/^\\d{2}/.test(${PASSWORD}) && document.querySelector('#password').ariaBusy === 'false'`,
  );
  await browser.click("#copy");
  await shows(browser, "#done", /^Copied\.$/);
  assertEquals(
    await browser.run("return read()"),
    await textOf(browser, "#password"),
  );
  // If the command fails, the password is selected.
  await browser.run("document.execCommand = () => false");
  await browser.click("#copy");
  await shows(browser, "#done", /^Selected: copy it with Ctrl\+C\.$/);
  assertEquals(
    await browser.run("return getSelection().toString()"),
    await textOf(browser, "#password"),
  );
  // On a device without a keyboard.
  await browser.run(
    "globalThis.matchMedia = () => ({ matches: true })",
  );
  await browser.click("#copy");
  await shows(browser, "#done", /hold the password/);
  await assertQuiet(browser);
});

testPage({
  name: "changes the language of the page, and of words unless it was chosen",
  language: "sv-SE",
}, async (browser) => {
  const texts = () =>
    browser.run<string[]>(
      `return [document.documentElement.lang, document.title,
        document.querySelector("#copy").innerText,
        document.querySelector("#words-language").value,
        document.querySelector("#sentence-language").value]`,
    );
  assertEquals(await texts(), ["sv", "Lösenord", "Kopiera", "sv", "sv"]);
  assertEquals(
    await browser.run("return document.querySelector('#bits').innerText"),
    "129 bitar",
  );
  await browser.click("#tab-words");
  await browser.click(".languages [lang=en]");
  assertEquals(await texts(), ["en", "Passwords", "Copy", "en", "en"]);
  await setField(browser, "words-language", "en");
  await browser.click(".languages [lang=sv]");
  assertEquals(await texts(), ["sv", "Lösenord", "Kopiera", "en", "sv"]);
  // The server and the script have the same texts.
  const shown = () =>
    browser.run<string>(
      `return [...document.querySelectorAll("[data-text]")].map((e) => e.textContent).join("|")`,
    );
  const byScript = await shown();
  await browser.run("location.reload()");
  await browser.until(PASSWORD);
  assertEquals(await shown(), byScript);
  await assertQuiet(browser);
});

testPage("can be used with the keyboard alone", async (browser) => {
  const focusedId = () =>
    browser.run<string>("return document.activeElement.id");
  await browser.tabTo("#copy");
  await browser.tabTo("#new");
  await nextPassword(browser, () => browser.press(KEY.enter));
  await browser.tabTo("#tab-characters");
  const words = await nextPassword(browser, () => browser.press(KEY.right));
  assertEquals(await focusedId(), "tab-words");
  assertMatch(words, /^\d{2}([A-Z][a-z]+){4}$/);
  await nextPassword(browser, () => browser.press(KEY.end));
  assertEquals(await focusedId(), "tab-sentence");
  await nextPassword(browser, () => browser.press(KEY.right));
  assertEquals(await focusedId(), "tab-characters");
  await browser.press(KEY.left, KEY.home);
  assertEquals(await focusedId(), "tab-characters");
  await browser.tabTo("#characters-length");
  await nextPassword(browser, () => browser.press(KEY.up));
  assertEquals((await textOf(browser, "#password")).length, 21);
  // Enter in a field changes the setting and does not submit the form.
  await nextPassword(
    browser,
    () => browser.press(KEY.home, KEY.delete, KEY.delete, "9", KEY.enter),
  );
  await browser.tabTo("#characters-lowercase");
  assertMatch(
    await nextPassword(browser, () => browser.press(KEY.space)),
    /^[^a-z]+$/,
  );
  // After the settings comes the link.
  const href = "return document.activeElement.getAttribute('href')";
  for (let i = 0; i < 40 && await browser.run(href) !== "docs"; i++) {
    await browser.press(KEY.tab);
  }
  assertEquals(await browser.run(href), "docs");
  await assertQuiet(browser);
});

testPage("has a role and a name for every control", async (browser) => {
  const roles: Record<string, string> = {
    "button": "button",
    "[role=tab]": "tab",
    "select": "combobox",
    "[type=number]": "spinbutton",
    "[type=checkbox]": "checkbox",
    "a": "link",
    "#meter": "meter",
  };
  for (const kind of ["characters", "words", "sentence"]) {
    await nextPassword(browser, () => browser.click(`#tab-${kind}`));
    const all = await browser.run<string[]>(
      `return [...document.querySelectorAll("button, select, input, a, [role=meter]")]
        .filter((e) => e.checkVisibility() && e.ariaHidden !== "true")
        .map((e, i) => e.id || (e.id = "numbered-" + i))`,
    );
    assert(all.length > 12);
    for (const id of all) {
      const { role, name } = await browser.accessibility(
        await browser.find(`#${id}`),
      );
      const [selector] = Object.entries(roles).find(([, expected]) =>
        expected === role
      )!;
      assert(
        await browser.run(
          `return document.getElementById("${id}").matches("${selector}")`,
        ),
        `${id} has the role ${role}`,
      );
      assert(name.length > 1, `${id} has no name`);
    }
    const panel = await browser.accessibility(
      await browser.find(`#panel-${kind}`),
    );
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
    const actual = await browser.run<string>(
      `const e = document.querySelector("${selector}"); return e.role ?? e.localName`,
    );
    assertEquals(actual === "output" ? "status" : actual, role);
  }
});

for (
  const [width, percent] of [
    [320, 100],
    [390, 200],
    [640, 200],
    [1600, 100],
  ] as const
) {
  testPage({
    name: `fits a width of ${width} px at ${percent} %`,
    size: [width, 800],
  }, async (browser) => {
    // Larger text needs more room than zoom, which makes the window smaller.
    await browser.run(
      "document.documentElement.style.fontSize = arguments[0] + '%'",
      percent,
    );
    const settings: Record<string, [string, string, number]> = {
      characters: ["characters-length", "128", 128],
      words: ["words-wordCount", "10", 50],
      sentence: ["sentence-numberLength", "12", 30],
    };
    for (const [kind, [id, value, length]] of Object.entries(settings)) {
      await browser.click(`#tab-${kind}`);
      await setField(browser, id, value);
      await browser.until(`${PASSWORD}.length >= ${length}`);
      const [scroll, client, wide] = await browser.run<
        [number, number, string[]]
      >(
        `const { scrollWidth, clientWidth } = document.documentElement;
         const wide = [...document.querySelectorAll("body *")].filter((e) =>
           e.checkVisibility() && e.getBoundingClientRect().right > clientWidth
         ).map((e) => e.outerHTML);
         return [scrollWidth, clientWidth, wide]`,
      );
      assertEquals(wide, []);
      assert(scroll <= client, `${scroll} > ${client}`);
    }
  });
}

testPage(
  "copies the password of the request that is on its way",
  async (browser, { url }) => {
    await permitClipboard(browser, url);
    const copied = async () => {
      await shows(browser, "#done", /^Copied\.$/);
      return await clipboard(browser);
    };
    // A person types a length and clicks at once.
    await browser.click("#characters-length");
    await browser.press(KEY.end, KEY.backspace, KEY.backspace, "3", "2");
    await browser.click("#copy");
    const password = await copied();
    assertMatch(password, /^.{32}$/);
    assertEquals(password, await textOf(browser, "#password"));
    // The same without ClipboardItem, and with a slow service.
    await browser.run("delete globalThis.ClipboardItem");
    await browser.cdp("Network.emulateNetworkConditions", {
      offline: false,
      latency: 300,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await browser.run(
      `document.getElementById("new").click();
       document.getElementById("copy").click()`,
    );
    const next = await copied();
    assert(next !== password);
    assertEquals(next, await textOf(browser, "#password"));
    await assertQuiet(browser);
  },
);

testPage("makes a password while a person types", async (browser) => {
  const typed = (value: string) =>
    browser.run(
      `const input = document.getElementById("characters-length");
       input.value = arguments[0];
       input.dispatchEvent(new Event("input", { bubbles: true }))`,
      value,
    );
  await typed("32");
  await browser.until(`${PASSWORD}.length === 32`);
  // A value out of range is not sent before the input ends.
  const sent = (await browser.requests()).length;
  await typed("");
  await typed("300");
  await typed("33");
  await browser.until(`${PASSWORD}.length === 33`);
  assertEquals((await browser.requests()).length, sent + 1);
  await assertQuiet(browser);
});

testPage({
  name: "keeps the password if a request for another one fails",
  env: {},
}, async (browser, service) => {
  const before = await textOf(browser, "#password");
  await permitClipboard(browser, service.url);
  service.process.kill("SIGTERM");
  await service.process.status;
  await browser.click("#new");
  await shows(browser, "#message", /^The service does not answer/);
  assertEquals(await textOf(browser, "#password"), before);
  await browser.click("#copy");
  await shows(browser, "#done", /^Copied\.$/);
  assertEquals(
    await clipboard(browser),
    before,
  );
  // A password with other settings than those of the form would be wrong.
  await setField(browser, "characters-length", "30");
  await browser.until(`${PASSWORD} === ""`);
});

testPage("sends one request for a key that is held", async (browser) => {
  await browser.run("document.getElementById('new').focus()");
  const sent = (await browser.requests()).length;
  const key = {
    ...{ key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" },
  };
  await nextPassword(
    browser,
    () => browser.cdp("Input.dispatchKeyEvent", { type: "keyDown", ...key }),
  );
  for (let i = 0; i < 30; i++) {
    await browser.cdp("Input.dispatchKeyEvent", {
      type: "keyDown",
      autoRepeat: true,
      ...key,
    });
    await untilIdle(browser);
  }
  await browser.cdp("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  assertEquals((await browser.requests()).length, sent + 1);
  // Arrow keys change a number, but make no password each.
  await browser.run(
    `const input = document.getElementById("characters-length");
     for (let i = 0; i < 30; i++) {
       input.stepUp();
       input.dispatchEvent(new Event("input", { bubbles: true }));
       input.dispatchEvent(new Event("change", { bubbles: true }));
     }`,
  );
  await browser.until(`${PASSWORD}.length === 50`);
  assertEquals((await browser.requests()).length, sent + 2);
});

testPage(
  "works without AbortSignal.any(), and shows that something went wrong",
  async (browser, { url }) => {
    const before = (source: string) =>
      browser.cdp("Page.addScriptToEvaluateOnNewDocument", { source });
    await before("delete AbortSignal.any; delete AbortSignal.timeout");
    await browser.go("about:blank");
    await browser.go(`${url}/`);
    await browser.until(PASSWORD);
    await assertQuiet(browser);
    await before("Intl.NumberFormat = () => { throw new Error('Planted') }");
    await browser.go("about:blank");
    await browser.go(`${url}/`);
    await browser.until(
      "document.querySelector('#tab-words') && document.readyState === 'complete'",
    );
    await browser.click("#tab-words");
    await shows(browser, "#message", /^Something went wrong/);
  },
);

testPage({
  name: "shows where the words begin, and breaks lines only there",
  size: [390, 800],
}, async (browser, { url }) => {
  await permitClipboard(browser, url);
  await nextPassword(browser, () => browser.click("#tab-words"));
  const parts = () =>
    browser.run<[string, number][]>(
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
  await nextPassword(
    browser,
    () => setField(browser, "words-separator", "-"),
  );
  assertMatch(
    (await parts()).map(([part]) => part).join(""),
    /^\d\d(-\w+){4}$/,
  );
  await nextPassword(
    browser,
    () => setField(browser, "words-separator", " "),
  );
  await browser.click("#copy");
  await shows(browser, "#done", /^Copied\.$/);
  assertMatch(
    await clipboard(browser),
    /^\d\d( [A-Z][a-z]+){4}$/,
  );
  await assertQuiet(browser);
});

testPage(
  "states the attack, the time and the verdict, which agree",
  async (browser) => {
    const shown = () =>
      browser.run<[string, string, string, string]>(
        `const text = (id) => document.getElementById(id).textContent;
         return [text("time"), text("verdict"), text("bits"),
           document.getElementById("strength").dataset.verdict]`,
      );
    await nextPassword(browser, () => browser.click("#tab-words"));
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
      await nextPassword(
        browser,
        () => setField(browser, "words-wordCount", count),
      );
      const [time, , , colour] = await shown();
      assertMatch(time, sentence);
      assertEquals(colour, expected);
    }
    assert(
      await browser.run(
        `return document.getElementById("time").compareDocumentPosition(
           document.getElementById("verdict")) === Node.DOCUMENT_POSITION_FOLLOWING`,
      ),
    );
    // A screen reader hears the strength, and not the characters.
    const announced = await browser.run<string>(
      "return document.getElementById('announcement').textContent",
    );
    assertMatch(announced, /^New password\. Very strong: .* \d+ bits$/);
    assert(
      await browser.run(
        `return !document.getElementById("password").closest("output, [role=status], [aria-live]")
           && /\\d+ bits$/.test(document.getElementById("meter").ariaValueText)`,
      ),
    );
  },
);

testPage({
  name: "keeps password and Copy in sight on a phone",
  size: [390, 700],
}, async (browser) => {
  await browser.click("#tab-words");
  await browser.run("scrollTo(0, document.body.scrollHeight)");
  const [top, bottom, scrolled] = await browser.run<number[]>(
    `return [document.getElementById("password").getBoundingClientRect().top,
         document.getElementById("copy").getBoundingClientRect().bottom, scrollY]`,
  );
  assert(scrolled! > 100 && top! >= 0 && bottom! <= 700, `${top} ${bottom}`);
  // A slider is as wide as its field, high enough for a finger, makes a
  // password while it moves, and keeps the focus.
  const slider = await browser.run<Record<string, number>>(
    `const slider = document.getElementById("words-wordCount-slider");
       slider.scrollIntoView({ block: "center" });
       const { x, y, width, height } = slider.getBoundingClientRect();
       const field = slider.closest(".field").getBoundingClientRect().width;
       return { x, y, width, height, field }`,
  );
  assertEquals(slider["width"], slider["field"]);
  assert(slider["height"]! >= 44);
  const mouse = (type: string, share: number) =>
    browser.cdp("Input.dispatchMouseEvent", {
      type,
      x: slider["x"]! + slider["width"]! * share,
      y: slider["y"]! + slider["height"]! / 2,
      button: "left",
      buttons: 1,
      clickCount: 1,
    });
  await mouse("mousePressed", 0.35);
  await nextPassword(browser, () => mouse("mouseMoved", 0.8));
  assertEquals(
    await browser.run("return document.activeElement.id"),
    "words-wordCount-slider",
  );
  await mouse("mouseReleased", 0.8);
  assert(
    await browser.run(
      "return document.getElementById('words-wordCount').valueAsNumber > 6",
    ),
  );
});

testPage("disables settings without effect, and says why", async (browser) => {
  const state = (id: string) =>
    browser.run<[boolean, string]>(
      `return [document.getElementById(arguments[0]).disabled,
           document.getElementById(arguments[0] + "-note").textContent]`,
      id,
    );
  const id = "characters-specialCharacterPercentage";
  assertEquals(await state(id), [false, ""]);
  await setField(browser, "characters-specialCharacters", false);
  assertEquals(await state(id), [
    true,
    "Has no effect without special characters.",
  ]);
  await browser.click("#tab-words");
  assertEquals(await state("words-replaceSwedishCharacters"), [
    true,
    "English words have no å, ä and ö.",
  ]);
  await setField(browser, "words-language", "sv");
  assertEquals(await state("words-replaceSwedishCharacters"), [false, ""]);
  await setField(browser, "words-numberPosition", "between");
  await setField(browser, "words-numberLength", "0");
  assertEquals(await state("words-numberPosition"), [
    true,
    "Has no effect without digits.",
  ]);
  // One word has nothing between.
  await setField(browser, "words-wordCount", "1");
  assertEquals(
    await browser.run(
      `const { value, options } = document.getElementById("words-numberPosition");
         return [value, [...options].filter(({ hidden }) => hidden).map(({ value }) => value)]`,
    ),
    ["before", ["between", "all"]],
  );
  await browser.until(PASSWORD);
  await assertQuiet(browser);
});

testPage(
  "keeps kind, settings and language in the fragment",
  async (browser, { url }) => {
    await browser.click("#tab-words");
    await browser.click(".languages [lang=sv]");
    await setField(browser, "words-wordCount", "6");
    await setField(browser, "words-separator", "-");
    await setField(browser, "words-replaceWithSpecialCharacters", true);
    const shape = "/^\\d{2}(-[^-aish]+){6}$/i";
    await browser.until(`${shape}.test(${PASSWORD})`);
    const password = await textOf(browser, "#password");
    await browser.run("location.reload()");
    await browser.until(
      `${shape}.test(${PASSWORD}) && ${PASSWORD} !== ${
        JSON.stringify(password)
      }`,
    );
    assertEquals(
      await browser.run("return document.documentElement.lang"),
      "sv",
    );
    const fragment = new URL(await browser.url()).hash.slice(1);
    assertEquals(Object.fromEntries(new URLSearchParams(fragment)), {
      kind: "words",
      page: "sv",
      wordCount: "6",
      separator: "-",
      replaceWithSpecialCharacters: "true",
    });
    // What no form takes is ignored.
    await browser.run(
      "location.hash = 'kind=words&page=xx&wordCount=99&casing=x&a=<b>'",
    );
    await browser.until(`/^\\d{2}[A-ZÅÄÖ]/.test(${PASSWORD})`);
    await browser.go(`${url}/`);
    await browser.until(PASSWORD);
    await assertQuiet(browser);
  },
);

testPage({
  name: "survives the detours of a person",
  env: { PWGEN_RATE_LIMIT: "12", PWGEN_TRUSTED_PROXIES: "loopback" },
}, async (browser, { url }) => {
  let clients = 0;
  const anotherClient = () =>
    browser.cdp("Network.setExtraHTTPHeaders", {
      headers: { "X-Forwarded-For": `192.0.2.${++clients}` },
    });
  const value = (id: string) =>
    browser.run("return document.getElementById(arguments[0]).value", id);
  const open = async (fragment: string) => {
    await anotherClient();
    await browser.go("about:blank");
    await browser.go(`${url}/#${fragment}`);
    await browser.until(PASSWORD);
  };
  // The language of the words follows that of the page, also after a reload.
  await open("kind=words&page=sv");
  assertEquals(await value("words-language"), "sv");
  for (const page of ["toString", "__proto__", "xx"]) {
    await open(`page=${page}`);
    assertMatch(await browser.title(), /^Passwords$/);
  }
  // A value goes to another one and back, then a request fails.
  await open("kind=characters");
  const password = await textOf(browser, "#password");
  await browser.run(
    `const input = document.getElementById("characters-length");
       for (const value of ["2", "20"]) {
         input.value = value;
         input.dispatchEvent(new Event("input", { bubbles: true }));
       }
       globalThis.realFetch = fetch;
       globalThis.fetch = () => Promise.reject(new TypeError("Planted"));
       document.getElementById("new").click()`,
  );
  await shows(browser, "#message", /./);
  assertEquals(await textOf(browser, "#password"), password);
  await browser.run("globalThis.fetch = realFetch");
  // An invalid value in a field that is disabled afterwards.
  await setField(browser, "characters-specialCharacterPercentage", "999");
  await browser.until("document.querySelector('[aria-invalid]')");
  await setField(browser, "characters-specialCharacters", false);
  await browser.until(`/^[a-zA-Z0-9]{20}$/.test(${PASSWORD})`);
  assertEquals(await value("characters-specialCharacterPercentage"), "0");
  assertEquals(
    await value("characters-specialCharacterPercentage-slider"),
    "0",
  );
  // "between" comes back after a word count of 1.
  await open("kind=words&numberPosition=between");
  await setField(browser, "words-wordCount", "1");
  assertEquals(await value("words-numberPosition"), "before");
  await setField(browser, "words-wordCount", "3");
  assertEquals(await value("words-numberPosition"), "between");
  await browser.until(
    `/^([A-Z][a-z]+\\d\\d){2}[A-Z][a-z]+$/.test(${PASSWORD})`,
  );
  // The marks stay as long as the message.
  await open("kind=words&language=sv");
  await setField(browser, "words-minimumEntropy", "512");
  await browser.until("document.querySelector('[aria-invalid]')");
  await browser.click(".languages [lang=sv]");
  assertMatch(
    await browser.run(
      "return document.getElementById('words-minimumEntropy-note').textContent",
    ),
    /^Med de här/,
  );
  // A held arrow key on the tabs.
  await open("kind=words");
  const sent = (await browser.requests()).length;
  await nextPassword(browser, () =>
    browser.run(
      `document.getElementById("tab-words").focus();
         for (let i = 0; i < 31; i++) {
           document.activeElement.dispatchEvent(
             new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
         }`,
    ));
  assertEquals((await browser.requests()).length, sent + 1);
  // Leaving the page during a request, and coming back.
  await browser.run(
    `document.getElementById("new").click();
       dispatchEvent(new PageTransitionEvent("pagehide"));
       dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`,
  );
  await browser.until(PASSWORD);
  assertEquals(
    await textOf(browser, "#message"),
    "",
  );
});

for (
  const [width, height, percent] of [
    [390, 844, 200],
    [320, 256, 100],
    [667, 375, 100],
  ] as const
) {
  testPage({
    name:
      `keeps every setting within reach at ${width} x ${height} px and ${percent} %`,
    size: [width, height],
    env: { PWGEN_RATE_LIMIT: "2" },
  }, async (browser) => {
    await browser.run(
      "document.documentElement.style.fontSize = arguments[0] + '%'",
      percent,
    );
    await nextPassword(
      browser,
      () => setField(browser, "characters-length", "128"),
    );
    await browser.click("#new"); // over the limit: a long message
    await shows(browser, "#countdown", /./);
    const hidden = await browser.run<string[]>(
      `const inputs = [...document.querySelectorAll("#panel-characters [name]")];
         return inputs.filter((input) => {
           input.focus();
           input.scrollIntoView({ block: "nearest" });
           const { left, top, width, height } = input.getBoundingClientRect();
           return document.elementFromPoint(left + width / 2, top + height / 2) !== input;
         }).map(({ id }) => id)`,
    );
    assertEquals(hidden, []);
    const [top, bottom] = await browser.run<number[]>(
      `const { top } = document.getElementById("password").getBoundingClientRect();
         return [top, document.getElementById("copy").getBoundingClientRect().bottom]`,
    );
    assert(top! >= 0 && bottom! <= height, `${top} ${bottom}`);
  });
}

testPage("prints the password and no controls", async (browser) => {
  await browser.cdp("Emulation.setEmulatedMedia", { media: "print" });
  assertEquals(
    await browser.run(
      `return ["#password", "#time", "#copy", ".tabs", "form"].map((selector) =>
         document.querySelector(selector).checkVisibility())`,
    ),
    [true, true, false, false, false],
  );
});

testPage({
  name: "sends one request at a time, and keeps the focus",
  env: { PWGEN_RATE_LIMIT: "3" },
}, async (browser) => {
  const sent = (await browser.requests()).length;
  await browser.run(
    `const button = document.getElementById("new");
     button.focus();
     for (let i = 0; i < 30; i++) button.click()`,
  );
  await untilIdle(browser);
  assertEquals((await browser.requests()).length, sent + 1);
  // Up to the limit and beyond it.
  for (let i = 0; i < 2; i++) {
    await browser.press(KEY.enter);
    await untilIdle(browser);
  }
  await shows(browser, "#countdown", /./);
  assertEquals(await browser.run("return document.activeElement.id"), "new");
  // The message stays, whatever happens.
  for (
    const script of [
      "dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))",
      "document.getElementById('tab-words').click()",
      "dispatchEvent(new PageTransitionEvent('pagehide')); dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    ]
  ) {
    await browser.run(script);
    await shows(browser, "#message", /^Too many/);
    assertMatch(
      await textOf(browser, "#countdown"),
      /^\d+ s$/,
    );
  }
});

testPage(
  "shows that it is offline, and sends another request when it is online",
  async (browser) => {
    const network = (offline: boolean) =>
      browser.cdp("Network.emulateNetworkConditions", {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await network(true);
    await browser.click("#new");
    await shows(browser, "#message", /^You are not connected/);
    await network(false);
    await browser.until(PASSWORD);
  },
);

testPage(
  { name: "shows that the service does not answer", env: {} },
  async (browser, service) => {
    service.process.kill("SIGTERM");
    await service.process.status;
    await browser.click("#new");
    await shows(browser, "#message", /^The service does not answer/);
  },
);

testPage("removes the password when the user leaves it", async (browser) => {
  await browser.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  assertEquals(await textOf(browser, "#password"), "");
  await browser.run(
    "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
  );
  await browser.until(PASSWORD);
});

testPage(
  { name: "shows an alternative without JavaScript", language: "sv" },
  async (browser, { url }) => {
    await browser.cdp("Emulation.setScriptExecutionDisabled", { value: true });
    await browser.go(`${url}/`);
    await browser.cdp("Emulation.setScriptExecutionDisabled", { value: false });
    // The text appears after a moment, so that it does not flash with JavaScript.
    await browser.until("document.querySelector('#no-script').innerText");
    const [text, app] = await browser.run<[string, boolean]>(
      `return [document.querySelector("#no-script").innerText,
       document.querySelector("#app").checkVisibility()]`,
    );
    assert(!app);
    assertMatch(
      text,
      /Utan JavaScript .*\n+curl -X POST https:\/\/ADDRESS\/api\/pwgen\/words/,
    );
    await browser.go(`${url}/`);
    await browser.until(PASSWORD);
    assertEquals(
      await browser.run(
        "return document.querySelector('#no-script').checkVisibility()",
      ),
      false,
    );
  },
);

testPage(
  "links to /docs, which fits the width and logs no error",
  async (browser, { url }) => {
    await browser.click("footer a");
    assertEquals(await browser.url(), `${url}/docs`);
    assertEquals(await browser.title(), "Password Generation API");
    const missing = await browser.run<string[]>(
      `return [...document.links].map(({ hash }) => hash).filter((hash) =>
        hash && !document.getElementById(hash.slice(1)))`,
    );
    assertEquals(missing, []);
    await browser.emulate([320, 700]);
    const [scroll, client] = await browser.run<[number, number]>(
      "const { scrollWidth, clientWidth } = document.documentElement; return [scrollWidth, clientWidth]",
    );
    assert(scroll <= client, `${scroll} > ${client}`);
    await assertQuiet(browser);
    await browser.run("history.back()");
    await browser.until(PASSWORD);
  },
);

Deno.test({
  name: "page: works below a public path, with and without a slash at the end" +
    (CHROMIUM ? "" : ` (${SKIPPED})`),
  ignore: !CHROMIUM,
  fn: async () => {
    await using service = await serve({ env: { PWGEN_PUBLIC_PATH: "/pw" } });
    await using proxy = prefixProxy(service.url, "/pw");
    const url = `http://127.0.0.1:${proxy.addr.port}/pw`;
    await using browser = await Browser.open();
    for (const address of [url, `${url}/`]) {
      await browser.go(address);
      await browser.until(PASSWORD);
      assertEquals((await browser.url()).split("#")[0], address);
      await browser.click("footer a");
      assertEquals(await browser.url(), `${url}/docs`);
      await browser.run("window.isSame = true");
      await browser.click("nav a");
      const hash = await browser.run<string>("return location.hash");
      assert(hash.length > 1);
      assertEquals(await browser.url(), `${url}/docs${hash}`);
      assert(await browser.run("return window.isSame")); // the page did not load
    }
    // fetch() refuses a URL with a name and a password.
    await browser.go(url.replace("//", "//name:secret@"));
    await browser.until(PASSWORD);
    await assertQuiet(browser);
  },
});
