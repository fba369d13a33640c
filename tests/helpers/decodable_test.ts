import { assert, assertEquals } from "@std/assert";
import { findAmbiguity } from "./decodable.ts";
import { withSeed } from "./random.ts";

/** Tells whether two sequences of at most `length` letters are spelled alike. */
function isAmbiguous(words: readonly string[], length: number): boolean {
  const sequences = new Map([["", 1]]);
  for (const text of sequences.keys()) {
    for (const word of words) {
      const longer = text + word;
      if (longer.length > length) continue;
      sequences.set(longer, (sequences.get(longer) ?? 0) + 1);
    }
  }
  return [...sequences.values()].some((count) => count > 1);
}

Deno.test("findAmbiguity() finds words that are spelled alike together", () => {
  assertEquals(findAmbiguity(["hand", "saw", "handsaw"]), [
    ["handsaw"],
    ["hand", "saw"],
  ]);
  // No word is a sequence of others, but two sequences are spelled alike.
  const words = ["car", "carpet", "petrol", "rol"];
  const [sequence, other] = findAmbiguity(words)!;
  assertEquals(sequence.join(""), other.join(""));
  assertEquals(findAmbiguity(["hand", "handle", "saw"]), undefined);
  assertEquals(findAmbiguity(["a", "a"]), [["a"], ["a"]]);
});

Deno.test(
  "findAmbiguity() agrees with a list of all sequences",
  withSeed((random) => {
    const found = { ambiguous: 0, decodable: 0 };
    for (let i = 0; i < 2000; i++) {
      const words = new Set<string>();
      while (words.size < 4) {
        const bits = 2 + Math.floor(random() * 30);
        words.add(bits.toString(2).slice(1));
      }
      const list = [...words];
      const ambiguity = findAmbiguity(list);
      if (ambiguity === undefined) {
        found.decodable++;
        assert(!isAmbiguous(list, 14), list.join());
      } else {
        found.ambiguous++;
        const [sequence, other] = ambiguity;
        assertEquals(sequence.join(""), other.join(""), list.join());
        assert(sequence.join() !== other.join(), list.join());
        assert([...sequence, ...other].every((word) => words.has(word)));
      }
    }
    assert(found.ambiguous > 100 && found.decodable > 100);
  }),
);
