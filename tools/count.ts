/**
 * Prints the number of code lines, TypeScript and JavaScript. Comments, blank
 * lines and generated files do not count. Usage: deno task count
 *
 * @module
 */
// deno-lint-ignore-file no-console

const ROOT = new URL("../", import.meta.url);

const DOCUMENTS = /^tools\/documents(\.ts$|\/)/;
const PARTS: Record<string, (path: string) => boolean> = {
  "runtime": (path) =>
    /^([a-z_]+\.ts$|(middleware|routes|generators|wordlists)\/)/
      .test(path),
  "program that writes the documents": (path) => DOCUMENTS.test(path),
  "tests and other tools": (path) =>
    /^(tests|tools)\//.test(path) && !DOCUMENTS.test(path),
};

/** The files that .gitattributes marks as written by a program. */
const generated = Deno.readTextFileSync(new URL(".gitattributes", ROOT))
  .split("\n").filter((line) => line.includes("linguist-generated"))
  .map((line) => line.split(" ")[0]!);

/** The paths of the files with code in a folder, such as "tests/log_test.ts". */
function* filesIn(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, ROOT))) {
    const path = folder + entry.name;
    if (entry.isDirectory) yield* filesIn(`${path}/`);
    else if (/\.[jt]s$/.test(path) && !generated.includes(path)) yield path;
  }
}

/** Counts the code lines of a formatted file. */
function codeLines(text: string): number {
  return text.replace(/^ *\/\*[^]*?\*\/$/gm, "").split("\n")
    .filter((line) => !/^\s*(\/\/|$)/.test(line)).length;
}

const files = [...filesIn("")];
for (const [name, includes] of Object.entries(PARTS)) {
  const texts = files.filter(includes).map((path) =>
    Deno.readTextFileSync(new URL(path, ROOT))
  );
  const total = texts.reduce((sum, text) => sum + codeLines(text), 0);
  console.log(`${name}: ${total} code lines in ${texts.length} files`);
}
