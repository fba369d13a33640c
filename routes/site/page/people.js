/**
 * The part for several people: how many there are, or their table.
 *
 * @module
 */
import { addRegion, byId, write } from "./dom.js";
import { errorOf, valueOf } from "./form.js";
import { text } from "./language.js";

const MAX_PEOPLE = 1000;
/** A screen reader hears the note when the person has paused. */
const NOTE_MS = 1000;

/** The script for lists, which most people do not need; undefined until it is loaded. */
let lists;
let read = {}; // the table, the same one until its key changes
let note = "";
let noteTimer = 0;

const isEmpty = () => byId("table").value.trim() === "";

/** How many passwords there are without a table. */
const count = () => errorOf(byId("count")) ? 1 : valueOf(byId("count")) ?? 1;

export const listScript = () => lists;

/** Loads the script for lists; undefined if it is there, or nobody needs it. */
export function loadLists() {
  if (lists || isEmpty() && count() < 2) return undefined;
  return import("./list.js").then((module) => {
    lists = module;
  });
}

/** The table in the box, or rows without cells; the same one until it changes. */
export function currentTable() {
  const [box, heading] = ["table", "heading"].map(byId);
  const [first] = box.value.split("\n", 1);
  const isChosen = heading.dataset.chosen === first;
  const isPeople = lists && !isEmpty();
  const number = lists ? count() : 1;
  const key = [isPeople && box.value, number, isChosen && heading.checked]
    .join();
  if (read.key === key) return read.table;
  const table = isPeople
    ? lists.readTable(box.value, isChosen ? heading.checked : undefined)
    : { before: [], rows: Array(number).fill([""]), column: 0 };
  if (table.rows.length > MAX_PEOPLE) table.error = { key: "many" };
  if (!isChosen) heading.checked = Boolean(table.head);
  read = { key, table: { ...table, isPeople } };
  return read.table;
}

/** The person decides whether the first row is a heading. */
export function chooseHeading() {
  const [first] = byId("table").value.split("\n", 1);
  byId("heading").dataset.chosen = first;
}

/** What is wrong with the table: the key of a text, and what belongs to it. */
export function tableError() {
  const { error, rows } = currentTable();
  return error &&
    { ...error, key: `table.${error.key}`, count: rows.length };
}

/** What was read in the box, or what is wrong with it. */
function noteAbout({ rows, column, isPeople, isOwn, head }, old) {
  const error = tableError();
  if (error) return text(error.key, error);
  if (!isPeople) return "";
  const columns = lists.columnsOf({ rows, column });
  const first = columns.map((at) => rows[0][at]).join(", ");
  const persons = new Set();
  const person = rows.map((row) => row.toSpliced(column, 1).join(", "))
    .find((each) => persons.size === persons.add(each).size);
  const values = { column: isOwn && head[column], kept: old.length };
  return [
    text("table.read", { count: rows.length, first }),
    isOwn && text("table.column", values),
    person && text("table.twice", { person }),
  ].filter(Boolean).join(" ");
}

function drawPeople() {
  const table = currentTable();
  const old = table.rows.filter((row) => row[table.column]);
  byId("count").disabled = table.isPeople;
  byId("every").parentElement.hidden = old.length === 0;
  byId("table").ariaInvalid = table.error ? "true" : null;
  const about = noteAbout(table, old);
  if (note === about) return;
  note = about;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => {
    write(byId("table-note"), note);
    byId("table-note").className = tableError() ? "error" : "note";
  }, NOTE_MS);
}

addRegion(drawPeople);
