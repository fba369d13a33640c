/**
 * Builds the library for npm, the archive NAME-VERSION.tgz, and for JSR, the folder jsr.
 * In both the word lists are modules: Node imports no text, and JSR refuses a package
 * that does (jsr-io/jsr issue 1478). Usage: deno task npm
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { basename, dirname, fromFileUrl } from "@std/path";
import metadata from "../deno.json" with { type: "json" };
import { stop } from "./needs.ts";

const ROOT = fromFileUrl(new URL("../", import.meta.url));

const { name, version, license, exports } = metadata;

/**
 * Turns imports of texts into imports of modules.
 *
 * @param source the source of a module
 * @returns the source for npm and JSR
 *
 * @example
 * ```ts
 * import { withListModules } from "./npm.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   withListModules('import words from "./words.txt" with { type: "text" };'),
 *   'import words from "./words.txt.ts";',
 * );
 * ```
 */
export function withListModules(source: string): string {
  return source.replace(/\.txt" with \{\s*type: "text",?\s*\}/g, '.txt.ts"');
}

/** Copies the sources of the library from a folder to another one. */
function copySources(folder: string, to: string): void {
  Deno.mkdirSync(`${to}/${folder}`, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(ROOT + folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) {
      copySources(path, to);
      continue;
    }
    if (name.endsWith(".md")) continue;
    const text = Deno.readTextFileSync(ROOT + path);
    const isList = name.endsWith(".txt");
    Deno.writeTextFileSync(
      `${to}/${path}${isList ? ".ts" : ""}`,
      isList
        ? `const text: string = ${
          JSON.stringify(text)
        };\nexport default text;\n`
        : withListModules(text),
    );
  }
}

/** Runs a program in a folder, and returns its output. */
function run(cwd: string, program: string, ...args: string[]): string {
  const env = { NO_COLOR: "1" };
  const command = new Deno.Command(program, { args, cwd, env });
  const { success, stdout, stderr } = command.outputSync();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) stop(`${program} ${args[0]}: ${decode(stderr)}`);
  return decode(stdout).trim();
}

/** Completes the package.json of `deno pack`. */
function packageJson(
  packed: Record<string, unknown>,
  repository?: string,
): Record<string, unknown> {
  const url = `https://github.com/${repository}`;
  return {
    ...packed,
    description:
      "Random passwords, passphrases and sentences with their exact entropy",
    keywords: ["password", "passphrase", "generator", "entropy", "diceware"],
    sideEffects: false,
    // require() takes these modules since these versions.
    engines: { node: "^20.19.0 || >=22.12.0" },
    exports: {
      ...packed["exports"] as Record<string, unknown>,
      "./package.json": "./package.json",
    },
    ...(repository && {
      homepage: `${url}#readme`,
      bugs: `${url}/issues`,
      // npm compares this with the repository that signs the provenance.
      repository: { type: "git", url: `git+${url}.git` },
    }),
  };
}

/**
 * Writes a file at the path of each entry point, for programs that do not read the
 * exports in package.json: Parcel, and TypeScript with "moduleResolution": "node".
 */
function writeEntryPoints(folder: string): void {
  for (const [name, path] of Object.entries(exports)) {
    if (name === ".") continue;
    const up = "../".repeat(name.split("/").length - 2) || "./";
    const module = up + path.slice("./".length).replace(/ts$/, "js");
    Deno.mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    for (const extension of ["js", "d.ts"]) {
      Deno.writeTextFileSync(
        `${folder}/${name}.${extension}`,
        `export * from "${module}";\n`,
      );
    }
  }
}

/**
 * Builds the library.
 *
 * @param output the folder for the archive and the folder jsr; it must be empty
 * @param repository OWNER/NAME on GitHub, for the links in package.json
 * @returns the name of the archive
 *
 * @example
 * ```ts ignore
 * import { buildLibrary } from "./npm.ts";
 *
 * console.log(buildLibrary("dist/library"));
 * ```
 */
export function buildLibrary(output: string, repository?: string): string {
  const sources = `${output}/jsr`;
  for (const part of ["generators", "wordlists"]) copySources(part, sources);
  // Types of Node 20, so that the check finds what it does not have.
  const compilerOptions = { lib: ["es2023", "dom"] };
  const config = { name, version, license, exports, compilerOptions };
  Deno.writeTextFileSync(
    `${sources}/deno.json`,
    `${JSON.stringify(config, null, 2)}\n`,
  );
  const documents = ["LICENSE", "CHANGELOG.md", "generators/README.md"];
  for (const path of documents) {
    Deno.copyFileSync(ROOT + path, `${sources}/${basename(path)}`);
  }

  const flags = [
    "-q",
    "--allow-dirty",
    "--no-source-maps",
    "--output",
    "../packed.tgz",
  ];
  run(sources, Deno.execPath(), "pack", ...flags);
  run(output, "tar", "-xzf", "packed.tgz");
  const folder = `${output}/package`;
  for (const path of documents) {
    Deno.copyFileSync(ROOT + path, `${folder}/${basename(path)}`);
  }
  writeEntryPoints(folder);
  const path = `${folder}/package.json`;
  const packed = JSON.parse(Deno.readTextFileSync(path));
  const completed = JSON.stringify(packageJson(packed, repository), null, 2);
  Deno.writeTextFileSync(path, `${completed}\n`);
  const archive = run(folder, "npm", "pack", "--silent");
  Deno.renameSync(`${folder}/${archive}`, `${output}/${archive}`);
  Deno.removeSync(folder, { recursive: true });
  Deno.removeSync(`${output}/packed.tgz`);
  return archive;
}

if (import.meta.main) {
  const output = `${ROOT}dist/library`;
  try {
    Deno.removeSync(output, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const archive = buildLibrary(output, Deno.env.get("GITHUB_REPOSITORY"));
  console.log(`dist/library/${archive}`);
}
