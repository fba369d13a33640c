import { assertEquals, assertThrows } from "@std/assert";
import { shortSequences } from "../../generators/short_sequences.ts";
import { withDraws } from "../helpers/draws.ts";
import { assertBits } from "../helpers/entropy.ts";
import { combinations } from "../helpers/settings.ts";

const LISTS = [
  ["a"],
  ["a", "b", "cc", "dd", "ee", "ffff"],
  ["ggg", "h", "ii"],
  ["jjjjj", "kkkkkk"],
];
/** All choices of one to three of the lists, in any order and repeated. */
const CHOICES = [1, 2, 3].flatMap((count) =>
  combinations<string[][]>(Array(count).fill(LISTS)).map((lists) =>
    Object.values(lists)
  )
);

/** Every sequence of words, by the places of the words. */
function everySequence(lists: readonly string[][]): number[][] {
  return lists.reduce<number[][]>(
    (starts, list) =>
      starts.flatMap((start) => list.map((_, place) => [...start, place])),
    [[]],
  );
}

// The draws are the indices, since randomBigIndex() takes one draw for so few.
Deno.test("shortSequences() counts what a naive program lists, and draws each once when each index is drawn once", () => {
  for (const lists of CHOICES) {
    const lettersOf = (places: number[]) =>
      places.map((place, i) => lists[i]![place]).join("").length;
    const all = everySequence(lists);
    const lengths = all.map(lettersOf);
    for (let letters = -2; letters <= Math.max(...lengths) + 2; letters++) {
      const { bits, leastLetters, draw } = shortSequences(lists, letters);
      const short = all.filter((places) => lettersOf(places) <= letters);
      assertBits(bits, BigInt(short.length), { lists, letters });
      assertEquals(leastLetters, Math.min(...lengths));
      if (short.length === 0) {
        assertThrows(draw, RangeError);
        continue;
      }
      const drawn = withDraws([...short.keys()], () => short.map(draw));
      assertEquals(drawn.map(String).sort(), short.map(String).sort());
    }
  }
});

Deno.test("shortSequences() has fewer bits than all sequences, however few are too long", () => {
  for (const count of [1, 2, 9, 10]) {
    // 64 words, of which one is longer. All sequences of it are too long.
    const words = Array.from({ length: 64 }, (_, i) => i === 0 ? "ab" : "a");
    const lists = Array(count).fill(words);
    const all = 2n ** BigInt(6 * count);
    assertBits(shortSequences(lists, 2 * count).bits, all);
    assertBits(shortSequences(lists, 2 * count - 1).bits, all - 1n);
    assertBits(
      shortSequences(lists, 2 * count - 2).bits,
      all - 1n - BigInt(63 * count),
    );
  }
});
