import { assert, assertEquals, assertThrows } from "@std/assert";
import { blindSample, blindScore } from "../../tools/wordlists_blind.ts";

/** Lists that have no word in common. */
const LISTS = { ours: ["ash", "elm", "oak"], other: ["cat", "dog"] };

Deno.test("blindSample() draws each word in each place, and the lines in each order", () => {
  const words = new Set<string>();
  const orders = new Set<string>();
  for (let i = 0; i < 1000; i++) {
    const sample = blindSample(LISTS, 2);
    for (const { list, text } of sample) {
      text.split(" ").forEach((word, place) => {
        assert(LISTS[list as keyof typeof LISTS].includes(word));
        words.add(`${place} ${word}`);
      });
    }
    orders.add(sample.map(({ list }) => list).join());
  }
  assertEquals(words.size, 4 * 5);
  assertEquals(orders.size, 6); // 4 lines, of which 2 are ours
});

Deno.test("blindScore() counts a line once for each reader and category, and means over the readers", () => {
  const key = ["ours", "other", "ours", "other"];
  const readers = [
    "1 misheard weak roll\n1 misheard clear role\n2 unknown weak zither\n",
    "1 misheard weak roll\r\n\n3 misheard clear sauce\n",
  ];
  assertEquals(blindScore(key, readers), {
    misheard: { ours: [3 / 4, 2 / 4], other: [0, 0] },
    unknown: { ours: [0, 0], other: [1 / 4, 0] },
  });
  for (const mark of ["5 misheard weak", "0 misheard weak", "1 misheard"]) {
    assertThrows(() => blindScore(key, [mark]), SyntaxError, mark);
  }
});
