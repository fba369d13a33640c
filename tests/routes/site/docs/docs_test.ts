import { assert, assertEquals, assertMatch } from "@std/assert";
import { examples } from "../../../../tools/documents/docs_page.ts";
import { ADDRESS } from "../../../../tools/documents/example_code.ts";
import { DESCRIPTION } from "../../../helpers/schema.ts";
import { handlerFor } from "../../../helpers/service.ts";
import { Browser, browserTests, KEY } from "../../../helpers/webdriver.ts";

/** A part of the form of an endpoint, as a selector. */
const form = (kind: string, part = "") =>
  `.try[data-path='api/pwgen/${kind}'] ${part}`;

/** A browser that shows the documents. */
class Docs extends Browser {
  /** Sends a body, and returns message, header fields and body of the response. */
  async tryIt(
    kind: string,
    body = "{}",
    accept = "application/json",
  ): Promise<string[]> {
    await this.run(
      `const [form, body, accept] = arguments;
       document.querySelector(form + "textarea").value = body;
       document.querySelector(form + "select").value = accept;`,
      form(kind),
      body,
      accept,
    );
    await this.click(form(kind, ".send"));
    return [
      await this.shows(form(kind, ".message"), /^(?!Sending …)./),
      ...await this.run<string[]>(
        `return [...document.querySelectorAll(arguments[0])]
           .map((code) => code.innerText)`,
        form(kind, ".answer code"),
      ),
    ];
  }

  /** Unfolds every part, and returns the HTML of the elements that match. */
  select(selector: string, condition: string): Promise<string[]> {
    return this.run(
      `document.querySelectorAll("details").forEach((e) => e.open = true);
       return [...document.querySelectorAll(arguments[0])]
         .filter((e) => ${condition}).map((e) => e.outerHTML)`,
      selector,
    );
  }

  /** The visible controls that are lower than this, in CSS pixels. */
  lowerThan(pixels: number, selector = ""): Promise<string[]> {
    return this.select(
      `button, select, summary ${selector}`,
      `e.checkVisibility() && e.getBoundingClientRect().height < ${pixels}`,
    );
  }

  /** Does what a browser does when the user leaves the page. */
  async leave(): Promise<void> {
    await this.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
  }
}

const READY = "document.querySelector('.choices')";
const testDocs = browserTests(Docs, "/docs", READY);

testDocs(
  "the commands have the address of the service, below any prefix",
  async (docs, { url }) => {
    const handler = await handlerFor([]);
    await using proxy = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      ({ url, method, headers, body }) => {
        const target = url.replace(/\/(pw|a\/it's)\//, "/");
        assert(target !== url, target);
        const request = new Request(target, { method, headers, body });
        return handler(request, "192.0.2.1");
      },
    );
    const origin = `http://127.0.0.1:${proxy.addr.port}`;
    for (const base of [url, `${origin}/pw`, `${origin}/a/it's`]) {
      await docs.renew();
      await docs.go(`${base}/docs`);
      await docs.until(READY);
      const actual = await docs.run<string[]>(
        `return [...document.querySelectorAll("main details .languages code")]
          .map((code) => code.textContent)`,
      );
      const address = base.replaceAll("'", "%27");
      const expected = Object.entries(DESCRIPTION.paths).flatMap((
        [path, item],
      ) =>
        Object.entries(item).flatMap(([method, operation]) =>
          examples(path, method, operation).flatMap(({ code }) =>
            Object.values(code).map((text) => text.replaceAll(ADDRESS, address))
          )
        )
      );
      // The page groups the examples by request.
      assertEquals(actual.sort(), expected.sort());
      assert(!(await docs.get("body", "innerText")).includes(ADDRESS));
      assertEquals((await docs.tryIt("words"))[0], "200 OK");
    }
  },
);

testDocs("copies an example, and says so", async (docs) => {
  await docs.permitClipboard();
  // Every example has a button with its own name.
  const [blocks, names] = await docs.run<[number, string[]]>(
    `return [document.querySelectorAll("pre").length,
        [...document.querySelectorAll("figcaption > button")].map((e) => e.ariaLabel)]`,
  );
  assertEquals(names.length, blocks);
  for (const name of names) assertMatch(name, /^Copy: ./);

  assertEquals(await docs.text("#done"), "");
  await docs.run("document.querySelector('figcaption > button').focus()");
  await docs.press(KEY.enter);
  await docs.shows("#done", /^Copied$/);
  const command = await docs.run<string>(
    "return navigator.clipboard.readText()",
  );
  assertMatch(command, /^curl -X POST '.*\/api\/pwgen\/characters' \\\n/);
  assertEquals(command, await docs.get("pre", "innerText"));
  const { role } = await docs.accessibility(await docs.find("#done"));
  assertEquals(role, "status");
});

testDocs({
  name: "copies an example without a clipboard, or selects it",
  before: "Object.defineProperty(navigator, 'clipboard', {})",
}, async (docs) => {
  await docs.click("figcaption > button");
  await docs.shows("#done", /^Copied$/);
  await docs.run("document.execCommand = () => false");
  await docs.click("figcaption > button");
  await docs.shows("#done", /^Selected/);
  assertEquals(
    (await docs.run<string>("return getSelection().toString()")).trim(),
    await docs.get("pre", "innerText"),
  );
});

testDocs("shows all examples in one language", async (docs) => {
  // The language of the visible examples, and that of the pressed buttons.
  const chosen = () =>
    docs.run<string[][]>(
      `document.querySelectorAll("main details").forEach((e) => e.open = true);
       const unique = (selector, text) =>
         [...new Set([...document.querySelectorAll(selector)].map(text))];
       return [
         unique(".languages figure", (e) =>
           e.querySelector("pre").checkVisibility() ? e.dataset.name : ""
         ).filter(Boolean),
         unique("[aria-pressed=true]", (e) => e.textContent)]`,
    );
  assertEquals(await chosen(), [["curl"], ["curl"]]);
  for (const [index, name] of ["curl", "JavaScript", "Python"].entries()) {
    await docs.click(`.choices button:nth-child(${index + 1})`);
    assertEquals(await chosen(), [[name], [name]]);
  }
});

testDocs({
  name:
    "sends requests without AbortSignal.any, and shows the responses as text",
  env: { PWGEN_RATE_LIMIT: "5" },
  before: "delete AbortSignal.any",
  messages: /api\/pwgen\/\w+ - Failed to load resource: .* 4(00|29) /,
}, async (docs) => {
  const [message, fields, body] = await docs.tryIt("characters");
  assertEquals(message, "200 OK");
  assertMatch(fields!, /^entropy-bits: 129\.68$/m);
  assertMatch(fields!, /^content-type: application\/json; charset=utf-8$/m);
  assertEquals(JSON.parse(body!).length, 20);
  assertEquals(await docs.console(), []);

  const plain = await docs.tryIt("words", '{"language": "en"}', "text/plain");
  assertEquals(plain[0], "200 OK");
  assertMatch(plain[2]!, /^\d\d([A-Z][a-z]+){4}$/);

  const wrong = await docs.tryIt("sentence", '{"casing": "<b>"}');
  assertEquals(wrong[0], "400 Bad Request");
  assertEquals(Object.keys(JSON.parse(wrong[2]!).errors), ["casing"]);
  assertEquals((await docs.tryIt("sentence", "{"))[0], "400 Bad Request");

  await docs.tryIt("words");
  const refused = await docs.tryIt("words");
  assertMatch(refused[0]!, /^429 Too Many Requests: wait \d+ s$/);
  assertMatch(refused[1]!, /^retry-after: 60$/m);
  assertEquals(JSON.parse(refused[2]!).status, 429);

  // A response of something else, such as a proxy.
  const html = "<b id=injected>Bad gateway</b>";
  await docs.run(
    `window.fetch = () => Promise.resolve(
       new Response(arguments[0], { status: 502 }))`,
    html,
  );
  assertEquals((await docs.tryIt("words"))[2], html);
  assertEquals(
    await docs.run("return document.getElementById('injected')"),
    null,
  );
});

/** Holds the requests of the page until `held` of the window calls them. */
const HOLD = `const send = fetch;
  window.held = [];
  window.fetch = (...request) => new Promise((resolve) =>
    held.push(() => resolve(send(...request))))`;

testDocs({
  name: "sends one request at a time, also while Enter is held down",
  before: HOLD,
}, async (docs) => {
  const sent = () => docs.run<number>("return held.length");
  await docs.click(form("words", ".send"));
  await docs.click(form("words", ".send"));
  assertEquals(await sent(), 1);
  await docs.run("held[0]()");
  await docs.shows(form("words", ".message"), /^200 OK$/);
  await docs.enter("keyDown");
  assertEquals(await sent(), 2);
  await docs.run("held[1]()");
  await docs.shows(form("words", ".message"), /^200 OK$/);
  // The key is still down.
  await docs.enter("keyDown", true);
  assertEquals(await sent(), 2);
  await docs.enter("keyUp");
  assertEquals(await docs.get(":focus", "className"), "send");
});

testDocs({
  name: "removes the password when the user leaves the page, also a later one",
  before: HOLD,
}, async (docs) => {
  const text = () => docs.text("html");
  await docs.click(form("words", ".send"));
  await docs.run("held[0]()");
  await docs.shows(form("words", ".answer"), /"password"/);
  await docs.leave();
  const empty = await text();
  const answer = await docs.get(form("words"), "innerText");
  assert(!answer.includes("password"));
  // A response that arrives afterwards is not shown.
  await docs.click(form("words", ".send"));
  await docs.leave();
  await docs.run(
    `window.shown = "";
     const form = document.querySelector(arguments[0]);
     new MutationObserver(() => shown += form.innerText)
       .observe(form, { childList: true, subtree: true });
     held[1]()`,
    form("words"),
  );
  // The next request proves that the previous one has ended.
  const again = `document.querySelector("${form("words", ".send")}").click()`;
  await docs.until(`(${again}, held.length === 3)`);
  assertMatch(await docs.run("return shown"), /^[^"]*Sending …[^"]*$/);
  await docs.leave();
  assertEquals(await text(), empty);
});

testDocs({
  name: "shows that it is offline, and that the service does not answer",
  env: {},
  messages: /Failed to load resource: net::ERR_/,
}, async (docs, { process }) => {
  await docs.network({ offline: true });
  const offline = await docs.tryIt("words");
  assertEquals(offline, ["No answer: you are offline", "", ""]);
  await docs.network({});
  assertEquals((await docs.tryIt("words"))[0], "200 OK");
  process.kill("SIGTERM");
  await process.status;
  const stopped = await docs.tryIt("words");
  assertEquals(stopped, ["No answer: the service cannot be reached", "", ""]);
});

testDocs(
  "the contents stay visible, and each link leads to its heading",
  async (docs, { url }) => {
    const links = await docs.run<string[]>(
      "return [...document.querySelectorAll('nav a')].map((a) => a.hash)",
    );
    assert(links.length > 12);
    for (const link of links) {
      await docs.run(
        "document.querySelectorAll('main details').forEach((e) => e.open = false)",
      );
      await docs.click(`nav a[href="${link}"]`);
      assertEquals(await docs.url(), `${url}/docs${link}`);
      // Also if the heading is in a folded part.
      await docs.until(
        `((e) => e.checkVisibility({ contentVisibilityAuto: true }) &&
          e.getBoundingClientRect().top >= 0 &&
          e.getBoundingClientRect().bottom <= innerHeight)
          (document.querySelector("${link}"))`,
      );
    }
    await docs.run("scrollTo(0, document.body.scrollHeight)");
    assert(
      await docs.run(
        `const { left, top } = document.querySelector("nav a").getBoundingClientRect();
         return document.elementFromPoint(left + 5, top + 5).closest("nav") !== null`,
      ),
    );
  },
);

testDocs({
  name: "everything long is folded, and the contents on a narrow screen",
  size: [390, 800],
}, async (docs) => {
  const folded = await docs.run<[string, boolean][]>(
    `return [...document.querySelectorAll("details")].map((e) =>
        [e.querySelector("summary").innerText, e.open])`,
  );
  assertEquals(folded[0], ["Contents", false]);
  assert(folded.every(([, open]) => !open));
  const summaries = folded.map(([summary]) => summary).join("\n");
  assertMatch(summaries, /^200: Five English words, then digits$/m);
  // A link is reached after the contents are unfolded.
  assertEquals(await docs.get("nav", "innerText"), "Contents");
  await docs.click("nav summary");
  await docs.click("nav a[href='#generateWords']");
  assertMatch(await docs.url(), /#generateWords$/);
});

testDocs("can be used with the keyboard alone", async (docs) => {
  for (const selector of ["nav a", "h2 a", "h3 a", "main section summary"]) {
    await docs.tabTo(selector);
  }
  await docs.press(KEY.enter);
  await docs.tabTo("main section .choices button:nth-child(3)");
  await docs.press(KEY.enter);
  const python = "main section [data-name=Python]";
  for (
    const selector of [
      ...[`${python} button`, `${python} pre`, "textarea", "select", ".send"],
    ]
  ) {
    await docs.tabTo(selector);
  }
  await docs.press(KEY.enter);
  await docs.shows(".message", /^200 OK$/);
  await docs.tabTo(".answer pre");
});

testDocs("has a role and a name for every control", async (docs) => {
  const all = await docs.run<string[]>(
    `document.querySelectorAll("details").forEach((e) => e.open = true);
     const controls = "button, select, textarea, :is(h2, h3, h4) > a";
     return [...document.querySelectorAll(controls)]
       .filter((e) => e.checkVisibility())
       .map((e, index) => e.id || (e.id = "numbered-" + index))`,
  );
  assert(all.length > 50);
  for (const id of all) {
    const element = await docs.find(`#${id}`);
    const { role, name } = await docs.accessibility(element);
    assert(["button", "combobox", "textbox", "link"].includes(role), role);
    assert(name.length > 1, `${id} has no name`);
  }
});

testDocs("fits every width", async (docs, { url }) => {
  const cases: [width: number, percent: number, dark: boolean][] = [
    [320, 100, false],
    [320, 200, true],
    [640, 200, false],
    [1280, 200, true],
    [1600, 100, false],
  ];
  for (const [width, percent, dark] of cases) {
    await docs.emulate([width, 800], dark);
    await docs.go(`${url}/docs`);
    await docs.setTextSize(percent);
    await docs.tryIt("characters", '{"length": 128}');
    assertEquals(await docs.lowerThan(24), [], `${width} px`);
    await docs.fits();
  }
});

testDocs("has buttons of 44 px for touch", async (docs) => {
  await docs.cdp("Emulation.setTouchEmulationEnabled", { enabled: true });
  await docs.cdp("Emulation.setDeviceMetricsOverride", {
    ...{ width: 390, height: 800, deviceScaleFactor: 1, mobile: true },
  });
  await docs.until("matchMedia('(pointer: coarse)').matches");
  assertEquals(await docs.lowerThan(44, ", nav a"), []);
});

testDocs("is readable without JavaScript", async (docs, { url }) => {
  await docs.goWithoutScripts(`${url}/docs`);
  assertMatch(
    await docs.get("#address", "innerText"),
    /replace http:\/\/localhost:8000 by the address of this service/,
  );
  const isHidden = "!e.checkVisibility() && !e.closest('.try')";
  assertEquals(await docs.select("main *", isHidden), []);
  assertEquals(await docs.select("button, .try", "e.checkVisibility()"), []);
});
