import { prefixProxy } from "../../../helpers/prefix_proxy.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  examples,
  PLACEHOLDER,
} from "../../../../routes/site/docs/examples.ts";
import { openApiDocument } from "../../../../routes/site/openapi/mod.ts";
import { type Running, serve } from "../../../helpers/program.ts";
import {
  Browser,
  type BrowserOptions,
  CHROMIUM,
  KEY,
  SKIPPED,
} from "../../../helpers/webdriver.ts";

/** A service, and the URL at which the browser finds it. */
interface Site {
  service: Running;
  url: string;
}

interface Options extends BrowserOptions {
  env?: Record<string, string>;
  /** The path at which a proxy shows the service. */
  prefix?: string;
  /** Runs before the script of the page. */
  before?: string;
}

/** A test with a service, and a browser that shows its documents. */
function testDocs(
  name: string,
  options: Options,
  body: (browser: Browser, site: Site) => Promise<void>,
): void {
  Deno.test({
    name: CHROMIUM ? `docs: ${name}` : `docs: ${name} (${SKIPPED})`,
    ignore: !CHROMIUM,
    fn: async () => {
      const { prefix = "", before } = options;
      await using service = await serve({
        env: { PWGEN_RATE_LIMIT: "10000", ...options.env },
      });
      await using server = prefixProxy(service.url, prefix);
      const url = prefix === ""
        ? service.url
        : `http://127.0.0.1:${server.addr.port}${prefix}`;
      await using browser = await Browser.open(options);
      if (before !== undefined) {
        await browser.cdp("Page.addScriptToEvaluateOnNewDocument", {
          source: before,
        });
      }
      await browser.go(`${url}/docs`);
      await browser.until("document.querySelector('.choices')");
      await body(browser, { service, url });
      // In every test, the page sends requests only to its origin, and stores
      // nothing.
      for (const request of await browser.requests()) {
        assertMatch(request, new RegExp(`^(GET|POST) ${url}/[\\w./#-]*$`));
      }
      assertEquals(
        await browser.run(
          `return [document.cookie, name, history.state,
            { ...localStorage }, { ...sessionStorage }]`,
        ),
        ["", "", null, {}, {}],
      );
    },
  });
}

/** Fails if the console has a message, such as a violation of the CSP. */
async function assertQuiet(browser: Browser): Promise<void> {
  assertEquals(await browser.console(), []);
}

/** The text of the first element that matches, as a person sees it. */
function shown(browser: Browser, selector: string): Promise<string> {
  return browser.run(
    "return document.querySelector(arguments[0]).innerText",
    selector,
  );
}

/** The form of an endpoint, as a selector. */
const form = (kind: string) => `.try[data-path="api/pwgen/${kind}"]`;

/** Sends a body, and returns message, header fields and body of the response. */
async function tryIt(
  browser: Browser,
  kind: string,
  body: string,
  accept = "application/json",
): Promise<string[]> {
  await browser.run(
    `const [selector, body, accept] = arguments;
     const form = document.querySelector(selector);
     form.querySelector("textarea").value = body;
     form.querySelector("select").value = accept;`,
    form(kind),
    body,
    accept,
  );
  await browser.click(`${form(kind)} .send`);
  const message = await browser.until<string>(
    `document.querySelector('${form(kind)} .message').textContent
       .replace("Sending …", "")`,
  );
  return [
    message,
    ...await browser.run<string[]>(
      `return [...document.querySelectorAll(arguments[0])]
         .map((code) => code.innerText)`,
      `${form(kind)} .answer code`,
    ),
  ];
}

for (const prefix of ["", "/pw", "/a/it's"]) {
  testDocs(
    `the commands have the address of the service at ${prefix}/`,
    { prefix },
    async (browser, { url }) => {
      const actual = await browser.run<string[]>(
        `return [...document.querySelectorAll("main details .languages code")]
          .map((code) => code.textContent)`,
      );
      const { paths } = openApiDocument({ limit: 10_000, seconds: 60 });
      const base = `${url.replaceAll("'", "%27")}/`;
      const expected = Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).flatMap(([method, operation]) =>
          examples(path, method, operation).flatMap(({ code }) =>
            Object.values(code).map((text) =>
              text.replaceAll(PLACEHOLDER, base)
            )
          )
        )
      );
      // The page groups the examples by request.
      assertEquals(actual.sort(), expected.sort());
      assert(!(await shown(browser, "body")).includes("ADDRESS"));
      await assertQuiet(browser);
    },
  );
}

testDocs(
  "copies an example, and says so",
  { size: [1280, 900] },
  async (browser, { url }) => {
    await browser.cdp("Browser.grantPermissions", {
      origin: url,
      permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"],
    });
    // Every example has a button with its own name.
    const [blocks, names] = await browser.run<[number, string[]]>(
      `return [document.querySelectorAll("pre").length,
        [...document.querySelectorAll("figcaption > button")].map((e) => e.ariaLabel)]`,
    );
    assertEquals(names.length, blocks);
    for (const name of names) assertMatch(name, /^Copy: ./);

    assertEquals(await shown(browser, "#done"), "");
    await browser.run(
      "document.querySelector('figcaption > button').focus()",
    );
    await browser.press(KEY.enter);
    await browser.until(
      "document.querySelector('#done').textContent === 'Copied'",
    );
    const command = await browser.run<string>(
      "return navigator.clipboard.readText()",
    );
    assertMatch(command, /^curl -X POST '.*\/api\/pwgen\/characters' \\\n/);
    assertEquals(command, await shown(browser, "pre"));
    const { role } = await browser.accessibility(await browser.find("#done"));
    assertEquals(role, "status");
    await assertQuiet(browser);
  },
);

testDocs(
  "copies an example without a clipboard, or selects it",
  { before: "Object.defineProperty(navigator, 'clipboard', {})" },
  async (browser) => {
    await browser.click("figcaption > button");
    await browser.until(
      "document.querySelector('#done').textContent === 'Copied'",
    );
    await browser.run("document.execCommand = () => false");
    await browser.click("figcaption > button");
    await browser.until(
      "document.querySelector('#done').textContent.startsWith('Selected')",
    );
    assertEquals(
      (await browser.run<string>("return getSelection().toString()")).trim(),
      await shown(browser, "pre"),
    );
    await assertQuiet(browser);
  },
);

testDocs("shows all examples in one language", {}, async (browser) => {
  const visible = () =>
    browser.run<string[]>(
      `document.querySelectorAll("main details").forEach((e) => e.open = true);
       return [...new Set([...document.querySelectorAll(".languages figure")]
        .filter((e) => e.querySelector("pre").checkVisibility())
        .map((e) => e.dataset.name))]`,
    );
  assertEquals(await visible(), ["curl"]);
  for (const [index, name] of ["curl", "JavaScript", "Python"].entries()) {
    await browser.click(`.choices button:nth-child(${index + 1})`);
    assertEquals(await visible(), [name]);
    assertEquals(
      await browser.run(
        `return [...new Set([...document.querySelectorAll("[aria-pressed=true]")]
          .map((e) => e.textContent))]`,
      ),
      [name],
    );
  }
  await assertQuiet(browser);
});

testDocs(
  "sends requests without AbortSignal.any, and shows the responses as text",
  { env: { PWGEN_RATE_LIMIT: "5" }, before: "delete AbortSignal.any" },
  async (browser) => {
    const [message, fields, body] = await tryIt(browser, "characters", "{}");
    assertEquals(message, "200 OK");
    assertMatch(fields!, /^entropy-bits: 129\.68$/m);
    assertMatch(fields!, /^content-type: application\/json$/m);
    assertEquals(JSON.parse(body!).length, 20);
    await assertQuiet(browser);

    const words = '{"language": "en"}';
    const plain = await tryIt(browser, "words", words, "text/plain");
    assertEquals(plain[0], "200 OK");
    assertMatch(plain[2]!, /^\d\d([A-Z][a-z]+){4}$/);

    const wrong = await tryIt(browser, "sentence", '{"casing": "<b>"}');
    assertEquals(wrong[0], "400 Bad Request");
    assertEquals(Object.keys(JSON.parse(wrong[2]!).errors), ["casing"]);
    const noJson = await tryIt(browser, "sentence", "{");
    assertEquals(noJson[0], "400 Bad Request");

    await tryIt(browser, "words", "{}");
    const refused = await tryIt(browser, "words", "{}");
    assertMatch(refused[0]!, /^429 Too Many Requests: wait \d+ s$/);
    assertMatch(refused[1]!, /^retry-after: 60$/m);
    assertEquals(JSON.parse(refused[2]!).status, 429);

    // A response of something else, such as a proxy.
    const html = "<b id=injected>Bad gateway</b>";
    await browser.run(
      `window.fetch = () => Promise.resolve(
         new Response(arguments[0], { status: 502 }))`,
      html,
    );
    assertEquals((await tryIt(browser, "words", "{}"))[2], html);
    assertEquals(
      await browser.run("return document.getElementById('injected')"),
      null,
    );
  },
);

testDocs("sends requests behind a path prefix", {
  prefix: "/pw",
}, async (browser) => {
  assertEquals((await tryIt(browser, "words", "{}"))[0], "200 OK");
  await assertQuiet(browser);
});

/** Holds the requests of the page until `held` of the window calls them. */
const HOLD = `const send = fetch;
  window.held = [];
  window.fetch = (...request) => new Promise((resolve) =>
    held.push(() => resolve(send(...request))))`;

testDocs(
  "sends one request at a time, also while Enter is held down",
  { before: HOLD },
  async (browser) => {
    const send = `${form("words")} .send`;
    const press = (autoRepeat: boolean) =>
      browser.cdp("Input.dispatchKeyEvent", {
        type: "keyDown",
        key: "Enter",
        code: "Enter",
        text: "\r",
        windowsVirtualKeyCode: 13,
        autoRepeat,
      });
    const sent = () => browser.run<number>("return held.length");
    await browser.click(send);
    await browser.click(send);
    assertEquals(await sent(), 1);
    await browser.run("held[0]()");
    await browser.until(
      `document.querySelector('${
        form("words")
      } .message').textContent === "200 OK"`,
    );
    await press(false);
    assertEquals(await sent(), 2);
    await browser.run("held[1]()");
    await browser.until(
      `document.querySelector('${
        form("words")
      } .message').textContent === "200 OK"`,
    );
    // The key is still down.
    await press(true);
    assertEquals(await sent(), 2);
    await browser.cdp("Input.dispatchKeyEvent", {
      type: "keyUp",
      key: "Enter",
    });
    assertEquals(
      await browser.run("return document.activeElement.className"),
      "send",
    );
    await assertQuiet(browser);
  },
);

testDocs(
  "removes the password when the user leaves the page, also a later one",
  { before: HOLD },
  async (browser) => {
    const text = `document.querySelector('${form("words")}').innerText`;
    const leave = () =>
      browser.run("dispatchEvent(new PageTransitionEvent('pagehide'))");
    await browser.click(`${form("words")} .send`);
    await browser.run("held[0]()");
    await browser.until(`${text}.includes('"password"')`);
    await leave();
    const empty = await browser.run<string>(
      "return document.documentElement.textContent",
    );
    assert(!(await browser.run<string>(`return ${text}`)).includes("password"));
    // A response that arrives afterwards is not shown.
    await browser.click(`${form("words")} .send`);
    await leave();
    await browser.run(
      `window.shown = "";
       const form = document.querySelector(arguments[0]);
       new MutationObserver(() => shown += form.innerText)
         .observe(form, { childList: true, subtree: true });
       held[1]()`,
      form("words"),
    );
    // The next request proves that the previous one has ended.
    await browser.until(
      `(document.querySelector('${
        form("words")
      } .send').click(), held.length === 3)`,
    );
    assertMatch(await browser.run("return shown"), /^[^"]*Sending …[^"]*$/);
    await leave();
    assertEquals(
      await browser.run("return document.documentElement.textContent"),
      empty,
    );
  },
);

testDocs(
  "shows that it is offline, and that the service does not answer",
  {},
  async (browser, { service }) => {
    const network = (offline: boolean) =>
      browser.cdp("Network.emulateNetworkConditions", {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await network(true);
    assertEquals(await tryIt(browser, "words", "{}"), [
      "No answer: you are offline",
      "",
      "",
    ]);
    await network(false);
    assertEquals((await tryIt(browser, "words", "{}"))[0], "200 OK");
    service.process.kill("SIGTERM");
    await service.process.status;
    assertEquals(await tryIt(browser, "words", "{}"), [
      "No answer: the service cannot be reached",
      "",
      "",
    ]);
  },
);

testDocs(
  "the contents stay visible, and each link leads to its heading",
  {},
  async (browser, { url }) => {
    const links = await browser.run<string[]>(
      "return [...document.querySelectorAll('nav a')].map((a) => a.hash)",
    );
    assert(links.length > 12);
    for (const link of links) {
      await browser.run(
        "document.querySelectorAll('main details').forEach((e) => e.open = false)",
      );
      await browser.click(`nav a[href="${link}"]`);
      assertEquals(await browser.url(), `${url}/docs${link}`);
      // Also if the heading is in a folded part.
      await browser.until(
        `((e) => e.checkVisibility({ contentVisibilityAuto: true }) &&
          e.getBoundingClientRect().top >= 0 &&
          e.getBoundingClientRect().bottom <= innerHeight)
          (document.querySelector("${link}"))`,
      );
    }
    await browser.run("scrollTo(0, document.body.scrollHeight)");
    assert(
      await browser.run(
        `const { left, top } = document.querySelector("nav a").getBoundingClientRect();
         return document.elementFromPoint(left + 5, top + 5).closest("nav") !== null`,
      ),
    );
    await assertQuiet(browser);
  },
);

testDocs(
  "everything long is folded, and the contents on a narrow screen",
  { size: [390, 800] },
  async (browser) => {
    const folded = await browser.run<[string, boolean][]>(
      `return [...document.querySelectorAll("details")].map((e) =>
        [e.querySelector("summary").innerText, e.open])`,
    );
    assertEquals(folded[0], ["Contents", false]);
    assert(folded.every(([, open]) => !open));
    const summaries = folded.map(([summary]) => summary).join("\n");
    assertMatch(summaries, /^OPTIONS \/api\/pwgen\/words$/m);
    assertMatch(summaries, /^200: Five English words, then digits$/m);
    // A link is reached after the contents are unfolded.
    assertEquals(await shown(browser, "nav"), "Contents");
    await browser.click("nav summary");
    await browser.click("nav a[href='#generateWords']");
    assertMatch(await browser.url(), /#generateWords$/);
    await assertQuiet(browser);
  },
);

testDocs("can be used with the keyboard alone", {}, async (browser) => {
  await browser.tabTo("nav a");
  await browser.tabTo("h2 a");
  await browser.tabTo("h3 a");
  await browser.tabTo("main section summary");
  await browser.press(KEY.enter);
  await browser.tabTo("main section .choices button:nth-child(3)");
  await browser.press(KEY.enter);
  await browser.tabTo("main section [data-name=Python] button");
  await browser.tabTo("main section [data-name=Python] pre");
  await browser.tabTo("textarea");
  await browser.tabTo("select");
  await browser.tabTo(".send");
  await browser.press(KEY.enter);
  await browser.until(
    "document.querySelector('.message').textContent === '200 OK'",
  );
  await browser.tabTo(".answer pre");
  await assertQuiet(browser);
});

testDocs("has a role and a name for every control", {}, async (browser) => {
  const all = await browser.run<string[]>(
    `document.querySelectorAll("details").forEach((e) => e.open = true);
     const controls = "button, select, textarea, :is(h2, h3, h4) > a";
     return [...document.querySelectorAll(controls)]
       .filter((e) => e.checkVisibility())
       .map((e, index) => e.id || (e.id = "numbered-" + index))`,
  );
  assert(all.length > 50);
  for (const id of all) {
    const { role, name } = await browser.accessibility(
      await browser.find(`#${id}`),
    );
    assert(["button", "combobox", "textbox", "link"].includes(role), role);
    assert(name.length > 1, `${id} has no name`);
  }
});

for (
  const [width, percent, dark] of [
    ...[[320, 100, false], [320, 200, true], [640, 200, false]] as const,
    ...[[1280, 200, true], [1600, 100, false]] as const,
  ]
) {
  testDocs(`fits a width of ${width} px at ${percent} %`, {
    size: [width, 800],
    dark,
  }, async (browser) => {
    await browser.run(
      "document.documentElement.style.fontSize = arguments[0] + '%'",
      percent,
    );
    await tryIt(browser, "characters", '{"length": 128}');
    const [scroll, client, small] = await browser.run<
      [number, number, string[]]
    >(
      `document.querySelectorAll("details").forEach((e) => e.open = true);
       const { scrollWidth, clientWidth } = document.documentElement;
       const small = [...document.querySelectorAll("button, select, summary")]
         .filter((e) => e.checkVisibility())
         .filter((e) => e.getBoundingClientRect().height < 24)
         .map((e) => e.outerHTML);
       return [scrollWidth, clientWidth, small]`,
    );
    assert(scroll <= client, `${scroll} > ${client}`);
    assertEquals(small, []);
    await assertQuiet(browser);
  });
}

testDocs("has buttons of 44 px for touch", {}, async (browser) => {
  await browser.cdp("Emulation.setTouchEmulationEnabled", { enabled: true });
  await browser.cdp("Emulation.setDeviceMetricsOverride", {
    width: 390,
    height: 800,
    deviceScaleFactor: 1,
    mobile: true,
  });
  await browser.until("matchMedia('(pointer: coarse)').matches");
  assertEquals(
    await browser.run(
      `document.querySelectorAll("details").forEach((e) => e.open = true);
       return [...document.querySelectorAll("button, select, summary, nav a")]
         .filter((e) => e.checkVisibility())
         .filter((e) => e.getBoundingClientRect().height < 44)
         .map((e) => e.outerHTML)`,
    ),
    [],
  );
});

testDocs("is readable without JavaScript", {}, async (browser, { url }) => {
  await browser.cdp("Emulation.setScriptExecutionDisabled", { value: true });
  await browser.go(`${url}/docs`);
  await browser.cdp("Emulation.setScriptExecutionDisabled", { value: false });
  assertMatch(
    await shown(browser, "#placeholder"),
    /replace https:\/\/ADDRESS\/ by the address of this service/,
  );
  const hidden = await browser.run<string[]>(
    `document.querySelectorAll("main details").forEach((e) => e.open = true);
     return [...document.querySelectorAll("main *")]
       .filter((e) => !e.checkVisibility() && !e.closest(".try"))
       .map((e) => e.outerHTML)`,
  );
  assertEquals(hidden, []);
  assertEquals(
    await browser.run(
      `return [...document.querySelectorAll("button, .try")]
        .filter((e) => e.checkVisibility()).length`,
    ),
    0,
  );
  await assertQuiet(browser);
});
