/**
 * Reads CSV by the grammar of RFC 4180, with any separator: the last line ends too.
 *
 * @module
 */
import { assertEquals } from "@std/assert";

/** The cells of each row; fails if the text is not of the grammar. */
export function csvRows(text: string, separator: string): string[][] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}]*))(${separator}|\\r\\n)`,
    "y",
  );
  const rows: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    assertEquals(end !== undefined, true, `Not RFC 4180 at ${at}`);
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === "\r\n") rows.push([]);
  }
  assertEquals(rows.pop(), []);
  return rows;
}
