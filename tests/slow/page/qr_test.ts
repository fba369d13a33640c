/**
 * The QR code of a network, read by two decoders from npm.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createRequire } from "node:module";
import { qrModules, wifiText } from "../../../routes/site/page/qr.js";
import { tempDir } from "../../helpers/files.ts";
import { end, missing, spawn, unless } from "../../helpers/program.ts";
import { type Random, withSeed } from "../../helpers/random.ts";

const PACKAGES = ["jsqr@1.4.0", "@undecaf/zbar-wasm@0.11.0"];

const withRegistry = unless(
  await missing("npm") ||
    ((await end(spawn("npm", ["view", PACKAGES[0]!, "version"]))).code === 0
      ? ""
      : "no npm registry"),
);

/** A picture: four bytes (RGBA) for each pixel. */
interface Picture {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** A code with a margin of 4 modules, and 4 pixels for the side of a module. */
function draw(rows: boolean[][]): Picture {
  const width = 4 * (rows.length + 8);
  const data = new Uint8ClampedArray(4 * width * width);
  for (let i = 0; i < width * width; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
      .map((pixel) => Math.floor(pixel / 4) - 4);
    const light = rows[y!]?.[x!] ? 0 : 255;
    data.set([light, light, light, 255], 4 * i);
  }
  return { data, width, height: width };
}

/** Installs the decoders in a folder. Each returns the text of a picture. */
async function installDecoders(path: string) {
  await Deno.writeTextFile(`${path}/package.json`, "{}");
  const quiet = ["--silent", "--no-audit", "--no-fund"];
  const install = spawn("npm", ["install", ...quiet, ...PACKAGES], {}, {
    cwd: path,
  });
  const { code, stderr } = await end(install);
  assertEquals(code, 0, stderr);
  const require = createRequire(`${path}/package.json`);
  const jsQr = require("jsqr");
  const zbar = require("@undecaf/zbar-wasm");
  return {
    jsQr: async ({ data, width, height }: Picture): Promise<string> =>
      jsQr(data, width, height)?.data,
    zbar: async (picture: Picture): Promise<string> =>
      (await zbar.scanImageData(picture))[0]?.decode(),
  };
}

/** Reads the name and the password, as a phone does. */
function parse(text: string): string[] {
  const value = String.raw`((?:\\[\\;,:"]|[^\\;,:"])*)`;
  const format = RegExp(`^WIFI:T:WPA;S:${value};P:${value};;$`);
  assertMatch(text, format);
  return format.exec(text)!.slice(1).map((value) =>
    value.replace(/\\(.)/g, "$1")
  );
}

const PRINTABLE = String.fromCharCode(
  ...Array.from({ length: 95 }, (_, i) => 32 + i),
);
const ESCAPED = '\\;,:"';
/** The characters of names, one kind after another. */
const NAMES = [
  "aBc12 -",
  PRINTABLE,
  "åäöÅÄÖé",
  "🏠😀👩‍👧ñ日ß",
  PRINTABLE + ESCAPED,
];

const HARD_PAIRS: [name: string, password: string][] = [
  ["\\", "\\\\\\\\\\\\\\\\"],
  ["Bo\\", ";;;;;;;;"],
  ['"Bo"', '"lamp-river"'],
  ["CAFE", "0123456789abcdef"],
  [" ", "        "],
  ["Café", "lamp-river"],
  ["Å", "lamp-river"],
  ["Baydöner müşteri", "lamp-river"],
  ["🏠".repeat(8), "x".repeat(63)],
  ["Bo", "%3B%5C$&$1"],
  // The two longest texts: the last one has one byte too many.
  [";".repeat(26) + "xxxxx", "x".repeat(59)],
  [";".repeat(26) + "xxxxx", "x".repeat(60)],
];

/** Networks of all lengths: names of 1 to 32 bytes, passwords of 8 to 63. */
function pairs(random: Random): [name: string, password: string][] {
  const encoder = new TextEncoder();
  const textOf = (characters: string, bytes: number): string => {
    let text = "";
    for (;;) {
      const longer = text + random.pick([...characters]);
      if (encoder.encode(longer).length > bytes) return text || "x";
      text = longer;
    }
  };
  return Array.from({ length: 8 * 56 }, (_, i) => [
    textOf(NAMES[i % NAMES.length]!, 4 * (i % 8) + 1 + random.below(4)),
    textOf(i % 3 ? PRINTABLE : PRINTABLE + ESCAPED, 8 + Math.floor(i / 8)),
  ]);
}

withRegistry.test("two decoders read each network of up to 134 bytes in every version", async () => {
  await using folder = await tempDir();
  const decoders = await installDecoders(folder.path);
  await withSeed(async (random) => {
    const sizes: Record<number, number> = {};
    for (const [name, password] of [...HARD_PAIRS, ...pairs(random)]) {
      const text = wifiText(name, password);
      assertEquals(parse(text), [name, password]);
      const rows = qrModules(text);
      const { length } = new TextEncoder().encode(text);
      assertEquals(rows !== undefined, length <= 134, text);
      if (rows === undefined) continue;
      sizes[rows.length] = (sizes[rows.length] ?? 0) + 1;
      for (const [decoder, read] of Object.entries(decoders)) {
        assertEquals(await read(draw(rows)), text, decoder);
      }
    }
    assertEquals(Object.keys(sizes), ["25", "29", "33", "37", "41"]);
    const read = Object.values(sizes).reduce((sum, count) => sum + count);
    assert(read >= 399, String(read));
  })();
});
