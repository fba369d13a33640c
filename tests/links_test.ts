import { assert, assertEquals } from "@std/assert";
import { ROOT } from "./helpers/program.ts";

/** The texts of the repository by their path. */
const FILES = new Map(
  new TextDecoder().decode(
    (await new Deno.Command("git", { args: ["ls-files"], cwd: ROOT }).output())
      .stdout,
  ).split("\n").filter((path) => path !== "" && !path.endsWith(".png"))
    .map((path) => [path, Deno.readTextFileSync(ROOT + path)]),
);

/** The fragments of the headings of a document, as GitHub makes them. */
function fragments(path: string): string[] {
  const text = FILES.get(path)!.replace(/^ *```.*?^ *```$/gms, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  );
}

/** Whether a link leads to a file, and to a heading if it names one. */
function leads(from: string, link: string): boolean {
  const { pathname, hash } = new URL(link, `file:///${from}`);
  const path = pathname.slice(1);
  const isFolder = [...FILES.keys()].some((file) =>
    file.startsWith(`${path.replace(/\/$/, "")}/`)
  );
  if (hash === "") return FILES.has(path) || isFolder || path.endsWith(".png");
  return FILES.has(path) && fragments(path).includes(hash.slice(1));
}

Deno.test("every relative link of a document leads to a file and a heading", () => {
  const links = [...FILES].filter(([path]) => path.endsWith(".md"))
    .flatMap(([from, text]) =>
      [...text.replace(/^ *```.*?^ *```$/gms, "").matchAll(/\]\(([^)]+)\)/g)]
        .map(([, link]) => [from, link!] as const)
    ).filter(([, link]) => !/^[a-z]+:/.test(link));
  assertEquals(links.filter(([from, link]) => !leads(from, link)), []);
  assert(links.length > 50);
});

Deno.test("every document that a message, a comment or a configuration names is there", () => {
  const names = [...FILES].filter(([path]) => !path.endsWith(".md"))
    .flatMap(([from, text]) =>
      [...text.matchAll(/\b(?:docs\/[\w-]+|[A-Z]+)\.md\b(?:#[\w-]+)?/g)]
        .map(([name]) => [from, name] as const)
    ).filter(([from]) => from !== "tests/links_test.ts");
  assertEquals(names.filter(([, name]) => !leads("", name)), []);
  assert(names.length > 20);
});
