/**
 * Compares word lists with readers who do not know which list a line comes from.
 *
 * `sample` mixes lines of four words of several lists, and writes to a key which
 * line is of which list. A reader gets the sample alone, and writes one mark per line:
 *
 * ```text
 * LINE CATEGORY clear|weak REASON
 * 17 misheard weak roll, or role
 * ```
 *
 * `score` prints for each list and category the share of lines with a mark, and in
 * brackets with a clear one, in per cent; for several readers, the mean.
 *
 * Usage: deno task wordlists:blind sample LINES KEY LIST... > SAMPLE
 *        deno task wordlists:blind score KEY MARKS...
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { randomIndex } from "../generators/random.ts";

/** How many words a line has: as many as a password by default. */
const WORDS = 4;

/** A line of a sample, and the list that it comes from. */
export interface BlindLine {
  readonly list: string;
  readonly text: string;
}

/**
 * Draws lines of four words from each list, and puts all lines in a random order.
 * All samples are equally likely.
 *
 * @param lists the words of each list, by its name
 * @param lines the number of lines from each list
 * @returns the lines
 *
 * @example
 * ```ts
 * import { blindSample } from "./wordlists_blind.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const sample = blindSample({ en: ["oak"], sv: ["ek"] }, 1);
 * assertEquals(sample.map(({ text }) => text).sort(), [
 *   "ek ek ek ek",
 *   "oak oak oak oak",
 * ]);
 * ```
 */
export function blindSample(
  lists: Readonly<Record<string, readonly string[]>>,
  lines: number,
): BlindLine[] {
  const sample: BlindLine[] = [];
  for (const [list, words] of Object.entries(lists)) {
    for (let i = 0; i < lines; i++) {
      const text = Array.from(
        { length: WORDS },
        () => words[randomIndex(words.length)],
      ).join(" ");
      // Each place for the new line is equally likely (Fisher and Yates).
      const place = randomIndex(sample.length + 1);
      sample.push(sample[place] ?? { list, text });
      sample[place] = { list, text };
    }
  }
  return sample;
}

/**
 * Counts the marks of readers.
 *
 * @param key the list of each line
 * @param readers the marks of each reader, one per line
 * @returns by category and list, the mean share of lines with a mark, and with a
 *   clear one (0 to 1)
 * @throws {SyntaxError} if a mark cannot be read, or its line is not in the sample
 *
 * @example
 * ```ts
 * import { blindScore } from "./wordlists_blind.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const marks = ["1 misheard clear roll, or role\n3 misheard weak sauce"];
 * assertEquals(blindScore(["ours", "other", "ours", "ours"], marks), {
 *   misheard: { ours: [2 / 3, 1 / 3], other: [0, 0] },
 * });
 * ```
 */
export function blindScore(
  key: readonly string[],
  readers: readonly string[],
): Record<string, Record<string, [all: number, clear: number]>> {
  /** Who marked which line for what; a repeated mark counts once. */
  const marks = new Map<string, Set<string>>();
  readers.forEach((text, reader) => {
    for (const mark of text.split("\n").filter((mark) => mark.trim() !== "")) {
      const [, number, category, strength] =
        /^\s*(\d+)\s+(\S+)\s+(clear|weak)\b/.exec(mark) ?? [];
      const list = key[Number(number) - 1];
      if (category === undefined || list === undefined) {
        throw new SyntaxError(`Cannot read the mark "${mark}"`);
      }
      for (const kind of strength === "clear" ? ["all", "clear"] : ["all"]) {
        const name = `${category} ${kind} ${list}`;
        marks.set(
          name,
          (marks.get(name) ?? new Set()).add(`${reader} ${number}`),
        );
      }
    }
  });
  const categories = new Set(
    [...marks.keys()].map((name) => name.split(" ")[0]!),
  );
  const share = (name: string, list: string) =>
    (marks.get(`${name} ${list}`)?.size ?? 0) / readers.length /
    key.filter((other) => other === list).length;
  return Object.fromEntries(
    [...categories].map((category) => [
      category,
      Object.fromEntries(
        [...new Set(key)].map((list) => [
          list,
          [share(`${category} all`, list), share(`${category} clear`, list)],
        ]),
      ),
    ]),
  );
}

const linesOf = (path: string) =>
  Deno.readTextFileSync(path).split(/\r?\n/).filter(Boolean);

if (import.meta.main) {
  const [command, ...args] = Deno.args;
  if (command === "sample" && Number(args[0]) > 0 && args.length > 2) {
    const [lines, keyPath, ...paths] = args;
    const sample = blindSample(
      Object.fromEntries(paths.map((path) => [path, linesOf(path)])),
      Number(lines),
    );
    Deno.writeTextFileSync(
      keyPath!,
      sample.map(({ list }) => list + "\n").join(""),
    );
    sample.forEach(({ text }, i) => console.log(`${i + 1} ${text}`));
  } else if (command === "score" && args.length > 1) {
    const [keyPath, ...paths] = args;
    const scores = blindScore(
      linesOf(keyPath!),
      paths.map((path) => Deno.readTextFileSync(path)),
    );
    for (const [category, lists] of Object.entries(scores)) {
      for (const [list, shares] of Object.entries(lists)) {
        const [all, clear] = shares.map((share) => (100 * share).toFixed(1));
        console.log(`${category}: ${list} ${all} (${clear})`);
      }
    }
  } else {
    console.error(
      "Usage: deno task wordlists:blind sample LINES KEY LIST... > SAMPLE, or score KEY MARKS...",
    );
    Deno.exit(1);
  }
}
