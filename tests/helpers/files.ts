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

/** Copies the repository to a folder. cp() makes the folders around a file. */
export async function copyRepository(folder: string): Promise<void> {
  for (const path of repositoryFiles()) {
    await cp(ROOT + path, `${folder}/${path}`);
  }
}

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
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
