import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { readTable } from "../../../../../routes/site/page/list/reading.js";
import {
  drawsFor,
  isFit,
  lostBits,
  ownParts,
} from "../../../../../routes/site/page/list/school.js";
import { WORDLISTS } from "../../../../../wordlists/mod.ts";

Deno.test("a password has no whole part of its person", () => {
  const line = "Bo Åsa-Lind_2;7Blå;asa.lind@x.example;Åsa1";
  const [row] = readTable(line, { separator: ";" }).rows;
  const parts = ownParts(row!, 3);
  assertEquals(
    new Set(parts),
    new Set(["åsa", "lind", "7blå", "asa", "example"]),
  );
  assert(isFit("bo-melon-12", parts));
  assert(!isFit("gLINDra-12", parts));
  assert(!isFit("kÅSAr", parts));
  // Å can be two characters in a name.
  const [other] = readTable("A\u030asa").rows;
  assert(!isFit("kåsar", ownParts(other!, 1)));
});

/** The share of phrases of so many words that have a part, counted exactly. */
function shareWith(part: string, words: readonly string[], count: number) {
  /** How many letters of the part stand at the end of the text and a word; all once it has it. */
  const after = (state: number, word: string) => {
    for (const letter of word) {
      let end = part.slice(0, state) + letter;
      while (!part.startsWith(end)) end = end.slice(1);
      state = end.length;
      if (state === part.length) break;
    }
    return state;
  };
  let shares = [1, ...Array(part.length).fill(0)];
  for (let i = 0; i < count; i++) {
    const next = Array(part.length + 1).fill(0);
    for (const [state, share] of shares.entries()) {
      if (share === 0) continue;
      if (state === part.length) next[state] += share;
      else {for (const word of words) {
          next[after(state, word)] += share / words.length;
        }}
    }
    shares = next;
  }
  return shares.at(-1)!;
}

Deno.test("leaving out a name of the ten commonest costs at most 0.01 bit of four words", () => {
  // scb.se, Tilltalsnamn, hela befolkningen, 2024: five of women, five of men.
  const names = "anna eva maria karin kristina lars mikael anders johan erik";
  const lost = names.split(" ").map((name) =>
    -Math.log2(1 - shareWith(name, WORDLISTS.sv.words, 4))
  );
  assertAlmostEquals(Math.max(...lost), 0.01, 0.0005);
});

Deno.test("lostBits() is what it costs that all PINs differ", () => {
  const rows: [digits: number, count: number, lost: number][] = [
    [4, 28, 0.004],
    [4, 1000, 0.152],
    [6, 28, 0],
    [6, 1000, 0.001],
  ];
  for (const [digits, count, lost] of rows) {
    const bits = Math.log2(10 ** digits);
    assertAlmostEquals(lostBits(bits, count), lost, 0.0005);
  }
});

Deno.test("drawsFor() is how many draws it takes until so many differ", () => {
  assertEquals(drawsFor(1, 1), 1);
  assertAlmostEquals(drawsFor(1, 2), 3, 1e-9); // 1 + 2
  assertAlmostEquals(drawsFor(Math.log2(10), 10), 29.29, 0.01);
  assertEquals(drawsFor(Math.log2(10), 11), Infinity);
  assertAlmostEquals(drawsFor(128, 1000), 1000, 1e-9);
});
