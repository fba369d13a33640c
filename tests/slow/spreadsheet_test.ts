import { assertEquals } from "@std/assert";
import { generate } from "../../cli/generate.ts";
import { csvRows } from "../helpers/csv.ts";
import { tempDir } from "../helpers/files.ts";
import { end, missing, spawn, unless } from "../helpers/program.ts";

const NAMES = "Åsa Öberg\nBo-Erik; x, y\nAnna \"A\" Ek\n=cmd|' /C calc'!A0\n" +
  "+46\n-Ek\n@x\n＝1\n";

const noOffice = await missing("soffice") &&
  "no soffice (Debian: libreoffice-calc)";
unless(noOffice).test(
  "LibreOffice reads the CSV of generate --names as it is, digits too",
  async () => {
    await using folder = await tempDir();
    const names = `${folder.path}/names`;
    await Deno.writeTextFile(names, NAMES);
    const digits = ["characters", "--password-rules=allowed: digit"];
    for (const args of [["words"], ["characters"], digits]) {
      const list = [...args, "--names", names, "--csv=semicolon"];
      const { stdout } = generate(list);
      await Deno.writeTextFile(`${folder.path}/list.csv`, stdout);
      // Semicolon, quotation mark, UTF-8, first line, no types, English, quoted
      // cells are text (help.libreoffice.org, "Filter Options for CSV").
      const { code, stderr } = await end(spawn("soffice", [
        "--headless",
        `-env:UserInstallation=file://${folder.path}/profile`,
        "--infilter=CSV:59,34,76,1,,1033,true",
        "--convert-to",
        "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true",
        "--outdir",
        `${folder.path}/out`,
        `${folder.path}/list.csv`,
      ]));
      assertEquals(code, 0, stderr);
      const text = await Deno.readTextFile(`${folder.path}/out/list.csv`);
      const again = text.replaceAll("\n", "\r\n");
      assertEquals(csvRows(again, ","), csvRows(stdout.slice(1), ";"));
    }
  },
);
