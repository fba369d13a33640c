/**
 * Holds the word lists against rulers from elsewhere: hunspell's dictionaries
 * (Debian: hunspell, hunspell-sv, hunspell-en-us) and the npm package
 * naughty-words. Prints what they object to and is not argued below; anything
 * printed is a failure. Usage: deno task wordlists:check
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { LANGUAGES, WORDLISTS } from "../wordlists/mod.ts";

/** Words that hunspell does not know, each with the reason why it is right. */
const SPELLED_RIGHT: Record<string, string> = {};

/** Words that naughty-words lists, each with the reason why it is harmless. */
const HARMLESS: Record<string, string> = {};

const DICTIONARIES: Readonly<Record<string, string>> = {
  en: "en_US",
  sv: "sv_SE",
};

async function unknownTo(dictionary: string, words: string[]) {
  const hunspell = new Deno.Command("hunspell", {
    args: ["-d", dictionary, "-i", "utf-8", "-l"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = hunspell.stdin.getWriter();
  const writing = writer.write(new TextEncoder().encode(words.join("\n")))
    .then(() => writer.close());
  const { stdout } = await hunspell.output();
  await writing;
  return new TextDecoder().decode(stdout).split("\n").filter(Boolean);
}

let objections = 0;
function object(title: string, words: string[]): void {
  console.log(`${title}: ${words.length === 0 ? "nothing" : words.join(" ")}`);
  objections += words.length;
}

for (const language of LANGUAGES) {
  const words = [...new Set(Object.values(WORDLISTS[language]).flat())];
  const dictionary = DICTIONARIES[language];
  if (dictionary === undefined) {
    throw new Error(`Cannot check ${language}: name its hunspell dictionary`);
  }
  const unknown = await unknownTo(dictionary, words);
  object(
    `${language}, unknown to hunspell`,
    unknown.filter((word) => !Object.hasOwn(SPELLED_RIGHT, word)),
  );
  // Named at run time: this package is no part of the program or its lock file.
  const list = `npm:naughty-words@1.2.0/${language}.json`;
  const naughty = new Set<string>(
    (await import(list, { with: { type: "json" } })).default,
  );
  object(
    `${language}, in naughty-words`,
    words.filter((word) => naughty.has(word) && !Object.hasOwn(HARMLESS, word)),
  );
}
Deno.exit(objections === 0 ? 0 : 1);
