/**
 * Copies a file, or a folder with all that is in it.
 *
 * @param from its path
 * @param to the path that the copy gets
 */
export async function copy(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) {
    return await Deno.copyFile(from, to);
  }
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    await copy(`${from}/${name}`, `${to}/${name}`);
  }
}

/** A folder that goes with the block that it was made in. */
export interface TempDir {
  path: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a temporary folder.
 *
 * @returns the folder, to be declared with `await using`
 */
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
 * Gives the permission to write to a folder and all that is in it, or takes it.
 * What is in there can be read by everyone, and programs in `bin` be run.
 *
 * @param path the folder
 * @param writable whether its owner may write
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
