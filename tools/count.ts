/**
 * Prints the number of lines of each part. Of TypeScript and JavaScript, only code
 * lines count: no comment and no blank line; of other files, every line that is not
 * blank. Usage: deno task count
 *
 * @module
 */
// deno-lint-ignore-file no-console

const ROOT = new URL("../", import.meta.url);

/** The parts by name. A path belongs to the first part that matches it. */
const PARTS: Record<string, RegExp> = {
  "tests": /^tests\/.*\.[jt]s$/,
  "tools": /^tools\/.*\.[jt]s$/,
  "bench": /^bench\/.*\.[jt]s$/,
  "deploy": /^deploy\/.*\.[jt]s$/,
  "texts for people": /^routes\/site\/page\/..\.json$/,
  "program": /\.[jt]s$/,
  "HTML": /^routes\/.*\.html$/,
  "CSS": /^routes\/.*\.css$/,
};

/** The files that ARCHITECTURE.md tells a new reader to read first. */
const SERVICE =
  /^(main|app|http\/.*|middleware\/(?!metrics)\w+|middleware\/limiters\/(sliding_window|recent_map)|routes\/health|routes\/api\/.*|generators\/(words|passphrase|passwords|minimum_entropy|options|random|character\w*|strings|mixed_strings|weighted_choice|work))\.ts$/;

/** The paths of the files in a folder, such as "tests/log_test.ts". */
function* filesIn(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, ROOT))) {
    const path = folder + entry.name;
    if (!entry.isDirectory) yield path;
    // Programs of others, and results of measurements.
    else if (!/^(\.|node_modules|coverage|dist)/.test(path)) {
      yield* filesIn(`${path}/`);
    }
  }
}

/** Counts the lines of a formatted file. */
function countLines(path: string): number {
  const text = Deno.readTextFileSync(new URL(path, ROOT));
  const lines = /\.[jt]s$/.test(path)
    ? text.replace(/^ *\/\*[^]*?\*\/$/gm, "").replace(/^ *\/\/.*$/gm, "")
    : text;
  return lines.split("\n").filter((line) => line.trim() !== "").length;
}

const sums = new Map(
  Object.keys(PARTS).map((name) => [name, { lines: 0, files: 0 }]),
);
let service = 0;
for (const path of filesIn("")) {
  const [name] = Object.entries(PARTS)
    .find(([, pattern]) => pattern.test(path)) ?? [];
  if (name === undefined) continue;
  const sum = sums.get(name)!;
  const lines = countLines(path);
  if (SERVICE.test(path)) service += lines;
  sum.lines += lines;
  sum.files++;
}
for (const [name, { lines, files }] of sums) {
  console.log(`${name}: ${lines} lines in ${files} files`);
}
const [tests, program] = [sums.get("tests")!, sums.get("program")!];
const ratio = (tests.lines / program.lines).toFixed(2);
console.log(`test lines for each program line: ${ratio}`);
console.log(`the service alone (ARCHITECTURE.md): ${service} lines`);
