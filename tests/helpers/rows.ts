/**
 * Tables of text, in which a row is a request and its response. The head of a table
 * names its columns: what is sent stands before `=>`, what must come after it.
 *
 * `{a,b}` in the columns `request`, `peer` and `set` is a row with a and a row with b.
 * Blank is a column that is not sent, or a field that must not come; `""` sends an empty
 * body or field.
 * `any` is any value of a field that must come. `text` is a part of the body. No cell
 * has ` |` or ` =>`.
 *
 * @module
 */
import { assertEquals } from "@std/assert";

/** Cells by the names of their columns. */
export type Cells = Record<string, string>;

/** A row: what it sends, without blank cells, and what it wants. */
export type Row = [sent: Cells, wanted: Cells];

/** Reads a table. */
export function readTable(table: string): Row[] {
  const [head, ...rows] = table.trim().split("\n");
  return rows.flatMap((row) => {
    const [sent, wanted] = readRow(row, head!);
    return ["request", "peer", "set"].reduce(
      (cells, name) => cells.flatMap((one) => variants(one, name)),
      [sent],
    ).map((cells): Row => [cells, wanted]);
  });
}

/** The cells on both sides of the arrow. */
const split = (line: string) =>
  line.split(" =>").map((side) => side.split(" |").map((cell) => cell.trim()));

function readRow(row: string, head: string): Row {
  const [sent, wanted] = split(head).map((names, side) => {
    const cells = split(row)[side]!;
    assertEquals(cells.length, names.length, row);
    return names.map((name, i): [string, string] => [name, cells[i]!]);
  });
  const filled = sent!.filter(([, cell]) => cell !== "")
    .map(([name, cell]) => [name, cell === '""' ? "" : cell]);
  return [Object.fromEntries(filled), Object.fromEntries(wanted!)];
}

/** The cells with each choice of one column. */
const variants = (cells: Cells, name: string): Cells[] =>
  name in cells
    ? choices(cells[name]!).map((text) => ({ ...cells, [name]: text }))
    : [cells];

/** Makes all choices of a text: "{a,b} c" gives "a c" and "b c". */
function choices(text: string): string[] {
  const [braces, list] = /\{(.*?)\}/.exec(text) ?? [];
  const replaced = list?.split(",").map((one) => text.replace(braces!, one));
  return replaced?.flatMap(choices) ?? [text];
}

/** The flags and the variables in a cell such as `--check PORT=0`. */
export function readSet(
  set: string,
): [flags: string[], env: Record<string, string>] {
  const words = set.split(" ");
  const isVariable = (word: string) => /^[A-Z_]+=/.test(word);
  const variables = words.filter(isVariable)
    .map((word) => word.split(/=(.*)/s, 2));
  return [
    words.filter((word) => !isVariable(word)),
    Object.fromEntries(variables),
  ];
}

/** What a row is called. */
export function nameOf(subject: string, sent: Cells): string {
  const columns = Object.entries(sent).map((column) => column.join(": "));
  return [subject, ...columns].join(" | ").replace(/(.)\1{99,}/g, "$1$1...");
}

/** The cell if the text begins with it, otherwise the text, which a blank cell has not. */
export function begin(text: string, cell = ""): string {
  return cell !== "" && text.startsWith(cell) ? cell : text;
}

/** Compares what came with what a row wants. `came.text` is the whole body. */
export function assertCells(came: Cells, wanted: Cells, message = ""): void {
  const compared: Cells = {};
  for (const [name, cell] of Object.entries(wanted)) {
    const value = came[name] ?? "";
    const isEqual = name === "text"
      ? value.includes(cell)
      : cell === "any" && value !== "";
    compared[name] = isEqual ? cell : value.slice(0, 500);
  }
  assertEquals(compared, wanted, message);
}
