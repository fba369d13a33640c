/**
 * A real Chromium, driven by the W3C WebDriver protocol.
 *
 * @module
 */
import { isInstalled } from "./program.ts";
import { assert } from "@std/assert";
import { type Program, spawn } from "./program.ts";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"; // WebDriver, section 12

// As root Chromium has no sandbox; the rest keeps it from calling home.
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

/** Whether there is a Chromium to drive, with its driver. */
export const CHROMIUM: boolean = await isInstalled("chromedriver") &&
  await isInstalled("chromium");

/** What is said where the browser tests cannot run. */
export const SKIPPED =
  "skipped: no Chromium (Debian: chromium, chromium-driver)";

/** A node of the page. */
export interface Element {
  [ELEMENT]: string;
}

/** How the browser is to appear. */
export interface BrowserOptions {
  /** Accept-Language. */
  language?: string;
  dark?: boolean;
  /** Width and height of the window, in CSS pixels. */
  size?: [width: number, height: number];
}

/** A line of a log of the browser. */
interface LogEntry {
  level: string;
  message: string;
}

/** A browser with one window and a profile of its own. */
export class Browser {
  readonly #driver: Program;
  readonly #session: string;
  readonly #requests: string[] = [];

  private constructor(driver: Program, session: string) {
    this.#driver = driver;
    this.#session = session;
  }

  static async open(
    { language = "en", dark = false, size = [1280, 900] }: BrowserOptions = {},
  ): Promise<Browser> {
    const driver = spawn("chromedriver", ["--port=0"]);
    const [, port] = await driver.stdout.match(/successfully on port (\d+)/);
    const base = `http://127.0.0.1:${port}/session`;
    const { sessionId } = await command(base, "POST", {
      capabilities: {
        alwaysMatch: {
          "goog:chromeOptions": {
            args: [...FLAGS, `--accept-lang=${language}`],
          },
          "goog:loggingPrefs": { browser: "ALL", performance: "ALL" },
        },
      },
    }) as { sessionId: string };
    const browser = new Browser(driver, `${base}/${sessionId}`);
    await browser.emulate(size, dark);
    return browser;
  }

  #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    return command(`${this.#session}/${path}`, method, body);
  }

  /** A command of the Chrome DevTools Protocol, for what WebDriver has not. */
  cdp(cmd: string, params: Record<string, unknown> = {}): Promise<unknown> {
    return this.#ask("POST", "goog/cdp/execute", { cmd, params });
  }

  /** Width and height in CSS pixels, and the scheme of colours. */
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
    await this.#ask("POST", "url", { url });
  }

  async title(): Promise<string> {
    return await this.#ask("GET", "title") as string;
  }

  async url(): Promise<string> {
    return await this.#ask("GET", "url") as string;
  }

  /** The one element that matches; fails if there is none. */
  async find(selector: string): Promise<Element> {
    return await this.#ask("POST", "element", {
      using: "css selector",
      value: selector,
    }) as Element;
  }

  async click(selector: string): Promise<void> {
    const { [ELEMENT]: id } = await this.find(selector);
    await this.#ask("POST", `element/${id}/click`, {});
  }

  /** The role and the name that a screen reader hears. */
  async heard(element: Element): Promise<{ role: string; name: string }> {
    const { [ELEMENT]: id } = element;
    return {
      role: await this.#ask("GET", `element/${id}/computedrole`) as string,
      name: await this.#ask("GET", `element/${id}/computedlabel`) as string,
    };
  }

  /** Presses keys one after the other, wherever the focus is. */
  async press(...keys: string[]): Promise<void> {
    await this.#ask("POST", "actions", {
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

  /** Runs a function body in the page and gives what it returns. */
  async run<T>(script: string, ...args: unknown[]): Promise<T> {
    return await this.#ask("POST", "execute/sync", { script, args }) as T;
  }

  /** Waits until an expression in the page is neither false nor empty; 10 s. */
  async until<T>(expression: string): Promise<T> {
    const end = performance.now() + 10_000;
    while (performance.now() < end) {
      const value = await this.run<T>(`return ${expression}`);
      if (value) return value;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const text = await this.run("return document.body.innerText");
    throw new Error(`Never came true: ${expression}\n${text}`);
  }

  /** A picture of the window, or of all that can be scrolled to, as PNG. */
  async picture(whole = false): Promise<Uint8Array> {
    const { data } = await this.cdp("Page.captureScreenshot", {
      captureBeyondViewport: whole,
    }) as { data: string };
    return Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  }

  /** What was written since the last call: the console, with CSP violations. */
  async console(): Promise<string[]> {
    const entries = await this.#ask("POST", "se/log", { type: "browser" });
    return (entries as LogEntry[]).map(({ level, message }) =>
      `${level} ${message}`
    );
  }

  /** Everything asked of the network so far: methods and URLs. */
  async requests(): Promise<readonly string[]> {
    const entries = await this.#ask("POST", "se/log", { type: "performance" });
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
