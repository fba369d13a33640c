/**
 * What people do on the page, in a real browser: each test is a person with an end.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exactBits, sequences } from "../../helpers/entropy.ts";
import { qrModules, wifiText } from "../../../routes/site/page/qr.js";
import { WORDLISTS } from "../../../wordlists/mod.ts";
import { type Kind, KINDS, outcome, type Row, TABLES } from "../../oracle.ts";
import { KEY } from "../../helpers/webdriver.ts";
import {
  field,
  INVALID,
  NO_PDFTOTEXT,
  PASSWORD,
  printed,
  radio,
  testPage,
  textNodes,
} from "./page.ts";

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
  "passwordRules",
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
    const cases: [string, RegExp, RegExp, RegExp?][] = [
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
      ["wifi", /^([a-z]+\d){4}[a-z]+$/, /^Strong · 7\d bits/],
      [
        "pin",
        /^\d{6}$/,
        /^PIN · 19 bits · 6 characters$/,
        /^Good only where guesses are limited/,
      ],
      ["manager", /^[!-~]{20}$/, /^Very strong · 129 bits · 20 characters$/],
    ];
    for (const [purpose, shape, strength, warning = /^$/] of cases) {
      assertMatch(await page.choose(purpose), shape);
      assertMatch(await page.text(".strength"), strength);
      assertMatch(await page.next("button New password"), shape);
      assertMatch(await page.text("#warning"), warning);
    }
    await page.choose("remember");
    const sentence = await page.setNext("combobox Made of", "sentence");
    assertMatch(sentence, /^[a-z]+(-[a-z]+){3}-\d\d$/);
    assertMatch(
      await page.text(".strength"),
      RegExp(`^For logins that lock · ${parseInt(four)} bits`),
    );
    assertMatch(await page.text("#help"), /weaker than five words/);
    await page.choose("manager");
    assertEquals(
      await page.text("#verdict"),
      "New password: Very strong · 129 bits · 20 characters",
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
  if (row.type === "text") return row.valid[1];
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
        if (current !== kind) {
          await page.click(radio(PURPOSE_OF[kind]));
          if (kind === "sentence") await page.set("combobox Made of", kind);
          await page.more();
        }
        current = kind;
        if (name === "swedishCharacters") {
          // Few people who write English can type them.
          assertEquals(await page.isVisible(`#${kind}-${name}`), false);
          continue;
        }
        if (name.endsWith("SwedishCharacters")) {
          await page.set(field("language"), "sv");
        }
        if (name === "separatorSet") await page.set(field("separator"), "");
        const input = field(name);
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
      }
    }
  },
);

testPage({
  name: "names an invalid field and the reason, and leads to it",
  messages: INVALID,
}, async (page) => {
  await page.hurry();
  const length = "textbox Length";
  const sent = (await page.requests()).length;
  for (const [i, value] of ["0", ""].entries()) {
    await page.set(length, value);
    await page.shows("#message", /^Length: Enter a whole number from 1 to /);
    assertEquals(await page.get(length, "ariaInvalid"), "true");
    assertEquals(await page.role("#message"), "alert");
    // There is no password for the settings: nothing to copy, and no strength.
    assertEquals(await page.text("#password"), "");
    for (const part of ["#meter", "#bits", "#verdict", "#command"]) {
      assertEquals(await page.isVisible(part), false, part);
    }
    assertEquals(await page.get("button Copy", "ariaDisabled"), "true");
    await page.setNext(length, String(12 + i));
    assertEquals(await page.text("#message"), "");
  }
  // The page knows the ranges itself.
  assertEquals((await page.requests()).length, sent + 2);
  // What only the API knows.
  await page.choose("remember");
  await page.more();
  await page.set(field("maximumLength"), "12");
  await page.shows("#message", /^Maximum length: Must be/);
  // Its link leads to the input, and leaves the settings in the address.
  const address = await page.url();
  await page.click("link Maximum length");
  assertEquals(await page.get(":focus", "name"), "maximumLength");
  assertEquals(await page.url(), address);
  await page.setNext(field("maximumLength"), "");
});

testPage({
  name: "shows what is refused in a window of a phone, and no password",
  messages: INVALID,
  size: [390, 700],
}, async (page) => {
  await page.hurry();
  await page.click("radio A site with rules");
  await page.more();
  await page.set(field("specialCharacterSet"), "a, b");
  await page.shows("#message", /^Only these special characters: /);
  assertEquals(await page.text("#password"), "");
  // The sign, the name and the colon stand in one line.
  const [line, link, colon] = await page.run<DOMRect[]>(
    `const line = document.querySelector("#message p");
     const range = new Range();
     range.setStart(line.childNodes[1], 0);
     range.setEnd(line.childNodes[1], 1);
     return [line, line.firstChild, range].map((e) => e.getBoundingClientRect())`,
  );
  assertEquals([link!.top, link!.height], [colon!.top, colon!.height]);
  assert(link!.left > line!.left && link!.top < line!.top + link!.height);
  await page.until(
    `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
       document.getElementById("characters-specialCharacterSet-note")
         .getBoundingClientRect())`,
  );
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
  await page.set("textbox Length", "30");
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
  // What is copied in the meantime stays.
  await page.network({ offline: true });
  await page.click("button New password");
  await page.shows("#message", /^You are not connected/);
  const copied = await page.copied();
  await page.network({});
  await page.until("document.querySelector('#message').textContent === ''");
  assertEquals(await page.text("#password"), copied);
  for (
    const [response, message, countdown] of [
      // RateLimit is about the limit, not about this.
      [
        `new Response("", { status: 503,
          headers: { "retry-after": "9", ratelimit: '"default";r=59;t=60' } })`,
        /^The service has too much to do/,
        /in \d s/,
      ],
      // And this when the window has room again, before Retry-After.
      [
        `new Response("", { status: 429,
          headers: { "retry-after": "60", ratelimit: '"default";r=0;t=9' } })`,
        /^Many passwords were asked for/,
        /in \d s/,
      ],
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
    if (countdown) assertMatch(await page.shows("#countdown"), countdown);
    await page.run("globalThis.fetch = real");
    await page.next("button New password");
  }
});

testPage(
  "undoes step by step, with the settings, until the page is left",
  async (page) => {
    await page.hurry();
    const state = () =>
      page.run<unknown[]>(
        `return [
           document.querySelector("#password").textContent,
           document.querySelector("[name=purpose]:checked").value,
           [...document.querySelectorAll("form:not([hidden]) [name]")]
             .map(({ type, checked, value }) => type === "checkbox" ? checked : value),
         ]`,
      );
    /** The results with their settings, the latest first. */
    const states = [await state()];
    const add = async (made: Promise<unknown>) => {
      await made;
      states.unshift(await state());
    };
    const isEnd = async () =>
      await page.get("button Undo", "ariaDisabled") === "true";
    assertEquals(await page.isVisible("#undo"), false);
    await add(page.next("button New password"));
    assertEquals(await page.isVisible("#undo"), true);
    await add(page.choose("type"));
    await add(page.next("button Fewer words"));
    // A choice of two purposes comes back under the one where it was made.
    await add(page.choose("remember"));
    await add(page.setNext("combobox Made of", "pupil"));
    assertEquals(states[0]![1], "remember");
    await add(page.choose("site"));
    // These two purposes ask for the same.
    await page.click(radio("manager"));
    await add(page.next("button New password"));
    await page.click(radio("site"));
    await add(page.setNext("combobox Requirements of", "entra"));
    // What gave no password is undone too, and what is on its way.
    await page.set("textbox Length", "0");
    await page.shows("#message", /^Length: /);
    await page.click("button Undo");
    assertEquals(await state(), states[0]);
    assertEquals(await page.text("#message"), "");
    await page.run(
      "globalThis.real = fetch; globalThis.fetch = () => Promise.reject()",
    );
    await page.set("textbox Length", "17");
    await page.shows("#message", /^The service is not responding/);
    await page.run("globalThis.fetch = real");
    await page.click("button Undo");
    assertEquals(await state(), states[0]);
    assertEquals(await page.text("#message"), "");
    for (
      const action of [
        () => page.click("button New password"),
        () => page.set("textbox Length", "17"),
      ]
    ) {
      await page.hold();
      await action();
      await page.until("document.querySelector('#single').ariaBusy === 'true'");
      await page.click("button Undo");
      await page.release();
      assertEquals(await state(), states[0]);
      assertEquals(await page.text("#message"), "");
    }
    const sent = (await page.requests()).length;
    for (const each of states.slice(1)) {
      await page.click("button Undo");
      assertEquals(await state(), each);
      // A field that was left without a change asks for nothing.
      if (each !== states[1]) continue;
      await page.set("textbox Length", "20");
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assertMatch(await page.text("#verdict"), /^Undone: Very strong · /);
    assertEquals(await page.get(":focus", "id"), "undo");
    assert(await isEnd());
    assertEquals((await page.requests()).length, sent);
    // At most ten.
    states.length = 1;
    states[0] = await state();
    for (let i = 0; i < 11; i++) await add(page.next("button New password"));
    for (const each of states.slice(1, 11)) {
      await page.click("button Undo");
      assertEquals(await state(), each);
    }
    assert(await isEnd());
    // Also while a request is on its way.
    await page.hold();
    await page.click("button New password");
    await page.until("document.querySelector('#single').ariaBusy === 'true'");
    await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
    await page.release();
    assertEquals(await page.text("#password"), "");
    assert(await isEnd());
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
  "copies each time, also without a clipboard or while hidden, or selects",
  async (page) => {
    await page.permitClipboard();
    assertEquals(await page.copied(), await page.text("#password"));
    assertEquals(await page.name("#copy"), "Copy");
    // The password of a request that is on its way.
    await page.hold();
    await page.set("textbox Length", "33");
    await page.click("#copy");
    await page.shows("#announcement", /^Copied when made …$/);
    await page.release();
    await page.until(`${PASSWORD}.length === 33`);
    await page.shows("#announcement", /^Password copied$/);
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
    const password = await page.next("button New password");
    await page.stopTimers();
    // Not the dots that stand for it.
    await page.click("button Hide password");
    await page.click("#copy");
    await page.shows("#announcement", /^Password copied$/);
    assertEquals(await page.run("return read()"), password);
    await page.run("document.execCommand = () => false");
    await page.click("#copy");
    const refused = /^Could not copy\. Press Show, then copy\.$/;
    await page.shows("#announcement", refused);
    assertEquals(await page.run("return String(getSelection())"), "");
    await page.click("button Show password");
    await page.click("#copy");
    await page.shows("#announcement", /^Selected: copy it now$/);
    assertEquals(await page.run("return String(getSelection())"), password);
  },
);

testPage(
  "has an address for each language: a switch keeps the settings, and Back brings the password",
  async (page, { url }) => {
    await page.prefer("sv-SE");
    await page.go(`${url}/`);
    await page.until(PASSWORD);
    assertEquals(await page.text("#copy"), "Kopiera");
    await page.choose("pin", "sv");
    const password = await page.next("button Längre");
    await page.click("link English");
    await page.shows("h1", /^Password generator$/);
    assertEquals(new URL(await page.url()).pathname, "/en");
    assertEquals(await page.get("html", "lang"), "en");
    await page.until(`/^\\d{7}$/.test(${PASSWORD})`);
    await page.run("setTimeout(() => history.back())");
    await page.shows("h1", /^Lösen/);
    const before = await page.until<string>(PASSWORD);
    // A browser that keeps no page for Back says that the password is another one.
    const note = await page.text("#anew");
    assertEquals(before === password, note === "", note);
    // Without scripts too.
    await page.goWithoutScripts(`${url}/en`);
    await page.click("[hreflang=sv][data-settings]");
    assertEquals(new URL(await page.url()).pathname, "/sv");
    await page.go(`${url}/sv`);
    await page.until(PASSWORD);
    assertEquals(
      await page.isVisible("#characters-swedishCharacters-field"),
      false,
    );
    await page.more();
    const letters = field("swedishCharacters", "sv");
    assertMatch(await page.setNext(letters, true), /^[!-~åäöÅÄÖ]{20}$/);
  },
);

testPage(
  "keeps purpose and settings in the fragment, and says that a reload made another password",
  async (page, { url }) => {
    await page.choose("type");
    await page.more();
    await page.set(field("maximumLength"), "");
    await page.set(field("separator"), "_");
    const shape = "/^\\p{Ll}+(_\\p{Ll}+){5}$/u";
    await page.until(`${shape}.test(${PASSWORD})`);
    const password = JSON.stringify(await page.text("#password"));
    assertEquals(await page.text("#anew"), "");
    await page.run("location.reload()");
    await page.until(
      `${shape}.test(${PASSWORD}) && ${PASSWORD} !== ${password}`,
    );
    const anew = "A new password: the former one is gone.";
    assertEquals(await page.text("#anew"), anew);
    const fragment = new URL(await page.url()).hash.slice(1);
    assertEquals(Object.fromEntries(new URLSearchParams(fragment)), {
      purpose: "type",
      maximumLength: "",
      separator: "_",
    });
    await page.next(radio("remember"));
    assertEquals(await page.text("#anew"), "");
    await page.go(`${url.replace("//", "//name:secret@")}/`);
    await page.shows(".strength", /^Very strong/);
    // The command has the address without the secret.
    await page.run("document.getElementById('command').open = true");
    await page.permitClipboard();
    await page.click("button Copy command");
    await page.shows("#announcement", /^Command copied/);
    assertEquals(
      await page.run("return navigator.clipboard.readText()"),
      `curl -X POST '${url}/api/pwgen/characters' -H 'content-type: application/json' -d '{}'`,
    );
  },
);

testPage(
  "follows a link to a former version, and its language, without a loop",
  async (page, { url }) => {
    for (const [from, to] of [["en", "sv"], ["sv", "en"], ["", "sv"]]) {
      await page.go("about:blank");
      await page.go(`${url}/${from}#kind=words&page=${to}&wordCount=3&x=1`);
      await page.until(`location.pathname === "/${to}" && ${PASSWORD}`);
      const hash = await page.run("return location.hash");
      assertEquals(hash, "#kind=words&wordCount=3&x=1");
      assertMatch(await page.text("#password"), /^\p{Ll}+(-\p{Ll}+){2}-\d\d$/u);
      await page.shows("#unknown", /: x\.$/);
      assertEquals(await page.text("#anew"), "");
      // It is over when a person changes something: the link does not have it.
      await page.choose("pin", to as "en" | "sv");
      assertEquals(await page.text("#unknown"), "");
      assertEquals(await page.run("return location.hash"), "#purpose=pin");
    }
    // A fragment that changes in place.
    await page.run("location.hash = 'purpose=site&passwordRules=y'");
    await page.shows("#unknown", /: passwordRules\.$/);
  },
);

testPage(
  "changes length and words by steps, and says so once",
  async (page) => {
    await page.hurry();
    const listen = () =>
      page.run(
        `globalThis.said = [];
       const verdict = document.getElementById("verdict");
       new MutationObserver(() => said.push(verdict.textContent))
         .observe(verdict, { childList: true })`,
      );
    await listen();
    const said = () => page.run<string[]>("return said.splice(0)");
    const focus = () => page.run("return document.activeElement.ariaLabel");
    const words = (count: number, most: number) =>
      RegExp(`^(?=.{1,${most}}$)[a-z]+(-[a-z]+){${count - 1}}$`);
    await page.choose("type");
    await said();
    // By the mouse; one word more has room for a short one.
    const more = await page.find("button More words");
    assertMatch(await page.next(more), words(7, 42));
    assertEquals(await focus(), "More words");
    const heard = async () =>
      (await said()).flatMap((each) =>
        /^.*?: [\w ]+/.exec(each)?.[0].trim() ?? [] // it waits
      );
    assertEquals(await heard(), ["7 words. New password: Strong"]);
    // Three in quick succession are one request, and one message.
    await page.next(() =>
      page.run("for (let i = 0; i < 3; i++) document.activeElement.click()")
    );
    assertEquals(await page.get("textbox Number of words", "value"), "10");
    assertEquals(await heard(), ["10 words. New password: Very strong"]);
    assertEquals(await focus(), "More words");
    assertEquals(await page.get("button More words", "ariaDisabled"), "true");
    assertEquals(await page.get("button Fewer words", "ariaDisabled"), "false");
    // The number can be typed, and has arrow keys; the wheel changes nothing.
    const typed = await page.next(async () => {
      await page.click("#words-wordCount");
      await page.press("3");
    });
    assertMatch(typed, words(3, 18));
    const { x, y } = await page.run<{ x: number; y: number }>(
      "return document.activeElement.getBoundingClientRect()",
    );
    const wheel = { type: "mouseWheel", deltaX: 0, deltaY: -100 };
    await page.cdp("Input.dispatchMouseEvent", {
      ...wheel,
      x: x + 9,
      y: y + 9,
    });
    assertMatch(await page.next(() => page.press(KEY.down)), words(2, 12));
    await page.choose("pin");
    await said();
    assertMatch(await page.next("button Shorter"), /^\d{5}$/);
    assertEquals(await heard(), ["5 characters. New password: PIN"]);
    await page.choose("manager"); // five digits could stand in an address
  },
);

testPage("hides passwords from those who look on", async (page) => {
  await page.hurry();
  await page.permitClipboard();
  await page.choose("remember");
  const password = await page.next("button New password");
  await page.click("button Hide password");
  const dots = "•".repeat(10);
  assertEquals(await page.text("#password"), dots);
  assertEquals(await textNodes(page, "#single"), ["Password hidden"]);
  assertEquals(await page.get("#hide", "textContent"), "Show");
  assertEquals(await page.copied(), password);
  await page.click("button Show large, and spelled out");
  assertEquals(await page.text("#characters"), dots);
  assertEquals(await textNodes(page, "#large p"), ["Password hidden"]);
  assertEquals(await page.copied("#large-copy"), password);
  await page.press(KEY.escape);
  const html = await page.get("html", "outerHTML");
  assert(!html.includes(password));
  // It stays for what is made later, of any kind.
  for (const purpose of ["pin", "manager"]) {
    await page.click(radio(purpose));
    await page.shows(".strength", purpose === "pin" ? /^PIN/ : /^Very strong/);
    assertEquals(await page.text("#password"), dots);
  }
  // Whoever leaves the page has not hidden the next one.
  await page.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  await page.run(
    "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
  );
  await page.until(`${PASSWORD} && ${PASSWORD} !== "${dots}"`);
});

testPage({
  name: "joins a network by a code, and prints it; its name stays here",
  messages: /^$/,
  skipped: NO_PDFTOTEXT,
}, async (page) => {
  const paper = async () => (await printed(page)).join("").replace(/\s/g, "");
  await page.hurry();
  await page.record();
  const encoders = async () =>
    (await page.requests()).filter((each) => each.endsWith("/qr.js")).length;
  assertEquals(await encoders(), 0);
  const password = await page.choose("wifi");
  const name = 'Åsas:"Café";';
  const ssid = "textbox Name of the network";
  await page.set(ssid, name);
  await page.until("document.querySelector('#code-box:not([hidden]) svg')");
  assertEquals(await encoders(), 1);
  const code = async () => {
    const drawn = await page.get("#code-box:not([hidden]) svg", "outerHTML");
    const [, size] = /viewBox="0 0 (\d+) \1"/.exec(drawn)!;
    const [, path] = /<path id="code-modules" d="(.*?)"/.exec(drawn)!;
    return { size: Number(size), path };
  };
  const expected = (password: string, isHidden = false) => {
    const rows = qrModules(wifiText(name, password, isHidden))!;
    const path = rows.flatMap((row, y) =>
      row.map((isDark, x) => isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")
    );
    return { size: rows.length + 8, path: path.join("") };
  };
  assertEquals(await code(), expected(password));
  assertEquals(await page.name("#code"), `Code to join the network ${name}`);
  assertMatch(
    await page.text("#ssid-note"),
    /on this one, copy the password\.$/,
  );
  assertMatch(
    await paper(),
    RegExp(`^Wi-Fi${RegExp.escape(name)}:scan.*spaces\\.${password}$`),
  );
  // A network that does not send its name.
  await page.set("checkbox The network is hidden", true);
  assertEquals(await code(), expected(password, true));
  await page.set("checkbox The network is hidden", false);
  // Another password has another code.
  const another = await page.next("button New password");
  assertEquals(await code(), expected(another));
  // What is printed later is no network.
  const pin = await page.choose("pin");
  assertEquals(await paper(), pin);
  // The name has left the page nowhere.
  assertEquals((await page.bodies()).join().includes("Caf"), false);
  assertEquals(/Caf/.test(decodeURIComponent(await page.url())), false);
});

testPage({
  name: "says that it waits on a slow line, and asks once",
  messages: /Failed to load resource/,
}, async (page) => {
  await page.hold();
  await page.record();
  const password = await page.text("#password");
  await page.click("button New password");
  await page.shows("#verdict", /^Making a password …$/);
  const top = () =>
    page.run<number>(
      "return document.getElementById('copy').getBoundingClientRect().top",
    );
  const place = await top();
  await page.run(`return (async () => {
    for (let i = 0; i < 8; i++) {
      document.getElementById("new").click();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })()`);
  await page.release();
  await page.until(`${PASSWORD} !== ${JSON.stringify(password)}`);
  assertEquals(await top(), place);
  assertEquals(await page.isVisible(".strength"), true);
  assertEquals((await page.bodies()).length, 1);
  // The first one too: an empty card would look broken.
  await page.reloadAndHold();
  await page.until(
    `document.readyState !== "loading" && ${PASSWORD} === "" &&
     document.getElementById("verdict").checkVisibility({ visibilityProperty: true })`,
  );
  await page.release();
  await page.until(PASSWORD);
  // Nothing is made for a value that is not valid.
  await page.click("button New password");
  await page.set("textbox Length", "0");
  await page.shows("#message", /^Length: /);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assertEquals(await page.isVisible("#verdict"), false);
  await page.setNext("textbox Length", "20");
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
