/**
 * The scripts of the page: its modules, joined. Served one by one, they would be 20
 * requests more, and the first password would be later.
 *
 * @module
 */
import address from "./address.js" with { type: "text" };
import api from "./api.js" with { type: "text" };
import batches from "./batches.js" with { type: "text" };
import card from "./card.js" with { type: "text" };
import clipboard from "./clipboard.js" with { type: "text" };
import confirm from "./confirm.js" with { type: "text" };
import dialog from "./dialog.js" with { type: "text" };
import dom from "./dom.js" with { type: "text" };
import form from "./form.js" with { type: "text" };
import language from "./language.js" with { type: "text" };
import list from "./list.js" with { type: "text" };
import message from "./message.js" with { type: "text" };
import page from "./page.js" with { type: "text" };
import parts from "./parts.js" with { type: "text" };
import people from "./people.js" with { type: "text" };
import purposes from "./purposes.js" with { type: "text" };
import qr from "./qr.js" with { type: "text" };
import requests from "./requests.js" with { type: "text" };
import settings from "./settings.js" with { type: "text" };
import strength from "./strength.js" with { type: "text" };
import table from "./table.js" with { type: "text" };
import wifi from "./wifi.js" with { type: "text" };

/** The modules of the page, each after those that it imports. */
const MAIN = {
  api,
  clipboard,
  dom,
  form,
  purposes,
  strength,
  language,
  confirm,
  parts,
  batches,
  requests,
  people,
  settings,
  address,
  message,
  card,
  dialog,
  wifi,
  page,
};
/** Those for lists, which most people do not need. */
const LIST = { table, list };

/**
 * The modules by script. Those of a script are in one scope, so a name of the top level
 * stands in one of them only.
 */
export const SCRIPTS = { page: MAIN, list: LIST, qr: { qr } };

/**
 * Joins the modules of a script, without comments and indentation, which are a third.
 * What it imports from other modules is in the script of the page.
 */
export function script(name: keyof typeof SCRIPTS): string {
  const modules: Readonly<Record<string, string>> = SCRIPTS[name];
  return Object.values(modules).join("")
    .replace(/^ *(?:\/\*\*.*?\*\/|\/\/.*?)\n/gms, "")
    .replace(/ \/\/ [^"'`]*?$/gm, "")
    .replace(/^\s+/gm, "")
    .replace(
      /^((?:import|export) (?:\{[^}]*\} from )?)"\.\/(\w+)\.js";\n/gm,
      (_, clause, from) =>
        Object.hasOwn(modules, from) ? "" : `${clause}"./page.js";\n`,
    );
}
