/**
 * Prints the size and entropy of the word lists, and samples.
 * Usage: deno task wordlists [samples]
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { randomIndex } from "../generators/random.ts";
import {
  SENTENCE_DEFAULTS,
  sentencePasswords,
} from "../generators/exports/sentence.ts";
import { type Language, LANGUAGES, WORDLISTS } from "../wordlists/mod.ts";

/** How many words or sentences to print for each list. */
const SAMPLES = Number(Deno.args[0] ?? 12);

function row(...cells: (string | number)[]): void {
  const widths = [15, 6, 6, 12, 14, 9, 8];
  console.log(
    cells.map((cell, i) =>
      i === 0 ? String(cell).padEnd(15) : String(cell).padStart(widths[i]!)
    ).join(""),
  );
}

function listsOf(language: Language): [string, readonly string[]][] {
  return Object.entries(WORDLISTS[language]);
}

row(
  "list",
  "words",
  "bits",
  "mean length",
  "bits/letter",
  "shortest",
  "longest",
);
for (const language of LANGUAGES) {
  for (const [name, list] of listsOf(language)) {
    const lengths = list.map((word) => word.length);
    const mean = lengths.reduce((a, b) => a + b) / list.length;
    const bits = Math.log2(list.length);
    row(
      `${language}/${name}`,
      list.length,
      bits.toFixed(2),
      mean.toFixed(2),
      (bits / mean).toFixed(2),
      Math.min(...lengths),
      Math.max(...lengths),
    );
  }
}

for (const language of LANGUAGES) {
  for (const [name, list] of listsOf(language)) {
    const drawn = Array.from(
      { length: SAMPLES },
      () => list[randomIndex(list.length)],
    );
    console.log(`\n${language}/${name}: ${drawn.join(" ")}`);
  }
  console.log(`\n${language}, sentences:`);
  for (let i = 0; i < Math.ceil(SAMPLES / 2); i++) {
    const sentence = sentencePasswords({
      ...SENTENCE_DEFAULTS,
      language,
      casing: "lower",
      numberLength: 0,
      separator: " ",
    }).generate();
    console.log(`  ${sentence}`);
  }
}
