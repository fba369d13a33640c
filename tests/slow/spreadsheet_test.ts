import { assert, assertEquals } from "@std/assert";
import {
  changesOf,
  escaped,
  readTable,
  rowsOf,
  toCsv,
} from "../../routes/site/page/table.js";
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

const noOffice = await missing("soffice") &&
  "no soffice (Debian: libreoffice-calc)";
unless(noOffice).test(
  "LibreOffice runs no formula of a person, and changes no cell without a note",
  async () => {
    await using folder = await tempDir();
    for (
      const [separator, code] of [[",", 44], [";", 59], ["\t", 9]] as const
    ) {
      const head = ["Name", "Password", "Class"];
      const cells = CELLS.map((cell) => [cell, cell, "7B"]);
      const own = readTable(toCsv([head, ...cells], separator));
      const people = readTable(
        toCsv(CELLS.map((cell) => [cell, "7B"]), separator),
        false,
      );
      const tables = [own, people].map((table) => {
        const raw = rowsOf(table, CELLS, "Name,Password");
        return { raw, sent: escaped(table, raw) };
      });
      for (const [i, { sent }] of tables.entries()) {
        await Deno.writeTextFile(
          `${folder.path}/${i}.csv`,
          toCsv(sent, separator),
        );
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
        for (const [i, { raw, sent }] of tables.entries()) {
          const text = await Deno.readTextFile(`${folder.path}/out/${i}.csv`);
          const read = csvRows(text.replaceAll("\n", "\r\n"), ",");
          assertEquals(read.length, sent.length);
          for (const [row, cells] of sent.entries()) {
            for (const [at, cell] of cells.entries()) {
              const isNoted = changesOf([[raw[row]![at]!]]) !== "";
              const isEscaped = cell !== raw[row]![at];
              if (isNoted && !isEscaped) continue;
              assertEquals(read[row]![at], cell);
            }
          }
          // Some cells do change, so the comparison can fail.
          assert(read.flat().some((cell) => !sent.flat().includes(cell)));
        }
      }
    }
  },
);
