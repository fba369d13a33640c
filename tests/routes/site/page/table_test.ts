import { assert, assertEquals } from "@std/assert";
import {
  changesOf,
  columnsOf,
  escaped,
  isChanged,
  readTable,
  rowsOf,
  toCsv,
} from "../../../../routes/site/page/table.js";
import { csvRows } from "../../../helpers/csv.ts";

const WORDS = "Name,Password";

/** The table with the password "+N" in each row N that has none: a line for a row. */
function filled(text: string, hasHeading?: boolean): string {
  const table = readTable(text, hasHeading);
  assertEquals(table.error, undefined, text);
  const rows = rowsOf(table, table.rows.map((_, i) => `+${i + 1}`), WORDS);
  for (const separator of [",", ";", "\t"]) {
    // What goes out is read again, with all passwords.
    const again = readTable(toCsv(rows, separator));
    assertEquals(rowsOf(again, [], WORDS), rows);
  }
  return rows.map((cells) => cells.join("|")).join("\n");
}

const ENTRA = "Name [displayName] Required,User name [userPrincipalName] " +
  "Required,Initial password [passwordProfile] Required,Block sign in " +
  "(Yes/No) [accountEnabled] Required";
const GOOGLE = "First Name [Required],Last Name [Required],Email Address " +
  "[Required],Password [Required],Password Hash Function [UPLOAD ONLY]," +
  "Org Unit Path [Required],Change Password at Next Sign-In";
const BITWARDEN = "folder,favorite,type,name,notes,fields,reprompt," +
  "login_uri,login_username,login_password,login_totp";

Deno.test("a table comes back with its cells, and a password where there was none", () => {
  const head = (line: string) => line.replaceAll(",", "|");
  const cases: [text: string, rows: string][] = [
    ["Emma\n\n  Bo Ek \r\n", "Name|Password\nEmma|+1\nBo Ek|+2"],
    [
      "Lind, Emma\nEk, Bo",
      "Name|Password\nLind, Emma|+1\nEk, Bo|+2",
    ],
    [
      "Emma;Lind;e@x.se\nBo;Ek;b@x.se",
      "|||Password\nEmma|Lind|e@x.se|+1\nBo|Ek|b@x.se|+2",
    ],
    [
      "Förnamn;Efternamn;E-post\nEmma;Lind;e@x.se",
      "Förnamn|Efternamn|E-post|Password\nEmma|Lind|e@x.se|+1",
    ],
    [
      "Emma\t7B\tx,y\nBo\t7B\t\n",
      "|||Password\nEmma|7B|x,y|+1\nBo|7B||+2",
    ],
    [
      'Emma;"Gatan 1\r\n123 ""X"""\nBo;y\n;\n \n',
      '||Password\nEmma|Gatan 1\r\n123 "X"|+1\nBo|y|+2',
    ],
    ["Elev\nEmma\nBo", "Elev|Password\nEmma|+1\nBo|+2"],
    [
      `${ENTRA}\nEmma,e@x.se,,No\nBo,b@x.se,Old 1,No`,
      `${head(ENTRA)}\nEmma|e@x.se|+1|No\nBo|b@x.se|Old 1|No`,
    ],
    [
      `version:v1.0\n${ENTRA}\nEmma,e@x.se,,No`,
      `version:v1.0\n${head(ENTRA)}\nEmma|e@x.se|+1|No`,
    ],
    [
      `${GOOGLE}\nEmma,Lind,e@x.se,****,,/,True\nBo,Ek,b@x.se,,,/,True`,
      `${head(GOOGLE)}\nEmma|Lind|e@x.se|****||/|True\nBo|Ek|b@x.se|+2||/|True`,
    ],
    [
      `${BITWARDEN}\n,,login,Mail,,,0,https://x.se,emma,,`,
      `${head(BITWARDEN)}\n||login|Mail|||0|https://x.se|emma|+1|`,
    ],
    [
      "Title,Website,Username,Password\nMail,https://x.se,emma,",
      "Title|Website|Username|Password\nMail|https://x.se|emma|+1",
    ],
    [
      "person_id,first_name,password_policy\n1,Emma,4",
      "person_id|first_name|password_policy|Password\n1|Emma|4|+1",
    ],
    [
      '\ufeffnumber,name,password\r\n1,"Emma","Old 1"\r\n2,"Bo",""\r\n',
      "number|name|password\n1|Emma|Old 1\n2|Bo|+2",
    ],
    // Last week's file with new names below it, as files are joined.
    [
      "\ufeffNamn;Lösenord\r\nEmma;Old 1\r\nBo;Old 2\r\n\ufeffA\nB\nC\nD\nE",
      "Namn|Lösenord\nEmma|Old 1\nBo|Old 2\nA|+3\nB|+4\nC|+5\nD|+6\nE|+7",
    ],
    [
      'name,password\nEmma,=Abc+1\nBo,"  a b "',
      "name|password\nEmma|=Abc+1\nBo|  a b ",
    ],
    ["001\n002\n028", "Name|Password\n001|+1\n002|+2\n028|+3"],
    [
      "user1@contoso.com\na@x.name",
      "Name|Password\nuser1@contoso.com|+1\na@x.name|+2",
    ],
    [
      "Emma,2015-05-01\nBo,2015-06-02",
      "||Password\nEmma|2015-05-01|+1\nBo|2015-06-02|+2",
    ],
    [
      'a@x.se,"Lind, Emma"\nb@x.se,"Ek, Bo"',
      "||Password\na@x.se|Lind, Emma|+1\nb@x.se|Ek, Bo|+2",
    ],
    ['x;=C3&"";x', '|||Password\nx|=C3&""|x|+1'],
  ];
  for (const name of ["Anna Hauser", "Janame", "O'Neil", "علي", '"Bo" Ek']) {
    cases.push([`${name}\nBo`, `Name|Password\n${name}|+1\nBo|+2`]);
  }
  for (const [text, rows] of cases) assertEquals(filled(text), rows);
  const many = Array.from({ length: 1000 }, (_, i) => `u${i}@x.se,Emma ${i}`);
  assertEquals(filled(many.join("\n")).split("\n").length, 1001);
});

Deno.test("readTable() takes the first row for what a person says it is", () => {
  assertEquals(filled("Anna Hauser\nBo", true), "Anna Hauser|Password\nBo|+1");
  for (
    const heading of [
      "name|Namn|First Name [Required]|display_name|Surname|userPrincipalName",
      "Kontonamn|E-post|Skolepost|Work E-mail|email|UPN|Mail|login|user|Elev",
      "användare|student|class|klass|group|grupp|nr|id|Lösenord|PASSWORD [x]",
    ].join("|").split("|")
  ) assertEquals(readTable(`${heading}\nBo`).head, [heading]);
  for (const person of ["Anna Hauser", "a@x.name", "b@x.email", "Grupp 1"]) {
    assertEquals(readTable(`${person}\nBo`).head, undefined);
  }
  const words = "Name,Password";
  assertEquals(filled(words, false), "||Password\nName|Password|+1");
});

Deno.test("readTable() names the line that does not fit, or that nobody is there", () => {
  const cases: [string, key: string, line: number][] = [
    ['name;class\nEmma;"7\nB"\nBo;7B;x\n', "wide", 4],
    ['Emma\n"Bo\nLi', "open", 2],
    ["", "none", 1],
    [" \n;;\n", "none", 1],
    ["Name;Password\n", "none", 1],
  ];
  for (const [text, key, line] of cases) {
    assertEquals(readTable(text).error, { key, line } as never, text);
  }
});

Deno.test("columnsOf() has the first three columns that differ", () => {
  const table = readTable("7B;A;1;x;1\n7B;B;1;y;2\n7B;B;2;z;3");
  assertEquals(columnsOf(table), [1, 2, 3]);
  assertEquals(columnsOf(readTable("7B;;A\n7B;;A")), [0, 2]);
});

Deno.test("no formula goes out, but passwords and their tables do as they came", () => {
  const formulas = [
    "=1",
    "-x",
    "@x",
    "＝1",
    ' "=1',
    'x;=C3&"";x, "-1',
    "a\n=1",
  ];
  const kept = ["+46 70 123", "-5", "a=1", "Emma"];
  for (const separator of [";", ",", "\t"]) {
    const rows = [...formulas, ...kept].map((cell) => [cell]);
    const table = readTable(toCsv(rows, separator), false);
    const [, ...people] = escaped(table, rowsOf(table, rows.flat(), WORDS));
    assertEquals(
      people.map(([cell]) => cell),
      ["'=1", "'-x", "'@x", "'＝1", "\"'=1", `x;'=C3&"";x, "'-1`, "a\n'=1"]
        .concat(kept),
    );
    assertEquals(people.map(([, password]) => password), rows.flat());
    const own = readTable(
      toCsv([["name", "password"], ["=1", "=2"]], separator),
    );
    const written = rowsOf(own, [], WORDS);
    assertEquals(escaped(own, written)[1], ["=1", "=2"]);
    assertEquals(changesOf(written), "A2, B2");
    const csv = toCsv(written, separator);
    assertEquals(csvRows(csv.slice(1), separator), written);
  }
  assertEquals(changesOf([[...Array(27).fill(""), "1/2"]]), "AB1");
  assertEquals(changesOf(Array(11).fill(["1/2"])).slice(-5), "A10 …");
});

Deno.test("isChanged() is false for names and passphrases, and true for what a spreadsheet changes", () => {
  const months = ["sv", "en-US", "en-GB"].flatMap((locale) =>
    (["long", "short"] as const).flatMap((month) =>
      Array.from(
        { length: 12 },
        (_, i) =>
          `12${
            new Intl.DateTimeFormat(locale, { month }).format(
              Date.UTC(2026, i, 15),
            )
          }`,
      )
    )
  );
  for (
    const cell of [
      "69:15|1E10|jan 5|12-jan|maj12|Dec-2026|Sat Nov 28|10-12|1/9/7|4.5|0042",
      "123456789012|5%|5 kr|€5|(5)|TRUE|Sant|FALSKT|1e5|+46|+46 70 123|-05|10:15",
      "10:15 PM|2026-11-28T10:15:00Z| 12|1 234|=a|+a|-a|@a|a;=1|a\t @1",
    ].join("|").split("|").concat(months)
  ) assert(isChanged(cell), cell);
  for (
    const cell of [
      "a=1|Å1|1234|12345678901|0|-5|62-Velvet-Soap|02Owl|mars-owl-12|92Majs",
      "marsowl-a12|92MajsGullviva|04DecodeSpray|Emma Lind|O'Neil|7B|e@x.se",
      "Maj|May Ek|x-1|#1|12#4|12MonkeyFriend|60TornadoSunset",
    ].join("|").split("|")
  ) assert(!isChanged(cell), cell);
});
