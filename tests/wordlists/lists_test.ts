import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { type Lists, readLists } from "../../wordlists/lists.ts";
import { LANGUAGES, WORDLISTS } from "../../wordlists/mod.ts";

const ALPHABETS = { en: /^[a-z]+$/, sv: /^[a-zåäö]+$/ };

/** Words that replacing Swedish letters makes equal are equal here. */
function fold(word: string): string {
  return word.replace(/[åä]/g, "a").replaceAll("ö", "o");
}

/** Each list with the name of its file. */
const lists = LANGUAGES.flatMap((language) =>
  Object.entries(WORDLISTS[language]).map(([name, list]) => ({
    language,
    name: name as keyof Lists,
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

  Deno.test(`${title} is one lower-case word a line, nothing else`, () => {
    assertEquals(Deno.readTextFileSync(file), list.join("\n") + "\n");
    const odd = list.filter((word) => !ALPHABETS[language].test(word));
    assertEquals(odd, []);
    assertEquals(list.filter((word) => word !== word.normalize("NFC")), []);
  });

  Deno.test(`${title} is sorted and has nothing twice`, () => {
    const unsorted = list.filter((word, i) => i > 0 && word <= list[i - 1]!);
    assertEquals(unsorted, []);
  });

  Deno.test(`${title} is long enough, with words neither short nor long`, () => {
    assert(list.length >= (name === "words" ? 1024 : 256));
    const [least, most] = name === "words"
      ? [3, language === "en" ? 8 : 9]
      : [2, 12];
    assertEquals(
      list.filter((word) => word.length < least || word.length > most),
      [],
    );
  });

  Deno.test(`${title} has no word that begins another, also after å ä -> a, ö -> o`, () => {
    // Sorted, a word stands right before those that it begins.
    const folded = list.map(fold).sort();
    const clashes = folded.filter((word, i) => folded[i + 1]?.startsWith(word));
    assertEquals(clashes, []);
  });
}

Deno.test("readLists() reads lines with either line break", () => {
  const texts = { words: "a\r\nb\r\n", adjectives: "c\nd\n" };
  const read = readLists({ ...texts, nouns: "e\n", verbs: "f", adverbs: "g" });
  assertEquals(read.words, ["a", "b"]);
  assertEquals(read.adjectives, ["c", "d"]);
  assertEquals(read.verbs, ["f"]);
});
