import { assertEquals } from "@std/assert";
import { ROOT } from "./helpers/program.ts";

/** The Markdown documents, by their path. */
const DOCUMENTS = new Map(
  ["", "docs/"].flatMap((folder) =>
    Array.from(Deno.readDirSync(ROOT + folder), ({ name }) => folder + name)
  ).filter((path) => path.endsWith(".md")).map((path) => [
    path,
    Deno.readTextFileSync(ROOT + path).replace(/^```.*?^ *```$/gms, ""),
  ]),
);

/** The fragments of the headings, as GitHub makes them. */
function fragments(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  );
}

/** Whether a link of a document leads to a file, and to a heading if it names one. */
function leads(from: string, link: string): boolean {
  const { pathname, hash } = new URL(link, `file:///${from}`);
  const path = pathname.slice(1);
  try {
    Deno.statSync(ROOT + path);
  } catch {
    return false;
  }
  if (hash === "") return true;
  return fragments(DOCUMENTS.get(path) ?? "").includes(hash.slice(1));
}

Deno.test("every relative link of a document leads to a file and a heading", () => {
  const links = [...DOCUMENTS].flatMap(([from, text]) =>
    [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => [from, link!])
  ).filter(([, link]) => !/^[a-z]+:/.test(link!));
  assertEquals(links.filter(([from, link]) => !leads(from!, link!)), []);
  assertEquals(links.length > 100, true);
});
