/**
 * The script of the page for several people. The table stays in the browser: no request
 * and no address has a name.
 *
 * @module
 */
import { askTwice, RETRY_S } from "../api.js";
import { copy } from "../clipboard.js";
import { confirmAction } from "../confirm.js";
import { as, build, byId, element } from "../dom.js";
import { setFields } from "../fields.js";
import { fragmentOf, readFragment } from "../fragment.js";
import { setTexts, text } from "../language.js";
import { isPreset } from "../purposes.js";
import { requestOf, settingsFor } from "../settings.js";
import { drawAll } from "./drawing.js";
import { decode, encode, MAX_BYTES } from "./encoding.js";
import { preview } from "./preview.js";
import { MAX_PEOPLE } from "./reading.js";
import { list } from "./rows.js";
import { ownParts } from "./school.js";
import { safeBody } from "./spreadsheet.js";
import {
  addRegions,
  change,
  commaOf,
  isReady,
  openOf,
  passwordOf,
  settingsOf,
  state,
} from "./state.js";
import { fill, separatorFor, toCsv, toLines } from "./writing.js";

/** @typedef {import("../settings.js").Settings} Settings */

/**
 * When the page goes on by itself, in seconds, if the service does not say.
 *
 * @type {Readonly<Record<string, number>>}
 */
const PAUSE_S = { ...RETRY_S, offline: 10 };

let controller = new AbortController();

/** Asks what these settings permit: first those for a spreadsheet. @param {Settings} settings */
async function want(settings) {
  const wanted = requestOf(settings);
  const { path } = wanted;
  const safe = safeBody(path, wanted.body);
  change({ wanted, body: safe, bits: 0, problem: undefined });
  for (const link of document.querySelectorAll("[data-settings]")) {
    as(HTMLAnchorElement, link).hash = `#${fragmentOf(settings)}`;
  }
  for (const body of [safe, wanted.body]) {
    const outcome = await askTwice({ path, body }, new AbortController());
    if (state.wanted !== wanted) return;
    if (outcome.error === "fields" && body !== wanted.body) continue;
    change(
      outcome.error === undefined
        ? { body, bits: outcome.bits }
        : { body, problem: outcome },
    );
    return;
  }
}

/**
 * Writes passwords into the table.
 *
 * @param {number[]} people by index
 * @param {string[]} passwords theirs
 * @param {import("./state.js").Made} made what they were made with
 * @param {import("./state.js").State["making"]} making
 */
function put(people, passwords, made, making) {
  const { table, file, fresh } = state;
  const separator = separatorFor(table, file ? commaOf(state) : "\t");
  /** @type {Map<import("./reading.js").Row, string>} */
  const byRow = new Map();
  for (const [i, password] of passwords.entries()) {
    const row = table.people[people[i] ?? -1];
    if (row) byRow.set(row, password);
  }
  let { heading } = table;
  let filled = fill(table, byRow, text("list.password"), separator);
  // Names that were pasted get a heading, so that they can be read again.
  if (!file && table.separator === "" && heading === -1) {
    const [end = "\n"] = /\r\n?|\n/.exec(filled) ?? [];
    filled = text("list.name") + separator + text("list.password") + end +
      filled;
    heading = 0;
  }
  /** @type {(password: string) => [string, typeof made]} */
  const madeWith = (password) => [password, made];
  change({
    making,
    bits: made.bits,
    text: filled,
    chosen: { separator, heading, column: table.column },
    fresh: new Map([...fresh, ...passwords.map(madeWith)]),
  });
}

/**
 * Gives people new passwords. What is made stays, whatever happens later.
 *
 * @param {number[]} people by index
 * @param {number} [count] of them, with those that have theirs already
 */
async function give(people, count = people.length) {
  const own = controller = new AbortController();
  let rest = people;
  const making = () => ({ done: count - rest.length, count });
  change({ making: making(), problem: undefined, seconds: 0 });
  const { wanted: { path }, body, table } = state;
  const wish = {
    path,
    body,
    parts: rest.map((i) => ownParts(table.people[i] ?? [], table.column ?? -1)),
    taken: new Set(table.people.map((row) => passwordOf(state, row))),
  };
  const request = settingsOf(state);
  const problem = await drawAll(wish, own, (passwords, bits) => {
    const next = rest.slice(0, passwords.length);
    rest = rest.slice(passwords.length);
    put(next, passwords, { request, bits }, making());
  });
  if (own.signal.aborted) return;
  if (!problem) return change({ making: undefined });
  const pause = problem.seconds || PAUSE_S[problem.error] || 0;
  if (pause === 0) return change({ problem, making: undefined });
  change({ problem });
  await countDown(performance.now() + 1000 * pause, own);
  if (!own.signal.aborted) await give(rest, count);
}

/**
 * Waits, and shows how long.
 *
 * @param {number} end
 * @param {AbortController} own ends it
 */
async function countDown(end, own) {
  let seconds = Infinity;
  while (seconds > 0 && !own.signal.aborted) {
    seconds = Math.ceil((end - performance.now()) / 1000);
    if (seconds !== state.seconds) change({ seconds: Math.max(0, seconds) });
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Ends what is under way. */
function cancel() {
  controller.abort();
  change({ making: undefined, problem: undefined, seconds: 0 });
}

/**
 * Takes another text.
 *
 * @param {string} source
 * @param {Partial<import("./state.js").State>} others changes
 */
function take(source, others = {}) {
  const isLarge = source.length > MAX_BYTES;
  change({
    text: isLarge ? "" : source,
    chosen: {},
    refused: isLarge ? "list.large" : "",
    problem: undefined,
    ...others,
  });
}

/** Reads a file, in the browser. @param {File | undefined} file */
async function openFile(file) {
  if (!file || state.making) return;
  as(HTMLDetailsElement, byId("source")).open = true;
  if (file.size > MAX_BYTES) return take("", { refused: "list.large" });
  const bytes = await file.bytes();
  if (state.making) return; // what is made goes into the table before
  const read = decode(bytes);
  if (!read) return take("", { refused: "list.binary" });
  take(read.text, { file: { name: file.name, encoding: read.encoding } });
}

/** The first line, on which the answers to the questions depend. @param {string} source */
const firstLine = (source) => source.split(/[\r\n]/, 1)[0];

/**
 * Listens to an element.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {string} event
 * @param {new () => T} type
 * @param {(element: T) => unknown} action
 */
function listen(id, event, type, action) {
  const found = as(type, byId(id));
  found.addEventListener(event, () => action(found));
}

function listenToTable() {
  listen("table", "input", HTMLTextAreaElement, ({ value }) => {
    // A text box has line feeds only.
    const [end = "\n"] = /\r\n?|\n/.exec(state.text) ?? [];
    const source = value.replaceAll("\n", end);
    const isSame = firstLine(source) === firstLine(state.text);
    take(source, {
      chosen: isSame ? state.chosen : {},
      file: source === "" ? undefined : state.file,
    });
  });
  listen("file", "change", HTMLInputElement, (input) => {
    openFile(input.files?.[0]);
    input.value = ""; // the same file can be opened again
  });
  /** @param {DragEvent} event */
  const takeFile = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    openFile(event.dataTransfer.files[0]);
  };
  addEventListener("dragover", takeFile);
  addEventListener("drop", takeFile);
  listen("number", "click", HTMLButtonElement, () => {
    const count = Number(as(HTMLInputElement, byId("count")).value) || 0;
    const length = Math.min(count, MAX_PEOPLE + 1);
    const numbers = Array.from({ length }, (_, i) => i + 1);
    take(numbers.join("\n"), { chosen: { separator: "", heading: -1 } });
  });
  for (const id of ["separator", "heading", "column"]) {
    listen(id, "change", HTMLSelectElement, ({ value }) => answer(id, value));
  }
}

/**
 * Takes the answer to a question; those to later questions go with it.
 *
 * @param {string} id
 * @param {string} value
 */
function answer(id, value) {
  const { table: { heading }, chosen: { separator } } = state;
  const [, between] = /^names (.)$/.exec(value) ?? [];
  if (id === "separator") change({ chosen: { separator: between ?? value } });
  else if (id === "heading") {
    change({ chosen: { separator, heading: Number(value) } });
  } else change({ chosen: { separator, heading, column: Number(value) } });
  if (between) take(toLines(state.table));
}

/** Copies the table as text, and as cells. @param {HTMLElement} button */
async function copyAll(button) {
  const { table } = state;
  const cells = build({
    ...element("table", ""),
    content: table.rows.map((row) =>
      element("tr", "", ...row.map(({ value }) => element("td", "", value)))
    ),
  });
  const copied = as(HTMLTableElement, cells);
  // LibreOffice keeps them as text.
  for (const td of copied.querySelectorAll("td")) {
    td.setAttribute("sdnum", "1033;0;@");
  }
  const texts = {
    "text/plain": toCsv(table.rows, "\t").replaceAll("\r\n", "\n"),
    "text/html": copied.outerHTML,
  };
  const key = await copy(
    Promise.resolve(texts),
    Object.keys(texts),
    byId("list"),
  );
  if (key) confirmAction(button, key === "copied" ? "list.copied" : key);
}

/** Saves the file as it came, or a new one. No address has it. @param {HTMLElement} button */
function save(button) {
  const { file, table } = state;
  const source = file
    ? state.text
    : `\ufeff${toCsv(table.rows, commaOf(state))}`;
  const bytes = encode(source, file?.encoding ?? "utf-8") ??
    encode(`\ufeff${source}`, "utf-8");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob(bytes ? [bytes] : [], { type: "text/csv" }),
  );
  link.download = file?.name ?? text("list.file");
  link.click();
  URL.revokeObjectURL(link.href);
  confirmAction(button, "list.saved");
}

/** Prints the list, or slips for those who have a new password. @param {boolean} isSlips */
function printList(isSlips) {
  const { table, fresh } = state;
  const isNew = table.people.some((row) => fresh.has(passwordOf(state, row)));
  const isForAll = as(HTMLInputElement, byId("every")).checked || !isNew;
  byId("list").classList.toggle("slips", isSlips);
  byId("list").classList.toggle("every", isForAll);
  const { value } = as(HTMLInputElement, byId("slip-line"));
  for (const each of document.querySelectorAll(".line")) {
    each.textContent = value;
  }
  print();
}

/** Gives people new passwords, and shows the list. @param {number[]} people */
async function giveAll(people) {
  await give(people);
  if (openOf(state).length > 0 || !isReady(state)) return;
  as(HTMLDetailsElement, byId("source")).open = false;
  byId("verdict").focus();
}

/** Copies the password of a person. @param {string} i */
async function copyOf(i) {
  const row = state.table.people[Number(i)] ?? [];
  const texts = Promise.resolve({ "text/plain": passwordOf(state, row) });
  const key = await copy(texts, ["text/plain"], byId(`text-${i}`));
  if (key) confirmAction(byId(`copy-${i}`), key);
}

/** Gives a person a new password. @param {string} i */
async function changeOf(i) {
  if (state.making) return;
  await give([Number(i)]);
  const again = byId(`change-${i}`); // it was made anew
  again.focus();
  if (!state.problem) confirmAction(again, "list.renewed");
}

function listenToList() {
  listen("make", "click", HTMLButtonElement, () => giveAll(openOf(state)));
  listen("renew", "click", HTMLButtonElement, () => {
    const all = [...state.table.people.keys()];
    const isSure = confirm(text("list.renew.sure", { count: all.length }));
    if (isSure) giveAll(all);
  });
  listen("cancel", "click", HTMLButtonElement, () => {
    cancel();
    byId("make").focus();
  });
  byId("list").addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    if (target.id.startsWith("copy")) copyOf(target.value);
    else changeOf(target.value);
  });
  listen("copy", "click", HTMLButtonElement, copyAll);
  listen("save", "click", HTMLButtonElement, save);
  listen("print", "click", HTMLButtonElement, () => printList(false));
  listen("slips", "click", HTMLButtonElement, () => printList(true));
  listen("comma", "change", HTMLSelectElement, ({ value }) => {
    change({ comma: value });
  });
}

/** Asks for what the address says. */
function start() {
  const { settings, unknown } = readFragment(location.hash);
  const preset = location.hash.length > 1 ? settings : settingsFor("pupil");
  as(HTMLSelectElement, byId("preset")).value = preset.preset;
  byId("unknown").textContent = unknown.length > 0
    ? text("unknown", { names: unknown.join(", ") })
    : "";
  want(preset);
}

setFields(JSON.parse(byId("fields").textContent));
setTexts(document.documentElement.lang, JSON.parse(byId("texts").textContent));
addRegions(preview, list);
listenToTable();
listenToList();
listen("preset", "change", HTMLSelectElement, ({ value }) => {
  if (isPreset(value)) want(settingsFor(value));
});
// The table is nowhere else.
addEventListener("beforeunload", (event) => {
  if (state.text.trim() !== "") event.preventDefault();
});
// The browser may keep the page for the back button, but without names.
addEventListener("pagehide", () => {
  cancel();
  take("", { file: undefined, fresh: new Map() });
});
addEventListener("hashchange", start);
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, () => {
    byId("message").textContent = text("broken");
  });
}
byId("insecure").hidden = isSecureContext;
start();
