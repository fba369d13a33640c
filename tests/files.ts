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
