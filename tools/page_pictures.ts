/**
 * Takes the screenshots of the page in docs/.
 * Usage: deno task page:pictures
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

const PICTURES: [string, string, BrowserOptions][] = [
  ["light", "manager", { language: "en", size: [960, 600] }],
  ["dark", "remember", { language: "sv", dark: true, size: [390, 800] }],
];

await using service = await serve();
for (const [name, purpose, options] of PICTURES) {
  await using browser = await Browser.open(options);
  await browser.go(`${service.url}/`);
  await browser.until("document.querySelector('#password').textContent");
  await browser.click(`[data-purpose=${purpose}]`);
  await browser.run("document.activeElement.blur()");
  await browser.until(
    "document.querySelector('#password').ariaBusy === 'false'",
  );
  const file = `${ROOT}docs/page-${name}.png`;
  await Deno.writeFile(file, await browser.screenshot());
}
