import { assertEquals } from "@std/assert";
import { qrModules, wifiText } from "../../../../routes/site/page/qr.js";

/** The rows as text, "#" is dark. */
const picture = (text: string) =>
  qrModules(text)?.map((row) =>
    row.map((isDark) => isDark ? "#" : ".").join("")
  );

Deno.test("wifiText() escapes what has a meaning, and quotes nothing", () => {
  const cases: [name: string, password: string, text: string][] = [
    ["Bo Ek", "lamp-1-river", "WIFI:T:WPA;S:Bo Ek;P:lamp-1-river;;"],
    ["åäö 🏠", "a;b,c:d", "WIFI:T:WPA;S:åäö 🏠;P:a\\;b\\,c\\:d;;"],
    ['"Bo"', "\\;", 'WIFI:T:WPA;S:\\"Bo\\";P:\\\\\\;;;'],
    // Some programs quote what could be hexadecimal.
    ["CAFE", "0123456789", "WIFI:T:WPA;S:CAFE;P:0123456789;;"],
    [" Bo ", "$&$1'`/%3B", "WIFI:T:WPA;S: Bo ;P:$&$1'`/%3B;;"],
  ];
  for (const [name, password, text] of cases) {
    assertEquals(wifiText(name, password), text);
  }
  // A network that does not send its name.
  const hidden = "WIFI:T:WPA;S:Bo;P:lamp-1-river;H:true;;";
  assertEquals(wifiText("Bo", "lamp-1-river", true), hidden);
});

Deno.test("qrModules() takes the smallest version that holds the text", () => {
  // The most bytes of versions 2 to 6 at level L (ISO/IEC 18004, table 7).
  const limits = [[25, 32], [29, 53], [33, 78], [37, 106], [41, 134]] as const;
  let least = 0;
  for (const [size, most] of limits) {
    for (const bytes of [least, most]) {
      const rows = qrModules("x".repeat(bytes))!;
      assertEquals(rows.map(({ length }) => length), Array(size).fill(size));
    }
    least = most + 1;
  }
  assertEquals(qrModules("x".repeat(least)), undefined);
  // Bytes of UTF-8 count.
  assertEquals(qrModules("å".repeat(67))?.length, 41);
  assertEquals(qrModules("å".repeat(67) + "x"), undefined);
});

/** The SHA-256 of the lines of a code. */
async function hashOf(text: string): Promise<string> {
  const lines = new TextEncoder().encode(picture(text)!.join("\n"));
  const hash = await crypto.subtle.digest("SHA-256", lines);
  return new Uint8Array(hash).toHex();
}

// The codes of the npm package qrcode 1.5.4: byte mode, level L, mask 0. Each version
// occurs.
Deno.test("qrModules() makes the code of another encoder", async () => {
  const CODE = `
#######....#.#.##.#######
#.....#....##..#..#.....#
#.###.#.#.#...#.#.#.###.#
#.###.#....#..###.#.###.#
#.###.#..#.#.##...#.###.#
#.....#....#.####.#.....#
#######.#.#.#.#.#.#######
........###.##...........
###.#######..#.#.##...#..
...###....#.##...#.....#.
.#..####.##...#...#.#..##
...###.#####.##.#..#.....
..#..##...####.##.###.#..
.##..#..#...#...#.#..###.
#.#####.###.#...#..#.####
.#.###...#...##...#..#..#
#.##..##.##..#..######.##
........###.#####...###..
#######.#.....#.#.#.#..##
#.....#.##.###..#...#..#.
#.###.#.##.####.#######.#
#.###.#........##......##
#.###.#.#........####.#.#
#.....#.####.##.##.###.#.
#######.#....##.##...#.##`;
  const text = wifiText("Bo", "lamp-1-river");
  assertEquals(`\n${picture(text)!.join("\n")}`, CODE);
  const hashes: [text: string, hash: string][] = [
    [
      wifiText("Bo Ek", "lamp4river7stone2apple9wind"),
      "b7930f4c9663f97bd2697fca4378b680f8c988f8d2889b063e34ce817136e4ac",
    ],
    [
      wifiText("Familjen Ek 🏠 på Öland", "lamp4river7stone2apple"),
      "38ee0c4d4348bdb475049ba83c88bc53b912f61d6bc60fa36ec425ea119d04db",
    ],
    [
      wifiText(
        'Bo;s, "\\:',
        "lamp4river7stone2apple9window3glass8chair1table6house5spoon0doo",
      ),
      "051daa8150a4db27784cb3340de062add6c035d661c82b9174145c2173eda336",
    ],
    [
      "x".repeat(134),
      "416529248ded6c39cbffdd8537c86754b3b52d32ecc492fb237c51dbc444a038",
    ],
  ];
  for (const [text, hash] of hashes) {
    assertEquals(await hashOf(text), hash, text);
  }
});
