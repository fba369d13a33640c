import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { parseLists, type WordLists } from "../../wordlists/lists.ts";
import { LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";
import { findAmbiguity } from "../helpers/decodable.ts";

/** The rules for a language without an entry in EXACTLY. */
const ANY = {
  alphabet: /^\p{Ll}+$/u,
  /** Letters of a word in words.txt: minimum, maximum, and highest mean. */
  lengths: [3, 9, 6.8] as [minimum: number, maximum: number, mean: number],
  /** The least number of words in words.txt. */
  words: 5000,
};

const EXACTLY: Readonly<Record<string, typeof ANY>> = {
  en: { alphabet: /^[a-z]+$/, lengths: [3, 9, 6.3], words: 4600 },
  sv: { alphabet: /^[a-zåäö]+$/, lengths: [3, 9, 6.3], words: 5400 },
};

/** The least entropy of the four words of a sentence, in bits. */
const MIN_SENTENCE_BITS = 37.9;

/** Replaces Swedish letters as the generator does. */
function replaceSwedish(word: string): string {
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

for (const { language, name, list, file } of lists) {
  const title = `${language}/${name}.txt`;
  const { alphabet, lengths } = EXACTLY[language] ?? ANY;

  // Letters only, so that the signs of a set can be read from a password.
  Deno.test(`${title} has one lower-case word on each line, sorted, of the permitted lengths`, () => {
    assertEquals(Deno.readTextFileSync(file), list.join("\n") + "\n");
    const [minimum, maximum] = name === "words" ? lengths : [2, 12];
    const odd = list.filter((word, i) =>
      !alphabet.test(word) || word !== word.normalize("NFC") ||
      // A letter is one UTF-16 unit, in upper case too (unlike "ß").
      word.toUpperCase().length !== [...word].length ||
      word.length !== [...word].length ||
      word.length < minimum || word.length > maximum ||
      (i > 0 && word <= list[i - 1]!)
    );
    assertEquals(odd, []);
  });

  // Two sequences that are spelled alike are so without Swedish letters, too.
  Deno.test(`${title} is uniquely decodable without Swedish letters`, () => {
    assertEquals(findAmbiguity(list.map(replaceSwedish)), undefined);
  });
}

for (const language of LANGUAGES) {
  const { words, adjectives, nouns, verbs, adverbs } = WORDLISTS[language];
  const { lengths, words: min } = EXACTLY[language] ?? ANY;

  Deno.test(`${language}: words.txt has enough words that are short on average, and a sentence at least ${MIN_SENTENCE_BITS} bits`, () => {
    assert(words.length >= min, `${words.length}`);
    const mean = words.join("").length / words.length;
    assert(mean <= lengths[2], `mean ${mean}`);
    const bits = Math.log2(
      adjectives.length * nouns.length * verbs.length * adverbs.length,
    );
    assert(bits >= MIN_SENTENCE_BITS, `${bits}`);
  });

  Deno.test(`${language}: no two sentences are spelled alike`, () => {
    // In a prefix-free list a text begins with at most one word, so the words of
    // a sentence can be read from left to right.
    for (const list of [adjectives, nouns, verbs, adverbs]) {
      // In a sorted list a word is directly before the words that it begins.
      const sorted = list.map(replaceSwedish).sort();
      const prefixes = sorted.filter((word, i) =>
        sorted[i + 1]?.startsWith(word)
      );
      assertEquals(prefixes, []);
    }
  });
}

Deno.test("sv: words.txt has at least 4,000 words for passwords without å, ä and ö", () => {
  const plain = WORDLISTS.sv.words.filter((word) => /^[a-z]+$/.test(word));
  assert(plain.length >= 4000, `${plain.length}`);
});

Deno.test("findAmbiguity() finds words that are spelled alike together", () => {
  assertEquals(findAmbiguity(["hand", "handle", "saw"]), undefined);
  assertEquals(findAmbiguity(["hand", "saw", "handsaw"]), [
    ["handsaw"],
    ["hand", "saw"],
  ]);
  // No word is a sequence of others, but two sequences are spelled alike.
  const words = ["car", "carpet", "petrol", "rol"];
  const [sequence, other] = findAmbiguity(words)!;
  assertEquals([sequence, other].map((all) => all.join("")), [
    "carpetrol",
    "carpetrol",
  ]);
});

Deno.test("parseLists() reads lines that end with LF or CRLF", () => {
  const texts = { words: "a\r\nb\r\n", adjectives: "c\nd\n" };
  const read = parseLists({ ...texts, nouns: "e\n", verbs: "f", adverbs: "g" });
  assertEquals(read.words, ["a", "b"]);
  assertEquals(read.adjectives, ["c", "d"]);
  assertEquals(read.verbs, ["f"]);
});
