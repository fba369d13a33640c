/**
 * Checks the word lists with the dictionaries of hunspell (Debian: hunspell,
 * hunspell-sv, hunspell-en-us) and with the npm package naughty-words. A word to
 * which one of them objects is a failure.
 *
 * Usage: deno task wordlists:check
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { isInstalled } from "../tests/helpers/program.ts";
import { LANGUAGES, WORDLISTS } from "../wordlists/mod.ts";
import { importNpm, stop } from "./needs.ts";

/** The dictionary of each language, and its package in Debian. */
const DICTIONARIES: Readonly<Record<string, readonly [string, string]>> = {
  en: ["en_US", "hunspell-en-us"],
  sv: ["sv_SE", "hunspell-sv"],
};

/**
 * Words that attackers try first, and that rules for passwords advise against: the
 * days of the week, months and seasons.
 */
const CALENDAR: Readonly<Record<string, string>> = {
  en:
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december spring summer autumn fall winter",
  sv:
    "måndag tisdag onsdag torsdag fredag lördag söndag januari februari mars april maj juni juli augusti september oktober november december vår sommar höst vinter",
};

async function unknownTo(
  [dictionary, debianPackage]: readonly [string, string],
  words: string[],
) {
  const hunspell = new Deno.Command("hunspell", {
    args: ["-d", dictionary, "-i", "utf-8", "-l"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = hunspell.stdin.getWriter();
  const writing = writer.write(new TextEncoder().encode(words.join("\n")))
    .then(() => writer.close());
  const [{ success, stdout }] = await Promise.all([
    hunspell.output(),
    writing.catch(() => {}), // hunspell has ended, and its status says why
  ]);
  if (!success) {
    stop(
      `hunspell cannot open the dictionary ${dictionary}; install it (Debian: ${debianPackage})`,
    );
  }
  return new TextDecoder().decode(stdout).split("\n").filter(Boolean);
}

let count = 0;
function report(title: string, words: string[]): void {
  console.log(`${title}: ${words.length === 0 ? "nothing" : words.join(" ")}`);
  count += words.length;
}

if (!await isInstalled("hunspell")) {
  stop(
    "Cannot find hunspell; install it (Debian: hunspell, hunspell-sv, hunspell-en-us)",
  );
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
    unknown,
  );
  const { default: objectionable } = await importNpm<{ default: string[] }>(
    `npm:naughty-words@1.2.0/${language}.json`,
    { with: { type: "json" } },
  );
  const naughty = new Set(objectionable);
  report(
    `${language}, in naughty-words`,
    words.filter((word) => naughty.has(word)),
  );
  const forbidden = new Set(CALENDAR[language]?.split(" "));
  report(
    `${language}/words, in a calendar`,
    WORDLISTS[language].words.filter((word) => forbidden.has(word)),
  );
}
Deno.exit(count === 0 ? 0 : 1);
