import { assertEquals, assertThrows } from "@std/assert";
import { boundedSequences } from "../../generators/bounded_sequences.ts";
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
Deno.test("boundedSequences() counts what a naive program lists, and draws each once when each index is drawn once", () => {
  for (const lists of CHOICES) {
    const lettersOf = (places: number[]) =>
      places.map((place, i) => lists[i]![place]).join("").length;
    const all = everySequence(lists);
    const lengths = all.map(lettersOf);
    const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
    const bounds = Array.from({ length: longest + 5 }, (_, i) => i - 2);
    for (const min of bounds) {
      for (const max of [...bounds, Infinity]) {
        const { bits, letters, draw } = boundedSequences(lists, min, max);
        const between = all.filter((places) =>
          lettersOf(places) >= min && lettersOf(places) <= max
        );
        assertBits(bits, BigInt(between.length), { lists, min, max });
        assertEquals(letters, [shortest, longest]);
        if (between.length === 0) {
          assertThrows(draw, RangeError);
          continue;
        }
        const drawn = withDraws([...between.keys()], () => between.map(draw));
        assertEquals(drawn.map(String).sort(), between.map(String).sort());
      }
    }
  }
});

Deno.test("boundedSequences() has fewer bits than all sequences, however few are too short or too long", () => {
  for (const count of [1, 2, 9, 10]) {
    // 64 words, of which one is longer. All sequences of it are too long.
    const words = Array.from({ length: 64 }, (_, i) => i === 0 ? "ab" : "a");
    const lists = Array(count).fill(words);
    const all = 2n ** BigInt(6 * count);
    const bitsOf = (min: number, max: number) =>
      boundedSequences(lists, min, max).bits;
    assertBits(bitsOf(0, 2 * count), all);
    assertBits(bitsOf(0, 2 * count - 1), all - 1n);
    assertBits(bitsOf(0, 2 * count - 2), all - 1n - BigInt(63 * count));
    assertBits(bitsOf(count + 1, Infinity), all - 63n ** BigInt(count));
  }
});
