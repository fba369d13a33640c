/**
 * Checks the page, /docs and the 404 page in Chromium with the rules of axe-core (npm):
 * WCAG 2.0 to 2.2, levels A and AA, and best practices. It checks each preset and
 * each state of the page, with every pair of a language, a colour scheme and a width.
 * Any violation is a failure. Usage: deno task page:audit
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { PRESETS, purposesOf } from "../routes/site/page/purposes.js";
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

/**
 * The language, whether it is dark, and width and height in CSS pixels. Each pair of
 * them occurs; all eight would find no more that axe-core checks.
 */
const LOOKS: [language: string, dark: boolean, size: [number, number]][] = [
  ["en", false, [320, 700]],
  ["en", true, [1600, 1000]],
  ["sv", true, [320, 700]],
  ["sv", false, [1600, 1000]],
];

let audits = 0;
let broken = 0;
const undecided = new Map<string, number>();

async function audit(
  browser: Browser,
  where: string,
  isPaper = false,
): Promise<void> {
  audits++;
  // The source has half a megabyte, and stays until another document is loaded.
  if (!await browser.run("return 'axe' in globalThis")) {
    await browser.run(axe.source);
  }
  const { violations, incomplete } = await browser.run<
    { violations: RuleResult[]; incomplete: RuleResult[] }
  >(
    `return axe.run(document, {
      resultTypes: ["violations", "incomplete"],
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
for (const [language, dark, size] of LOOKS) {
  await using browser = await Browser.open({ language, dark, size });
  await browser.go(`${service.url}/`);
  const check = (state: string, isPaper = false) =>
    audit(
      browser,
      `${language}, ${dark ? "dark" : "light"}, ${size[0]} px, ${state}`,
      isPaper,
    );
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
  const isMade =
    "!document.querySelector('.busy') && document.querySelector('#verdict').textContent";
  const choose = async (purpose: string) => {
    await browser.click(`[name=purpose][value=${purpose}]`);
    await browser.until(isMade);
  };
  const rows = (count: number) =>
    browser.until(
      `!document.querySelector(".busy") &&
       document.querySelectorAll("#list tr").length === ${count}`,
    );
  const paper = async (state: string) => {
    await browser.cdp("Emulation.setEmulatedMedia", { media: "print" });
    await check(state, true);
    await browser.emulate(size, dark);
  };
  await browser.until(isMade);
  await browser.run("globalThis.print = () => {}");
  for (const preset of Object.keys(PRESETS) as (keyof typeof PRESETS)[]) {
    const [purpose] = purposesOf(preset);
    await browser.run("location.hash = arguments[0]", `purpose=${preset}`);
    await browser.until(
      `document.querySelector("[name=purpose]:checked").value === "${purpose}" &&
       (document.querySelector("#of-${purpose}")?.value ?? "${preset}") === "${preset}" &&
       ${isMade}`,
    );
    await check(preset);
  }

  // One password, and what a person does with it.
  await choose("remember");
  await browser.click("#new");
  await browser.until("!document.querySelector('#next').hidden");
  await browser.click("#copy");
  await browser.until("document.querySelector('.toast')");
  await check("copied");
  await browser.click("#enlarge");
  await check("dialog");
  await browser.click("#close");
  await browser.click("#hide");
  await check("hidden");
  await browser.click("#enlarge");
  await check("dialog, hidden");
  await browser.click("#close");
  await browser.click("#hide");
  await browser.click("#practise summary");
  await set("typed", "wrong");
  await browser.click("#attempt .actions button");
  await check("practised");

  await choose("wifi");
  await browser.until(
    "document.querySelector('#wifi').checkVisibility()",
  );
  await check("wifi");
  await set("ssid", "Åsas nät");
  await browser.until("document.querySelector('#code:not([hidden])')");
  await check("a code");
  await browser.click("#print-card");
  await paper("a card");
  await browser.click("#hide");
  await check("a code, hidden");
  await browser.click("#hide");
  await set("ssid", "x".repeat(33));
  await check("a name that is too long");

  // Steppers at their limits, and errors.
  await browser.run(
    "for (const each of document.querySelectorAll('details')) each.open = true",
  );
  const limits = [
    ["manager", "characters-length", "128"],
    ["manager", "characters-length", "1"],
    ["remember", "words-wordCount", "10"],
    ["type", "words-wordCount", "1"],
  ] as const;
  for (const [purpose, id, value] of limits) {
    await choose(purpose);
    await set(id, value);
    await browser.until(
      `document.querySelector("form:not([hidden]) [data-step][aria-disabled=true]") && ${isMade}`,
    );
    await check(`${id} ${value}, unfolded`);
  }
  const errors = [
    ["manager", "characters-length", "0"],
    ["remember", "words-maximumLength", "3"],
    ["remember", "words-minimumEntropy", "512"],
    ["site", "characters-passwordRules", "8 tecken, en bokstav först"],
    ["pin", "count", "0"],
  ] as const;
  for (const [purpose, id, value] of errors) {
    await choose(purpose);
    await set(id, value);
    await browser.until("document.querySelector('#message').textContent");
    await check(`${id} with an error`);
  }

  await set("characters-length", "4");
  await set("count", "100");
  await rows(100);
  await browser.click("#different");
  await check("a list");
  await set("count", "300");
  await browser.until("!document.querySelector('#make').hidden");
  await check("a long list");
  await set("table", "Åsa Ek-Öberg\nBo\n\nBo");
  await rows(3);
  await set("line", "Log in at school.example");
  await check("people");
  await browser.click("#hide");
  await check("people, hidden");
  await browser.click("#hide");
  for (const id of ["slips", "print"]) {
    await browser.click(`#${id}`);
    await paper(id);
  }
  await set("table", "Bo\n".repeat(1001));
  await browser.until("document.querySelector('#message').textContent");
  await check("too many people");
  await set("table", "");
  await set("count", "");

  await choose("remember");
  await browser.run("globalThis.fetch = () => Promise.reject(new Error())");
  await browser.click("#new");
  await browser.until("document.querySelector('#countdown').textContent");
  await check("no service");
  await browser.go(`${service.url}/docs`);
  await check("documents");
  await browser.go(`${service.url}/nowhere`);
  await check("unknown path");
}
for (const [id, times] of undecided) {
  console.log(`Incomplete in ${times} audits: ${id}`);
}
console.log(`${audits} audits, ${broken} violations`);
Deno.exitCode = broken > 0 ? 1 : 0;
