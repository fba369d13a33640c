/**
 * Checks the word lists with the dictionaries of hunspell (Debian: hunspell,
 * hunspell-sv, hunspell-en-us) and with the npm package naughty-words. Prints
 * the words to which they object, except those below. Any such word is a
 * failure.
 * Usage: deno task wordlists:check
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { LANGUAGES, WORDLISTS } from "../wordlists/mod.ts";

/** Correct words that hunspell does not know, each with a reason. */
const SPELLED_RIGHT: Record<string, string> = {};

/** Harmless words in naughty-words, each with a reason. */
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

let count = 0;
function report(title: string, words: string[]): void {
  console.log(`${title}: ${words.length === 0 ? "nothing" : words.join(" ")}`);
  count += words.length;
}

for (const language of LANGUAGES) {
  const words = [...new Set(Object.values(WORDLISTS[language]).flat())];
  const dictionary = DICTIONARIES[language];
  if (dictionary === undefined) {
    throw new Error(`No hunspell dictionary for ${language}`);
  }
  const unknown = await unknownTo(dictionary, words);
  report(
    `${language}, unknown to hunspell`,
    unknown.filter((word) => !Object.hasOwn(SPELLED_RIGHT, word)),
  );
  // A literal name would add the package to the lock file of the service.
  const list = `npm:naughty-words@1.2.0/${language}.json`;
  const naughty = new Set<string>(
    (await import(list, { with: { type: "json" } })).default,
  );
  report(
    `${language}, in naughty-words`,
    words.filter((word) => naughty.has(word) && !Object.hasOwn(HARMLESS, word)),
  );
}
Deno.exit(count === 0 ? 0 : 1);
