/**
 * The page in a browser: what the tests of the page share.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { textsIn } from "../../../routes/site/page/languages.ts";
import { tempDir } from "../../helpers/files.ts";
import { end, missing, spawn } from "../../helpers/program.ts";
import { TABLES } from "../../oracle.ts";
import { Browser, browserTests } from "../../helpers/webdriver.ts";

export const PASSWORD = "document.querySelector('#password').textContent";

/** What a person calls an element: its role, and its name for a screen reader. */
const LOCATOR =
  /^(button|checkbox|combobox|DisclosureTriangle|link|radio|textbox) (.+)$/;

/** The elements that can have each role. */
const TAGS: Record<string, string> = {
  button: "button",
  checkbox: "[type=checkbox]",
  combobox: "select",
  DisclosureTriangle: "summary",
  link: "a",
  radio: "[type=radio]",
  textbox: "textarea, [type=text]",
};

/** Holds the requests of a page, so that what it shows meanwhile stands. */
const HOLD = `(() => {
  const send = fetch;
  const { promise, resolve } = Promise.withResolvers();
  globalThis.fetch = (...request) => promise.then(() => send(...request));
  globalThis.release = () => {
    globalThis.fetch = send;
    resolve();
  };
})()`;

/** The locators whose role and name Chromium has confirmed. */
const compared = new Set<string>();

/** A browser that shows the page. Elements are found by role and name, or by selector. */
export class Page extends Browser {
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

  /** Lets the clock of the page run ten times as fast, except for its longest wait. */
  async hurry(): Promise<void> {
    // A window that was never clicked has no focus.
    await this.cdp("Emulation.setFocusEmulationEnabled", { enabled: true });
    await this.run(
      `const { now } = performance;
       const start = setTimeout;
       performance.now = () => 10 * now.call(performance);
       globalThis.setTimeout = (run, delay) => start(run, delay > 10_000 ? delay : delay / 10)`,
    );
  }

  /** Holds the requests of the page until `release()`. */
  async hold(): Promise<void> {
    await this.run(HOLD);
  }

  async release(): Promise<void> {
    await this.run("release()");
  }

  /** Loads the page again, and holds its requests from the first one on. */
  async reloadAndHold(): Promise<void> {
    const name = "ScriptToEvaluateOnNewDocument";
    const script = await this.cdp(`Page.add${name}`, { source: HOLD });
    await this.run("delete globalThis.release; location.reload()");
    await this.until("'release' in globalThis");
    await this.cdp(`Page.remove${name}`, script as Record<string, unknown>);
  }

  /** Chooses a purpose, and waits for its password. */
  choose(purpose: string, language: "en" | "sv" = "en"): Promise<string> {
    return this.next(radio(purpose, language));
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

  /** The text in the clipboard, after a screen reader heard that it was copied. */
  async copied(button = "#copy"): Promise<string> {
    const status = button.startsWith("#large")
      ? "#large [role=status]"
      : "#announcement";
    await this.run(`document.querySelector("${status}").textContent = ""`);
    await this.click(button);
    await this.shows(status, /^Password copied/);
    return await this.run("return navigator.clipboard.readText()");
  }

  /** Records path and body of each request to the API. */
  async record(): Promise<void> {
    await this.run(
      `const send = fetch;
       globalThis.bodies = [];
       globalThis.fetch = (url, init) => {
         const body = !init?.signal?.aborted && JSON.parse(init?.body ?? null);
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
      userAgent,
      acceptLanguage,
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
  assertMatch(
    places[1]!,
    /^http:\/\/(name:secret@)?127\.0\.0\.1:\d+\/(en|sv)?(#|$)/,
  );
}

/** The message of the browser about a request that the API refuses. */
export const INVALID = /api\/pwgen\/\w+ - Failed to load resource: .* 400 /;

export const testPage = browserTests(Page, "/", PASSWORD, assertHidden);

/** Why tests of what is printed are skipped. */
export const NO_PDFTOTEXT = await missing("pdftotext");

/** The pages that the browser prints, as text: in columns, or one part after another. */
export async function printed(
  page: Page,
  order: "-layout" | "-raw" = "-layout",
): Promise<string[]> {
  await using folder = await tempDir();
  const file = `${folder.path}/page.pdf`;
  await Deno.writeFile(file, await page.print());
  const { stdout } = await end(spawn("pdftotext", [order, file, "-"]));
  return stdout.split("\f").slice(0, -1);
}

/** What a person calls the choice of a purpose. */
export const radio = (purpose: string, language: "en" | "sv" = "en"): string =>
  `radio ${textsIn(language)[`purpose.${purpose}`]}`;

/** What a person calls the input of a field; all forms have the same labels. */
export function field(name: string, language: "en" | "sv" = "en"): string {
  const { type } = { ...TABLES.words, ...TABLES.characters }[name]!;
  const roles = {
    integer: "textbox",
    boolean: "checkbox",
    string: "combobox",
    text: "textbox",
  };
  return `${roles[type]} ${textsIn(language)[name]}`;
}

/** The texts that the accessibility tree has in an element. */
export async function textNodes(page: Page, selector: string) {
  const { root } = await page.cdp("DOM.getDocument") as {
    root: { nodeId: number };
  };
  const { nodeId } = await page.cdp("DOM.querySelector", {
    nodeId: root.nodeId,
    selector,
  }) as { nodeId: number };
  const { nodes } = await page.cdp("Accessibility.queryAXTree", {
    nodeId,
    role: "StaticText",
  }) as { nodes: { name: { value: string } }[] };
  return nodes.map(({ name }) => name.value);
}
