import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Running, serve } from "../../../helpers/program.ts";
import {
  Browser,
  type BrowserOptions,
  CHROMIUM,
  SKIPPED,
} from "../../../helpers/webdriver.ts";

const PASSWORD = "document.querySelector('#password').textContent";
// The private use area stands for keys (WebDriver, section 17.4.2).
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

/** A test with a service and a browser that has the page open. */
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
      // Whatever a test does, the page stays at home and keeps its secrets.
      const { origin } = new URL(service.url);
      const requests = await browser.requests();
      assert(requests.length > 0);
      for (const request of requests) {
        assertMatch(request, new RegExp(`^(GET|POST) ${origin}/[\\w./]*$`));
      }
      const password = await browser.run<string>(`return ${PASSWORD}`);
      const kept = await browser.run<string[]>(`
        return [
          document.title, location.href, document.cookie, name,
          JSON.stringify(history.state), JSON.stringify({ ...localStorage }),
          JSON.stringify({ ...sessionStorage }),
          document.documentElement.getAttributeNames().join(),
        ]`);
      for (const place of kept) assert(!password || !place.includes(password));
      assertEquals(kept.slice(1, 7), [
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

/** Fails if anything was written to the console, violations of CSP included. */
async function assertQuiet(browser: Browser): Promise<void> {
  assertEquals(await browser.console(), []);
}

/** Does something and waits for the password that comes of it. */
async function next(
  browser: Browser,
  act: () => Promise<unknown>,
): Promise<string> {
  const before = await browser.run<string>(`return ${PASSWORD}`);
  await act();
  return await browser.until<string>(
    `${PASSWORD} !== ${JSON.stringify(before)} && ${PASSWORD}`,
  );
}

/** Lets the page write to the clipboard, and the test read from it. */
async function permitClipboard(browser: Browser, origin: string) {
  await browser.cdp("Browser.grantPermissions", {
    origin,
    permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"],
  });
}

/** Sets a field as a person does who has done with it. */
async function set(
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

testPage("generates each kind, with its entropy", {}, async (browser) => {
  const kinds: [string, RegExp, string][] = [
    ["characters", /^[!-~]{20}$/, "129.68 bits"],
    ["words", /^\d{2}([A-Z][a-z]+){4}$/, "58.64 bits"],
    ["sentence", /^\d{2}([A-Z][a-z]+){4}$/, "49.64 bits"],
  ];
  for (const [kind, shape, bits] of kinds) {
    const password = await next(browser, () => browser.click(`#tab-${kind}`));
    assertMatch(password, shape);
    const shown = (id: string) =>
      browser.run<string>(`return document.getElementById("${id}").innerText`);
    assertEquals(await shown("bits"), bits);
    assertMatch(await shown("rating"), /^(Very strong|Good): /);
    assertMatch(await shown("time"), /stolen and poorly protected/i);
    const now = await browser.run<string>(
      "return document.getElementById('meter').ariaValueNow",
    );
    assertEquals(Number(now), Math.min(128, parseFloat(bits)));
    const other = await next(browser, () => browser.click("#new"));
    assertMatch(other, shape);
  }
  // The empty page that a window begins with, and this one.
  assertEquals(await browser.run("return history.length"), 2);
  await assertQuiet(browser);
});

testPage("changes every setting, each way", {}, async (browser) => {
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
    ["characters-swedishCharacters", true, /^[\dåäöÅÄÖ]{40}$/],
    ["characters-numbers", false, /^[åäöÅÄÖ]{40}$/],
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
    ["words-wordCount", "10", /^(\d{3}[A-Z][a-z]+){10}\d{3}$/],
    ["words-language", "sv", /[åäöÅÄÖ]/],
    ["words-replaceSwedishCharacters", true, /^(\d{3}[A-Z][a-z]+){10}\d{3}$/],
    ["words-replaceWithSpecialCharacters", true, /^[^aishAISHåäö]*[@!$#]/],
    ["sentence-language", "sv", /[åäöÅÄÖ]/],
    ["sentence-replaceSwedishCharacters", true, /^\d{2}([A-Z][a-z]+){4}$/],
    ["sentence-casing", "upper", /^\d{2}[A-Z]+$/],
    ["sentence-numberPosition", "all", /^(\d{2}[A-Z]+){4}\d{2}$/],
    ["sentence-numberLength", "0", /^[A-Z]+$/],
    ["sentence-replaceWithSpecialCharacters", true, /^[^AISH]+$/],
  ];
  const names = await browser.run<string[]>(
    "return [...document.querySelectorAll('form [name]')].map(({ id }) => id)",
  );
  const set_ = new Set(settings.map(([id]) => id));
  assertEquals(names.filter((id) => !set_.has(id)), []);
  let kind = "characters";
  for (const [id, value, shape] of settings) {
    if (!id.startsWith(kind)) {
      kind = id.split("-")[0]!;
      await next(browser, () => browser.click(`#tab-${kind}`));
    }
    // A word without å, ä and ö is possible: then another one is asked for.
    let password = await next(browser, () => set(browser, id, value));
    for (let more = 0; more < 5 && !shape.test(password); more++) {
      if (!shape.source.startsWith("[") && !shape.source.includes("@")) break;
      password = await next(browser, () => browser.click("#new"));
    }
    assertMatch(password, shape, id);
  }
  await assertQuiet(browser);
});

testPage(
  "says what is wrong at the field that is wrong, and above all of them",
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
      await set(browser, "characters-length", length);
      assertEquals(
        await errorText(),
        "No password: correct the marked fields.",
      );
      assertEquals(await field("characters-length"), [
        "Enter a whole number from 1 to 128.",
        "true",
        true,
      ]);
      await next(browser, () => set(browser, "characters-length", "12"));
      assertEquals(await field("characters-length"), ["", null, false]);
    }
    // Two at once.
    await set(browser, "characters-length", "0");
    await set(browser, "characters-specialCharacterPercentage", "101");
    await browser.until(
      "document.querySelectorAll('[aria-invalid]').length === 2",
    );
    await set(browser, "characters-specialCharacterPercentage", "0");
    await set(browser, "characters-length", "12");
    await browser.until(PASSWORD);
    // What concerns all of them.
    for (
      const name of ["lowercase", "uppercase", "numbers", "specialCharacters"]
    ) {
      await set(browser, `characters-${name}`, false);
    }
    assertEquals(await errorText(), "Choose at least one kind of character.");
    assertEquals(
      await browser.run(
        "return document.querySelectorAll('[aria-invalid]').length",
      ),
      0,
    );
    // What concerns one of them because of another; it goes with the language.
    await browser.click("#tab-words");
    await browser.until(PASSWORD);
    await set(browser, "words-wordCount", "1");
    await set(browser, "words-numberPosition", "between");
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
    // The console tells of each 400, and of nothing else.
    for (const line of await browser.console()) {
      assertMatch(line, /api\/pwgen\/\w+ - Failed to load resource: .* 400 /);
    }
  },
);

testPage("counts down when the limit is reached, then goes on", {
  env: { PWGEN_RATE_LIMIT: "3", PWGEN_TRUSTED_PROXIES: "loopback" },
}, async (browser) => {
  for (let i = 0; i < 2; i++) await next(browser, () => browser.click("#new"));
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
  // Nothing more is sent meanwhile, whatever is set.
  await set(browser, "characters-length", "30");
  await browser.click("#tab-words");
  await browser.until(
    `document.querySelector('#countdown').textContent !== "${seconds}"`,
  );
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assertEquals((await browser.requests()).length, sent);
  // A minute later: the page's clock is put forward, and for the service it is
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
  "copies the password and nothing else",
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
    await next(browser, () => browser.click("#new"));
    assertEquals(
      await browser.run("return document.querySelector('#done').textContent"),
      "",
    );
    // Without a clipboard it is selected.
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
  "switches the language of the page and, until it was chosen, of the words",
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
    await set(browser, "words-language", "en");
    await browser.click(".languages [lang=sv]");
    assertEquals(await texts(), ["sv", "Lösenord", "Kopiera", "en", "sv"]);
    // Every text is in the language: what the server renders and what the script
    // says are the same.
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

testPage("works with the keyboard alone", {}, async (browser) => {
  const focus = () => browser.run<string>("return document.activeElement.id");
  const to = async (id: string) => {
    for (let i = 0; i < 40 && await focus() !== id; i++) {
      await browser.press(KEY.tab);
    }
    assertEquals(await focus(), id);
    // Where the focus is can be seen.
    assertMatch(
      await browser.run(
        "return getComputedStyle(document.activeElement).outline",
      ),
      /3px/,
    );
  };
  await to("copy");
  await to("new");
  await next(browser, () => browser.press(KEY.enter));
  await to("tab-characters");
  const words = await next(browser, () => browser.press(KEY.right));
  assertEquals(await focus(), "tab-words");
  assertMatch(words, /^\d{2}([A-Z][a-z]+){4}$/);
  await next(browser, () => browser.press(KEY.end));
  assertEquals(await focus(), "tab-sentence");
  await next(browser, () => browser.press(KEY.right));
  assertEquals(await focus(), "tab-characters");
  await next(browser, () => browser.press(KEY.left, KEY.home));
  assertEquals(await focus(), "tab-characters");
  await to("characters-length");
  await next(browser, () => browser.press(KEY.up));
  assertEquals((await browser.run<string>(`return ${PASSWORD}`)).length, 21);
  // Enter in a field is a change, not a form that is sent.
  await next(
    browser,
    () => browser.press(KEY.home, KEY.delete, KEY.delete, "9", KEY.enter),
  );
  await to("characters-lowercase");
  assertMatch(await next(browser, () => browser.press(KEY.space)), /^[^a-z]+$/);
  // However many settings there are, the link follows them.
  const href = "return document.activeElement.getAttribute('href')";
  for (let i = 0; i < 40 && await browser.run(href) !== "docs"; i++) {
    await browser.press(KEY.tab);
  }
  assertEquals(await browser.run(href), "docs");
  await assertQuiet(browser);
});

testPage(
  "has a role and a name for everything that can be used",
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
      await next(browser, () => browser.click(`#tab-${kind}`));
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
        const [selector] = Object.entries(roles).filter(([, is]) =>
          is === role
        )[0]!;
        assert(
          await browser.run(
            `return document.getElementById("${id}").matches("${selector}")`,
          ),
          `${id} is heard as ${role}`,
        );
        assert(name.length > 1, `${id} has no name`);
      }
      const panel = await browser.accessibility(
        await browser.find(`#panel-${kind}`),
      );
      assertEquals(panel.role, "tabpanel");
      assertEquals(panel.name.toLowerCase(), kind);
    }
    // What changes by itself is told.
    const live = {
      "#password": "status",
      "#message": "alert",
      "#done": "status",
    };
    for (const [selector, role] of Object.entries(live)) {
      // What is empty may be left out of the accessibility tree.
      const of = await browser.run<string>(
        `const e = document.querySelector("${selector}"); return e.role ?? e.localName`,
      );
      assertEquals(of === "output" ? "status" : of, role);
    }
  },
);

for (const [width, percent] of [[320, 100], [640, 200], [1600, 100]] as const) {
  testPage(`fits a width of ${width} px at ${percent} %`, {
    size: [width, 800],
  }, async (browser) => {
    // The text twice as large, which is more than zoom asks: that makes the
    // window smaller instead.
    await browser.run(
      "document.documentElement.style.fontSize = arguments[0] + '%'",
      percent,
    );
    const settings: Record<string, [string, string, number]> = {
      characters: ["characters-length", "128", 128],
      words: ["words-wordCount", "10", 50],
      sentence: ["sentence-numberLength", "12", 30],
    };
    for (const [kind, [id, value, least]] of Object.entries(settings)) {
      await browser.click(`#tab-${kind}`);
      await set(browser, id, value);
      await browser.until(`${PASSWORD}.length >= ${least}`);
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
  "copies no password that is about to go",
  {},
  async (browser, { url }) => {
    await permitClipboard(browser, url);
    // The change of the field comes with the click that leaves it.
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

testPage("asks once while it waits for an answer, and keeps the focus", {
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
  // Why there is no password stays, whatever happens meanwhile.
  for (
    const happens of [
      "dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))",
      "document.getElementById('tab-words').click()",
      "dispatchEvent(new PageTransitionEvent('pagehide')); dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    ]
  ) {
    await browser.run(happens);
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
  "says that there is no connection, and asks again when there is",
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
  "says that the service does not answer",
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

testPage("keeps no password when it is left", {}, async (browser) => {
  await browser.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  assertEquals(await browser.run(`return ${PASSWORD}`), "");
  await browser.run(
    "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
  );
  await browser.until(PASSWORD);
});

testPage(
  "says what to do without JavaScript",
  { language: "sv" },
  async (browser, { url }) => {
    await browser.cdp("Emulation.setScriptExecutionDisabled", { value: true });
    await browser.go(`${url}/`);
    await browser.cdp("Emulation.setScriptExecutionDisabled", { value: false });
    // It waits a moment, so as not to flash where there is a script.
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
  "is joined by documents that are as quiet",
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
