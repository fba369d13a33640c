/**
 * Checks the page, /docs and the 404 page in Chromium with the rules of axe-core (npm):
 * WCAG 2.0 to 2.2, levels A and AA, and best practices. It checks each preset and
 * each state of the page in a wide and a narrow window, and in both colour schemes.
 * Any violation is a failure. Usage: deno task page:audit
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { NAMES, purposesOf } from "../routes/site/page/purposes.js";
import { serve } from "../tests/helpers/program.ts";
import { CHROMIUM } from "../tests/helpers/webdriver.ts";
import { Page } from "../tests/slow/page/page.ts";
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

/** The languages, and width and height in CSS pixels. Swedish words are longer. */
const LOOKS: [language: string, size: [number, number]][] = [
  ["en", [1600, 1000]],
  ["sv", [320, 700]],
];

/** The rules for which a colour scheme makes a difference. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];

const LEVELS = [
  "wcag2a",
  "wcag2aa",
  "wcag21a",
  "wcag21aa",
  "wcag22aa",
  "best-practice",
];

let audits = 0;
let broken = 0;
const undecided = new Map<string, number>();

async function audit(
  page: Page,
  where: string,
  runOnly: string[],
  isPaper = false,
): Promise<void> {
  audits++;
  // The source has half a megabyte, and stays until another document is loaded.
  if (!await page.run("return 'axe' in globalThis")) {
    await page.run(axe.source);
  }
  const { violations, incomplete } = await page.run<
    { violations: RuleResult[]; incomplete: RuleResult[] }
  >(
    `return axe.run(document, {
      resultTypes: ["violations", "incomplete"],
      runOnly: arguments[0],
      // A sheet of paper needs no heading.
      ...arguments[1] && { rules: { "page-has-heading-one": { enabled: false } } },
    })`,
    runOnly,
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
for (const [language, size] of LOOKS) {
  await using page = await Page.open({ language, size });
  await page.go(`${service.url}/`);
  const check = async (state: string) => {
    const where = `${language}, ${size[0]} px, ${state}`;
    await audit(page, where, LEVELS);
    await page.emulate(size, true);
    await audit(page, `${where}, dark`, OF_COLORS);
    await page.emulate(size);
  };
  const isMade =
    "!document.querySelector('.busy') && document.querySelector('.strength')";
  const choose = async (purpose: string) => {
    await page.run("scrollTo(0, 0)"); // the line of the password covers nothing there
    await page.click(`[name=purpose][value=${purpose}]`);
    await page.until(isMade);
  };
  const paper = async (state: string) => {
    await page.cdp("Emulation.setEmulatedMedia", { media: "print" });
    await audit(page, `${language}, ${state}`, LEVELS, true);
    await page.emulate(size);
  };
  await page.until(isMade);
  await page.run("globalThis.print = () => {}");
  for (const preset of NAMES) {
    const [purpose] = purposesOf(preset);
    await page.run("location.hash = arguments[0]", `purpose=${preset}`);
    await page.until(
      `document.querySelector("[name=purpose]:checked").value === "${purpose}" &&
       (document.querySelector("#of-${purpose}")?.value ?? "${preset}") === "${preset}" &&
       ${isMade}`,
    );
    await check(preset);
  }

  await page.run("location.hash = 'purpose=oracle&passwordRules=x'");
  await page.until("document.querySelector('#unknown').textContent");
  await page.until(isMade);
  await check("a link of a former version");
  await page.run("location.reload()");
  await page.until("document.querySelector('#anew')?.textContent");
  await page.run("globalThis.print = () => {}");
  await check("loaded again");

  // One password, and what a person does with it.
  await choose("remember");
  await page.click("#new");
  await page.until("!document.querySelector('#undo').hidden");
  await page.click("#copy");
  await page.until("document.querySelector('.toast')");
  await check("copied");
  await page.click("#enlarge");
  await check("dialog");
  await page.click("#close");
  await page.click("#hide");
  await check("hidden");
  await page.click("#enlarge");
  await check("dialog, hidden");
  await page.click("#close");
  await page.click("#hide");

  await choose("wifi");
  await page.until(
    "document.querySelector('#wifi').checkVisibility()",
  );
  await check("wifi");
  await page.set("#ssid", "Åsas nät");
  await page.until("document.querySelector('#code-box:not([hidden])')");
  await check("a code");
  await page.click("#print-sheet");
  await paper("a sheet");
  await page.click("#hide");
  await check("a code, hidden");
  await page.click("#hide");
  await page.set("#ssid", "x".repeat(33));
  await check("a name that is too long");

  // Steppers at their limits, and errors.
  await page.run(
    "for (const each of document.querySelectorAll('details')) each.open = true",
  );
  const limits = [
    ["manager", "characters-length", "128"],
    ["type", "words-wordCount", "1"],
  ] as const;
  for (const [purpose, id, value] of limits) {
    await choose(purpose);
    await page.set(`#${id}`, value);
    await page.until(
      `document.querySelector("form:not([hidden]) [data-step][aria-disabled=true]") && ${isMade}`,
    );
    await check(`${id} ${value}, unfolded`);
  }
  const errors = [
    ["manager", "characters-length", "0"],
    ["remember", "words-maximumLength", "3"],
    ["site", "characters-specialCharacterSet", "å, ä"],
  ] as const;
  for (const [purpose, id, value] of errors) {
    await choose(purpose);
    await page.set(`#${id}`, value);
    await page.until("document.querySelector('#message').textContent");
    await check(`${id} with an error`);
  }

  await choose("remember");
  await page.run("globalThis.fetch = () => Promise.reject(new Error())");
  await page.click("#new");
  await page.until("document.querySelector('#countdown').textContent");
  await check("no service");

  // Several people: how their table is read, and the list.
  await page.go(`${service.url}/list-${language}`);
  await page.until(
    "document.querySelector('#kind').textContent.includes('bit')",
  );
  await page.run("globalThis.print = () => {}");
  await check("several people");
  await page.set("#table", "Emma;Lind\nBo;Ek");
  await check("a question about a table");
  await page.set(
    "#table",
    "Namn\tKlass\tLösenord\nÅsa Ek-Öberg\t7B\nBo\t8C\told",
  );
  await check("a table");
  await page.click("#make");
  await page.until("!document.querySelector('#made').hidden");
  await page.set("#slip-line", "Log in at school.example");
  await check("a list");
  for (const id of ["slips", "print"]) {
    await page.click(`#${id}`);
    await paper(id);
  }
  await page.run("document.querySelector('#source').open = true");
  await page.set("#table", "Bo\n".repeat(1001));
  await check("too many people");
  await page.set("#table", "Bo");
  await page.run("globalThis.fetch = () => Promise.reject(new Error())");
  await page.click("#make");
  await page.until("document.querySelector('#countdown').textContent");
  await check("several people, no service");

  await page.go(`${service.url}/docs`);
  await check("documents");
  await page.go(`${service.url}/nowhere`);
  await check("unknown path");
}
for (const [id, times] of undecided) {
  console.log(`Incomplete in ${times} audits: ${id}`);
}
console.log(`${audits} audits, ${broken} violations`);
Deno.exitCode = broken > 0 ? 1 : 0;
