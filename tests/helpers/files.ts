import { cp } from "node:fs/promises";
import { ROOT } from "./program.ts";

/** The paths of the files of the repository. */
function repositoryFiles(): string[] {
  const list = new Deno.Command("git", { args: ["ls-files"], cwd: ROOT });
  const output = new TextDecoder().decode(list.outputSync().stdout);
  return output.trim().split("\n");
}

/** Returns the texts of the repository by their path. */
export function textFiles(): Map<string, string> {
  return new Map(
    repositoryFiles().filter((path) => !path.endsWith(".png"))
      .map((path) => [path, Deno.readTextFileSync(ROOT + path)]),
  );
}

/** Copies the repository to a folder. */
export async function copyRepository(folder: string): Promise<void> {
  for (const path of repositoryFiles()) {
    await copy(ROOT + path, `${folder}/${path}`);
  }
}

/** Copies a file, or a folder and its content; makes the folders around it. */
export const copy = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true });

/** A temporary folder. Disposal removes it. */
interface TempDir {
  path: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes a temporary folder, for a declaration with `await using`. */
export async function tempDir(): Promise<TempDir> {
  const path = await Deno.makeTempDir();
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      if (Deno.build.os !== "windows") await setWritable(path, true);
      await Deno.remove(path, { recursive: true });
    },
  };
}

/**
 * Adds or removes the permission to write to a folder and its content. Everyone
 * gets the permission to read, and to execute the programs in `bin`.
 *
 * @param path the folder
 * @param writable whether the owner may write
 */
export async function setWritable(
  path: string,
  writable: boolean,
): Promise<void> {
  const write = writable ? 0o200 : 0;
  if (!(await Deno.lstat(path)).isDirectory) {
    const isProgram = path.split("/").at(-2) === "bin";
    return await Deno.chmod(path, (isProgram ? 0o555 : 0o444) | write);
  }
  await Deno.chmod(path, 0o755);
  for await (const { name, isSymlink } of Deno.readDir(path)) {
    if (!isSymlink) await setWritable(`${path}/${name}`, writable);
  }
  await Deno.chmod(path, 0o555 | write);
}
