import { assert, assertEquals } from "@std/assert";
import {
  type Choices,
  columnsOf,
  isEmpty,
  readTable,
} from "../../../../../routes/site/page/list/reading.js";
import {
  fill,
  isForm,
  separatorFor,
  toCsv,
  toLines,
} from "../../../../../routes/site/page/list/writing.js";
import { csvRows } from "../../../../helpers/csv.ts";
import { INPUTS } from "./inputs.ts";

const QUESTIONS = ["separator", "heading", "column"] as const;

/** The text with the password "N" for each person N without one, or the error. */
function filled(text: string, chosen: Choices = {}): string {
  const table = readTable(text, chosen);
  if (table.error) return `${table.error.key} ${table.error.line}`;
  const { column = -1, people } = table;
  const open = people.filter((row) => isEmpty(row, column));
  const passwords = new Map(open.map((row, i) => [row, `${i + 1}`]));
  const separator = separatorFor(table, "\t");
  const result = fill(table, passwords, "Password", separator);
  // With the same answers, the same people have their passwords now.
  const again = readTable(result, { ...table, separator });
  assertEquals(again.people.length, people.length);
  assert(!again.people.some((row) => isEmpty(row, column)));
  return result;
}

Deno.test("a table comes back as it was, but with a password where there was none", () => {
  for (const [outcome, text, result, chosen] of INPUTS) {
    const where = text.slice(0, 200);
    const table = readTable(text);
    const isAsked = QUESTIONS.some((each) => table[each] === undefined);
    if (outcome !== "refused") assertEquals(isAsked, outcome === "asks", where);
    assertEquals(filled(text, chosen).slice(-500), result.slice(-500), where);
  }
  // `deno test` prints no more, so the counts that a document names stand here.
  const counts = Object.groupBy(INPUTS, ([outcome]) => outcome);
  assertEquals(
    [counts.read?.length, counts.asks?.length, counts.refused?.length],
    [75, 26, 8],
  );
});

Deno.test("a long text that is no table is read in linear time", () => {
  const shapes = ["1", '"', '""', '"a;""b', " ", ";", '";"', '"\n', "[(", "\t"];
  for (const shape of shapes) {
    const text = shape.repeat(Math.floor((1 << 18) / shape.length));
    const texts = [text, `Name;Password\n${text}\n`, `${text}=\nBo`];
    for (const each of texts) columnsOf(readTable(each));
  }
});

Deno.test("an answer counts, and a heading that is gone does not", () => {
  const text = "Emma;Lind\nBo;Ek";
  assertEquals(readTable(text, { heading: 1 }).people.length, 0);
  assertEquals(readTable(text, { heading: 7 }).heading, undefined);
  assertEquals(readTable("Emma;7B;1", { separator: "" }).rows.length, 1);
  assertEquals(readTable(text, { heading: -1, column: 0 }).column, 0);
  assertEquals(filled("Name;Password", { heading: -1 }), "Name;Password;1");
});

Deno.test("columnsOf() has at most three columns that tell people apart", () => {
  const table = readTable("7B;A;1;x;1@\n7B;B;1;y;2@\n7B;B;2;z;3@");
  assertEquals(columnsOf(table), [1, 2, 3]);
  assertEquals(columnsOf(readTable("Emma;e@x.example")), [0]);
});

Deno.test("names in one line become lines", () => {
  const line = 'Åsa <a@x.example>; "Lind; Emma" ; ;';
  const table = readTable(line, { separator: ";" });
  assertEquals(toLines(table), "Åsa <a@x.example>\nLind; Emma\n");
});

Deno.test("a list of names gets a separator that no name has", () => {
  const wanted = (text: string) => separatorFor(readTable(text), ",");
  assertEquals(wanted("Emma\nBo"), ",");
  assertEquals(
    separatorFor(readTable("Lind, A\nBo", { separator: "" }), ","),
    ";",
  );
  assertEquals(
    separatorFor(readTable("a,b;c\nd", { separator: "" }), ","),
    "\t",
  );
  assertEquals(wanted("Namn;Klass\nEmma;7B"), ";");
});

Deno.test("toCsv() writes RFC 4180, also for a reader with another separator", () => {
  const cells = ['a "b"', "x;y", "x,y", "1\n2", "plain", "\t"];
  const text = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(";");
  const { rows } = readTable(text, { separator: ";" });
  for (const separator of [";", ","]) {
    assertEquals(csvRows(toCsv(rows, separator), separator), [cells]);
  }
  const [pasted] = readTable(toCsv(rows, "\t"), { separator: "\t" }).rows;
  assertEquals(pasted!.map(({ value }) => value), cells);
});

Deno.test("isForm() knows the forms that need commas", () => {
  for (
    const [text, expected] of [
      ["Name [displayName] Required\tx\nEmma\ty", true],
      ["version:v1.0\t\nName\tx\nEmma\ty", true],
      ["First Name [Required]\tx\nEmma\ty", true],
      ["Name\tMail\nEmma\te@x.example", false],
      ["Emma\nBo", false],
    ] as const
  ) assertEquals(isForm(readTable(text)), expected, text);
});
