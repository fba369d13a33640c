import { assert, assertEquals } from "@std/assert";
import { API } from "../../routes/api/mod.ts";
import { readTable } from "../../routes/site/page/list/reading.js";
import {
  isChanged,
  isFormula,
  safeBody,
} from "../../routes/site/page/list/spreadsheet.js";
import { fill, toCsv } from "../../routes/site/page/list/writing.js";
import { csvRows } from "../helpers/csv.ts";
import { tempDir } from "../helpers/files.ts";
import { end, missing, spawn, unless } from "../helpers/program.ts";

/** Cells of people or passwords, which a spreadsheet may take for something else. */
const CELLS = [
  'Åsa Öberg|Bo-Erik; x, y|Anna "A" Ek|O\'Neil|علي|a\tb|  x |7B|e@x.se|Maj',
  '=cmd|=C3&""|-Ek|@SUM(1)|＝1|+1+1|x;=C3&"";x|x,=1+1|x\t=1|"=1+1|\' =1',
  "001|12|123456789012|1E10|69:15|10:15 PM|10-12|1/9/7|jan 5|12maj|Sat Nov 28",
  "5%|5 kr|$5|(5)|-5|-05|+46 70 123|+46701234567|1,234|1.50|1 234|1 1/2|TRUE",
  "SANT|FALSKT|=Abc+1|62-Velvet-Soap|92Majs|#1|12#4|a=1|12-|.5|2026-11-28",
].join("|").split("|");

/** Passwords of a list with random characters. */
function passwords(count: number): string[] {
  const requested = API["/api/pwgen/characters"]!
    .passwords(safeBody("characters", {}));
  assert(!requested.errors);
  return Array.from({ length: count }, () => requested.generate());
}

const noOffice = await missing("soffice") &&
  "no soffice (Debian: libreoffice-calc)";
unless(noOffice).test(
  "LibreOffice runs no formula of a password, and changes no cell without a note",
  async () => {
    await using folder = await tempDir();
    const quoted = CELLS.map((cell) => `"${cell.replaceAll('"', '""')}"`);
    for (
      const [separator, code] of [[",", 44], [";", 59], ["\t", 9]] as const
    ) {
      const head = ["Name", "Class", "Password"].join(separator);
      const rows = quoted.map((cell) => [cell, "7B", ""].join(separator));
      const table = readTable([head, ...rows, ""].join("\r\n"), { separator });
      assertEquals(table.column, 2);
      const made = passwords(CELLS.length);
      const filled = fill(
        table,
        new Map(table.people.map((row, i) => [row, made[i]!])),
        "",
        separator,
      );
      const nasty = readTable(quoted.join("\r\n"), {
        separator: "",
        heading: -1,
      });
      const files = [filled, toCsv(nasty.rows, separator)];
      for (const [i, text] of files.entries()) {
        await Deno.writeTextFile(`${folder.path}/${i}.csv`, text);
      }
      for (
        const [language, detects] of [[1033, true], [1053, true], [1053, false]]
      ) {
        // Quotation mark, UTF-8, first line, types, language, no quoted cell as text,
        // special numbers; out: text in quotes, as shown, formulas
        // (help.libreoffice.org, "Filter Options for CSV").
        const { code: status, stderr } = await end(spawn("soffice", [
          "--headless",
          `-env:UserInstallation=file://${folder.path}/profile`,
          `--infilter=CSV:${code},34,76,1,,${language},false,${detects}`,
          "--convert-to",
          "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,true",
          "--outdir",
          `${folder.path}/out`,
          `${folder.path}/0.csv`,
          `${folder.path}/1.csv`,
        ]));
        assertEquals(status, 0, stderr);
        const [own, names] = await Promise.all([0, 1].map(async (i) => {
          const text = await Deno.readTextFile(`${folder.path}/out/${i}.csv`);
          return csvRows(text.replaceAll("\n", "\r\n"), ",");
        }));
        assertEquals(own!.slice(1).map(([, , password]) => password), made);
        for (const [i, cell] of CELLS.entries()) {
          if (isChanged(cell)) continue;
          assertEquals([own![i + 1]![0], names![i]![0]], [cell, cell]);
        }
        const changed = CELLS.filter((cell, i) => names![i]![0] !== cell);
        // What is in the file of a person stays, and the page says that it can run.
        assert(changed.some(isFormula));
      }
    }
  },
);
