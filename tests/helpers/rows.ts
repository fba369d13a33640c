/**
 * Tables of text, in which a row is a request and its response. The head of a table
 * names its columns: what is sent stands before `=>`, what must come after it.
 *
 * `{a,b}` in the columns `request` and `peer` is a row with a and a row with b. Blank is a column
 * that is not sent, or a field that must not come; `""` sends an empty body or field.
 * `any` is any value of a field that must come. `text` is a part of the body. No cell
 * has ` |` or ` =>`.
 *
 * @module
 */
import { assertEquals } from "@std/assert";

/** Cells by the names of their columns. */
export type Cells = Record<string, string>;

/** Reads a table: what each row sends, without blank cells, and what it wants. */
export function readTable(table: string): [sent: Cells, wanted: Cells][] {
  const [head, ...rows] = table.trim().split("\n");
  return rows.flatMap((row) => {
    const [sent, wanted] = readRow(row, head!);
    return choices(sent.request!).flatMap((request) =>
      choices(sent.peer ?? "192.0.2.1")
        .map((peer): [Cells, Cells] => [{ ...sent, request, peer }, wanted])
    );
  });
}

/** The cells on both sides of the arrow. */
const split = (line: string) =>
  line.split(" =>").map((side) => side.split(" |").map((cell) => cell.trim()));

function readRow(row: string, head: string): [sent: Cells, wanted: Cells] {
  const [sent, wanted] = split(head).map((names, side) => {
    const cells = split(row)[side]!;
    assertEquals(cells.length, names.length, row);
    return names.map((name, i): [string, string] => [name, cells[i]!]);
  });
  const filled = sent!.filter(([, cell]) => cell !== "")
    .map(([name, cell]) => [name, cell === '""' ? "" : cell]);
  return [Object.fromEntries(filled), Object.fromEntries(wanted!)];
}

/** Makes all choices of a text: "{a,b} c" gives "a c" and "b c". */
function choices(text: string): string[] {
  const [braces, list] = /\{(.*?)\}/.exec(text) ?? [];
  const replaced = list?.split(",").map((one) => text.replace(braces!, one));
  return replaced?.flatMap(choices) ?? [text];
}

/** What a row is called. */
export function nameOf(subject: string, sent: Cells): string {
  const columns = Object.entries(sent).map((column) => column.join(": "));
  return [subject, ...columns].join(" | ").replace(/(.)\1{99,}/g, "$1$1...");
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
