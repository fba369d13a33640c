/**
 * The list: each person with the password, on the screen and on paper.
 *
 * @module
 */
import { element } from "../dom.js";
import { text } from "../language.js";
import { coloured, languageOf } from "../parts.js";
import { verdictOf } from "../strength.js";
import { encode } from "./encoding.js";
import { valueOf } from "./reading.js";
import { isChanged, isFormula } from "./spreadsheet.js";
import {
  commaOf,
  counted,
  isReady,
  nameOf,
  openOf,
  passwordOf,
} from "./state.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../dom.js").Region} Region
 * @typedef {import("../dom.js").Made} Made
 */

/** Google's sign for a password that stays, which nobody can read. */
const MASKED = /^\*+$/;

/**
 * What a person is called. An address can break at its signs, and not inside a word.
 *
 * @param {string} value
 */
const breakable = (value) =>
  value.split(/(?<=@)|(?=\.)/).flatMap((part) => [element("wbr", ""), part]);

/**
 * A person, and the password with its buttons.
 *
 * @param {State} state
 * @param {number} i
 */
function rowOf(state, i) {
  const row = state.table.people[i] ?? [];
  const { wanted, columns, fresh } = state;
  const password = passwordOf(state, row);
  const name = nameOf(state, row) || String(i + 1);
  /** @type {(action: string, key: string) => Made} */
  const button = (action, key) => ({
    ...element("button", "", text(key)),
    type: "button",
    id: `${action}-${i}`,
    value: String(i),
    ariaLabel: text(`${key}.of`, { name }),
  });
  const names = columns.flatMap((at) => [
    { ...element("span", "name", ...breakable(valueOf(row, at))), dir: "auto" },
    " ",
  ]);
  const kind = fresh.has(password)
    ? "new"
    : MASKED.test(password)
    ? "masked"
    : "old";
  return element(
    "tr",
    kind,
    { ...element("th", "person", ...names), scope: "row" },
    {
      ...element("td", "text", ...coloured(password, wanted)),
      dir: "ltr",
      lang: languageOf(wanted),
      id: `text-${i}`,
    },
    element("td", "line"),
    element(
      "td",
      "buttons",
      button("copy", "list.copy"),
      button("change", "list.change"),
    ),
  );
}

/**
 * The headings, for paper.
 *
 * @param {State} state
 */
function headOf({ table, columns }) {
  const { rows, heading = -1, column = -1 } = table;
  const head = rows[heading] ?? [];
  const names = columns.flatMap((
    at,
  ) => [element("span", "name", valueOf(head, at)), " "]);
  return element(
    "tr",
    "",
    element("th", "person", ...names),
    element("th", "", valueOf(head, column) || text("list.password")),
  );
}

/**
 * What to know before the file goes to a spreadsheet.
 *
 * @param {State} state
 */
function notesOf(state) {
  const { table: { rows, people, column }, file } = state;
  const changed = people.filter((row) => isChanged(passwordOf(state, row)));
  const [first] = changed;
  const isOpen = rows.some((row) =>
    row.some(({ value }, at) => at !== column && isFormula(value))
  );
  const notes = [
    first &&
    text("list.changed", { count: changed.length, name: nameOf(state, first) }),
    isOpen && text("list.formulas"),
    file && !encode(state.text, file.encoding) && text("list.utf8"),
    text("list.login"),
  ];
  return notes.filter(Boolean).join(" ");
}

/**
 * @param {State} state
 * @returns {Region}
 */
export function list(state) {
  const { table, making, fresh } = state;
  const { people } = table;
  const isMaking = making !== undefined && making.count > 1;
  const isThere = isReady(state) && openOf(state).length === 0 && !isMaking;
  if (!isThere) return { made: { hidden: true }, list: { text: "" } };
  const passwords = people.map((row) => passwordOf(state, row));
  const made = passwords.filter((each) => fresh.has(each));
  const weakest = Math.min(...made.map((each) => fresh.get(each)?.bits ?? 0));
  const verdict = verdictOf(weakest, made.every((each) => /^\d+$/.test(each)));
  const parts = [counted("list.done", made.length)];
  if (made.length < people.length) {
    parts.push(counted("list.kept", people.length - made.length));
  }
  if (made.length > 0) parts.push(text(verdict));
  return {
    made: { hidden: false },
    verdict: { text: parts.join(" · ") },
    sheet: { text: notesOf(state) },
    renew: {
      text: counted("list.renew", people.length),
      disabled: making !== undefined,
    },
    "every-field": {
      hidden: made.length === 0 || made.length === people.length,
    },
    "comma-field": { hidden: state.file !== undefined },
    comma: {
      text: [",", ";"].map((value) => ({
        ...element("option", "", text(`list.comma.${value}`)),
        value,
        selected: value === commaOf(state),
      })),
    },
    list: {
      text: [
        element("thead", "", headOf(state)),
        element("tbody", "", ...people.map((_, i) => rowOf(state, i))),
      ],
    },
  };
}
