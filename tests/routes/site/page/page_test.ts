import { assert, assertEquals, assertMatch } from "@std/assert";
import { exactBits, sequences } from "../../../helpers/entropy.ts";
import { WORDLISTS } from "../../../../wordlists/mod.ts";
import { type Running, serve } from "../../../helpers/program.ts";
import {
  Browser,
  type BrowserOptions,
  CHROMIUM,
  SKIPPED,
} from "../../../helpers/webdriver.ts";

const PASSWORD = "document.querySelector('#password').textContent";
// WebDriver (section 17.4.2) uses characters of the private use area for keys.
const KEY = {
  tab: "\uE004",
  enter: "\uE007",
  end: "\uE010",
  home: "\uE011",
  left: "\uE012",
  up: "\uE013",
  right: "\uE014",
  down: "\uE015",
  space: " ",
  delete: "\uE017",
};

/** A test with a service, and a browser that shows the page. */
function testPage(
  name: string,
  options: BrowserOptions & { env?: Record<string, string> },
  body: (browser: Browser, service: Running) => Promise<void>,
): void {
  Deno.test({
    name: CHROMIUM ? `page: ${name}` : `page: ${name} (${SKIPPED})`,
    ignore: !CHROMIUM,
    fn: async () => {
      await using service = await serve({
        env: { PWGEN_RATE_LIMIT: "10000", ...options.env },
      });
      await using browser = await Browser.open(options);
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
      const password = await browser.run<string>(`return ${PASSWORD}`);
      const stored = await browser.run<string[]>(`
        return [
          document.title, location.href, document.cookie, name,
          JSON.stringify(history.state), JSON.stringify({ ...localStorage }),
          JSON.stringify({ ...sessionStorage }),
          document.documentElement.getAttributeNames().join(),
        ]`);
      for (const text of stored) assert(!password || !text.includes(password));
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

/** Does something and waits for the next password. */
async function nextPassword(
  browser: Browser,
  action: () => Promise<unknown>,
): Promise<string> {
  const before = await browser.run<string>(`return ${PASSWORD}`);
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
  {},
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
      assertEquals(await shown("bits"), `${bits} bits`);
      assertMatch(await shown("rating"), /^(Very strong|Good): /);
      assertMatch(await shown("time"), /stolen and poorly protected/i);
      const now = await browser.run<string>(
        "return document.getElementById('meter').ariaValueNow",
      );
      assertEquals(Number(now), Math.min(128, parseFloat(bits)));
      const other = await nextPassword(browser, () => browser.click("#new"));
      assertMatch(other, shape);
    }
    // The empty page of a new window, and this page.
    assertEquals(await browser.run("return history.length"), 2);
    await assertQuiet(browser);
  },
);

testPage("follows every setting", {}, async (browser) => {
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
  {},
  async (browser) => {
    const field = (id: string) =>
      browser.run<[string, string, boolean]>(
        `const input = document.getElementById(arguments[0]);
       const error = document.getElementById(input.getAttribute("aria-describedby"));
       return [error.innerText, input.getAttribute("aria-invalid"), ${PASSWORD} === ""]`,
        id,
      );
    const errorText = () =>
      browser.until<string>("document.querySelector('#message').textContent");
    for (const length of ["0", "129", "1.5", ""]) {
      await setField(browser, "characters-length", length);
      assertEquals(
        await errorText(),
        "No password: correct the marked fields.",
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
    // An error of one field because of another one, in both languages.
    await browser.click("#tab-words");
    await browser.until(PASSWORD);
    await setField(browser, "words-wordCount", "1");
    await setField(browser, "words-numberPosition", "between");
    await errorText();
    const [english] = await field("words-numberPosition");
    assertEquals(
      english,
      "One word has no gap: choose before or after.",
    );
    await browser.click(".languages [lang=sv]");
    const swedish = "Ett ord har inget mellanrum: välj före eller efter.";
    await browser.until(
      `document.querySelector('#words-numberPosition-error').textContent === "${swedish}"`,
    );
    // The console has a message for each 400, and no other message.
    for (const line of await browser.console()) {
      assertMatch(line, /api\/pwgen\/\w+ - Failed to load resource: .* 400 /);
    }
  },
);

testPage("counts down when the limit is reached, then continues", {
  env: { PWGEN_RATE_LIMIT: "3", PWGEN_TRUSTED_PROXIES: "loopback" },
}, async (browser) => {
  for (let i = 0; i < 2; i++) {
    await nextPassword(browser, () => browser.click("#new"));
  }
  await browser.click("#new");
  const seconds = await browser.until<string>(
    "document.querySelector('#countdown').textContent",
  );
  assertMatch(seconds, /^(60|5\d) s$/);
  assertEquals(await browser.run(`return ${PASSWORD}`), "");
  assertMatch(
    await browser.run("return document.querySelector('#message').textContent"),
    /^Too many passwords/,
  );
  assert(
    await browser.run("return document.querySelector('#new').ariaDisabled"),
  );
  const sent = (await browser.requests()).length;
  // Until then it sends no request, whatever the settings.
  await setField(browser, "characters-length", "30");
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

testPage(
  "copies the password, or selects it",
  {},
  async (browser, { url }) => {
    await permitClipboard(browser, url);
    await browser.click("#copy");
    await browser.until(
      "document.querySelector('#done').textContent === 'Copied.'",
    );
    const copied = await browser.run<string>(
      "return navigator.clipboard.readText()",
    );
    assertEquals(copied, await browser.run(`return ${PASSWORD}`));
    await nextPassword(browser, () => browser.click("#new"));
    assertEquals(
      await browser.run("return document.querySelector('#done').textContent"),
      "",
    );
    // Without a clipboard the password is selected.
    await browser.run("navigator.clipboard.writeText = () => Promise.reject()");
    await browser.click("#copy");
    await browser.until(
      "document.querySelector('#done').textContent.startsWith('Selected')",
    );
    assertEquals(
      await browser.run("return getSelection().toString()"),
      await browser.run(`return ${PASSWORD}`),
    );
    await assertQuiet(browser);
  },
);

testPage(
  "changes the language of the page, and of words unless it was chosen",
  {
    language: "sv-SE",
  },
  async (browser) => {
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
      "129,68 bitar",
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
  },
);

testPage("can be used with the keyboard alone", {}, async (browser) => {
  const focusedId = () =>
    browser.run<string>("return document.activeElement.id");
  const tabTo = async (id: string) => {
    for (let i = 0; i < 40 && await focusedId() !== id; i++) {
      await browser.press(KEY.tab);
    }
    assertEquals(await focusedId(), id);
    // The focus is visible.
    assertMatch(
      await browser.run(
        "return getComputedStyle(document.activeElement).outline",
      ),
      /3px/,
    );
  };
  await tabTo("copy");
  await tabTo("new");
  await nextPassword(browser, () => browser.press(KEY.enter));
  await tabTo("tab-characters");
  const words = await nextPassword(browser, () => browser.press(KEY.right));
  assertEquals(await focusedId(), "tab-words");
  assertMatch(words, /^\d{2}([A-Z][a-z]+){4}$/);
  await nextPassword(browser, () => browser.press(KEY.end));
  assertEquals(await focusedId(), "tab-sentence");
  await nextPassword(browser, () => browser.press(KEY.right));
  assertEquals(await focusedId(), "tab-characters");
  await nextPassword(browser, () => browser.press(KEY.left, KEY.home));
  assertEquals(await focusedId(), "tab-characters");
  await tabTo("characters-length");
  await nextPassword(browser, () => browser.press(KEY.up));
  assertEquals((await browser.run<string>(`return ${PASSWORD}`)).length, 21);
  // Enter in a field changes the setting and does not submit the form.
  await nextPassword(
    browser,
    () => browser.press(KEY.home, KEY.delete, KEY.delete, "9", KEY.enter),
  );
  await tabTo("characters-lowercase");
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

testPage(
  "has a role and a name for every control",
  {},
  async (browser) => {
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
      "#password": "status",
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
  },
);

for (const [width, percent] of [[320, 100], [640, 200], [1600, 100]] as const) {
  testPage(`fits a width of ${width} px at ${percent} %`, {
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
  "copies no password that a changed setting replaces",
  {},
  async (browser, { url }) => {
    await permitClipboard(browser, url);
    // A click on the button ends the input, so that the change event comes first.
    await browser.run(
      `navigator.clipboard.writeText("nothing");
     const input = document.getElementById("characters-length");
     input.value = "30";
     input.dispatchEvent(new Event("change", { bubbles: true }));
     document.getElementById("copy").click()`,
    );
    await browser.until(`${PASSWORD}.length === 30`);
    assertEquals(
      await browser.run("return navigator.clipboard.readText()"),
      "nothing",
    );
    await browser.click("#copy");
    await browser.until(
      "document.querySelector('#done').textContent === 'Copied.'",
    );
  },
);

testPage("sends one request at a time, and keeps the focus", {
  env: { PWGEN_RATE_LIMIT: "3" },
}, async (browser) => {
  const sent = (await browser.requests()).length;
  await browser.run(
    `const button = document.getElementById("new");
     button.focus();
     for (let i = 0; i < 30; i++) button.click()`,
  );
  await browser.until(
    "document.querySelector('#password').ariaBusy === 'false'",
  );
  assertEquals((await browser.requests()).length, sent + 1);
  // Up to the limit and beyond it.
  for (let i = 0; i < 2; i++) {
    await browser.press(KEY.enter);
    await browser.until(
      "document.querySelector('#password').ariaBusy === 'false'",
    );
  }
  await browser.until("document.querySelector('#countdown').textContent");
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
    await browser.until(
      "document.querySelector('#message').textContent.startsWith('Too many')",
    );
    assertMatch(
      await browser.run(
        "return document.querySelector('#countdown').textContent",
      ),
      /^\d+ s$/,
    );
  }
});

testPage(
  "shows that it is offline, and sends another request when it is online",
  {},
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
    await browser.until(
      "document.querySelector('#message').textContent.startsWith('You are not connected')",
    );
    await network(false);
    await browser.until(PASSWORD);
  },
);

testPage(
  "shows that the service does not answer",
  {},
  async (browser, service) => {
    service.process.kill("SIGTERM");
    await service.process.status;
    await browser.click("#new");
    await browser.until(
      "document.querySelector('#message').textContent.startsWith('The service does not answer')",
    );
  },
);

testPage(
  "removes the password when the user leaves it",
  {},
  async (browser) => {
    await browser.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
    assertEquals(await browser.run(`return ${PASSWORD}`), "");
    await browser.run(
      "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    );
    await browser.until(PASSWORD);
  },
);

testPage(
  "shows an alternative without JavaScript",
  { language: "sv" },
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
      /Utan det .*\n+curl -X POST https:\/\/ADDRESS\/api\/pwgen\/words/,
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
  {},
  async (browser, { url }) => {
    await browser.click("footer a");
    assertEquals(await browser.url(), `${url}/docs`);
    assertEquals(await browser.title(), "Password Generation API");
    const anchors = await browser.run<string[]>(
      `return [...document.querySelectorAll("a[href^='#']")].map((a) => a.hash)
      .filter((hash) => !document.getElementById(hash.slice(1)))`,
    );
    assertEquals(anchors, []);
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
