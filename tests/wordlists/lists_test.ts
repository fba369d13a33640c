import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { CASINGS, phrase } from "../../generators/phrase.ts";
import { parseLists, type WordLists } from "../../wordlists/lists.ts";
import { LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";

/** What holds for a language that says nothing more exact below. */
const ANY = {
  alphabet: /^\p{Ll}+$/u,
  /** Letters of a word in words.txt: fewest, most, and the mean at most. */
  lengths: [3, 9, 6.8] as [least: number, most: number, mean: number],
};

const EXACTLY: Readonly<Record<string, typeof ANY>> = {
  en: { alphabet: /^[a-z]+$/, lengths: [3, 8, 6.2] },
  sv: { alphabet: /^[a-zåäö]+$/, lengths: [3, 9, 6.8] },
};

/** Powers of two: a word is worth whole bits, and no draw is rejected. */
const SIZES: Readonly<Record<keyof WordLists, number>> = {
  words: 2 ** 13,
  adjectives: 2 ** 11,
  nouns: 2 ** 12,
  verbs: 2 ** 10,
  adverbs: 2 ** 10,
};

/** Words that replacing Swedish letters makes equal are equal here. */
function fold(word: string): string {
  return word.replace(/[åä]/g, "a").replaceAll("ö", "o");
}

/** Each list with the name of its file. */
const lists = LANGUAGES.flatMap((language) =>
  Object.entries(WORDLISTS[language]).map(([name, list]) => ({
    language,
    name: name as keyof WordLists,
    list: list as readonly string[],
    file: fromFileUrl(
      import.meta.resolve(`../../wordlists/${language}/${name}.txt`),
    ),
  }))
);

Deno.test("lists are there for every language and part of speech", () => {
  assertEquals(lists.length, 5 * LANGUAGES.length);
});

for (const { language, name, list, file } of lists) {
  const title = `${language}/${name}.txt`;
  const { alphabet, lengths } = EXACTLY[language] ?? ANY;

  Deno.test(`${title} is one lower-case word a line, nothing else`, () => {
    assertEquals(Deno.readTextFileSync(file), list.join("\n") + "\n");
    const odd = list.filter((word) => !alphabet.test(word));
    assertEquals(odd, []);
    assertEquals(list.filter((word) => word !== word.normalize("NFC")), []);
    // A letter is one UTF-16 unit, and a capital one too ("ß" has none).
    const longer = (word: string) =>
      word.toUpperCase().length !== [...word].length ||
      word.length !== [...word].length;
    assertEquals(list.filter(longer), []);
  });

  Deno.test(`${title} is sorted and has nothing twice`, () => {
    const unsorted = list.filter((word, i) => i > 0 && word <= list[i - 1]!);
    assertEquals(unsorted, []);
  });

  Deno.test(`${title} has ${SIZES[name]} words`, () => {
    assertEquals(list.length, SIZES[name]);
  });

  Deno.test(`${title} has words neither short nor long`, () => {
    const [least, most] = name === "words" ? lengths : [2, 12];
    const odd = list.filter((w) => w.length < least || w.length > most);
    assertEquals(odd, []);
    const mean = list.join("").length / list.length;
    assert(name !== "words" || mean <= lengths[2], `mean ${mean}`);
  });

  Deno.test(`${title} has no word that begins another, also after å ä -> a, ö -> o`, () => {
    // Sorted, a word stands right before those that it begins.
    const folded = list.map(fold).sort();
    const clashes = folded.filter((word, i) => folded[i + 1]?.startsWith(word));
    assertEquals(clashes, []);
  });
}

/**
 * In how many ways a text can be cut into words: one set for each word, or the
 * same for all of them. Case is forgotten, which can only add ways.
 */
function waysToRead(text: string, sets: readonly Set<string>[]): number {
  const lower = text.toLowerCase();
  let ways = new Map([[0, 1]]);
  for (const set of sets) {
    const next = new Map<number, number>();
    for (const [start, count] of ways) {
      for (let end = start + 1; end <= start + 12; end++) {
        if (end <= lower.length && set.has(lower.slice(start, end))) {
          next.set(end, (next.get(end) ?? 0) + count);
        }
      }
    }
    ways = next;
  }
  return ways.get(lower.length) ?? 0;
}

for (const language of LANGUAGES) {
  Deno.test(`${language}: words without gaps can be read in one way only, whatever the casing and replacements`, () => {
    const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
    for (const replaceSwedishCharacters of [false, true]) {
      for (const replaceWithSpecialCharacters of [false, true]) {
        const style = {
          casing: "lower" as typeof CASINGS[number],
          numberPosition: "before" as const,
          numberLength: 0,
          replaceSwedishCharacters,
          replaceWithSpecialCharacters,
        };
        const written = (list: readonly string[]) =>
          new Set(list.map((word) => phrase([[word]], style)));
        const sets = [adjectives, nouns, verbs, adverbs].map(written);
        const wordSet = written(words);
        assertEquals(wordSet.size, words.length);
        for (const casing of CASINGS) {
          for (let i = 0; i < 250; i++) {
            const count = 1 + i % 10;
            const password = phrase(Array(count).fill(words), {
              ...style,
              casing,
            });
            // With any number of words, not only with the right one.
            let ways = 0;
            for (let n = 1; n <= 12; n++) {
              ways += waysToRead(password, Array(n).fill(wordSet));
            }
            assertEquals(ways, 1, password);
            const sentence = phrase([adjectives, nouns, verbs, adverbs], {
              ...style,
              casing,
            });
            assertEquals(waysToRead(sentence, sets), 1, sentence);
          }
        }
      }
    }
  });
}

Deno.test("waysToRead() sees ambiguity where there is some", () => {
  const set = new Set(["a", "b", "ab"]);
  assertEquals(waysToRead("AB", [set, set]), 1);
  assertEquals(waysToRead("AB", [set]), 1);
  assertEquals(waysToRead("aab", [set, set]), 1);
  assertEquals(waysToRead("ab", [new Set(["a"]), new Set(["c"])]), 0);
  const two = new Set(["a", "ab", "b", "bb"]);
  assertEquals(waysToRead("abb", [two, two]), 2);
});

Deno.test("parseLists() reads lines with either line break", () => {
  const texts = { words: "a\r\nb\r\n", adjectives: "c\nd\n" };
  const read = parseLists({ ...texts, nouns: "e\n", verbs: "f", adverbs: "g" });
  assertEquals(read.words, ["a", "b"]);
  assertEquals(read.adjectives, ["c", "d"]);
  assertEquals(read.verbs, ["f"]);
});
