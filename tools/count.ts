/**
 * Prints the number of code lines of the runtime, and of the tests and tools.
 * Comments and blank lines do not count. Usage: deno task count
 *
 * @module
 */
// deno-lint-ignore-file no-console

const ROOT = new URL("../", import.meta.url);

const PARTS = {
  runtime: [
    ...["main.ts", "certificate.ts", "listener.ts"],
    ...["app.ts", "config.ts", "log.ts"],
    ...["middleware/", "routes/", "generators/", "wordlists/"],
  ],
  "tests and tools": ["tests/", "tools/"],
};

/** The TypeScript files at a path. The path of a folder ends with "/". */
function* filesAt(path: URL): Generator<URL> {
  if (!path.pathname.endsWith("/")) yield path;
  else {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      if (isDirectory) yield* filesAt(new URL(`${name}/`, path));
      else if (name.endsWith(".ts")) yield new URL(name, path);
    }
  }
}

/** Counts the code lines of a formatted file. */
function codeLines(text: string): number {
  return text.replace(/^ *\/\*[^]*?\*\/$/gm, "").split("\n")
    .filter((line) => !/^\s*(\/\/|$)/.test(line)).length;
}

for (const [name, paths] of Object.entries(PARTS)) {
  const files = paths.flatMap((path) => [...filesAt(new URL(path, ROOT))]);
  let total = 0;
  let longest = { lines: 0, file: "" };
  for (const file of files) {
    const text = Deno.readTextFileSync(file);
    total += codeLines(text);
    const lines = text.split("\n").length - 1;
    if (lines > longest.lines) longest = { lines, file: file.pathname };
  }
  console.log(
    `${name}: ${total} code lines in ${files.length} files; the longest file ` +
      `has ${longest.lines} lines (${
        longest.file.slice(ROOT.pathname.length)
      })`,
  );
}
