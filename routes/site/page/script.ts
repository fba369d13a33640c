/**
 * The scripts of the page: its modules, joined. Served one by one, they would be 20
 * requests more, and the first password would be later.
 *
 * @module
 */
import actions from "./actions.js" with { type: "text" };
import api from "./api.js" with { type: "text" };
import card from "./card.js" with { type: "text" };
import clipboard from "./clipboard.js" with { type: "text" };
import confirm from "./confirm.js" with { type: "text" };
import curl from "./curl.js" with { type: "text" };
import dialog from "./dialog.js" with { type: "text" };
import dom from "./dom.js" with { type: "text" };
import fields from "./fields.js" with { type: "text" };
import form from "./form.js" with { type: "text" };
import fragment from "./fragment.js" with { type: "text" };
import inputs from "./inputs.js" with { type: "text" };
import language from "./language.js" with { type: "text" };
import drawing from "./list/drawing.js" with { type: "text" };
import encoding from "./list/encoding.js" with { type: "text" };
import listPage from "./list/list.js" with { type: "text" };
import preview from "./list/preview.js" with { type: "text" };
import reading from "./list/reading.js" with { type: "text" };
import rows from "./list/rows.js" with { type: "text" };
import school from "./list/school.js" with { type: "text" };
import spreadsheet from "./list/spreadsheet.js" with { type: "text" };
import listState from "./list/state.js" with { type: "text" };
import writing from "./list/writing.js" with { type: "text" };
import page from "./page.js" with { type: "text" };
import parts from "./parts.js" with { type: "text" };
import purposes from "./purposes.js" with { type: "text" };
import qr from "./qr.js" with { type: "text" };
import requests from "./requests.js" with { type: "text" };
import settings from "./settings.js" with { type: "text" };
import state from "./state.js" with { type: "text" };
import strength from "./strength.js" with { type: "text" };
import wifi from "./wifi.js" with { type: "text" };

/** The modules of both pages, each after those that it imports. */
const SHARED = {
  api,
  clipboard,
  dom,
  language,
  confirm,
  fields,
  purposes,
  settings,
  fragment,
  strength,
  parts,
};

/** Those of the page. */
const MAIN = {
  ...SHARED,
  state,
  requests,
  actions,
  card,
  dialog,
  form,
  inputs,
  wifi,
  curl,
  page,
};

/** Those of the page for several people. */
const LIST = {
  ...SHARED,
  "list/encoding": encoding,
  "list/reading": reading,
  "list/writing": writing,
  "list/spreadsheet": spreadsheet,
  "list/school": school,
  "list/drawing": drawing,
  "list/state": listState,
  "list/preview": preview,
  "list/rows": rows,
  "list/list": listPage,
};

/**
 * The modules by script. Those of a script are in one scope, so a name of the top level
 * stands in one of them only. The page loads the others when it needs them.
 */
export const SCRIPTS = { page: MAIN, list: LIST, qr: { qr } };

/**
 * Joins modules, without their imports, comments and indentation.
 *
 * @param modules the code of each, after that of those that it imports
 * @returns the script
 */
export function joined(modules: Readonly<Record<string, string>>): string {
  return Object.values(modules).join("")
    .replace(/^ *(?:\/\*\*.*?\*\/|\/\/.*?)\n/gms, "")
    .replace(/ \/\/ [^"'`]*?$/gm, "")
    .replace(/^import [^;]*;\n/gm, "")
    .replace(/^\s+/gm, "");
}
