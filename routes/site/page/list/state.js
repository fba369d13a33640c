/**
 * The state of the page for several people: above all a text, the table. Its regions are
 * functions of the state.
 *
 * @module
 */
import { draw } from "../dom.js";
import { language, text } from "../language.js";
import { requestOf, settingsFor } from "../settings.js";
import { columnsOf, isEmpty, readTable, valueOf } from "./reading.js";
import { isForm } from "./writing.js";

/**
 * @typedef {import("./reading.js").Row} Row
 *
 * @typedef {object} State
 * @property {string} text the table, which gets the passwords
 * @property {{ name: string, encoding: string } | undefined} file from which it came
 * @property {import("./reading.js").Choices} chosen
 * @property {import("./reading.js").Table} table how the text is read
 * @property {number[]} columns that tell people apart
 * @property {string} refused the key of a text: why a file or a text was not read
 * @property {string} comma what stands between the cells of a new file; empty: as
 *   proposed
 * @property {import("../settings.js").Wanted} wanted
 * @property {Record<string, unknown>} body what is asked for
 * @property {number} bits of a password; 0 until they are known
 * @property {ReadonlyMap<string, Made>} fresh the passwords that were made here
 * @property {{ done: number, count: number } | undefined} making
 * @property {import("../api.js").Problem | undefined} problem why some have no password
 * @property {number} seconds until the page tries again; 0 if it does not
 *
 * @typedef {{ request: string, bits: number }} Made what a password was made with
 *
 * @typedef {(state: State) => import("../dom.js").Region} Draw
 */

/** @returns {State} */
export function emptyState() {
  const wanted = requestOf(settingsFor("pupil"));
  return {
    text: "",
    file: undefined,
    chosen: {},
    table: readTable(""),
    columns: [],
    refused: "",
    comma: "",
    wanted,
    body: wanted.body,
    bits: 0,
    fresh: new Map(),
    making: undefined,
    problem: undefined,
    seconds: 0,
  };
}

/** @type {State} */
export let state;

/** @type {Draw[]} */
const regions = [];

/** @param {...Draw} added */
export function addRegions(...added) {
  regions.push(...added);
  state = emptyState();
}

/**
 * Changes the state, and draws the page.
 *
 * @param {Partial<State>} changes
 */
export function change(changes) {
  Object.assign(state, changes);
  if ("text" in changes || "chosen" in changes) {
    state.table = readTable(state.text, state.chosen);
    state.columns = columnsOf(state.table);
  }
  for (const region of regions) draw(region(state));
}

/** Whether there is a table that can get passwords. @type {(state: State) => boolean} */
export const isReady = ({ table, text, refused }) =>
  text.trim() !== "" && refused === "" && table.column !== undefined &&
  table.error === undefined;

/** @type {(state: State, row: Row) => string} */
export const passwordOf = ({ table: { column = -1 } }, row) =>
  valueOf(row, column);

/** The settings, as a text. @type {(state: State) => string} */
export const settingsOf = ({ wanted: { path, body } }) =>
  JSON.stringify([path, body]);

/**
 * The people without a password, or with one that was made here with other settings, by
 * index.
 *
 * @param {State} state
 */
export function openOf(state) {
  const { table: { people, column = -1 }, fresh } = state;
  const settings = settingsOf(state);
  return [...people.keys()].filter((i) => {
    const row = people[i] ?? [];
    const made = fresh.get(passwordOf(state, row));
    return isEmpty(row, column) || made && made.request !== settings;
  });
}

/** What tells a person apart. @type {(state: State, row: Row) => string} */
export const nameOf = ({ columns }, row) =>
  columns.map((at) => valueOf(row, at)).filter(Boolean).join(" ");

/** What stands between the cells of a new file. @type {(state: State) => string} */
export const commaOf = ({ comma, table }) =>
  comma || (language === "sv" && !isForm(table) ? ";" : ",");

/**
 * The text of a key for a number: some have another one for 1.
 *
 * @param {string} key
 * @param {number} count
 */
export const counted = (key, count) =>
  text(count === 1 ? `${key}.one` : key, { count });
