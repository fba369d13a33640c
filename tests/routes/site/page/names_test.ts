import { assertEquals } from "@std/assert";
import {
  cellsOf,
  csvOf,
  isKept,
  readNames,
} from "../../../../routes/site/page/names.js";
import { csvRows } from "../../../helpers/csv.ts";

Deno.test("readNames() skips blank lines, and says what is wrong with a name", () => {
  const { names, facts, error } = readNames("\n Åsa \n\nBo-Li\n\nBo-Li\n");
  assertEquals(names, ["Åsa", "Bo-Li", "Bo-Li"]);
  assertEquals([facts.count, facts.blank, facts.twice], [3, 2, "Bo-Li"]);
  assertEquals(error, false);
  assertEquals(readNames("").facts.blank, 0);
  assertEquals(readNames("a\n".repeat(100)).error, false);
  assertEquals(readNames("a\n".repeat(101)).error, "names.many");
  const long = readNames(`\nBo\n${"x".repeat(101)}`);
  assertEquals([long.error, long.facts.number], ["names.long", 3]);
  assertEquals(readNames("x".repeat(100)).error, false);
});

Deno.test("csvOf() writes cells that a reader of RFC 4180 returns, and no formula", () => {
  const names = ['Åsa "Å" Ek', "a;b,c", "=1+1", "-x", "+46", "@x", "＝1", "Bo"]
    .concat('x;=C3&"";x, "-1');
  const passwords = names.map((_, i) => `pass${i}"word`);
  for (const separator of [";", ","]) {
    const csv = csvOf(cellsOf(passwords, names), separator);
    assertEquals(csv.codePointAt(0), 0xfeff);
    const rows = csvRows(csv.slice(1), separator);
    assertEquals(
      rows,
      names.map((name, i) => [
        String(i + 1),
        name.replace(/^[=+@＝-]|(?<=;)=|(?<=")-/g, "'$&"),
        passwords[i],
      ]),
    );
  }
  assertEquals(cellsOf(["a", "b"], []), [["1", "", "a"], ["2", "", "b"]]);
});

Deno.test("isKept() is false for what a spreadsheet changes", () => {
  const kept = ["a=1", "Å1", "1234", "12345678901", "62-Velvet-Soap"];
  const phrases = ["02Owl", "mars-owl-12", "marsowl-a12"]
    .concat("92MajsGullviva", "04DecodeSpray", "92Majs", "04Decode");
  for (const password of [...kept, ...phrases]) {
    assertEquals(isKept(password), true, password);
  }
  const changed = ["=a", "+a", "-a", "@a", "0042", "123456789012", "12-03"];
  const dates = ["12-jan", "maj12", "Dec-2026", "12mars", "1/2"];
  for (const locale of ["sv", "en-US", "en-GB"]) {
    for (const month of ["long", "short"] as const) {
      const { format } = new Intl.DateTimeFormat(locale, { month });
      for (let i = 0; i < 12; i++) {
        dates.push(`12${format(Date.UTC(2026, i, 15))}`);
      }
    }
  }
  for (const password of [...changed, ...dates, "1e5", "#1", "4.5"]) {
    assertEquals(isKept(password), false, password);
  }
});
