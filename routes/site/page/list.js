/**
 * The list: a password for each person, as rows, a file, or on paper. With its tables, it
 * is a script of its own (script.ts).
 *
 * @module
 */
import { confirmAction } from "./confirm.js";
import { addRegion, all, byId, element, isNew, write } from "./dom.js";
import { language, text } from "./language.js";
import { coloured, DOTS, languageOf } from "./parts.js";
import { isList, isRefused, permitted, results } from "./requests.js";
import {
  changesOf,
  columnsOf,
  escaped,
  lettersOf,
  rowsOf,
  toCsv,
} from "./table.js";

export { columnsOf, readTable } from "./table.js";

/** A row: a person, and a password with a button that copies it. */
function rowOf(password, i, request, columns) {
  const { table } = request;
  const names = columns.map((at) => table.rows[i][at]);
  const number = String(i + 1);
  const button = Object.assign(element("button", "", text("copy")), {
    type: "button",
    tabIndex: i === 0 ? 0 : -1,
  });
  const name = names.join(", ") || number;
  button.ariaLabel = text("copyOne", { name });
  Object.assign(button.dataset, { copy: number, name });
  const cells = [`${number}.`, ...names].map((cell, at) => {
    const isHead = at === Math.min(1, names.length);
    const created = element(
      isHead ? "th" : "td",
      at === 0 ? "number" : "name",
      cell,
    );
    created.dir = "auto";
    if (isHead) created.scope = "row";
    return created;
  });
  const { isHidden } = results;
  const dots = element("span", "", DOTS);
  dots.ariaHidden = "true";
  const own = element(
    "td",
    "text",
    ...isHidden ? [dots] : coloured(password, request),
  );
  own.dir = "ltr";
  own.lang = languageOf(request);
  if (isHidden) own.ariaLabel = text("hidden");
  const isMasked = /^\*+$/.test(password);
  return element(
    "tr",
    isMasked ? "masked" : table.rows[i][table.column] ? "old" : "",
    ...cells,
    own,
    element("td", "line", byId("line").value),
    element("td", "", button),
  );
}

/** The rows of the list as they go out, and what to know about them. */
function sheet() {
  const { table, passwords } = results.shown;
  const plain = rowsOf(table, passwords, text("columns"));
  const rows = escaped(table, plain);
  const head = plain[table.before.length];
  const columns = columnsOf(table).map((at) => head[at] || lettersOf(at));
  const cells = changesOf(plain);
  const notes = [
    columns.length > 0 &&
    text("sheet.printed", { columns: columns.join(", ") }),
    cells && text("sheet.changes", { cells }),
    String(rows) !== String(plain) && text("sheet.formulas"),
    text("sheet.login"),
  ];
  return { rows, note: notes.filter(Boolean).join(" ") };
}

/** All passwords, as they are copied: lines, or a table whose cells are text. */
export function listTexts() {
  const { table, passwords } = results.shown;
  const { rows } = sheet();
  const trs = (table.isPeople ? rows : rows.slice(1)).map((cells) => {
    const tds = cells.map((cell) => element("td", "", cell));
    for (const td of tds) td.setAttribute("sdnum", "1033;0;@");
    return element("tr", "", ...tds);
  });
  return {
    "text/plain": table.isPeople
      ? toCsv(rows, "\t").slice(1).replaceAll("\r\n", "\n")
      : passwords.map((each) => `${each}\n`).join(""),
    "text/html": element("table", "", ...trs).outerHTML,
  };
}

/** Saves the list as a file. It is made here, so no URL has a password. */
function saveList({ currentTarget }) {
  if (currentTarget.ariaDisabled === "true") return;
  const { separator } = results.shown.table;
  const isKept = separator === ";" || separator === ",";
  const own = isKept ? separator : language() === "sv" ? ";" : ",";
  const link = document.createElement("a");
  const csv = toCsv(sheet().rows, own);
  link.href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  link.download = text("file");
  link.click();
  URL.revokeObjectURL(link.href);
  confirmAction(currentTarget, "saved");
}

/** How likely equal passwords are, or what it costs that there are none. */
function drawRepeats() {
  const { bits, made, isDifferent } = permitted() ?? { made: [] };
  const { length: count } = made;
  // The birthday problem.
  const chance = -Math.expm1(-count * (count - 1) / 2 ** (bits + 1));
  const lost = -Math.log2(1 - (count - 1) / 2 ** bits);
  const format = (number, style) =>
    number.toLocaleString(language(), { style, maximumSignificantDigits: 2 });
  const isIdle = count < 2 || chance < 0.001 && !isDifferent;
  byId("repeat").hidden = isIdle;
  if (isIdle) return;
  write(
    byId("repeat").querySelector("p"),
    isDifferent
      ? text("repeat.none", { lost: format(lost) })
      : text("repeat", { chance: format(chance, "percent") }),
  );
}

function drawList() {
  drawRepeats();
  const shown = permitted();
  const isSeveral = isList(shown);
  for (const id of ["save", "print", "slips", "sheet", "list"]) {
    byId(id).hidden = !isSeveral || isRefused();
  }
  const list = byId("list");
  if (!isNew(list, isSeveral && shown, results.isHidden, language())) return;
  if (!isSeveral) return list.replaceChildren();
  const columns = columnsOf(shown.table);
  const longest = Math.max(
    ...columns.flatMap((at) => shown.table.rows.map((row) => row[at].length)),
    0,
  );
  list.style.setProperty("--name", `${longest}ch`);
  list.replaceChildren(
    ...shown.passwords.map((each, i) => rowOf(each, i, shown, columns)),
  );
  write(byId("sheet"), sheet().note);
}

// The buttons of the list are one tab stop.
byId("list").addEventListener("keydown", (event) => {
  const buttons = all("#list button");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});
byId("line").addEventListener("input", ({ target }) => {
  for (const each of all("#list .line")) each.textContent = target.value;
});
byId("save").addEventListener("click", saveList);
for (const id of ["print", "slips"]) {
  byId(id).addEventListener("click", () => {
    const isForAll = byId("every").checked || results.shown.made.length === 0;
    byId("list").classList.toggle("slips", id === "slips");
    byId("list").classList.toggle("every", isForAll);
    print();
  });
}

addRegion(drawList);
