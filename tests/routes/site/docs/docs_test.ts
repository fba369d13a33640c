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
    await this.unfold(kind);
    await this.run(
      `const [form, body, accept] = arguments;
       document.querySelector(form + "textarea").value = body;
       document.querySelector(form + "select").value = accept;`,
      form(kind),
      body,
      accept,
    );
    await this.click(form(kind, ".send"));
    const message = await this.shows(
      form(kind, ".message"),
      /^(?!Sending …)./,
    );
    const [shown, fields] = await this.run<string[]>(
      `return [...document.querySelectorAll(arguments[0])]
         .map((code) => code.textContent)`,
      form(kind, ".answer code"),
    );
    return [message, fields!, shown!];
  }

  /** Unfolds the form of an endpoint. */
  async unfold(kind: string): Promise<void> {
    await this.run(
      "document.querySelector(arguments[0]).open = true",
      form(kind),
    );
  }

  /** The link that is marked in the contents, when it is the one. */
  async marks(hash: string): Promise<void> {
    await this.until(
      `(([first, ...rest]) => rest.length === 0 && first?.hash === "${hash}")
         (document.querySelectorAll("nav [aria-current]"))`,
    );
  }

  /** Whether an element is in a part that is unfolded, and in the window. */
  async isInView(selector: string): Promise<void> {
    await this.until(
      `((e) => e.checkVisibility({ contentVisibilityAuto: true }) &&
         e.getBoundingClientRect().top >= 0 &&
         e.getBoundingClientRect().bottom <= innerHeight)
         (document.querySelector("${selector}"))`,
    );
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
        `return [...document.querySelectorAll("main section .languages code")]
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
  assertMatch(command, /^curl -X POST '.*\/api\/pwgen\/words' \\\n/);
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
       scrollTo(0, 0);
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
  await docs.unfold("words");
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
  await docs.unfold("words");
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
      await docs.isInView(link);
      await docs.marks(link);
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
  name: "a link opens the parts that hide its target, also without JavaScript",
  size: [1280, 900],
}, async (docs, { url }) => {
  const hidden = ["RateLimit", "orval", "generateSentence-try", "Allow"];
  for (const id of hidden) {
    // With the page, with a link, and in a browser that opens nothing itself.
    await docs.go("about:blank");
    await docs.go(`${url}/docs#${id}`);
    await docs.until(READY);
    await docs.isInView(`#${id} *, #${id}`);
    await docs.run(
      `document.querySelectorAll("main details").forEach((e) => e.open = false);
       scrollTo(0, 0);
       dispatchEvent(new HashChangeEvent("hashchange"))`,
    );
    await docs.isInView(`#${id} *, #${id}`);
    if (id.endsWith("try")) continue; // needs the script
    await docs.go("about:blank");
    await docs.goWithoutScripts(`${url}/docs#${id}`);
    await docs.isInView(`#${id}`);
  }
  // What follows a heading is opened too.
  await docs.go("about:blank");
  await docs.go(`${url}/docs#clients`);
  await docs.until(READY);
  await docs.until("document.querySelector('#orval').checkVisibility()");
});

testDocs(
  "the contents mark the section in view, also after a jump",
  async (docs) => {
    const top = (id: string, offset: number) =>
      `scrollTo(0, scrollY + document.querySelector("#${id}")
         .getBoundingClientRect().top + ${offset})`;
    await docs.marks("#quick-start");
    // In the middle of long sections no heading is near the top.
    for (const id of ["generateCharacters", "promises", "generateWords"]) {
      await docs.run(top(id, 200));
      await docs.marks(`#${id}`);
      await docs.run(top(id, -400));
      const marked = await docs.get("nav [aria-current]", "hash");
      assert(marked !== "" && marked.startsWith("#"));
    }
    await docs.run(top("errors", -10));
    await docs.marks("#errors");
    await docs.run("scrollTo(0, 0)");
    await docs.marks("#quick-start");
    assertEquals(
      await docs.get("nav [aria-current]", "ariaCurrent"),
      "true",
    );
  },
);

testDocs({
  name: "the contents show the marked link in a low window",
  size: [1280, 300],
}, async (docs) => {
  await docs.run("scrollTo(0, document.body.scrollHeight)");
  await docs.until(
    `(({ top, bottom }) => scrollY > 1000 && top >= 0 && bottom <= innerHeight)
       (document.querySelector("nav [aria-current]").getBoundingClientRect())`,
  );
});

testDocs(
  "the first screen has a request and its response",
  async (docs, { url }) => {
    for (const size of [[1280, 800], [390, 844]] as [number, number][]) {
      await docs.emulate(size);
      await docs.go(`${url}/docs`);
      await docs.until(READY);
      const [request, response] = await docs.run<number[]>(
        `return ["curl", "Response 200: \`application/json\`"].map((name) =>
           document.querySelector("[data-name='" + name + "'] pre")
             .getBoundingClientRect().bottom)`,
      );
      assert(request! > 0 && request! < size[1], `${request}`);
      assert(response! > 0 && response! < size[1], `${response}`);
    }
  },
);

testDocs(
  "a response is beside its request from 1100 px on",
  async (docs, { url }) => {
    for (const [width, isBeside] of [[1100, true], [1099, false]] as const) {
      await docs.emulate([width, 800]);
      await docs.go(`${url}/docs`);
      await docs.until(READY);
      const pairs = await docs.run<number[][]>(
        `return [...document.querySelectorAll(".pair")]
           .filter((e) => e.checkVisibility())
           .map((e) => [...e.querySelectorAll("pre")]
             .filter((e) => e.checkVisibility())
             .flatMap((e) => [e.getBoundingClientRect().top,
               e.getBoundingClientRect().left]))`,
      );
      assertEquals(pairs.length, 5); // the quick start, and four operations
      for (const [top, left, otherTop, otherLeft] of pairs) {
        assertEquals(top === otherTop, isBeside, `${width} px`);
        assertEquals(left! < otherLeft!, isBeside, `${width} px`);
      }
    }
  },
);

testDocs("only the first example of each operation is open", async (docs) => {
  const open = await docs.run<string[]>(
    `return [...document.querySelectorAll("main details[open]")]
       .map((e) => e.previousElementSibling.id + " " + e.className)`,
  );
  const ids = Object.values(DESCRIPTION.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId)
  );
  // The description has no example.
  assertEquals(open, ids.slice(0, -1).map((id) => `${id}-examples `));
});

testDocs("is short, and fits at 320 px", async (docs, { url }) => {
  const heights: [width: number, height: number][] = [
    [1280, 7000],
    [390, 11_000],
    [320, 13_000],
  ];
  for (const [width, height] of heights) {
    await docs.emulate([width, 800]);
    await docs.go(`${url}/docs`);
    await docs.until(READY);
    const actual = await docs.get<number>("html", "scrollHeight");
    assert(actual < height, `${width} px: ${actual}`);
    await docs.fits();
  }
  // The special characters stay in one line.
  const lists = await docs.run<number[]>(
    `return [...document.querySelectorAll("td code")]
       .filter((e) => e.textContent.startsWith("!#$%"))
       .map((e) => e.getClientRects().length + e.offsetHeight)`,
  );
  assertEquals(lists.length, 1);
  assert(lists[0]! < 30, `${lists}`);
});

testDocs({
  name: "the contents are folded on a narrow screen",
  size: [390, 800],
}, async (docs) => {
  // A link is reached after the contents are unfolded.
  assertEquals(await docs.get("nav", "innerText"), "Contents");
  await docs.click("nav summary");
  await docs.click("nav a[href='#generateWords']");
  assertMatch(await docs.url(), /#generateWords$/);
  await docs.isInView("#generateWords");
});

testDocs("can be used with the keyboard alone", async (docs) => {
  for (const selector of ["nav a", "h2 a", "h3 a", "main section summary"]) {
    await docs.tabTo(selector);
  }
  await docs.tabTo("main section .choices button:nth-child(3)");
  await docs.press(KEY.enter);
  const python = "main section [data-name=Python]";
  for (const selector of [`${python} button`, `${python} pre`]) {
    await docs.tabTo(selector);
  }
  await docs.tabTo(".try > summary");
  await docs.press(KEY.enter);
  for (const selector of ["textarea", "select", ".send"]) {
    await docs.tabTo(selector);
  }
  await docs.press(KEY.enter);
  await docs.shows(".message", /^200 OK$/);
  await docs.tabTo(".answer pre");
  assertMatch(await docs.get(":focus", "innerText"), /"password"/);
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
    const { scroll, width: shown } = await docs.run<Record<string, number>>(
      `const pre = document.querySelector(".answer pre");
       return { scroll: pre.scrollWidth, width: pre.clientWidth }`,
    );
    assertEquals(scroll, shown, "The response is wrapped");
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
  assertEquals(await docs.select("[aria-current]", "true"), []);
});
