/**
 * Takes the screenshots of the page in docs/.
 * Usage: deno run -A tools/page_pictures.ts
 *
 * @module
 */
import { ROOT, serve } from "../tests/helpers/program.ts";
import {
  Browser,
  type BrowserOptions,
  CHROMIUM,
} from "../tests/helpers/webdriver.ts";
import { NO_CHROMIUM, stop } from "./needs.ts";

if (!CHROMIUM) stop(NO_CHROMIUM);

const PICTURES: [string, string, [string, string], BrowserOptions][] = [
  ["light", "manager", ["t8=Rk&;Zw~4Qm@x9Vb?e", "129.68"], {
    language: "en",
    size: [960, 600],
  }],
  ["dark", "remember", ["cykel-moln-tiger-brygga-saft-42", "69.40"], {
    language: "sv",
    dark: true,
    size: [390, 800],
  }],
];

await using service = await serve();
for (const [name, purpose, password, options] of PICTURES) {
  await using browser = await Browser.open(options);
  await browser.go(`${service.url}/`);
  await browser.until("document.querySelector('#password').textContent");
  // A fixed password, so that a picture changes only with the page.
  await browser.run(
    `globalThis.fetch = async () => Response.json({ password: arguments[0] },
       { headers: { "entropy-bits": arguments[1] } })`,
    ...password,
  );
  await browser.click(`[name=purpose][value=${purpose}]`);
  await browser.click("#new");
  await browser.run("document.activeElement.blur()");
  await browser.until(
    `document.querySelector('#password').textContent === ${
      JSON.stringify(password[0])
    } && !document.querySelector('.busy')`,
  );
  const file = `${ROOT}docs/page-${name}.png`;
  await Deno.writeFile(file, await browser.screenshot());
}
