/**
 * How the table was read, the questions about it, and what will be made.
 *
 * @module
 */
import { element } from "../dom.js";
import { hasText, text } from "../language.js";
import { readTable, valueOf } from "./reading.js";
import { drawsFor, lostBits, MAX_REQUESTS, MOST } from "./school.js";
import { counted, isReady, nameOf, openOf } from "./state.js";
import { fill, separatorFor } from "./writing.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../dom.js").Region} Region
 * @typedef {import("../dom.js").Content} Content
 * @typedef {[value: string, name: string][]} Answers
 */

/** The people in the preview, and the rows that can be the heading. */
const SHOWN = 3;
/** The most characters of a cell in the preview, and in a choice. */
const MAX_CELL = 60;

/**
 * A question: its answers, and which of them holds.
 *
 * @param {string} id
 * @param {Answers} answers
 * @param {string | number | undefined} chosen
 * @param {boolean} isHidden
 * @returns {Region}
 */
function question(id, answers, chosen, isHidden) {
  const isOpen = chosen === undefined;
  /** @type {Answers} */
  const all = isOpen ? [["?", text("list.choose")], ...answers] : answers;
  return {
    [id]: {
      text: all.map(([value, name]) => ({
        ...element("option", "", name),
        value,
        selected: value === String(chosen ?? "?"),
      })),
    },
    [`${id}-field`]: {
      hidden: isHidden,
      className: isOpen ? "field asked" : "field",
    },
  };
}

/** @type {(state: State) => Region} */
function questions({ table, text: source }) {
  const { rows, separators, separator, heading, width, column } = table;
  const isKnown = source.trim() !== "" && separator !== undefined;
  /** @type {Answers} */
  const between = separators.map((each) => {
    const key = `list.separator.${each}`;
    return [each, hasText(key) ? text(key) : each];
  });
  /** @type {Answers} */
  const names = rows.length > 1 ? [] : between.map((
    [value, name],
  ) => [`names ${value}`, text("list.separator.names", { separator: name })]);
  /** @type {Answers} */
  const firsts = rows.slice(0, SHOWN).map((row, i) => {
    const cells = row.map(({ value }) => value).filter(Boolean).join(", ");
    return [String(i), `${i + 1}: ${cells.slice(0, MAX_CELL)}`];
  });
  /** @type {Answers} */
  const columns = Array.from({ length: width }, (_, at) => {
    const name = valueOf(rows[heading ?? -1] ?? [], at).slice(0, MAX_CELL);
    return [String(at), text("list.column.at", { number: at + 1, name })];
  });
  return {
    ...question(
      "separator",
      [...between, ...names, ["", text("list.separator.")]],
      separator,
      separators.length === 0,
    ),
    ...question(
      "heading",
      [["-1", text("list.heading.none")], ...firsts],
      heading,
      !isKnown,
    ),
    ...question(
      "column",
      [[String(width), text("list.column.new")], ...columns],
      column,
      !isKnown || heading === undefined || width < 2,
    ),
  };
}

/**
 * The first rows of the text to come, and the last one, which may be a sum.
 *
 * @param {State} state
 * @returns {Content[]}
 */
function previewOf(state) {
  const { table, text: source, refused } = state;
  const { heading = -1, column } = table;
  if (source.trim() === "" || refused !== "") return [];
  const end = heading + 1 + SHOWN;
  const [next] = table.rows[end] ?? [];
  const [last] = table.rows.at(-1) ?? [];
  const tail = next && last ? source.slice(last.at) : "";
  let sample = readTable(source.slice(0, next?.at) + tail, table);
  if (column !== undefined) {
    const open = openOf({ ...state, table: sample })
      .map((i) => sample.people[i] ?? []);
    const made = new Map(open.map((row) => [row, text("list.new")]));
    const separator = separatorFor(table, "\t");
    const filled = fill(sample, made, text("list.password"), separator);
    sample = readTable(filled, { ...table, separator });
  }
  const { rows } = sample;
  const width = Math.max(1, ...rows.map((row) => row.length));
  const lines = rows.map((row, i) => {
    const cells = Array.from({ length: width }, (_, at) =>
      element(
        i === heading ? "th" : "td",
        at === column ? "own" : "",
        valueOf(row, at).slice(0, MAX_CELL),
      ));
    return element("tr", i < heading ? "title" : "", ...cells);
  });
  if (table.rows.length > end + 1) {
    lines.splice(end, 0, element("tr", "title", element("td", "", "…")));
  }
  return lines;
}

/**
 * What is wrong with the table, or what a person has to answer.
 *
 * @param {State} state
 * @returns {string} empty if nothing is
 */
function wrongWith({ table, text: source, refused }) {
  if (refused !== "") return text(refused);
  if (source.trim() === "") return "";
  if (table.error) return text(`list.error.${table.error.key}`, table.error);
  const { separator, heading, column } = table;
  const open = Object.entries({ separator, heading, column })
    .find(([, answer]) => answer === undefined);
  return open ? text(`list.choose.${open[0]}`) : "";
}

/**
 * Whether the settings have too few passwords for people that all have another one.
 *
 * @param {State} state
 */
const isTooFew = (state) =>
  state.bits > 0 &&
  drawsFor(state.bits, state.table.people.length) > MAX_REQUESTS * MOST * 0.9;

/**
 * What is in the table, and what will be made.
 *
 * @param {State} state
 */
function summaryOf(state) {
  const { table, file } = state;
  const { length } = table.people;
  const count = openOf(state).length;
  const parts = [counted("list.people", length)];
  if (count === 0) parts.push(text("list.all"));
  else if (count < length) parts.push(counted("list.keep", length - count));
  if (count > 0) parts.push(counted("list.get", count));
  const foreign = file?.encoding === "windows-1252" &&
    table.people.map((row) => nameOf(state, row)).find((name) =>
      /[^ -~]/.test(name)
    );
  if (foreign) parts.push(text("list.windows", { name: foreign }));
  if (isTooFew(state)) parts.push(counted("list.few", length));
  return parts.join(" ");
}

/**
 * The kind of password, and how strong each is.
 *
 * @param {State} state
 */
function kindOfList(state) {
  const { wanted, bits, table } = state;
  const { path, settings: { values } } = wanted;
  const lost = table.people.length > 1 && !isTooFew(state)
    ? lostBits(bits, table.people.length)
    : 0;
  const kind = text(
    path === "words"
      ? "list.words"
      : path === "sentence"
      ? "list.sentence"
      : "list.characters",
    { count: Number(values["wordCount"] ?? values["length"] ?? 0) },
  );
  return [
    kind,
    bits > 0 ? text("list.each", { bits: Math.floor(bits - lost) }) : "",
  ]
    .filter(Boolean).join(" · ");
}

/**
 * @param {State} state
 * @returns {Region}
 */
export function preview(state) {
  const { making, text: source, problem, seconds } = state;
  const wrong = wrongWith(state);
  const count = openOf(state).length;
  const isEmptyText = source.trim() === "";
  const isAble = isReady(state) && count > 0 && !isTooFew(state);
  return {
    ...questions(state),
    app: { className: "ready" },
    table: { value: source },
    ask: { disabled: making !== undefined },
    preview: { text: previewOf(state) },
    reading: { hidden: isEmptyText || state.refused !== "" },
    numbers: { hidden: !isEmptyText },
    summary: {
      text: wrong || (isEmptyText ? "" : summaryOf(state)),
      className: state.refused || state.table.error && !isEmptyText
        ? "error"
        : wrong
        ? "asks"
        : "note",
    },
    kind: { text: kindOfList(state) },
    make: {
      text: counted("list.make", count),
      hidden: !isAble,
      disabled: making !== undefined,
    },
    progress: {
      text: making && making.count > 1 ? text("list.progress", making) : "",
    },
    cancel: { hidden: making === undefined },
    message: { text: messageOf(problem) },
    countdown: { text: seconds > 0 ? text("countdown", { seconds }) : "" },
  };
}

/** @param {import("../api.js").Problem | undefined} problem */
function messageOf(problem) {
  if (!problem) return "";
  const [message = ""] = Object.values(problem.errors ?? {}).flat();
  return problem.error === "fields"
    ? text("list.settings", { message })
    : text(problem.error, problem);
}
