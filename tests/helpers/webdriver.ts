/**
 * Chromium, controlled with the W3C WebDriver protocol.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  HANG_MS,
  isInstalled,
  type Program,
  type Running,
  serve,
  spawn,
  unless,
} from "./program.ts";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"; // WebDriver, section 12

/** The code points of keys: WebDriver, section 17.4.2. */
export const KEY = {
  tab: "\uE004",
  enter: "\uE007",
  escape: "\uE00C",
  home: "\uE011",
  up: "\uE013",
  down: "\uE015",
  delete: "\uE017",
};

// Chromium has no sandbox as root. The other flags prevent its own requests.
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--hide-scrollbars",
];

/** Without the code of windows it takes two thirds of the CPU time. */
const HEADLESS_SHELL = "/usr/lib/chromium/chromium-headless-shell";

/** Chromium, or undefined if ChromeDriver shall look for it. */
const PROGRAM = await isInstalled(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined;

/** Whether Chromium and ChromeDriver are installed. */
export const CHROMIUM: boolean = await isInstalled("chromedriver") &&
  (PROGRAM !== undefined || await isInstalled("chromium"));

/** Why a test with a browser is skipped. */
export const NO_CHROMIUM =
  "no Chromium (Debian: chromium-headless-shell, chromium-driver)";

/** The reason in the name of a skipped test. */
export const SKIPPED: string = `skipped: ${NO_CHROMIUM}`;

/** The settings of a browser. */
interface BrowserOptions {
  /** The language in Accept-Language. */
  language?: string;
  /** Width and height of the window, in CSS pixels. */
  size?: [width: number, height: number];
}

/** An entry in a log of the browser. */
interface LogEntry {
  level: string;
  message: string;
}

/** A browser with one window and a new profile. */
export class Browser {
  readonly #driver: Program;
  readonly #session: string;
  readonly #requests: string[] = [];

  constructor(driver: Program, session: string) {
    this.#driver = driver;
    this.#session = session;
  }

  static async open<B extends Browser>(
    this: new (driver: Program, session: string) => B,
    { language = "en", size = [1280, 900] }: BrowserOptions = {},
  ): Promise<B> {
    const driver = spawn("chromedriver", ["--port=0"]);
    const [, port] = await driver.stdout.match(/successfully on port (\d+)/);
    const base = `http://127.0.0.1:${port}/session`;
    const { sessionId } = await command(base, "POST", {
      capabilities: {
        alwaysMatch: {
          "goog:chromeOptions": {
            binary: PROGRAM,
            args: [...FLAGS, `--accept-lang=${language}`],
          },
          "goog:loggingPrefs": { browser: "ALL", performance: "ALL" },
        },
      },
    }) as { sessionId: string };
    const browser = new this(driver, `${base}/${sessionId}`);
    await browser.emulate(size);
    return browser;
  }

  /**
   * Empties the window, without what was set in it, its requests and the messages of
   * the console. (A new window takes twice the time.)
   */
  async renew({ size = [1280, 900] }: BrowserOptions = {}): Promise<void> {
    await this.go("about:blank");
    await this.network({});
    await this.cdp("Network.setExtraHTTPHeaders", { headers: {} });
    await this.cdp("Emulation.setFocusEmulationEnabled", { enabled: false });
    await this.cdp("Emulation.setUserAgentOverride", { userAgent: "" });
    await this.cdp("Page.setFontSizes", {
      fontSizes: { standard: 16, fixed: 13 },
    });
    await this.emulate(size);
    await this.console();
    await this.requests();
    this.#requests.length = 0;
  }

  #send(method: string, path: string, body?: unknown): Promise<unknown> {
    return command(`${this.#session}/${path}`, method, body);
  }

  /** Sends a command of the Chrome DevTools Protocol. */
  cdp(cmd: string, params: Record<string, unknown> = {}): Promise<unknown> {
    return this.#send("POST", "goog/cdp/execute", { cmd, params });
  }

  /** Sets width and height in CSS pixels, and the colour scheme. */
  async emulate([width, height]: [number, number], dark = false) {
    await this.cdp("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    const value = dark ? "dark" : "light";
    await this.cdp("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value }],
    });
  }

  async go(url: string): Promise<void> {
    await this.#send("POST", "url", { url });
  }

  async url(): Promise<string> {
    return await this.#send("GET", "url") as string;
  }

  /** Sends a command for the first element that matches; fails if there is none. */
  async #element(method: string, selector: string, path: string) {
    const { [ELEMENT]: id } = await this.#send("POST", "element", {
      using: "css selector",
      value: selector,
    }) as { [ELEMENT]: string };
    const body = method === "POST" ? {} : undefined;
    return await this.#send(method, `element/${id}/${path}`, body);
  }

  async click(selector: string): Promise<void> {
    await this.#element("POST", selector, "click");
  }

  /** The role of an element in the accessibility tree. */
  async role(selector: string): Promise<string> {
    return await this.#element("GET", selector, "computedrole") as string;
  }

  /** The name of an element in the accessibility tree. */
  async name(selector: string): Promise<string> {
    return await this.#element("GET", selector, "computedlabel") as string;
  }

  /**
   * Presses the Tab key until an element has the focus. Checks that the focus is
   * visible.
   *
   * @param selector a CSS selector of the element
   */
  async tabTo(selector: string): Promise<void> {
    const hasFocus = () =>
      this.run<boolean>(
        "return document.activeElement.matches(arguments[0])",
        selector,
      );
    for (let i = 0; i < 60 && !await hasFocus(); i++) await this.press(KEY.tab);
    assert(await hasFocus(), selector);
    const outline = await this.run<string>(
      "return getComputedStyle(document.activeElement).outline",
    );
    assert(outline.includes("3px"), outline);
  }

  /** Presses keys one after the other. */
  async press(...keys: string[]): Promise<void> {
    await this.#send("POST", "actions", {
      actions: [{
        type: "key",
        id: "keyboard",
        actions: keys.flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]),
      }],
    });
  }

  /** A property of the first element that matches. */
  get<T = string>(selector: string, property: string): Promise<T> {
    return this.run(
      "return document.querySelector(arguments[0])[arguments[1]]",
      selector,
      property,
    );
  }

  /** The text of the first element that matches. */
  text(selector: string): Promise<string> {
    return this.get(selector, "textContent");
  }

  /** Waits until the text of an element matches, and returns it. */
  shows(selector: string, pattern = /./): Promise<string> {
    return this.until(
      `${pattern}.exec(document.querySelector("${selector}").textContent)?.input`,
    );
  }

  /** Stops the timers of the page, so that what is shown for a time stands. */
  async stopTimers(): Promise<void> {
    await this.run("globalThis.setTimeout = () => 0");
  }

  /** Connects the page to the network, or disconnects it. */
  async network({ offline = false }): Promise<void> {
    await this.cdp("Network.emulateNetworkConditions", {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  }

  /** Permits the page to write to the clipboard, and the test to read it. */
  async permitClipboard(): Promise<void> {
    await this.cdp("Browser.grantPermissions", {
      origin: new URL(await this.url()).origin,
      permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"],
    });
  }

  /** Loads a page without its scripts. */
  async goWithoutScripts(url: string): Promise<void> {
    await this.cdp("Emulation.setScriptExecutionDisabled", { value: true });
    await this.go(url);
    await this.cdp("Emulation.setScriptExecutionDisabled", { value: false });
  }

  /** Checks that the page is not wider than the window. */
  async fits(): Promise<void> {
    const [content, window] = await this.run<[number, number]>(
      `const { scrollWidth, clientWidth } = document.documentElement;
       return [scrollWidth, clientWidth]`,
    );
    assert(content <= window, `${content} > ${window}`);
  }

  /** Runs the body of a function in the page, and returns its result. */
  async run<T>(script: string, ...args: unknown[]): Promise<T> {
    return await this.#send("POST", "execute/sync", { script, args }) as T;
  }

  /** Waits until an expression in the page is true or not empty. */
  async until<T>(expression: string): Promise<T> {
    const end = performance.now() + HANG_MS;
    while (performance.now() < end) {
      const value = await this.run<T>(`return ${expression}`);
      if (value) return value;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const text = await this.run("return document.body.innerText");
    throw new Error(`Never true: ${expression}\n${text}`);
  }

  /** What the browser prints on A4, as PDF. */
  async print(): Promise<Uint8Array> {
    const paper = { page: { width: 21, height: 29.7 } };
    const pdf = await this.#send("POST", "print", paper) as string;
    return Uint8Array.fromBase64(pdf);
  }

  /** The new entries of the console, such as CSP violations. */
  async console(): Promise<string[]> {
    const entries = await this.#send("POST", "se/log", { type: "browser" });
    return (entries as LogEntry[]).map(({ level, message }) =>
      `${level} ${message}`
    );
  }

  /** The methods and URLs of all requests so far. */
  async requests(): Promise<readonly string[]> {
    const entries = await this.#send("POST", "se/log", { type: "performance" });
    for (const entry of entries as LogEntry[]) {
      const { message: { method, params } } = JSON.parse(entry.message);
      if (method !== "Network.requestWillBeSent") continue;
      this.#requests.push(`${params.request.method} ${params.request.url}`);
    }
    return [...this.#requests];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await command(this.#session, "DELETE");
    this.#driver.process.kill("SIGTERM");
    await this.#driver.process.status;
    await Promise.all([this.#driver.stdout.ended, this.#driver.stderr.ended]);
  }
}

/** A test with a browser. */
interface BrowserTest extends Pick<BrowserOptions, "size"> {
  name: string;
  /** Why the test is skipped, if a program other than Chromium is missing. */
  skipped?: string;
  /** The settings of its own service. */
  env?: Record<string, string>;
  /** What each message in the console matches; undefined if there are none. */
  messages?: RegExp;
}

/**
 * Makes a function that registers a test with a new window that shows a page. A
 * start takes longer than most tests, so the tests share a browser and a service,
 * except that a test with `env` starts its own service.
 *
 * @param type the class of the browser
 * @param path the path of the page
 * @param ready an expression that is true or not empty when the page is ready
 * @param check what else to check after each test
 * @returns the function; the first parameter is the name, or an object with it
 */
export function browserTests<B extends Browser>(
  type: new (driver: Program, session: string) => B,
  path: string,
  ready: string,
  check?: (browser: B) => Promise<void>,
): (
  test: string | BrowserTest,
  body: (browser: B, service: Running) => Promise<void>,
) => void {
  const start = (env = {}) =>
    serve({ env: { PWGEN_RATE_LIMIT: "10000", ...env } });
  const shared = new AsyncDisposableStack();
  let browser: B;
  let sharedService: Running;
  if (CHROMIUM) {
    Deno.test.beforeAll(async () => {
      sharedService = shared.use(await start());
      browser = shared.use(await Browser.open.call(type) as B);
    });
    Deno.test.afterAll(() => shared.disposeAsync());
  }
  return (test, body) => {
    const options = typeof test === "string" ? { name: test } : test;
    const { name, env, messages } = options;
    const reason = CHROMIUM ? options.skipped : NO_CHROMIUM;
    unless(reason).test(`${path}: ${name}`, async () => {
      await using own = new AsyncDisposableStack();
      const service = env ? own.use(await start(env)) : sharedService;
      await browser.renew(options);
      await browser.go(service.url + path);
      await browser.until(ready);
      await body(browser, service);
      await assertHarmless(browser, messages);
      await check?.(browser);
    });
  };
}

/**
 * Checks that a page sent requests only to its origin, stored nothing, and caused
 * no other message in the console, such as a violation of the CSP.
 */
async function assertHarmless(
  browser: Browser,
  messages?: RegExp,
): Promise<void> {
  // A test opens the page with a name and a password in the URL.
  const origin = new URL(await browser.url()).origin
    .replace("//", "//(name:secret@)?");
  const requests = await browser.requests();
  assert(requests.length > 0);
  for (const request of requests) {
    assertMatch(request, new RegExp(`^(GET|POST) ${origin}/[\\w./'-]*$`));
  }
  assertEquals(
    await browser.run(
      `return [document.cookie, name, history.state, { ...localStorage },
         { ...sessionStorage }]`,
    ),
    ["", "", null, {}, {}],
  );
  const logged = await browser.console();
  if (messages === undefined) assertEquals(logged, []);
  else for (const line of logged) assertMatch(line, messages);
}

async function command(
  url: string,
  method: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { value } = await response.json();
  assert(response.ok, `${url}: ${value?.error}: ${value?.message}`);
  return value;
}
