/**
 * Checks the page, /docs and the 404 page in Chromium with the rules of axe-core (npm):
 * WCAG 2.0 to 2.2, levels A and AA, and best practices. It checks each language,
 * kind of password, colour scheme and width, with and without errors. Any
 * violation is a failure. Usage: deno task page:audit
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { serve } from "../tests/helpers/program.ts";
import { Browser, CHROMIUM } from "../tests/helpers/webdriver.ts";
import { importNpm, NO_CHROMIUM, stop } from "./needs.ts";

if (!CHROMIUM) stop(NO_CHROMIUM);
const { default: axe } = await importNpm<{ default: { source: string } }>(
  "npm:axe-core@4.14.1",
);

/** The result of axe-core for one rule. */
interface RuleResult {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Width and height, in CSS pixels. */
const SIZES: [number, number][] = [[320, 700], [1600, 1000]];

let audits = 0;
let broken = 0;
const undecided = new Map<string, number>();

async function audit(
  browser: Browser,
  where: string,
  isPaper = false,
): Promise<void> {
  audits++;
  const { violations, incomplete } = await browser.run<
    { violations: RuleResult[]; incomplete: RuleResult[] }
  >(
    `${axe.source}; return axe.run(document, {
      runOnly:
        ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      // A list on paper needs no heading.
      rules: { "page-has-heading-one": { enabled: !arguments[0] } },
    })`,
    isPaper,
  );
  // axe-core cannot check text outside the window, but it can in another width.
  for (const { id } of incomplete) {
    undecided.set(id, (undecided.get(id) ?? 0) + 1);
  }
  for (const { id, help, nodes } of violations) {
    broken++;
    console.log(`${where}: ${id}: ${help}`);
    for (const node of nodes) {
      console.log(`    ${node.html}\n    ${node.failureSummary ?? ""}`);
    }
  }
}

await using service = await serve({ env: { PWGEN_RATE_LIMIT: "10000" } });
for (const language of ["en", "sv"]) {
  for (const dark of [false, true]) {
    for (const size of SIZES) {
      await using browser = await Browser.open({ language, dark, size });
      const where = `${language}, ${dark ? "dark" : "light"}, ${size[0]} px`;
      await browser.go(`${service.url}/`);
      const set = (id: string, value: string) =>
        browser.run(
          `const [id, value] = arguments;
           const input = document.getElementById(id);
           input.value = value;
           input.dispatchEvent(new Event("input", { bubbles: true }));
           input.dispatchEvent(new Event("change", { bubbles: true }))`,
          id,
          value,
        );
      const choose = async (purpose: string) => {
        await browser.click(`[name=purpose][value=${purpose}]`);
        await browser.until(
          "!document.querySelector('.busy') && document.querySelector('#verdict').textContent",
        );
      };
      for (const purpose of ["remember", "type", "pin", "site", "manager"]) {
        await choose(purpose);
        await audit(browser, `${where}, ${purpose}`);
      }
      await browser.run(
        "for (const each of document.querySelectorAll('details')) each.open = true",
      );
      const errors = [
        ["manager", "characters-length", "0"],
        ["remember", "words-maximumLength", "3"],
        ["remember", "words-minimumEntropy", "512"],
        ["site", "characters-passwordRules", "8 tecken, en bokstav först"],
      ] as const;
      for (const [purpose, id, value] of errors) {
        await choose(purpose);
        await audit(browser, `${where}, ${purpose} unfolded`);
        await set(id, value);
        await browser.until("document.querySelector('#message').textContent");
        await audit(browser, `${where}, ${id} with an error`);
      }
      await choose("pin");
      await set("characters-length", "4");
      await set("count", "100");
      await browser.until(
        "document.querySelectorAll('#list tr').length === 100",
      );
      await browser.click("#different");
      await audit(browser, `${where}, a list`);
      await set("table", "Åsa Ek-Öberg\nBo\n\nBo");
      await browser.until("document.querySelectorAll('#list tr').length === 3");
      await set("line", "Log in at school.example");
      await audit(browser, `${where}, people`);
      await browser.run("globalThis.print = () => {}");
      for (const id of ["slips", "print"]) {
        await browser.click(`#${id}`);
        await browser.cdp("Emulation.setEmulatedMedia", { media: "print" });
        await audit(browser, `${where}, ${id}`, true);
        await browser.emulate(size, dark);
      }
      await set("table", "Bo\n".repeat(1001));
      await audit(browser, `${where}, too many people`);
      await set("table", "");
      await set("count", "");
      for (const preset of ["pupil", "entra"]) {
        await browser.run("location.hash = arguments[0]", `purpose=${preset}`);
        await browser.until(
          `!document.querySelector(".busy") &&
           document.querySelector(".presets[name]")`,
        );
        await audit(browser, `${where}, ${preset}`);
      }
      await choose("remember");
      await browser.run("globalThis.fetch = () => Promise.reject(new Error())");
      await browser.click("#new");
      await browser.until("document.querySelector('#countdown').textContent");
      await audit(browser, `${where}, no service`);
      await browser.go(`${service.url}/docs`);
      await audit(browser, `${where}, documents`);
      await browser.go(`${service.url}/nowhere`);
      await audit(browser, `${where}, unknown path`);
    }
  }
}
for (const [id, times] of undecided) {
  console.log(`Incomplete in ${times} audits: ${id}`);
}
console.log(`${audits} audits, ${broken} violations`);
Deno.exitCode = broken > 0 ? 1 : 0;
